// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_BYTE_ORDER_H
#define CORE_FOUNDATION_BYTE_ORDER_H

#include "CFBase.h"

/// Reverses two bytes.
CF_INLINE UInt16 CFSwapInt16(UInt16 value) { return __builtin_bswap16(value); }
/// Reverses four bytes.
CF_INLINE UInt32 CFSwapInt32(UInt32 value) { return __builtin_bswap32(value); }
/// Reverses eight bytes.
CF_INLINE UInt64 CFSwapInt64(UInt64 value) { return __builtin_bswap64(value); }
#if TARGET_RT_BIG_ENDIAN
#define CF_SWAP_BIG(bits, value) (value)
#define CF_SWAP_LITTLE(bits, value) CFSwapInt##bits(value)
#else
/// Reverses bytes on a machine whose low byte comes first.
#define CF_SWAP_BIG(bits, value) CFSwapInt##bits(value)
/// Reverses bytes on a machine whose high byte comes first.
#define CF_SWAP_LITTLE(bits, value) (value)
#endif
/// Converts a number whose high byte comes first to that of the machine: 16 bits.
CF_INLINE UInt16 CFSwapInt16BigToHost(UInt16 value) { return CF_SWAP_BIG(16, value); }
/// Converts a number whose high byte comes first to that of the machine: 32 bits.
CF_INLINE UInt32 CFSwapInt32BigToHost(UInt32 value) { return CF_SWAP_BIG(32, value); }
/// Converts a number whose high byte comes first to that of the machine: 64 bits.
CF_INLINE UInt64 CFSwapInt64BigToHost(UInt64 value) { return CF_SWAP_BIG(64, value); }
/// Converts a number of the machine to one whose high byte comes first: 16 bits.
CF_INLINE UInt16 CFSwapInt16HostToBig(UInt16 value) { return CF_SWAP_BIG(16, value); }
/// Converts a number of the machine to one whose high byte comes first: 32 bits.
CF_INLINE UInt32 CFSwapInt32HostToBig(UInt32 value) { return CF_SWAP_BIG(32, value); }
/// Converts a number of the machine to one whose high byte comes first: 64 bits.
CF_INLINE UInt64 CFSwapInt64HostToBig(UInt64 value) { return CF_SWAP_BIG(64, value); }
/// Converts a number whose low byte comes first to that of the machine: 16 bits.
CF_INLINE UInt16 CFSwapInt16LittleToHost(UInt16 value) { return CF_SWAP_LITTLE(16, value); }
/// Converts a number whose low byte comes first to that of the machine: 32 bits.
CF_INLINE UInt32 CFSwapInt32LittleToHost(UInt32 value) { return CF_SWAP_LITTLE(32, value); }
/// Converts a number whose low byte comes first to that of the machine: 64 bits.
CF_INLINE UInt64 CFSwapInt64LittleToHost(UInt64 value) { return CF_SWAP_LITTLE(64, value); }
/// Converts a number of the machine to one whose low byte comes first: 16 bits.
CF_INLINE UInt16 CFSwapInt16HostToLittle(UInt16 value) { return CF_SWAP_LITTLE(16, value); }
/// Converts a number of the machine to one whose low byte comes first: 32 bits.
CF_INLINE UInt32 CFSwapInt32HostToLittle(UInt32 value) { return CF_SWAP_LITTLE(32, value); }
/// Converts a number of the machine to one whose low byte comes first: 64 bits.
CF_INLINE UInt64 CFSwapInt64HostToLittle(UInt64 value) { return CF_SWAP_LITTLE(64, value); }

#endif
