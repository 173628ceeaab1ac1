// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_NUMBER_H
#define CORE_FOUNDATION_NUMBER_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// True.
CF_EXPORT const CFBooleanRef kCFBooleanTrue;
/// False.
CF_EXPORT const CFBooleanRef kCFBooleanFalse;
/// The type of truth values.
CFTypeID CFBooleanGetTypeID(void);
/// Whether it is kCFBooleanTrue.
Boolean CFBooleanGetValue(CFBooleanRef boolean);

/// The type of a number.
typedef CF_ENUM(CFIndex, CFNumberType) {
  /// SInt8.
  kCFNumberSInt8Type = 1,
  /// SInt16.
  kCFNumberSInt16Type = 2,
  /// SInt32.
  kCFNumberSInt32Type = 3,
  /// SInt64.
  kCFNumberSInt64Type = 4,
  /// Float32.
  kCFNumberFloat32Type = 5,
  /// Float64.
  kCFNumberFloat64Type = 6,
  /// char.
  kCFNumberCharType = 7,
  /// short.
  kCFNumberShortType = 8,
  /// int.
  kCFNumberIntType = 9,
  /// long.
  kCFNumberLongType = 10,
  /// long long.
  kCFNumberLongLongType = 11,
  /// float.
  kCFNumberFloatType = 12,
  /// double.
  kCFNumberDoubleType = 13,
  /// CFIndex.
  kCFNumberCFIndexType = 14,
  /// long.
  kCFNumberNSIntegerType = 15,
  /// double.
  kCFNumberCGFloatType = 16,
  /// The highest number of a type.
  kCFNumberMaxType = 16
};

/// The type of numbers.
CFTypeID CFNumberGetTypeID(void);
/// Creates a number of a value of a type.
CFNumberRef CFNumberCreate(CFAllocatorRef allocator, CFNumberType theType, const void *valuePtr);
/// The type in which a number is stored.
CFNumberType CFNumberGetType(CFNumberRef number);
/// The bytes of that type.
CFIndex CFNumberGetByteSize(CFNumberRef number);
/// Whether that type is a floating-point one.
Boolean CFNumberIsFloatType(CFNumberRef number);
/// Converts a number to a type; false if that loses something.
Boolean CFNumberGetValue(CFNumberRef number, CFNumberType theType, void *valuePtr);
/// The order of two numbers; the context is NULL.
CFComparisonResult CFNumberCompare(CFNumberRef number, CFNumberRef otherNumber, void *context);

CF_EXTERN_C_END

#endif
