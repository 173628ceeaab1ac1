// SPDX-License-Identifier: Apache-2.0
// What the Swift runtime refers to and nothing here uses. These take its place, and large tables stay
// out of what is installed. Scripts/link wraps each of the functions.

#include <_foundation_unicode/uatimezone.h>
#include <_foundation_unicode/ucal.h>
#include <_foundation_unicode/udat.h>
#include <_foundation_unicode/udateintervalformat.h>
#include <_foundation_unicode/udatpg.h>
#include <_foundation_unicode/umsg.h>
#include <_foundation_unicode/ureldatefmt.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

// The names of all characters of Unicode, half a megabyte, behind `Unicode.Scalar.Properties.name`.
// Without them that property is nil.
ptrdiff_t __wrap__swift_stdlib_getScalarName(uint32_t scalar, uint8_t *buffer, ptrdiff_t capacity) {
  (void)scalar, (void)buffer, (void)capacity;
  return 0;
}

// The start and end of std::cout and its like, which bring every locale facet of the C++ library.
// ICU's calendars include <iostream> and print nothing.
void __wrap__ZNSt8ios_base4InitC1Ev(void *init) { (void)init; }
void __wrap__ZNSt8ios_base4InitD1Ev(void *init) { (void)init; }

// ICU's dates, calendars, time zones and messages, 0.7 MB. They need data of languages that is not
// installed: whatever makes one says so, and Scripts/link gives the functions that take one
// `icu_has_none`.
#define JOINED(left, right) left##right
#define PASTED(left, right) JOINED(left, right)
#define STAND_IN(function) PASTED(__wrap_, function)

static void *missing(UErrorCode *status) {
  *status = U_MISSING_RESOURCE_ERROR;
  return NULL;
}

void icu_has_none(void) { abort(); }

__typeof__(uatimezone_open) STAND_IN(uatimezone_open);
UTimeZone *STAND_IN(uatimezone_open)(const UChar *, int32_t, UErrorCode *status) {
  return missing(status);
}

__typeof__(ucal_getCanonicalTimeZoneID) STAND_IN(ucal_getCanonicalTimeZoneID);
int32_t STAND_IN(ucal_getCanonicalTimeZoneID)(const UChar *, int32_t, UChar *, int32_t, UBool *,
                                              UErrorCode *status) {
  missing(status);
  return 0;
}

__typeof__(ucal_getKeywordValuesForLocale) STAND_IN(ucal_getKeywordValuesForLocale);
UEnumeration *STAND_IN(ucal_getKeywordValuesForLocale)(const char *, const char *, UBool,
                                                       UErrorCode *status) {
  return missing(status);
}

__typeof__(ucal_getNow) STAND_IN(ucal_getNow);
UDate STAND_IN(ucal_getNow)(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1000000;
}

__typeof__(ucal_getTZDataVersion) STAND_IN(ucal_getTZDataVersion);
const char *STAND_IN(ucal_getTZDataVersion)(UErrorCode *status) { return missing(status); }

__typeof__(ucal_open) STAND_IN(ucal_open);
UCalendar *STAND_IN(ucal_open)(const UChar *, int32_t, const char *, UCalendarType,
                               UErrorCode *status) {
  return missing(status);
}

__typeof__(ucal_openTimeZones) STAND_IN(ucal_openTimeZones);
UEnumeration *STAND_IN(ucal_openTimeZones)(UErrorCode *status) { return missing(status); }

__typeof__(udat_open) STAND_IN(udat_open);
UDateFormat *STAND_IN(udat_open)(UDateFormatStyle, UDateFormatStyle, const char *, const UChar *,
                                 int32_t, const UChar *, int32_t, UErrorCode *status) {
  return missing(status);
}

__typeof__(udat_patternCharToDateFormatField) STAND_IN(udat_patternCharToDateFormatField);
UDateFormatField STAND_IN(udat_patternCharToDateFormatField)(UChar) { return UDAT_FIELD_COUNT; }

__typeof__(udat_toCalendarDateField) STAND_IN(udat_toCalendarDateField);
UCalendarDateFields STAND_IN(udat_toCalendarDateField)(UDateFormatField) {
  return UCAL_FIELD_COUNT;
}

__typeof__(udatpg_open) STAND_IN(udatpg_open);
UDateTimePatternGenerator *STAND_IN(udatpg_open)(const char *, UErrorCode *status) {
  return missing(status);
}

__typeof__(udtitvfmt_open) STAND_IN(udtitvfmt_open);
UDateIntervalFormat *STAND_IN(udtitvfmt_open)(const char *, const UChar *, int32_t, const UChar *,
                                              int32_t, UErrorCode *status) {
  return missing(status);
}

__typeof__(ureldatefmt_open) STAND_IN(ureldatefmt_open);
URelativeDateTimeFormatter *STAND_IN(ureldatefmt_open)(const char *, UNumberFormat *,
                                                       UDateRelativeDateTimeFormatterStyle,
                                                       UDisplayContext, UErrorCode *status) {
  return missing(status);
}

__typeof__(u_formatMessage) STAND_IN(u_formatMessage);
int32_t STAND_IN(u_formatMessage)(const char *, const UChar *, int32_t, UChar *, int32_t,
                                  UErrorCode *status, ...) {
  missing(status);
  return 0;
}

__typeof__(u_vformatMessage) STAND_IN(u_vformatMessage);
int32_t STAND_IN(u_vformatMessage)(const char *, const UChar *, int32_t, UChar *, int32_t, va_list,
                                   UErrorCode *status) {
  missing(status);
  return 0;
}
