// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_NUMBER_FORMATTER_H
#define CORE_FOUNDATION_NUMBER_FORMATTER_H

#include "CFBase.h"
#include "CFLocale.h"
#include "CFNumber.h"

CF_EXTERN_C_BEGIN

typedef CFStringRef CFNumberFormatterKey;
typedef CF_ENUM(CFIndex, CFNumberFormatterStyle) {
  kCFNumberFormatterNoStyle = 0,
  kCFNumberFormatterDecimalStyle = 1,
  kCFNumberFormatterCurrencyStyle = 2,
  kCFNumberFormatterPercentStyle = 3,
  kCFNumberFormatterScientificStyle = 4,
  kCFNumberFormatterSpellOutStyle = 5
};
CF_EXPORT const CFNumberFormatterKey kCFNumberFormatterMaxFractionDigits;
CF_EXPORT const CFNumberFormatterKey kCFNumberFormatterMinFractionDigits;
CFNumberFormatterRef CFNumberFormatterCreate(CFAllocatorRef allocator, CFLocaleRef locale,
                                             CFNumberFormatterStyle style);
CFStringRef CFNumberFormatterCreateStringWithValue(CFAllocatorRef allocator,
                                                   CFNumberFormatterRef formatter,
                                                   CFNumberType numberType, const void *valuePtr);
CFStringRef CFNumberFormatterCreateStringWithNumber(CFAllocatorRef allocator,
                                                    CFNumberFormatterRef formatter,
                                                    CFNumberRef number);
Boolean CFNumberFormatterGetValueFromString(CFNumberFormatterRef formatter, CFStringRef string,
                                            CFRange *rangep, CFNumberType numberType,
                                            void *valuePtr);
void CFNumberFormatterSetProperty(CFNumberFormatterRef formatter, CFNumberFormatterKey key,
                                  CFTypeRef value);

CF_EXTERN_C_END

#endif
