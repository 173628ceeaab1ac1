// SPDX-License-Identifier: Apache-2.0

#ifndef LIBKERN_OS_BYTE_ORDER_H
#define LIBKERN_OS_BYTE_ORDER_H

#include <CoreFoundation/CFByteOrder.h>

#define OSSwapInt16(value) CFSwapInt16((uint16_t)(value))
#define OSSwapInt32(value) CFSwapInt32((uint32_t)(value))
#define OSSwapInt64(value) CFSwapInt64((UInt64)(value))
#define OSSwapBigToHostInt16(value) CFSwapInt16BigToHost((uint16_t)(value))
#define OSSwapBigToHostInt32(value) CFSwapInt32BigToHost((uint32_t)(value))
#define OSSwapBigToHostInt64(value) CFSwapInt64BigToHost((UInt64)(value))
#define OSSwapHostToBigInt16(value) CFSwapInt16HostToBig((uint16_t)(value))
#define OSSwapHostToBigInt32(value) CFSwapInt32HostToBig((uint32_t)(value))
#define OSSwapHostToBigInt64(value) CFSwapInt64HostToBig((UInt64)(value))
#define OSSwapLittleToHostInt16(value) CFSwapInt16LittleToHost((uint16_t)(value))
#define OSSwapLittleToHostInt32(value) CFSwapInt32LittleToHost((uint32_t)(value))
#define OSSwapLittleToHostInt64(value) CFSwapInt64LittleToHost((UInt64)(value))
#define OSSwapHostToLittleInt16(value) CFSwapInt16HostToLittle((uint16_t)(value))
#define OSSwapHostToLittleInt32(value) CFSwapInt32HostToLittle((uint32_t)(value))
#define OSSwapHostToLittleInt64(value) CFSwapInt64HostToLittle((UInt64)(value))

#endif
