// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_DICTIONARY_H
#define CORE_FOUNDATION_DICTIONARY_H

#include "CFBase.h"

CF_EXTERN_C_BEGIN

/// Retains a key or a value, and returns it.
typedef const void *(*CFDictionaryRetainCallBack)(CFAllocatorRef allocator, const void *value);
/// Releases a key or a value.
typedef void (*CFDictionaryReleaseCallBack)(CFAllocatorRef allocator, const void *value);
/// Describes a key or a value.
typedef CFStringRef (*CFDictionaryCopyDescriptionCallBack)(const void *value);
/// Whether two keys or two values are equal.
typedef Boolean (*CFDictionaryEqualCallBack)(const void *value1, const void *value2);
/// The hash of a key.
typedef CFHashCode (*CFDictionaryHashCallBack)(const void *value);
/// What a dictionary does with its keys; NULL functions do nothing.
typedef struct {
  /// Always 0.
  CFIndex version;
  /// Called when a key is added.
  CFDictionaryRetainCallBack retain;
  /// Called when a key is removed.
  CFDictionaryReleaseCallBack release;
  /// Called for the description of the dictionary.
  CFDictionaryCopyDescriptionCallBack copyDescription;
  /// Called when keys are compared; NULL: their addresses.
  CFDictionaryEqualCallBack equal;
  /// Called when a key is looked up; NULL: its address.
  CFDictionaryHashCallBack hash;
} CFDictionaryKeyCallBacks;
/// What a dictionary does with its values; NULL functions do nothing.
typedef struct {
  /// Always 0.
  CFIndex version;
  /// Called when a value is added.
  CFDictionaryRetainCallBack retain;
  /// Called when a value is removed.
  CFDictionaryReleaseCallBack release;
  /// Called for the description of the dictionary.
  CFDictionaryCopyDescriptionCallBack copyDescription;
  /// Called when values are compared; NULL: their addresses.
  CFDictionaryEqualCallBack equal;
} CFDictionaryValueCallBacks;
/// For keys that are objects, which the dictionary retains.
CF_EXPORT const CFDictionaryKeyCallBacks kCFTypeDictionaryKeyCallBacks;
/// For keys that are strings, which the dictionary copies.
CF_EXPORT const CFDictionaryKeyCallBacks kCFCopyStringDictionaryKeyCallBacks;
/// For values that are objects, which the dictionary retains.
CF_EXPORT const CFDictionaryValueCallBacks kCFTypeDictionaryValueCallBacks;

/// The type of dictionaries.
CFTypeID CFDictionaryGetTypeID(void);
/// Creates a dictionary of keys and values; NULL callbacks: plain pointers.
CFDictionaryRef CFDictionaryCreate(CFAllocatorRef allocator, const void **keys, const void **values,
                                   CFIndex numValues, const CFDictionaryKeyCallBacks *keyCallBacks,
                                   const CFDictionaryValueCallBacks *valueCallBacks);
/// Creates a dictionary with the same keys and values.
CFDictionaryRef CFDictionaryCreateCopy(CFAllocatorRef allocator, CFDictionaryRef theDict);
/// Creates an empty dictionary that can be changed; capacity 0: any number of keys.
CFMutableDictionaryRef CFDictionaryCreateMutable(CFAllocatorRef allocator, CFIndex capacity,
                                                 const CFDictionaryKeyCallBacks *keyCallBacks,
                                                 const CFDictionaryValueCallBacks *valueCallBacks);
/// Creates a dictionary with the same keys and values that can be changed.
CFMutableDictionaryRef CFDictionaryCreateMutableCopy(CFAllocatorRef allocator, CFIndex capacity,
                                                     CFDictionaryRef theDict);
/// The number of keys.
CFIndex CFDictionaryGetCount(CFDictionaryRef theDict);
/// Whether it has a key.
Boolean CFDictionaryContainsKey(CFDictionaryRef theDict, const void *key);
/// The value of a key, which is not retained for the caller; NULL if there is none.
const void *CFDictionaryGetValue(CFDictionaryRef theDict, const void *key);
/// Whether there is a key, and its value, which may be NULL.
Boolean CFDictionaryGetValueIfPresent(CFDictionaryRef theDict, const void *key, const void **value);
/// Copies all keys and values to memory of the caller; NULL leaves them out.
void CFDictionaryGetKeysAndValues(CFDictionaryRef theDict, const void **keys, const void **values);
/// Adds a key with its value; keeps the value of a key that is there.
void CFDictionaryAddValue(CFMutableDictionaryRef theDict, const void *key, const void *value);
/// Adds a key with its value, or replaces its value.
void CFDictionarySetValue(CFMutableDictionaryRef theDict, const void *key, const void *value);
/// Replaces the value of a key that is there; does nothing otherwise.
void CFDictionaryReplaceValue(CFMutableDictionaryRef theDict, const void *key, const void *value);
/// Removes a key with its value.
void CFDictionaryRemoveValue(CFMutableDictionaryRef theDict, const void *key);
/// Removes all keys.
void CFDictionaryRemoveAllValues(CFMutableDictionaryRef theDict);

CF_EXTERN_C_END

#endif
