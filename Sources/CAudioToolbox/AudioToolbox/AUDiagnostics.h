// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_DIAGNOSTICS_H
#define CAUDIOTOOLBOX_AU_DIAGNOSTICS_H

#include <CoreFoundation/CoreFoundation.h>

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Of this library alone; other implementations of the interface do not have it.
// Module AudioToolbox has both functions for Swift, under the same names.
#ifndef __swift__

/// What went wrong in the last call on this thread that gave an error. [any thread]
///
/// Names the unit, scope and element, what was given and what was expected.
/// - Returns: a string that the caller releases; null when no call has failed.
CFStringRef _Nullable AUDiagnosticsCopyLastExplanation(void);

/// What a result means, as in "kAudioUnitErr_Uninitialized (-10867): ...". [any thread]
///
/// - Returns: a string that the caller releases.
CFStringRef AUDiagnosticsCopyDescription(OSStatus inStatus);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
