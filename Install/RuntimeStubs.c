// SPDX-License-Identifier: Apache-2.0
// Stubs for functions that the Swift runtime references but this library never calls. With them,
// the installed library does without large tables. Scripts/link wraps each of the functions.

#include <CoreFoundation/CFString.h>
#include <CoreFoundation/CFStringEncodingConverter.h>
#include <CoreFoundation/CFStringEncodingExt.h>
#include <_foundation_unicode/uatimezone.h>
#include <_foundation_unicode/ucal.h>
#include <_foundation_unicode/ucol.h>
#include <_foundation_unicode/ucoleitr.h>
#include <_foundation_unicode/udat.h>
#include <_foundation_unicode/udateintervalformat.h>
#include <_foundation_unicode/udatpg.h>
#include <_foundation_unicode/ulistformatter.h>
#include <_foundation_unicode/umsg.h>
#include <_foundation_unicode/uregex.h>
#include <_foundation_unicode/uregion.h>
#include <_foundation_unicode/ureldatefmt.h>
#include <_foundation_unicode/utrans.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// The names of all Unicode characters, half a megabyte, for `Unicode.Scalar.Properties.name`.
// Without them, that property is nil.
ptrdiff_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, ptrdiff_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}

// The initialization and end of std::cout and similar objects, which need every locale facet of the
// C++ library. ICU's calendars include <iostream> but print no text.
void __wrap__ZNSt8ios_base4InitC1Ev(void *init) { (void)init; }
void __wrap__ZNSt8ios_base4InitD1Ev(void *init) { (void)init; }

// ICU's calendars, dates and time zones, messages and lists, regions, collation and transliteration
// need language data that is not installed, and nothing here uses its regular expressions: 0.8 MB.
// Functions that create such an object return an error; Scripts/link replaces those that use one by
// `icu_unavailable`.
#define JOINED(left, right) left##right
#define PASTED(left, right) JOINED(left, right)
#define STUB(function) PASTED(__wrap_, function)

static void *missing(UErrorCode *status) {
  *status = U_MISSING_RESOURCE_ERROR;
  return NULL;
}

void icu_unavailable(void) { abort(); }

__typeof__(uatimezone_open) STUB(uatimezone_open);
UTimeZone *STUB(uatimezone_open)(const UChar *, int32_t, UErrorCode *status) {
  return missing(status);
}

__typeof__(ucal_getCanonicalTimeZoneID) STUB(ucal_getCanonicalTimeZoneID);
int32_t STUB(ucal_getCanonicalTimeZoneID)(const UChar *, int32_t, UChar *, int32_t, UBool *,
                                          UErrorCode *status) {
  missing(status);
  return 0;
}

__typeof__(ucal_getKeywordValuesForLocale) STUB(ucal_getKeywordValuesForLocale);
UEnumeration *STUB(ucal_getKeywordValuesForLocale)(const char *, const char *, UBool,
                                                   UErrorCode *status) {
  return missing(status);
}

__typeof__(ucal_getNow) STUB(ucal_getNow);
UDate STUB(ucal_getNow)(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1000000;
}

__typeof__(ucal_getTZDataVersion) STUB(ucal_getTZDataVersion);
const char *STUB(ucal_getTZDataVersion)(UErrorCode *status) { return missing(status); }

__typeof__(ucal_open) STUB(ucal_open);
UCalendar *STUB(ucal_open)(const UChar *, int32_t, const char *, UCalendarType,
                           UErrorCode *status) {
  return missing(status);
}

__typeof__(ucal_openTimeZones) STUB(ucal_openTimeZones);
UEnumeration *STUB(ucal_openTimeZones)(UErrorCode *status) { return missing(status); }

__typeof__(ucol_getKeywordValues) STUB(ucol_getKeywordValues);
UEnumeration *STUB(ucol_getKeywordValues)(const char *, UErrorCode *status) {
  return missing(status);
}

__typeof__(ucol_getKeywordValuesForLocale) STUB(ucol_getKeywordValuesForLocale);
UEnumeration *STUB(ucol_getKeywordValuesForLocale)(const char *, const char *, UBool,
                                                   UErrorCode *status) {
  return missing(status);
}

// Core Foundation collates for kCFCompareLocalized. Without the tables of languages, texts are in the
// order of their letters first, then of accents, then of case with lower case first.
static char collator;

__typeof__(ucol_open) STUB(ucol_open);
UCollator *STUB(ucol_open)(const char *, UErrorCode *) { return (UCollator *)&collator; }

__typeof__(ucol_close) STUB(ucol_close);
void STUB(ucol_close)(UCollator *) {}

__typeof__(ucol_setAttribute) STUB(ucol_setAttribute);
void STUB(ucol_setAttribute)(UCollator *, UColAttribute, UColAttributeValue, UErrorCode *) {}

static CFStringRef text(const UChar *characters, int32_t length) {
  return CFStringCreateWithCharactersNoCopy(NULL, (const UniChar *)characters, length, kCFAllocatorNull);
}

__typeof__(ucol_strcoll) STUB(ucol_strcoll);
UCollationResult STUB(ucol_strcoll)(const UCollator *, const UChar *source, int32_t source_length,
                                    const UChar *target, int32_t target_length) {
  const CFStringRef left = text(source, source_length), right = text(target, target_length);
  CFComparisonResult result =
      CFStringCompare(left, right, kCFCompareCaseInsensitive | kCFCompareDiacriticInsensitive);
  if (!result) result = CFStringCompare(left, right, kCFCompareCaseInsensitive);
  if (!result) result = CFStringCompare(right, left, 0);
  CFRelease(left);
  CFRelease(right);
  return (UCollationResult)result;
}

