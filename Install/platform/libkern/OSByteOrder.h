// SPDX-License-Identifier: Apache-2.0

#ifndef LIBKERN_OS_BYTE_ORDER_H
#define LIBKERN_OS_BYTE_ORDER_H

#include <CoreFoundation/CFByteOrder.h>

/// A number of 16 bits with its bytes in the other order.
#define OSSwapInt16(value) CFSwapInt16((uint16_t)(value))
/// A number of 32 bits with its bytes in the other order.
#define OSSwapInt32(value) CFSwapInt32((uint32_t)(value))
/// A number of 64 bits with its bytes in the other order.
#define OSSwapInt64(value) CFSwapInt64((UInt64)(value))
/// A big-endian number of 16 bits in the order of this machine.
#define OSSwapBigToHostInt16(value) CFSwapInt16BigToHost((uint16_t)(value))
/// A big-endian number of 32 bits in the order of this machine.
#define OSSwapBigToHostInt32(value) CFSwapInt32BigToHost((uint32_t)(value))
/// A big-endian number of 64 bits in the order of this machine.
#define OSSwapBigToHostInt64(value) CFSwapInt64BigToHost((UInt64)(value))
/// A number of 16 bits in big-endian order.
#define OSSwapHostToBigInt16(value) CFSwapInt16HostToBig((uint16_t)(value))
/// A number of 32 bits in big-endian order.
#define OSSwapHostToBigInt32(value) CFSwapInt32HostToBig((uint32_t)(value))
/// A number of 64 bits in big-endian order.
#define OSSwapHostToBigInt64(value) CFSwapInt64HostToBig((UInt64)(value))
/// A little-endian number of 16 bits in the order of this machine.
#define OSSwapLittleToHostInt16(value) CFSwapInt16LittleToHost((uint16_t)(value))
/// A little-endian number of 32 bits in the order of this machine.
#define OSSwapLittleToHostInt32(value) CFSwapInt32LittleToHost((uint32_t)(value))
/// A little-endian number of 64 bits in the order of this machine.
#define OSSwapLittleToHostInt64(value) CFSwapInt64LittleToHost((UInt64)(value))
/// A number of 16 bits in little-endian order.
#define OSSwapHostToLittleInt16(value) CFSwapInt16HostToLittle((uint16_t)(value))
/// A number of 32 bits in little-endian order.
#define OSSwapHostToLittleInt32(value) CFSwapInt32HostToLittle((uint32_t)(value))
/// A number of 64 bits in little-endian order.
#define OSSwapHostToLittleInt64(value) CFSwapInt64HostToLittle((UInt64)(value))

#endif
