// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_URL_H
#define CORE_FOUNDATION_URL_H

#include "CFBase.h"
#include "CFData.h"
#include "CFError.h"
#include "CFString.h"

CF_EXTERN_C_BEGIN

/// How the parts of a path are separated.
typedef CF_ENUM(CFIndex, CFURLPathStyle) {
  /// By slashes.
  kCFURLPOSIXPathStyle = 0,
  /// By colons, as on old Macs.
  kCFURLHFSPathStyle = 1,
  /// By backslashes.
  kCFURLWindowsPathStyle = 2
};

/// The type of URLs.
CFTypeID CFURLGetTypeID(void);
/// Creates a URL of a string, which may be relative to another URL; NULL if it is none.
CFURLRef CFURLCreateWithString(CFAllocatorRef allocator, CFStringRef URLString, CFURLRef baseURL);
/// Creates a URL of bytes.
CFURLRef CFURLCreateWithBytes(CFAllocatorRef allocator, const UInt8 *URLBytes, CFIndex length,
                              CFStringEncoding encoding, CFURLRef baseURL);
/// Creates a URL of a path.
CFURLRef CFURLCreateWithFileSystemPath(CFAllocatorRef allocator, CFStringRef filePath,
                                       CFURLPathStyle pathStyle, Boolean isDirectory);
/// Creates a URL of a path as bytes.
CFURLRef CFURLCreateFromFileSystemRepresentation(CFAllocatorRef allocator, const UInt8 *buffer,
                                                 CFIndex bufLen, Boolean isDirectory);
/// Creates a URL with a further part of the path.
CFURLRef CFURLCreateCopyAppendingPathComponent(CFAllocatorRef allocator, CFURLRef url,
                                               CFStringRef pathComponent, Boolean isDirectory);
/// The URL without a base, which the caller releases.
CFURLRef CFURLCopyAbsoluteURL(CFURLRef relativeURL);
/// The URL as a string.
CFStringRef CFURLGetString(CFURLRef anURL);
/// The path in a style, which the caller releases.
CFStringRef CFURLCopyFileSystemPath(CFURLRef anURL, CFURLPathStyle pathStyle);
/// The path with escapes, which the caller releases.
CFStringRef CFURLCopyPath(CFURLRef anURL);
/// The last part of the path, which the caller releases.
CFStringRef CFURLCopyLastPathComponent(CFURLRef url);
/// What follows the last point of the path, which the caller releases; NULL if there is none.
CFStringRef CFURLCopyPathExtension(CFURLRef url);
/// Copies the path as bytes that end with 0; false if they do not fit.
Boolean CFURLGetFileSystemRepresentation(CFURLRef url, Boolean resolveAgainstBase, UInt8 *buffer,
                                         CFIndex maxBufLen);

CF_EXTERN_C_END

#endif
