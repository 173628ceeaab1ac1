// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_UUID_H
#define CORE_FOUNDATION_UUID_H

#include "CFBase.h"
#include "CFString.h"

CF_EXTERN_C_BEGIN

/// A universally unique identifier of 128 bits.
typedef const struct __CFUUID *CFUUIDRef;

/// The 16 bytes of a UUID, the highest first.
typedef struct {
  /// The bytes 0 to 7.
  UInt8 byte0, byte1, byte2, byte3, byte4, byte5, byte6, byte7;
  /// The bytes 8 to 15.
  UInt8 byte8, byte9, byte10, byte11, byte12, byte13, byte14, byte15;
} CFUUIDBytes;

/// The type of UUIDs.
CFTypeID CFUUIDGetTypeID(void);
/// Creates a random UUID.
CFUUIDRef CFUUIDCreate(CFAllocatorRef alloc);
/// Creates a UUID of 16 bytes.
CFUUIDRef CFUUIDCreateWithBytes(CFAllocatorRef alloc, UInt8 byte0, UInt8 byte1, UInt8 byte2,
                                UInt8 byte3, UInt8 byte4, UInt8 byte5, UInt8 byte6, UInt8 byte7,
                                UInt8 byte8, UInt8 byte9, UInt8 byte10, UInt8 byte11,
                                UInt8 byte12, UInt8 byte13, UInt8 byte14, UInt8 byte15);
/// Creates a UUID of its text; NULL if it is none.
CFUUIDRef CFUUIDCreateFromString(CFAllocatorRef alloc, CFStringRef uuidStr);
/// Creates a UUID of a structure.
CFUUIDRef CFUUIDCreateFromUUIDBytes(CFAllocatorRef alloc, CFUUIDBytes bytes);
/// Creates a constant, which lives as long as the process and must not be released.
CFUUIDRef CFUUIDGetConstantUUIDWithBytes(CFAllocatorRef alloc, UInt8 byte0, UInt8 byte1,
                                         UInt8 byte2, UInt8 byte3, UInt8 byte4, UInt8 byte5,
                                         UInt8 byte6, UInt8 byte7, UInt8 byte8, UInt8 byte9,
                                         UInt8 byte10, UInt8 byte11, UInt8 byte12, UInt8 byte13,
                                         UInt8 byte14, UInt8 byte15);
/// The bytes of a UUID.
CFUUIDBytes CFUUIDGetUUIDBytes(CFUUIDRef uuid);
/// The text of a UUID, with hyphens, which the caller releases.
CFStringRef CFUUIDCreateString(CFAllocatorRef alloc, CFUUIDRef uuid);

CF_EXTERN_C_END

#endif
