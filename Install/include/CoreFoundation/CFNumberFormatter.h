// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_NUMBER_FORMATTER_H
#define CORE_FOUNDATION_NUMBER_FORMATTER_H

#include "CFBase.h"
#include "CFLocale.h"
#include "CFNumber.h"

CF_EXTERN_C_BEGIN

/// The name of a setting of a formatter.
typedef CFStringRef CFNumberFormatterKey;
/// How a formatter writes numbers.
typedef CF_ENUM(CFIndex, CFNumberFormatterStyle) {
  /// As an integer.
  kCFNumberFormatterNoStyle = 0,
  /// With a point.
  kCFNumberFormatterDecimalStyle = 1,
  /// As an amount of money.
  kCFNumberFormatterCurrencyStyle = 2,
  /// In percent.
  kCFNumberFormatterPercentStyle = 3,
  /// With an exponent.
  kCFNumberFormatterScientificStyle = 4,
  /// In words.
  kCFNumberFormatterSpellOutStyle = 5
};
/// A number: the most digits after the point.
CF_EXPORT const CFNumberFormatterKey kCFNumberFormatterMaxFractionDigits;
/// A number: the fewest digits after the point.
CF_EXPORT const CFNumberFormatterKey kCFNumberFormatterMinFractionDigits;
/// Creates a formatter for a language and a style.
CFNumberFormatterRef CFNumberFormatterCreate(CFAllocatorRef allocator, CFLocaleRef locale,
                                             CFNumberFormatterStyle style);
/// Writes a value of a type.
CFStringRef CFNumberFormatterCreateStringWithValue(CFAllocatorRef allocator,
                                                   CFNumberFormatterRef formatter,
                                                   CFNumberType numberType, const void *valuePtr);
/// Writes a number.
CFStringRef CFNumberFormatterCreateStringWithNumber(CFAllocatorRef allocator,
                                                    CFNumberFormatterRef formatter,
                                                    CFNumberRef number);
/// Reads a value of a type; false if the string is none.
Boolean CFNumberFormatterGetValueFromString(CFNumberFormatterRef formatter, CFStringRef string,
                                            CFRange *rangep, CFNumberType numberType,
                                            void *valuePtr);
/// Changes a setting.
void CFNumberFormatterSetProperty(CFNumberFormatterRef formatter, CFNumberFormatterKey key,
                                  CFTypeRef value);

CF_EXTERN_C_END

#endif
