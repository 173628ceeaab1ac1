// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_BYTE_ORDER_H
#define CORE_FOUNDATION_BYTE_ORDER_H

#include "CFBase.h"

CF_INLINE UInt16 CFSwapInt16(UInt16 value) { return __builtin_bswap16(value); }
CF_INLINE UInt32 CFSwapInt32(UInt32 value) { return __builtin_bswap32(value); }
CF_INLINE UInt64 CFSwapInt64(UInt64 value) { return __builtin_bswap64(value); }
#if TARGET_RT_BIG_ENDIAN
#define CF_SWAP_BIG(bits, value) (value)
#define CF_SWAP_LITTLE(bits, value) CFSwapInt##bits(value)
#else
#define CF_SWAP_BIG(bits, value) CFSwapInt##bits(value)
#define CF_SWAP_LITTLE(bits, value) (value)
#endif
CF_INLINE UInt16 CFSwapInt16BigToHost(UInt16 value) { return CF_SWAP_BIG(16, value); }
CF_INLINE UInt32 CFSwapInt32BigToHost(UInt32 value) { return CF_SWAP_BIG(32, value); }
CF_INLINE UInt64 CFSwapInt64BigToHost(UInt64 value) { return CF_SWAP_BIG(64, value); }
CF_INLINE UInt16 CFSwapInt16HostToBig(UInt16 value) { return CF_SWAP_BIG(16, value); }
CF_INLINE UInt32 CFSwapInt32HostToBig(UInt32 value) { return CF_SWAP_BIG(32, value); }
CF_INLINE UInt64 CFSwapInt64HostToBig(UInt64 value) { return CF_SWAP_BIG(64, value); }
CF_INLINE UInt16 CFSwapInt16LittleToHost(UInt16 value) { return CF_SWAP_LITTLE(16, value); }
CF_INLINE UInt32 CFSwapInt32LittleToHost(UInt32 value) { return CF_SWAP_LITTLE(32, value); }
CF_INLINE UInt64 CFSwapInt64LittleToHost(UInt64 value) { return CF_SWAP_LITTLE(64, value); }
CF_INLINE UInt16 CFSwapInt16HostToLittle(UInt16 value) { return CF_SWAP_LITTLE(16, value); }
CF_INLINE UInt32 CFSwapInt32HostToLittle(UInt32 value) { return CF_SWAP_LITTLE(32, value); }
CF_INLINE UInt64 CFSwapInt64HostToLittle(UInt64 value) { return CF_SWAP_LITTLE(64, value); }

#endif
