// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_BUNDLE_H
#define CORE_FOUNDATION_BUNDLE_H

#include "CFArray.h"
#include "CFBase.h"
#include "CFDictionary.h"
#include "CFString.h"
#include "CFURL.h"

CF_EXTERN_C_BEGIN

/// A folder with a program or a plug-in, its Info.plist and its resources. The main bundle of a
/// program outside such a folder is the program's folder.
typedef struct __CFBundle *CFBundleRef;

// Keys of the Info.plist.
/// The name of the program in a bundle.
CF_EXPORT const CFStringRef kCFBundleExecutableKey;
/// The identifier of a bundle, such as "org.example.gain".
CF_EXPORT const CFStringRef kCFBundleIdentifierKey;
/// The name of a bundle for people.
CF_EXPORT const CFStringRef kCFBundleNameKey;
/// The version of a bundle.
CF_EXPORT const CFStringRef kCFBundleVersionKey;

/// The type of bundles.
CFTypeID CFBundleGetTypeID(void);
/// The bundle of the process; its folder is that of the program.
CFBundleRef CFBundleGetMainBundle(void);
/// The bundle with an identifier, if the process has it; NULL otherwise.
CFBundleRef CFBundleGetBundleWithIdentifier(CFStringRef bundleID);
/// Opens a bundle in a folder; NULL if there is none.
CFBundleRef CFBundleCreate(CFAllocatorRef allocator, CFURLRef bundleURL);
/// The identifier of a bundle, or NULL.
CFStringRef CFBundleGetIdentifier(CFBundleRef bundle);
/// The version of a bundle as a number, as of components.
UInt32 CFBundleGetVersionNumber(CFBundleRef bundle);
/// The property list of a bundle.
CFDictionaryRef CFBundleGetInfoDictionary(CFBundleRef bundle);
/// A value of the property list, or NULL.
CFTypeRef CFBundleGetValueForInfoDictionaryKey(CFBundleRef bundle, CFStringRef key);
/// The folder of a bundle, which the caller releases.
CFURLRef CFBundleCopyBundleURL(CFBundleRef bundle);
/// The program of a bundle, which the caller releases.
CFURLRef CFBundleCopyExecutableURL(CFBundleRef bundle);
/// The folder with the resources of a bundle, which the caller releases.
CFURLRef CFBundleCopyResourcesDirectoryURL(CFBundleRef bundle);
/// A resource by its name, type and folder, which the caller releases; NULL if there is none.
CFURLRef CFBundleCopyResourceURL(CFBundleRef bundle, CFStringRef resourceName,
                                 CFStringRef resourceType, CFStringRef subDirName);
/// A text in the user's language, or the given value; the caller releases it.
CFStringRef CFBundleCopyLocalizedString(CFBundleRef bundle, CFStringRef key, CFStringRef value,
                                        CFStringRef tableName);
/// Loads the code of a bundle; false if it cannot be loaded.
Boolean CFBundleLoadExecutable(CFBundleRef bundle);
/// Whether the code of a bundle is loaded.
Boolean CFBundleIsExecutableLoaded(CFBundleRef bundle);
/// A function in the code of a bundle; NULL if there is none.
void *CFBundleGetFunctionPointerForName(CFBundleRef bundle, CFStringRef functionName);

CF_EXTERN_C_END

#endif
