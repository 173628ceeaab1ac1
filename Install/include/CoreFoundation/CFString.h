// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_STRING_H
#define CORE_FOUNDATION_STRING_H

#include <stdarg.h>

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// The number of an encoding of text.
typedef UInt32 CFStringEncoding;

CF_ENUM(CFStringEncoding) {
  kCFStringEncodingInvalidId = 0xffffffff  ///< No encoding.
};

/// Encodings that every system has.
typedef CF_ENUM(CFStringEncoding, CFStringBuiltInEncodings) {
  /// Mac OS Roman.
  kCFStringEncodingMacRoman = 0,
  /// Windows code page 1252.
  kCFStringEncodingWindowsLatin1 = 0x0500,
  /// ISO 8859-1.
  kCFStringEncodingISOLatin1 = 0x0201,
  /// The encoding of NeXTSTEP.
  kCFStringEncodingNextStepLatin = 0x0b01,
  /// ASCII, 7 bits.
  kCFStringEncodingASCII = 0x0600,
  /// UTF-16; the same as kCFStringEncodingUTF16.
  kCFStringEncodingUnicode = 0x0100,
  /// UTF-8.
  kCFStringEncodingUTF8 = 0x08000100,
  /// ASCII with escapes for other characters.
  kCFStringEncodingNonLossyASCII = 0x0bff,
  /// UTF-16 in the byte order of its mark, or of the machine.
  kCFStringEncodingUTF16 = 0x0100,
  /// UTF-16, the high byte first.
  kCFStringEncodingUTF16BE = 0x10000100,
  /// UTF-16, the low byte first.
  kCFStringEncodingUTF16LE = 0x14000100,
  /// UTF-32 in the byte order of its mark, or of the machine.
  kCFStringEncodingUTF32 = 0x0c000100,
  /// UTF-32, the high byte first.
  kCFStringEncodingUTF32BE = 0x18000100,
  /// UTF-32, the low byte first.
  kCFStringEncodingUTF32LE = 0x1c000100
};

/// How strings are compared and searched.
typedef CF_OPTIONS(CFOptionFlags, CFStringCompareFlags) {
  /// Capitals and small letters are equal.
  kCFCompareCaseInsensitive = 1,
  /// A search begins at the end.
  kCFCompareBackwards = 4,
  /// A search finds only the beginning, or backwards the end.
  kCFCompareAnchored = 8,
  /// Composed and decomposed characters are equal.
  kCFCompareNonliteral = 16,
  /// In the order of the user's language.
  kCFCompareLocalized = 32,
  /// Digits count as numbers: 2 is before 10.
  kCFCompareNumerically = 64,
  /// Letters with and without accents are equal.
  kCFCompareDiacriticInsensitive = 128,
  /// Wide and narrow characters are equal.
  kCFCompareWidthInsensitive = 256,
  /// Strings that are equal by the other options still have an order.
  kCFCompareForcedOrdering = 512
};

/// A constant string from a literal; it is never released.
#define CFSTR(literal) __CFStringMakeConstantString("" literal "")
CFStringRef __CFStringMakeConstantString(const char *cStr);

/// The type of strings.
CFTypeID CFStringGetTypeID(void);
/// Creates a string of a Pascal string.
CFStringRef CFStringCreateWithPascalString(CFAllocatorRef alloc, ConstStr255Param pStr,
                                           CFStringEncoding encoding);
/// Creates a string of bytes that end with 0; NULL if they are not of the encoding.
CFStringRef CFStringCreateWithCString(CFAllocatorRef alloc, const char *cStr,
                                      CFStringEncoding encoding);
/// The same, with the caller's memory, which the deallocator frees; it may be copied.
CFStringRef CFStringCreateWithCStringNoCopy(CFAllocatorRef alloc, const char *cStr,
                                            CFStringEncoding encoding,
                                            CFAllocatorRef contentsDeallocator);
/// Creates a string of a number of bytes; NULL if they are not of the encoding.
CFStringRef CFStringCreateWithBytes(CFAllocatorRef alloc, const UInt8 *bytes, CFIndex numBytes,
                                    CFStringEncoding encoding, Boolean isExternalRepresentation);
/// Creates a string of code units of UTF-16.
CFStringRef CFStringCreateWithCharacters(CFAllocatorRef alloc, const UniChar *chars,
                                         CFIndex numChars);
/// Creates a string of a format as of printf; %@ describes an object.
CFStringRef CFStringCreateWithFormat(CFAllocatorRef alloc, CFDictionaryRef formatOptions,
                                     CFStringRef format, ...);
/// The same with a list of arguments.
CFStringRef CFStringCreateWithFormatAndArguments(CFAllocatorRef alloc,
                                                 CFDictionaryRef formatOptions, CFStringRef format,
                                                 va_list arguments);
/// Creates a string of a part of another one.
CFStringRef CFStringCreateWithSubstring(CFAllocatorRef alloc, CFStringRef str, CFRange range);
/// Creates a string with the same characters.
CFStringRef CFStringCreateCopy(CFAllocatorRef alloc, CFStringRef theString);
/// Creates a string of the strings of an array, with a separator.
CFStringRef CFStringCreateByCombiningStrings(CFAllocatorRef alloc, CFArrayRef theArray,
                                             CFStringRef separatorString);
/// Creates an array of the parts between separators.
CFArrayRef CFStringCreateArrayBySeparatingStrings(CFAllocatorRef alloc, CFStringRef theString,
                                                  CFStringRef separatorString);
