// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_CORE_FOUNDATION_FIELDS_H
#define CAUDIOTOOLBOX_AU_CORE_FOUNDATION_FIELDS_H

#include <CoreFoundation/CoreFoundation.h>

// Fields of structures that are Core Foundation objects in C, and Unmanaged objects in Swift.

// On Linux the importer makes a separate class of CFStringRef, which is not NSString. In Swift such
// a field is therefore a raw pointer with two underscores before its name, and the overlay of
// module AudioToolbox adds a property with the right name and type. For the same reason functions
// with CoreFoundation types are hidden from the importer, and the overlay declares Swift functions
// with the same names.
#ifdef __swift__
#define AU_CF_FIELD(type, name) const void *_Nullable __##name
#define AU_CF_NONNULL_FIELD(type, name) const void *_Nonnull __##name
#else
/// A field with a Core Foundation object or null, which Swift imports as Unmanaged.
#define AU_CF_FIELD(type, name) type _Nullable name
/// A field with a Core Foundation object, which Swift imports as Unmanaged.
#define AU_CF_NONNULL_FIELD(type, name) type _Nonnull name
#endif

#endif
