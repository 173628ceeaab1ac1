// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_PROPERTY_LIST_H
#define CORE_FOUNDATION_PROPERTY_LIST_H

#include "CFBase.h"
#include "CFData.h"
#include "CFError.h"
#include "CFString.h"

CF_EXTERN_C_BEGIN

/// What can be changed in a property list that is read.
typedef CF_OPTIONS(CFOptionFlags, CFPropertyListMutabilityOptions) {
  /// Nothing.
  kCFPropertyListImmutable = 0,
  /// Its arrays and dictionaries.
  kCFPropertyListMutableContainers = 1,
  /// Its strings and data, as well.
  kCFPropertyListMutableContainersAndLeaves = 2
};

/// How a property list is written.
typedef CF_ENUM(CFIndex, CFPropertyListFormat) {
  /// As text of NeXTSTEP, which can only be read.
  kCFPropertyListOpenStepFormat = 1,
  /// As XML.
  kCFPropertyListXMLFormat_v1_0 = 100,
  /// In binary form.
  kCFPropertyListBinaryFormat_v1_0 = 200
};

/// Reads a property list; NULL and an error if the data is none.
CFPropertyListRef CFPropertyListCreateWithData(CFAllocatorRef allocator, CFDataRef data,
                                               CFOptionFlags options, CFPropertyListFormat *format,
                                               CFErrorRef *error);
/// Writes a property list in a format; NULL and an error if that is impossible.
CFDataRef CFPropertyListCreateData(CFAllocatorRef allocator, CFPropertyListRef propertyList,
                                   CFPropertyListFormat format, CFOptionFlags options,
                                   CFErrorRef *error);
/// Reads a property list; the older form, with a text as error.
CFPropertyListRef CFPropertyListCreateFromXMLData(CFAllocatorRef allocator, CFDataRef xmlData,
                                                  CFOptionFlags mutabilityOption,
                                                  CFStringRef *errorString);
/// Writes a property list as XML.
CFDataRef CFPropertyListCreateXMLData(CFAllocatorRef allocator, CFPropertyListRef propertyList);
/// Copies a property list with all that it contains.
CFPropertyListRef CFPropertyListCreateDeepCopy(CFAllocatorRef allocator,
                                               CFPropertyListRef propertyList,
                                               CFOptionFlags mutabilityOption);
/// Whether an object can be written in a format.
Boolean CFPropertyListIsValid(CFPropertyListRef plist, CFPropertyListFormat format);

CF_EXTERN_C_END

#endif
