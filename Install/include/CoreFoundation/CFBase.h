// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_BASE_H
#define CORE_FOUNDATION_BASE_H

// Functions with Create or Copy in their name return an object that the caller releases; those with
// Get do not. A null allocator is the default one.

#include "CFSystemNames.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "../MacTypes.h"
#include "CFAvailability.h"

CF_EXTERN_C_BEGIN

// MARK: Base types

typedef unsigned long CFTypeID;
typedef unsigned long CFOptionFlags;
typedef unsigned long CFHashCode;
typedef signed long CFIndex;

/// Any object of CoreFoundation.
typedef const void *CFTypeRef;
/// Any object of a property list.
typedef CFTypeRef CFPropertyListRef;
typedef const struct __CFAllocator *CFAllocatorRef;
typedef const struct __CFNull *CFNullRef;
typedef const struct __CFString *CFStringRef;
typedef struct __CFString *CFMutableStringRef;
typedef const struct __CFData *CFDataRef;
typedef struct __CFData *CFMutableDataRef;
typedef const struct __CFArray *CFArrayRef;
typedef struct __CFArray *CFMutableArrayRef;
typedef const struct __CFDictionary *CFDictionaryRef;
typedef struct __CFDictionary *CFMutableDictionaryRef;
typedef const struct __CFBoolean *CFBooleanRef;
typedef const struct __CFNumber *CFNumberRef;
typedef struct __CFNumberFormatter *CFNumberFormatterRef;
typedef const struct __CFLocale *CFLocaleRef;
typedef const struct __CFURL *CFURLRef;
typedef struct __CFError *CFErrorRef;
typedef struct __CFRunLoop *CFRunLoopRef;
typedef struct __CFRunLoopTimer *CFRunLoopTimerRef;

typedef CF_ENUM(CFIndex, CFComparisonResult) {
  kCFCompareLessThan = -1,
  kCFCompareEqualTo = 0,
  kCFCompareGreaterThan = 1
};

/// The index that means "not found".
static const CFIndex kCFNotFound = -1;

typedef struct {
  CFIndex location;
  CFIndex length;
} CFRange;

CF_INLINE CFRange CFRangeMake(CFIndex location, CFIndex length) {
  CFRange range;
  range.location = location;
  range.length = length;
  return range;
}

// MARK: Objects

CFTypeRef CFRetain(CFTypeRef cf);
void CFRelease(CFTypeRef cf);
CFTypeID CFGetTypeID(CFTypeRef cf);
CFStringRef CFCopyTypeIDDescription(CFTypeID type_id);
Boolean CFEqual(CFTypeRef cf1, CFTypeRef cf2);
CFHashCode CFHash(CFTypeRef cf);
CFStringRef CFCopyDescription(CFTypeRef cf);
/// Writes a description of an object to standard error.
void CFShow(CFTypeRef obj);

CF_EXPORT const CFNullRef kCFNull;

CF_EXPORT const CFAllocatorRef kCFAllocatorDefault;
CF_EXPORT const CFAllocatorRef kCFAllocatorSystemDefault;
CF_EXPORT const CFAllocatorRef kCFAllocatorMalloc;
/// An allocator that frees no memory, for memory that the caller owns.
CF_EXPORT const CFAllocatorRef kCFAllocatorNull;
CFAllocatorRef CFAllocatorGetDefault(void);
void *CFAllocatorAllocate(CFAllocatorRef allocator, CFIndex size, CFOptionFlags hint);
void CFAllocatorDeallocate(CFAllocatorRef allocator, void *ptr);

CF_EXTERN_C_END

#endif
