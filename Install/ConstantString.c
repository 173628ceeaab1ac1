// SPDX-License-Identifier: Apache-2.0
// The function that CFSTR("…") calls. CoreFoundation for Linux declares it, and expects the
// compiler to implement it; so the installed library implements it.

#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CFMutableDictionaryRef known;

static CFStringRef string_from(const char *text, CFStringEncoding encoding) {
  return CFStringCreateWithCString(kCFAllocatorDefault, text, encoding);
}

/// The constant string with this text: the same object each time, which lives as long as the
/// process.
CFStringRef __CFStringMakeConstantString(const char *text) {
  CFStringRef string = string_from(text, kCFStringEncodingUTF8);
  // Text that is not UTF-8 is read as Latin 1, which accepts every text. So a constant is never
  // null.
  if (!string) string = string_from(text, kCFStringEncodingISOLatin1);

  pthread_mutex_lock(&lock);
  if (!known) {
    known = CFDictionaryCreateMutable(kCFAllocatorDefault, 0, &kCFTypeDictionaryKeyCallBacks,
                                      &kCFTypeDictionaryValueCallBacks);
  }
  CFStringRef first = CFDictionaryGetValue(known, string);
  if (!first) CFDictionaryAddValue(known, string, string);
  pthread_mutex_unlock(&lock);

  if (!first) return string;
  CFRelease(string);
  return first;
}
