// SPDX-License-Identifier: Apache-2.0
// Texts in every encoding: a conversion succeeds or returns nothing, and ends. A localized comparison
// sorts by letters, then by accents, then by case.
// Prints 6 texts in 4096 encodings
// Prints a < b, b > a, ä < b, a < ä, B > a, a < A, same = same
// Prints found 3 at 5
#include "robustness.h"

static void convert(CFStringRef text, CFStringEncoding encoding) {
  CFDataRef data = CFStringCreateExternalRepresentation(NULL, text, encoding, '?');
  if (data) {
    CFStringRef back = CFStringCreateFromExternalRepresentation(NULL, data, encoding);
    if (back) CFRelease(back);
    CFRelease(data);
  }
  UInt8 bytes[64];
  char c_text[64];
  CFIndex used = 0;
  const CFRange whole = {0, CFStringGetLength(text)};
  CFStringGetBytes(text, whole, encoding, 0, false, bytes, sizeof bytes, &used);
  CFStringGetCString(text, c_text, sizeof c_text, encoding);
  CFStringGetMaximumSizeForEncoding(whole.length, encoding);
  const UInt8 input[] = {'a', '&', 0xC3, 0xA4, '+', 0xFF, '-', 0x1B, '$', 'B', 0};
  CFStringRef made = CFStringCreateWithBytes(NULL, input, sizeof input, encoding, true);
  if (made) CFRelease(made);
}

static void compare(const char *left, const char *right, const char *separator) {
  CFStringRef a = CFStringCreateWithCString(NULL, left, kCFStringEncodingUTF8);
  CFStringRef b = CFStringCreateWithCString(NULL, right, kCFStringEncodingUTF8);
  const CFComparisonResult result = CFStringCompare(a, b, kCFCompareLocalized);
  CFRelease(a);
  CFRelease(b);
  printf("%s %c %s%s", left, "<=>"[result + 1], right, separator);
}

int main(void) {
  alarm(60);
  const char *texts[] = {"", "plain", "ä", "a&b", "€🎵", "日本"};
  const int count = sizeof texts / sizeof *texts;
  for (int i = 0; i < count; i++) {
    CFStringRef text = CFStringCreateWithCString(NULL, texts[i], kCFStringEncodingUTF8);
    for (CFStringEncoding encoding = 0; encoding < 4096; encoding++) convert(text, encoding);
    CFRelease(text);
  }
  printf("%d texts in 4096 encodings\n", count);
  compare("a", "b", ", ");
  compare("b", "a", ", ");
  compare("ä", "b", ", ");
  compare("a", "ä", ", ");
  compare("B", "a", ", ");
  compare("a", "A", ", ");
  compare("same", "same", "\n");
  const CFRange found = CFStringFind(CFSTR("one, Two"), CFSTR("Two"), kCFCompareLocalized);
  printf("found %ld at %ld\n", (long)found.length, (long)found.location);
  return 0;
}
