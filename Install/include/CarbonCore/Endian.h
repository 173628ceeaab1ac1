// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_ENDIAN_H
#define CARBON_CORE_ENDIAN_H

// Byte orders by name: B is big, L is little, N is this machine's.

#include "../CoreFoundation/CFByteOrder.h"

#define Endian16_Swap(value) CFSwapInt16((UInt16)(value))
#define Endian32_Swap(value) CFSwapInt32((UInt32)(value))
#define Endian64_Swap(value) CFSwapInt64((UInt64)(value))

#define EndianU16_BtoN(value) CFSwapInt16BigToHost(value)
#define EndianU16_NtoB(value) CFSwapInt16HostToBig(value)
#define EndianU16_LtoN(value) CFSwapInt16LittleToHost(value)
#define EndianU16_NtoL(value) CFSwapInt16HostToLittle(value)
#define EndianU32_BtoN(value) CFSwapInt32BigToHost(value)
#define EndianU32_NtoB(value) CFSwapInt32HostToBig(value)
#define EndianU32_LtoN(value) CFSwapInt32LittleToHost(value)
#define EndianU32_NtoL(value) CFSwapInt32HostToLittle(value)
#define EndianU64_BtoN(value) CFSwapInt64BigToHost(value)
#define EndianU64_NtoB(value) CFSwapInt64HostToBig(value)
#define EndianU64_LtoN(value) CFSwapInt64LittleToHost(value)
#define EndianU64_NtoL(value) CFSwapInt64HostToLittle(value)
#define EndianS16_BtoN(value) ((SInt16)CFSwapInt16BigToHost((UInt16)(value)))
#define EndianS16_NtoB(value) ((SInt16)CFSwapInt16HostToBig((UInt16)(value)))
#define EndianS16_LtoN(value) ((SInt16)CFSwapInt16LittleToHost((UInt16)(value)))
#define EndianS16_NtoL(value) ((SInt16)CFSwapInt16HostToLittle((UInt16)(value)))
#define EndianS32_BtoN(value) ((SInt32)CFSwapInt32BigToHost((UInt32)(value)))
#define EndianS32_NtoB(value) ((SInt32)CFSwapInt32HostToBig((UInt32)(value)))
#define EndianS32_LtoN(value) ((SInt32)CFSwapInt32LittleToHost((UInt32)(value)))
#define EndianS32_NtoL(value) ((SInt32)CFSwapInt32HostToLittle((UInt32)(value)))

#endif
