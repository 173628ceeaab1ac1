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

/// The number of a type of objects.
typedef unsigned long CFTypeID;
/// Options, one bit each.
typedef unsigned long CFOptionFlags;
/// The hash of an object: equal objects have the same.
typedef unsigned long CFHashCode;
/// A number of elements, or the place of one.
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

/// The order of two values.
typedef CF_ENUM(CFIndex, CFComparisonResult) {
  /// The first is before the second.
  kCFCompareLessThan = -1,
  /// They are equal.
  kCFCompareEqualTo = 0,
  /// The first is behind the second.
  kCFCompareGreaterThan = 1
};

/// The index that means "not found".
static const CFIndex kCFNotFound = -1;

/// Successive elements.
typedef struct {
  /// The first of them.
  CFIndex location;
  /// Their number.
  CFIndex length;
} CFRange;

/// A range of a first element and a number.
CF_INLINE CFRange CFRangeMake(CFIndex location, CFIndex length) {
  CFRange range;
  range.location = location;
  range.length = length;
  return range;
}

// MARK: Objects

/// Adds an owner to an object, and returns it.
CFTypeRef CFRetain(CFTypeRef cf);
/// Removes an owner; the last one ends the object.
void CFRelease(CFTypeRef cf);
/// The type of an object.
CFTypeID CFGetTypeID(CFTypeRef cf);
/// The name of a type, which the caller releases.
CFStringRef CFCopyTypeIDDescription(CFTypeID type_id);
/// Whether two objects are equal.
Boolean CFEqual(CFTypeRef cf1, CFTypeRef cf2);
/// The hash of an object.
CFHashCode CFHash(CFTypeRef cf);
/// A text that describes an object, which the caller releases.
CFStringRef CFCopyDescription(CFTypeRef cf);
/// Writes a description of an object to standard error.
void CFShow(CFTypeRef obj);

/// The object that stands for nothing in a collection.
CF_EXPORT const CFNullRef kCFNull;

/// The allocator of the thread; this is NULL.
CF_EXPORT const CFAllocatorRef kCFAllocatorDefault;
/// The allocator of the system.
CF_EXPORT const CFAllocatorRef kCFAllocatorSystemDefault;
/// An allocator that calls malloc and free.
CF_EXPORT const CFAllocatorRef kCFAllocatorMalloc;
/// An allocator that frees no memory, for memory that the caller owns.
CF_EXPORT const CFAllocatorRef kCFAllocatorNull;
/// The allocator that NULL stands for.
CFAllocatorRef CFAllocatorGetDefault(void);
/// Allocates bytes; NULL if there is no memory.
void *CFAllocatorAllocate(CFAllocatorRef allocator, CFIndex size, CFOptionFlags hint);
/// Frees what the allocator has allocated.
void CFAllocatorDeallocate(CFAllocatorRef allocator, void *ptr);

CF_EXTERN_C_END

#endif