/// Creates a string of data; NULL if they are not of the encoding.
CFStringRef CFStringCreateFromExternalRepresentation(CFAllocatorRef alloc, CFDataRef data,
                                                     CFStringEncoding encoding);
/// Creates data of a string; a loss byte of 0: NULL if the encoding lacks a character.
CFDataRef CFStringCreateExternalRepresentation(CFAllocatorRef alloc, CFStringRef theString,
                                               CFStringEncoding encoding, UInt8 lossByte);
/// Creates an empty string that can be changed; maximum length 0: any length.
CFMutableStringRef CFStringCreateMutable(CFAllocatorRef alloc, CFIndex maxLength);
/// Creates a string with the same characters that can be changed.
CFMutableStringRef CFStringCreateMutableCopy(CFAllocatorRef alloc, CFIndex maxLength,
                                             CFStringRef theString);
/// The number of code units of UTF-16.
CFIndex CFStringGetLength(CFStringRef theString);
/// The code unit at a place.
UniChar CFStringGetCharacterAtIndex(CFStringRef theString, CFIndex idx);
/// Copies the code units of a range to memory of the caller.
void CFStringGetCharacters(CFStringRef theString, CFRange range, UniChar *buffer);
/// The code units, if they are in memory as such, or NULL.
const UniChar *CFStringGetCharactersPtr(CFStringRef theString);
/// Copies the characters as bytes that end with 0; false if they do not fit.
Boolean CFStringGetCString(CFStringRef theString, char *buffer, CFIndex bufferSize,
                           CFStringEncoding encoding);
/// The characters as bytes that end with 0, if they are in memory as such, or NULL.
const char *CFStringGetCStringPtr(CFStringRef theString, CFStringEncoding encoding);
/// Copies characters as bytes, as far as they fit, and returns their number.
CFIndex CFStringGetBytes(CFStringRef theString, CFRange range, CFStringEncoding encoding,
                         UInt8 lossByte, Boolean isExternalRepresentation, UInt8 *buffer,
                         CFIndex maxBufLen, CFIndex *usedBufLen);
/// The most bytes of a number of characters in an encoding.
CFIndex CFStringGetMaximumSizeForEncoding(CFIndex length, CFStringEncoding encoding);
/// The most bytes of the string as a path.
CFIndex CFStringGetMaximumSizeOfFileSystemRepresentation(CFStringRef string);
/// Copies the string as a path, which ends with 0; false if it does not fit.
Boolean CFStringGetFileSystemRepresentation(CFStringRef string, char *buffer, CFIndex maxBufLen);
/// The encoding of the system: UTF-8.
CFStringEncoding CFStringGetSystemEncoding(void);
/// The integer at the beginning of the string, or 0.
SInt32 CFStringGetIntValue(CFStringRef str);
/// The number at the beginning of the string, or 0.
double CFStringGetDoubleValue(CFStringRef str);
/// The order of two strings.
CFComparisonResult CFStringCompare(CFStringRef theString1, CFStringRef theString2,
                                   CFStringCompareFlags compareOptions);
/// The order of a part of a string and another one.
CFComparisonResult CFStringCompareWithOptions(CFStringRef theString1, CFStringRef theString2,
                                              CFRange rangeToCompare,
                                              CFStringCompareFlags compareOptions);
/// The first place of a string in another one; location -1 if there is none.
CFRange CFStringFind(CFStringRef theString, CFStringRef stringToFind,
                     CFStringCompareFlags compareOptions);
/// Whether a string begins with another one.
Boolean CFStringHasPrefix(CFStringRef theString, CFStringRef prefix);
/// Whether a string ends with another one.
Boolean CFStringHasSuffix(CFStringRef theString, CFStringRef suffix);
/// Adds a string at the end.
void CFStringAppend(CFMutableStringRef theString, CFStringRef appendedString);
/// Adds bytes that end with 0.
void CFStringAppendCString(CFMutableStringRef theString, const char *cStr,
                           CFStringEncoding encoding);
/// Adds a format as of printf with its values.
void CFStringAppendFormat(CFMutableStringRef theString, CFDictionaryRef formatOptions,
                          CFStringRef format, ...);
/// Adds code units of UTF-16.
void CFStringAppendCharacters(CFMutableStringRef theString, const UniChar *chars, CFIndex numChars);
/// Inserts a string at a place.
void CFStringInsert(CFMutableStringRef str, CFIndex idx, CFStringRef insertedStr);
/// Removes a range.
void CFStringDelete(CFMutableStringRef theString, CFRange range);
/// Replaces a range by a string.
void CFStringReplace(CFMutableStringRef theString, CFRange range, CFStringRef replacement);
/// Replaces all characters by a string.
void CFStringReplaceAll(CFMutableStringRef theString, CFStringRef replacement);
/// Replaces each occurrence of a string in a range, and returns their number.
CFIndex CFStringFindAndReplace(CFMutableStringRef theString, CFStringRef stringToFind,
                               CFStringRef replacementString, CFRange rangeToSearch,
                               CFStringCompareFlags compareOptions);
/// Removes a string from both ends, as often as it is there.
void CFStringTrim(CFMutableStringRef theString, CFStringRef trimString);
/// Removes white space from both ends.
void CFStringTrimWhitespace(CFMutableStringRef theString);

CF_EXTERN_C_END

#endif
