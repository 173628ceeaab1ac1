// SPDX-License-Identifier: Apache-2.0

#ifndef TARGET_CONDITIONALS_H
#define TARGET_CONDITIONALS_H

// To programs that check for Apple's systems, this is the desktop system, because its units,
// devices and paths exist here. TARGET_OS_LINUX is for programs that need the difference.

/// 1: the system is Linux.
#define TARGET_OS_LINUX 1
/// 1: the system is a Unix.
#define TARGET_OS_UNIX 1
/// 1: programs for Apple's systems find their units, devices and paths here.
#define TARGET_OS_MAC 1
/// 1: this counts as the desktop system.
#define TARGET_OS_OSX 1
/// 0: the system is not for phones, tablets, watches or televisions.
#define TARGET_OS_IPHONE 0
/// 0: the system is not that of phones.
#define TARGET_OS_IOS 0
/// 0: the system is not that of televisions.
#define TARGET_OS_TV 0
/// 0: the system is not that of watches.
#define TARGET_OS_WATCH 0
/// 0: the system is not that of headsets.
#define TARGET_OS_VISION 0
/// 0: the system is not that of a bridge processor.
#define TARGET_OS_BRIDGE 0
/// 0: the program is no phone program on a desktop.
#define TARGET_OS_MACCATALYST 0
/// 0: as TARGET_OS_MACCATALYST, by its older name.
#define TARGET_OS_UIKITFORMAC 0
/// 0: the program is no driver.
#define TARGET_OS_DRIVERKIT 0
/// 0: the system is not embedded in a device.
#define TARGET_OS_EMBEDDED 0
/// 0: as TARGET_OS_WATCH, by its older name.
#define TARGET_OS_NANO 0
/// 0: no other system is simulated.
#define TARGET_OS_SIMULATOR 0
/// 0: as TARGET_OS_SIMULATOR, by its older name.
#define TARGET_IPHONE_SIMULATOR 0
/// 0: the system is not Windows.
#define TARGET_OS_WIN32 0
/// 0: the system is not Windows.
#define TARGET_OS_WINDOWS 0

/// 0: the file format of programs is not that of Apple's systems.
#define TARGET_RT_MAC_MACHO 0
/// 0: the file format of programs is not that of older systems.
#define TARGET_RT_MAC_CFM 0
/// 1: the interface is that of the desktop system.
#define TARGET_API_MAC_OSX 1
/// 1: some names of Carbon are declared.
#define TARGET_API_MAC_CARBON 1

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
/// 1 if the most significant byte of a number comes first in memory.
#define TARGET_RT_BIG_ENDIAN 1
/// 1 if the least significant byte of a number comes first in memory.
#define TARGET_RT_LITTLE_ENDIAN 0
#else
/// 1 if the most significant byte of a number comes first in memory.
#define TARGET_RT_BIG_ENDIAN 0
/// 1 if the least significant byte of a number comes first in memory.
#define TARGET_RT_LITTLE_ENDIAN 1
#endif

#if __SIZEOF_POINTER__ == 8
/// 1 if pointers have 64 bits.
#define TARGET_RT_64_BIT 1
#else
/// 1 if pointers have 64 bits.
#define TARGET_RT_64_BIT 0
#endif

#if defined(__x86_64__)
/// 1 for processors of the kind x86-64.
#define TARGET_CPU_X86_64 1
#else
/// 1 for processors of the kind x86-64.
#define TARGET_CPU_X86_64 0
#endif
#if defined(__i386__)
/// 1 for processors of the kind x86 with 32 bits.
#define TARGET_CPU_X86 1
#else
/// 1 for processors of the kind x86 with 32 bits.
#define TARGET_CPU_X86 0
#endif
#if defined(__aarch64__)
/// 1 for processors of the kind ARM with 64 bits.
#define TARGET_CPU_ARM64 1
#else
/// 1 for processors of the kind ARM with 64 bits.
#define TARGET_CPU_ARM64 0
#endif
#if defined(__arm__)
/// 1 for processors of the kind ARM with 32 bits.
#define TARGET_CPU_ARM 1
#else
/// 1 for processors of the kind ARM with 32 bits.
#define TARGET_CPU_ARM 0
#endif
/// 0: the processor is no PowerPC with 32 bits.
#define TARGET_CPU_PPC 0
/// 0: the processor is no PowerPC with 64 bits.
#define TARGET_CPU_PPC64 0

#endif
