// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_URLACCESS_H
#define CORE_FOUNDATION_URLACCESS_H

#include "CFArray.h"
#include "CFBase.h"
#include "CFData.h"
#include "CFDictionary.h"
#include "CFURL.h"

CF_EXTERN_C_BEGIN

/// Reads the file of a URL; false and an error number if it cannot be read.
Boolean CFURLCreateDataAndPropertiesFromResource(CFAllocatorRef alloc, CFURLRef url,
                                                 CFDataRef *resourceData,
                                                 CFDictionaryRef *properties,
                                                 CFArrayRef desiredProperties, SInt32 *errorCode);
/// Writes data to the file of a URL; false and an error number if it cannot be written.
Boolean CFURLWriteDataAndPropertiesToResource(CFURLRef url, CFDataRef dataToWrite,
                                              CFDictionaryRef propertiesToWrite, SInt32 *errorCode);

CF_EXTERN_C_END

#endif
