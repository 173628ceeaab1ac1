// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_DATA_H
#define CORE_FOUNDATION_DATA_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// The type of data.
CFTypeID CFDataGetTypeID(void);
/// Creates data of a copy of bytes.
CFDataRef CFDataCreate(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length);
/// Creates data of the caller's memory, which the deallocator frees.
CFDataRef CFDataCreateWithBytesNoCopy(CFAllocatorRef allocator, const UInt8 *bytes, CFIndex length,
                                      CFAllocatorRef bytesDeallocator);
/// Creates empty data that can be changed; capacity 0: any size.
CFMutableDataRef CFDataCreateMutable(CFAllocatorRef allocator, CFIndex capacity);
/// The number of bytes.
CFIndex CFDataGetLength(CFDataRef theData);
/// The bytes, which must not be changed.
const UInt8 *CFDataGetBytePtr(CFDataRef theData);
/// The bytes, which may be changed.
UInt8 *CFDataGetMutableBytePtr(CFMutableDataRef theData);
/// Copies the bytes of a range to memory of the caller.
void CFDataGetBytes(CFDataRef theData, CFRange range, UInt8 *buffer);
/// Adds bytes at the end.
void CFDataAppendBytes(CFMutableDataRef theData, const UInt8 *bytes, CFIndex length);

CF_EXTERN_C_END

#endif
