// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_ERROR_H
#define CORE_FOUNDATION_ERROR_H

#include "CFBase.h"
#include "CFDictionary.h"
#include "CFString.h"

CF_EXTERN_C_BEGIN

/// What the number of an error belongs to.
typedef CFStringRef CFErrorDomain;
/// Values of errno.
CF_EXPORT const CFErrorDomain kCFErrorDomainPOSIX;
/// Results of functions, an OSStatus.
CF_EXPORT const CFErrorDomain kCFErrorDomainOSStatus;
/// Errors of Foundation.
CF_EXPORT const CFErrorDomain kCFErrorDomainCocoa;
/// The key of a sentence for people.
CF_EXPORT const CFStringRef kCFErrorLocalizedDescriptionKey;
/// The key of a sentence for developers.
CF_EXPORT const CFStringRef kCFErrorDescriptionKey;

/// The type of errors.
CFTypeID CFErrorGetTypeID(void);
/// Creates an error of a domain, a number and more information.
CFErrorRef CFErrorCreate(CFAllocatorRef allocator, CFErrorDomain domain, CFIndex code,
                         CFDictionaryRef userInfo);
/// The domain of an error.
CFErrorDomain CFErrorGetDomain(CFErrorRef err);
/// The number of an error.
CFIndex CFErrorGetCode(CFErrorRef err);
/// More information about an error, which the caller releases.
CFDictionaryRef CFErrorCopyUserInfo(CFErrorRef err);
/// A sentence about an error, which the caller releases.
CFStringRef CFErrorCopyDescription(CFErrorRef err);

CF_EXTERN_C_END

#endif