// Its elements are not available: a search compares characters.
__typeof__(ucol_openElements) STUB(ucol_openElements);
UCollationElements *STUB(ucol_openElements)(const UCollator *, const UChar *, int32_t,
                                            UErrorCode *status) {
  return missing(status);
}

__typeof__(ucol_next) STUB(ucol_next);
int32_t STUB(ucol_next)(UCollationElements *, UErrorCode *) { return UCOL_NULLORDER; }

__typeof__(ucol_getOffset) STUB(ucol_getOffset);
int32_t STUB(ucol_getOffset)(const UCollationElements *) { return 0; }

__typeof__(ucol_closeElements) STUB(ucol_closeElements);
void STUB(ucol_closeElements)(UCollationElements *) {}

__typeof__(udat_open) STUB(udat_open);
UDateFormat *STUB(udat_open)(UDateFormatStyle, UDateFormatStyle, const char *, const UChar *,
                             int32_t, const UChar *, int32_t, UErrorCode *status) {
  return missing(status);
}

__typeof__(udat_patternCharToDateFormatField) STUB(udat_patternCharToDateFormatField);
UDateFormatField STUB(udat_patternCharToDateFormatField)(UChar) { return UDAT_FIELD_COUNT; }

__typeof__(udat_toCalendarDateField) STUB(udat_toCalendarDateField);
UCalendarDateFields STUB(udat_toCalendarDateField)(UDateFormatField) {
  return UCAL_FIELD_COUNT;
}

__typeof__(udatpg_open) STUB(udatpg_open);
UDateTimePatternGenerator *STUB(udatpg_open)(const char *, UErrorCode *status) {
  return missing(status);
}

__typeof__(udtitvfmt_open) STUB(udtitvfmt_open);
UDateIntervalFormat *STUB(udtitvfmt_open)(const char *, const UChar *, int32_t, const UChar *,
                                          int32_t, UErrorCode *status) {
  return missing(status);
}

__typeof__(ulistfmt_open) STUB(ulistfmt_open);
UListFormatter *STUB(ulistfmt_open)(const char *, UErrorCode *status) { return missing(status); }

__typeof__(ulistfmt_openForType) STUB(ulistfmt_openForType);
UListFormatter *STUB(ulistfmt_openForType)(const char *, UListFormatterType, UListFormatterWidth,
                                           UErrorCode *status) {
  return missing(status);
}

__typeof__(uregex_open) STUB(uregex_open);
URegularExpression *STUB(uregex_open)(const UChar *, int32_t, uint32_t, UParseError *,
                                      UErrorCode *status) {
  return missing(status);
}

__typeof__(uregion_getAvailable) STUB(uregion_getAvailable);
UEnumeration *STUB(uregion_getAvailable)(URegionType, UErrorCode *status) {
  return missing(status);
}

__typeof__(uregion_getRegionFromCode) STUB(uregion_getRegionFromCode);
const URegion *STUB(uregion_getRegionFromCode)(const char *, UErrorCode *status) {
  return missing(status);
}

__typeof__(ureldatefmt_open) STUB(ureldatefmt_open);
URelativeDateTimeFormatter *STUB(ureldatefmt_open)(const char *, UNumberFormat *,
                                                   UDateRelativeDateTimeFormatterStyle,
                                                   UDisplayContext, UErrorCode *status) {
  return missing(status);
}

__typeof__(utrans_openU) STUB(utrans_openU);
UTransliterator *STUB(utrans_openU)(const UChar *, int32_t, UTransDirection, const UChar *, int32_t,
                                    UParseError *, UErrorCode *status) {
  return missing(status);
}

__typeof__(u_formatMessage) STUB(u_formatMessage);
int32_t STUB(u_formatMessage)(const char *, const UChar *, int32_t, UChar *, int32_t,
                              UErrorCode *status, ...) {
  missing(status);
  return 0;
}

__typeof__(u_vformatMessage) STUB(u_vformatMessage);
int32_t STUB(u_vformatMessage)(const char *, const UChar *, int32_t, UChar *, int32_t, va_list,
                               UErrorCode *status) {
  missing(status);
  return 0;
}

// The converter for UTF7-IMAP does not end for some texts: it is not available.
uint32_t __real_CFStringEncodingUnicodeToBytes(uint32_t, uint32_t, const UniChar *, CFIndex, CFIndex *,
                                               uint8_t *, CFIndex, CFIndex *);
uint32_t __wrap_CFStringEncodingUnicodeToBytes(uint32_t encoding, uint32_t flags,
                                               const UniChar *characters, CFIndex length,
                                               CFIndex *used_length, uint8_t *bytes,
                                               CFIndex capacity, CFIndex *used_bytes) {
  if (encoding == kCFStringEncodingUTF7_IMAP) return kCFStringEncodingConverterUnavailable;
  return __real_CFStringEncodingUnicodeToBytes(encoding, flags, characters, length, used_length,
                                               bytes, capacity, used_bytes);
}

uint32_t __real_CFStringEncodingBytesToUnicode(uint32_t, uint32_t, const uint8_t *, CFIndex, CFIndex *,
                                               UniChar *, CFIndex, CFIndex *);
uint32_t __wrap_CFStringEncodingBytesToUnicode(uint32_t encoding, uint32_t flags,
                                               const uint8_t *bytes, CFIndex length,
                                               CFIndex *used_length, UniChar *characters,
                                               CFIndex capacity, CFIndex *used_characters) {
  if (encoding == kCFStringEncodingUTF7_IMAP) return kCFStringEncodingConverterUnavailable;
  return __real_CFStringEncodingBytesToUnicode(encoding, flags, bytes, length, used_length, characters,
                                               capacity, used_characters);
}
