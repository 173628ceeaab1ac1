// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_DIAGNOSTICS_H
#define CAUDIOTOOLBOX_AU_DIAGNOSTICS_H

#include <CoreFoundation/CoreFoundation.h>

#include "AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Of this library alone; other implementations of the interface do not have it.

/// Properties of output units, of the file player and of units with a thread of their own (DeferredRenderer,
/// RoundTripAAC): global scope, element 0, to read.
CF_ENUM(AudioUnitPropertyID) {
  /// AUDiagnosticsXruns: deadlines missed since the unit was started. Of the file player: how often it
  /// was silent since it was initialised because its file had not been read in time; listeners are told. Of units
  /// with a thread of their own: how often they were silent because it had not done in time.
  kAUDiagnosticsProperty_Xruns = 64001,
  /// CFStringRef: why nothing is heard although the unit runs (its device left, the server died), or
  /// null while it plays. Listeners are called when an interruption begins and when it is over. Of
  /// the file player and of units with a thread of their own: the work that was not finished in
  /// time.
  kAUDiagnosticsProperty_Interruption = 64002
};

/// Properties of 3D mixers: global scope, element 0, to read.
CF_ENUM(AudioUnitPropertyID) {
  /// CFStringRef: the file of the measured head that kSpatializationAlgorithm_HRTF and HRTFHQ use, or
  /// "sphere: " and why there is none, so that the sphere model is used.
  kAUDiagnosticsProperty_Head = 64003
};

/// Properties of `kAudioUnitSubType_NewTimePitch`: global scope, element 0.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: NewTimePitch leaves the resonances of a voice where they are when it
  /// moves the pitch.
  kAUDiagnosticsProperty_KeepsFormants = 64004
};

/// Value of `kAUDiagnosticsProperty_Xruns`.
typedef struct AUDiagnosticsXruns {
  /// Cycles that came too late or were left out, as this library counts them.
  UInt32 mCount;
  /// Missed deadlines as the sound server counts them for the stream.
  UInt32 mServerCount;
  /// 1 if the server reports its count; else mServerCount is 0.
  UInt32 mServerReports;
} AUDiagnosticsXruns;
// Module AudioToolbox has both functions for Swift, under the same names.
#ifndef __swift__

/// The reason why the last call on this thread that failed did so. [any thread]
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
