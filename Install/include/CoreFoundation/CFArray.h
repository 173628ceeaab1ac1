// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_ARRAY_H
#define CORE_FOUNDATION_ARRAY_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// Retains an element, and returns it.
typedef const void *(*CFArrayRetainCallBack)(CFAllocatorRef allocator, const void *value);
/// Releases an element.
typedef void (*CFArrayReleaseCallBack)(CFAllocatorRef allocator, const void *value);
/// Describes an element.
typedef CFStringRef (*CFArrayCopyDescriptionCallBack)(const void *value);
/// Whether two elements are equal.
typedef Boolean (*CFArrayEqualCallBack)(const void *value1, const void *value2);
/// What an array does with its elements; NULL functions do nothing.
typedef struct {
  /// Always 0.
  CFIndex version;
  /// Called when an element is added.
  CFArrayRetainCallBack retain;
  /// Called when an element is removed.
  CFArrayReleaseCallBack release;
  /// Called for the description of the array.
  CFArrayCopyDescriptionCallBack copyDescription;
  /// Called when elements are compared; NULL: their addresses.
  CFArrayEqualCallBack equal;
} CFArrayCallBacks;
/// For elements that are objects, which the array retains.
CF_EXPORT const CFArrayCallBacks kCFTypeArrayCallBacks;

/// The type of arrays.
CFTypeID CFArrayGetTypeID(void);
/// Creates an array of elements; NULL callbacks: plain pointers.
CFArrayRef CFArrayCreate(CFAllocatorRef allocator, const void **values, CFIndex numValues,
                         const CFArrayCallBacks *callBacks);
/// Creates an array with the same elements.
CFArrayRef CFArrayCreateCopy(CFAllocatorRef allocator, CFArrayRef theArray);
/// Creates an empty array that can be changed; capacity 0: any number of elements.
CFMutableArrayRef CFArrayCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                       const CFArrayCallBacks *callBacks);
/// Creates an array with the same elements that can be changed.
CFMutableArrayRef CFArrayCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity,
                                           CFArrayRef theArray);
/// The number of elements.
CFIndex CFArrayGetCount(CFArrayRef theArray);
/// The element at a place, which is not retained for the caller.
const void *CFArrayGetValueAtIndex(CFArrayRef theArray, CFIndex idx);
/// Copies the elements of a range to memory of the caller.
void CFArrayGetValues(CFArrayRef theArray, CFRange range, const void **values);
/// Whether a range has an element that is equal to a value.
Boolean CFArrayContainsValue(CFArrayRef theArray, CFRange range, const void *value);
/// The first place of a value in a range, or -1.
CFIndex CFArrayGetFirstIndexOfValue(CFArrayRef theArray, CFRange range, const void *value);
/// Adds an element at the end.
void CFArrayAppendValue(CFMutableArrayRef theArray, const void *value);
/// Adds an element before the one at a place.
void CFArrayInsertValueAtIndex(CFMutableArrayRef theArray, CFIndex idx, const void *value);
/// Replaces the element at a place.
void CFArraySetValueAtIndex(CFMutableArrayRef theArray, CFIndex idx, const void *value);
/// Removes the element at a place.
void CFArrayRemoveValueAtIndex(CFMutableArrayRef theArray, CFIndex idx);
/// Removes all elements.
void CFArrayRemoveAllValues(CFMutableArrayRef theArray);

CF_EXTERN_C_END

#endif
