// SPDX-License-Identifier: Apache-2.0
// A C program that formats and parses numbers with CFNumberFormatter, the only user of the
// installed language data.

#include <AudioToolbox/AudioToolbox.h>
#include <stdio.h>
#include <string.h>

static int says(CFStringRef string, const char *expected) {
  char text[64] = "(null)";
  if (string) CFStringGetCString(string, text, sizeof text, kCFStringEncodingUTF8);
  if (strcmp(text, expected) != 0) fprintf(stderr, "%s instead of %s\n", text, expected);
  return strcmp(text, expected) == 0;
}

int main(void) {
  CFNumberFormatterRef formatter =
      CFNumberFormatterCreate(NULL, CFLocaleCopyCurrent(), kCFNumberFormatterDecimalStyle);
  if (!formatter) return 1;
  const int digits = 2;
  CFNumberRef two = CFNumberCreate(NULL, kCFNumberIntType, &digits);
  CFNumberFormatterSetProperty(formatter, kCFNumberFormatterMinFractionDigits, two);
  CFNumberFormatterSetProperty(formatter, kCFNumberFormatterMaxFractionDigits, two);
  const double gain = 12345.678;
  if (!says(CFNumberFormatterCreateStringWithValue(NULL, formatter, kCFNumberDoubleType, &gain),
            "12,345.68")) {
    return 2;
  }
  double read = 0;
  CFRange all = CFRangeMake(0, 4);
  if (!CFNumberFormatterGetValueFromString(formatter, CFSTR("7.25"), &all, kCFNumberDoubleType,
                                           &read) ||
      read != 7.25) {
    return 3;
  }
  const double share = 0.5;
  formatter = CFNumberFormatterCreate(NULL, NULL, kCFNumberFormatterPercentStyle);
  if (!says(CFNumberFormatterCreateStringWithValue(NULL, formatter, kCFNumberDoubleType, &share),
            "50%")) {
    return 4;
  }
  formatter = CFNumberFormatterCreate(NULL, NULL, kCFNumberFormatterScientificStyle);
  return says(CFNumberFormatterCreateStringWithValue(NULL, formatter, kCFNumberDoubleType, &gain),
              "1.2345678E4")
             ? 0
             : 5;
}
