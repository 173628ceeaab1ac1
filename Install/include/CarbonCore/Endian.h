// SPDX-License-Identifier: Apache-2.0

#ifndef CARBON_CORE_ENDIAN_H
#define CARBON_CORE_ENDIAN_H

// Byte orders by name: B is big, L is little, N is this machine's.

#include "../CoreFoundation/CFByteOrder.h"

/// A number of 16 bits with its bytes in the other order.
#define Endian16_Swap(value) CFSwapInt16((UInt16)(value))
/// A number of 32 bits with its bytes in the other order.
#define Endian32_Swap(value) CFSwapInt32((UInt32)(value))
/// A number of 64 bits with its bytes in the other order.
#define Endian64_Swap(value) CFSwapInt64((UInt64)(value))

/// A big-endian number of 16 bits without a sign in the order of this machine.
#define EndianU16_BtoN(value) CFSwapInt16BigToHost(value)
/// A number of 16 bits without a sign in big-endian order.
#define EndianU16_NtoB(value) CFSwapInt16HostToBig(value)
/// A little-endian number of 16 bits without a sign in the order of this machine.
#define EndianU16_LtoN(value) CFSwapInt16LittleToHost(value)
/// A number of 16 bits without a sign in little-endian order.
#define EndianU16_NtoL(value) CFSwapInt16HostToLittle(value)
/// A big-endian number of 32 bits without a sign in the order of this machine.
#define EndianU32_BtoN(value) CFSwapInt32BigToHost(value)
/// A number of 32 bits without a sign in big-endian order.
#define EndianU32_NtoB(value) CFSwapInt32HostToBig(value)
/// A little-endian number of 32 bits without a sign in the order of this machine.
#define EndianU32_LtoN(value) CFSwapInt32LittleToHost(value)
/// A number of 32 bits without a sign in little-endian order.
#define EndianU32_NtoL(value) CFSwapInt32HostToLittle(value)
/// A big-endian number of 64 bits without a sign in the order of this machine.
#define EndianU64_BtoN(value) CFSwapInt64BigToHost(value)
/// A number of 64 bits without a sign in big-endian order.
#define EndianU64_NtoB(value) CFSwapInt64HostToBig(value)
/// A little-endian number of 64 bits without a sign in the order of this machine.
#define EndianU64_LtoN(value) CFSwapInt64LittleToHost(value)
/// A number of 64 bits without a sign in little-endian order.
#define EndianU64_NtoL(value) CFSwapInt64HostToLittle(value)
/// A big-endian number of 16 bits with a sign in the order of this machine.
#define EndianS16_BtoN(value) ((SInt16)CFSwapInt16BigToHost((UInt16)(value)))
/// A number of 16 bits with a sign in big-endian order.
#define EndianS16_NtoB(value) ((SInt16)CFSwapInt16HostToBig((UInt16)(value)))
/// A little-endian number of 16 bits with a sign in the order of this machine.
#define EndianS16_LtoN(value) ((SInt16)CFSwapInt16LittleToHost((UInt16)(value)))
/// A number of 16 bits with a sign in little-endian order.
#define EndianS16_NtoL(value) ((SInt16)CFSwapInt16HostToLittle((UInt16)(value)))
/// A big-endian number of 32 bits with a sign in the order of this machine.
#define EndianS32_BtoN(value) ((SInt32)CFSwapInt32BigToHost((UInt32)(value)))
/// A number of 32 bits with a sign in big-endian order.
#define EndianS32_NtoB(value) ((SInt32)CFSwapInt32HostToBig((UInt32)(value)))
/// A little-endian number of 32 bits with a sign in the order of this machine.
#define EndianS32_LtoN(value) ((SInt32)CFSwapInt32LittleToHost((UInt32)(value)))
/// A number of 32 bits with a sign in little-endian order.
#define EndianS32_NtoL(value) ((SInt32)CFSwapInt32HostToLittle((UInt32)(value)))

#endif
