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
#define TRUE 1
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef nil
#define nil NULL
#endif

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Numbers

typedef bool Boolean;
typedef unsigned char UInt8;
typedef signed char SInt8;
typedef unsigned short UInt16;
typedef signed short SInt16;
typedef unsigned int UInt32;
typedef signed int SInt32;
// As printf's "%llu" and "%lld" expect on every platform; uint64_t and int64_t may be "long".
typedef unsigned long long UInt64;
typedef signed long long SInt64;
typedef float Float32;
typedef double Float64;
typedef UInt8 Byte;
typedef SInt8 SignedByte;
/// 16 bits before the point, 16 after it.
typedef SInt32 Fixed;
typedef Fixed *FixedPtr;
/// 2 bits before the point, 30 after it.
typedef SInt32 Fract;
typedef UInt32 UnsignedFixed;

/// A number of 64 bits in two halves, in the order of the halves of a UInt64.
typedef struct UnsignedWide {
#if TARGET_RT_BIG_ENDIAN
  UInt32 hi;
  UInt32 lo;
#else
  UInt32 lo;
  UInt32 hi;
#endif
} UnsignedWide;
typedef struct wide {
#if TARGET_RT_BIG_ENDIAN
  SInt32 hi;
  UInt32 lo;
#else
  UInt32 lo;
  SInt32 hi;
#endif
} wide;

// MARK: Results and codes

typedef SInt32 OSStatus;
typedef SInt16 OSErr;
typedef UInt32 FourCharCode;
typedef FourCharCode OSType;
typedef FourCharCode ResType;
typedef OSType *OSTypePtr;
typedef UInt32 OptionBits;
typedef unsigned long ItemCount;
typedef unsigned long ByteCount;
typedef SInt16 ScriptCode;
typedef SInt16 LangCode;
typedef SInt16 RegionCode;

enum {
  /// The call succeeded.
  noErr = 0
};
enum { kNilOptions = 0, kVariableLengthArray = 1, kUnknownType = 0x3f3f3f3f /* '????' */ };

// MARK: Memory

typedef char *Ptr;
/// A block of memory that can be moved and resized; see MacMemory.h.
typedef Ptr *Handle;
typedef long Size;
typedef void *LogicalAddress;
typedef long (*ProcPtr)(void);

// MARK: Text

typedef UInt32 UTF32Char;
typedef UInt16 UTF16Char;
typedef UInt8 UTF8Char;
typedef UInt16 UniChar;
typedef UniChar *UniCharPtr;
typedef unsigned long UniCharCount;
/// Text whose first byte is its length.
typedef unsigned char *StringPtr;
typedef const unsigned char *ConstStringPtr;
typedef unsigned char Str255[256];
typedef unsigned char Str63[64];
typedef unsigned char Str32[33];
typedef unsigned char Str31[32];
typedef unsigned char Str27[28];
typedef unsigned char Str15[16];
typedef const unsigned char *ConstStr255Param;
typedef const unsigned char *ConstStr63Param;
typedef const unsigned char *ConstStr31Param;

// MARK: Time, places and versions

typedef SInt32 Duration;
/// Ticks of host time.
typedef UnsignedWide AbsoluteTime;

struct Point {
  short v;
  short h;
};
typedef struct Point Point;
struct Rect {
  short top;
  short left;
  short bottom;
  short right;
};
typedef struct Rect Rect;

struct NumVersion {
#if TARGET_RT_BIG_ENDIAN
  UInt8 majorRev;
  UInt8 minorAndBugRev;
  UInt8 stage;
  UInt8 nonRelRev;
#else
  UInt8 nonRelRev;
  UInt8 stage;
  UInt8 minorAndBugRev;
  UInt8 majorRev;
#endif
};
typedef struct NumVersion NumVersion;

#ifdef __cplusplus
}
#endif

#endif
