// SPDX-License-Identifier: Apache-2.0

#ifndef __MACTYPES__
#define __MACTYPES__

// The base types of all of Apple's C interfaces, in their original sizes.

#include "CoreFoundation/CFSystemNames.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "TargetConditionals.h"

#ifndef TRUE
/// The number 1.
#define TRUE 1
#endif
#ifndef FALSE
/// The number 0.
#define FALSE 0
#endif
#if defined(__OBJC__) && !defined(__cplusplus) && defined(__has_include)
#if __has_include(<objc/objc.h>)
#include <objc/objc.h>
// The nil of the GNU runtime is an object, so that no unit or graph could be set to it.
#undef nil
#endif
#endif
#ifndef nil
/// The null pointer.
#define nil NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Numbers

/// 0 is false, anything else is true.
typedef bool Boolean;
/// 8 bits, 0 to 255.
typedef unsigned char UInt8;
/// 8 bits, -128 to 127.
typedef signed char SInt8;
/// 16 bits, 0 to 65,535.
typedef unsigned short UInt16;
/// 16 bits, -32,768 to 32,767.
typedef signed short SInt16;
/// 32 bits, 0 to 2^32 - 1.
typedef unsigned int UInt32;
/// 32 bits, -2^31 to 2^31 - 1.
typedef signed int SInt32;
// As printf's "%llu" and "%lld" expect on every platform; uint64_t and int64_t may be "long".
/// 64 bits, 0 to 2^64 - 1.
typedef unsigned long long UInt64;
/// 64 bits, -2^63 to 2^63 - 1.
typedef signed long long SInt64;
/// A floating-point number of 32 bits.
typedef float Float32;
/// A floating-point number of 64 bits.
typedef double Float64;
/// The same as UInt8.
typedef UInt8 Byte;
/// The same as SInt8.
typedef SInt8 SignedByte;
/// 16 bits before the point, 16 after it.
typedef SInt32 Fixed;
/// A pointer to a Fixed.
typedef Fixed *FixedPtr;
/// 2 bits before the point, 30 after it.
typedef SInt32 Fract;
/// 16 bits before the point, 16 after it, without a sign.
typedef UInt32 UnsignedFixed;

/// A number of 64 bits in two halves, in the order of the halves of a UInt64.
typedef struct UnsignedWide {
#if TARGET_RT_BIG_ENDIAN
  UInt32 hi;
  UInt32 lo;
#else
  UInt32 lo;  ///< The lower half.
  UInt32 hi;  ///< The upper half.
#endif
} UnsignedWide;
typedef struct wide {
#if TARGET_RT_BIG_ENDIAN
  SInt32 hi;
  UInt32 lo;
#else
  UInt32 lo;  ///< The lower half.
  SInt32 hi;  ///< The upper half, with the sign.
#endif
} wide;

// MARK: Results and codes

/// The result of a function: 0 (noErr), or the number of an error.
typedef SInt32 OSStatus;
/// The result of an older function, in 16 bits.
typedef SInt16 OSErr;
/// Four characters as a number, the first in the highest byte.
typedef UInt32 FourCharCode;
/// A four-character code that says what something is.
typedef FourCharCode OSType;
/// A four-character code of a resource.
typedef FourCharCode ResType;
/// A pointer to an OSType.
typedef OSType *OSTypePtr;
/// Options, one bit each.
typedef UInt32 OptionBits;
/// A number of things.
typedef unsigned long ItemCount;
/// A number of bytes.
typedef unsigned long ByteCount;
/// The number of a writing system.
typedef SInt16 ScriptCode;
/// The number of a language.
typedef SInt16 LangCode;
/// The number of a region.
typedef SInt16 RegionCode;

enum {
  /// The call succeeded.
  noErr = 0
};
/// The four-character code "????".
enum { kNilOptions = 0, kVariableLengthArray = 1, kUnknownType = 0x3f3f3f3f /* '????' */ };

// MARK: Memory

/// A pointer to bytes.
typedef char *Ptr;
/// A block of memory that can be moved and resized; see MacMemory.h.
typedef Ptr *Handle;
/// A number of bytes that may be negative.
typedef long Size;
/// An address in the memory of the process.
typedef void *LogicalAddress;
/// A pointer to a function of any kind.
typedef long (*ProcPtr)(void);

// MARK: Text

/// A code unit of UTF-32.
typedef UInt32 UTF32Char;
/// A code unit of UTF-16.
typedef UInt16 UTF16Char;
/// A code unit of UTF-8.
typedef UInt8 UTF8Char;
/// A code unit of UTF-16.
typedef UInt16 UniChar;
/// A pointer to code units of UTF-16.
typedef UniChar *UniCharPtr;
/// A number of code units of UTF-16.
typedef unsigned long UniCharCount;
/// Text whose first byte is its length.
typedef unsigned char *StringPtr;
/// A Pascal string that is not changed.
typedef const unsigned char *ConstStringPtr;
/// A Pascal string: a byte with the length, then up to 255 characters.
typedef unsigned char Str255[256];
/// A Pascal string of up to 63 characters.
typedef unsigned char Str63[64];
/// A Pascal string of up to 32 characters.
typedef unsigned char Str32[33];
/// A Pascal string of up to 31 characters.
typedef unsigned char Str31[32];
/// A Pascal string of up to 27 characters.
typedef unsigned char Str27[28];
/// A Pascal string of up to 15 characters.
typedef unsigned char Str15[16];
/// A Pascal string of up to 255 characters, as an argument.
typedef const unsigned char *ConstStr255Param;
/// A Pascal string of up to 63 characters, as an argument.
typedef const unsigned char *ConstStr63Param;
/// A Pascal string of up to 31 characters, as an argument.
typedef const unsigned char *ConstStr31Param;

// MARK: Time, places and versions

/// Milliseconds if positive, microseconds if negative.
typedef SInt32 Duration;
/// Ticks of host time.
typedef UnsignedWide AbsoluteTime;

/// A point of a picture.
struct Point {
  /// The distance from the top.
  short v;
  /// The distance from the left.
  short h;
};
typedef struct Point Point;
/// A rectangle of a picture.
struct Rect {
  /// The upper edge.
  short top;
  /// The left edge.
  short left;
  /// The lower edge.
  short bottom;
  /// The right edge.
  short right;
};
typedef struct Rect Rect;

/// A version in four bytes.
struct NumVersion {
#if TARGET_RT_BIG_ENDIAN
  UInt8 majorRev;
  UInt8 minorAndBugRev;
  UInt8 stage;
  UInt8 nonRelRev;
#else
  /// The number of a version before the release.
  UInt8 nonRelRev;
  /// Development, alpha, beta or final: 0x20, 0x40, 0x60 or 0x80.
  UInt8 stage;
  /// The second and the third number, four bits each.
  UInt8 minorAndBugRev;
  /// The first number, in decimal digits of four bits.
  UInt8 majorRev;
#endif
};
typedef struct NumVersion NumVersion;

#ifdef __cplusplus
}
#endif

#endif
