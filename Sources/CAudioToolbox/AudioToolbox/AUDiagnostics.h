// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_DIAGNOSTICS_H
#define CAUDIOTOOLBOX_AU_DIAGNOSTICS_H

#include <CoreFoundation/CoreFoundation.h>

#include "AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Only in this library; other implementations of the interface do not have it.

/// Properties of output units, of the file player, and of units with a thread of their own
/// (DeferredRenderer, RoundTripAAC): global scope, element 0, read only.
CF_ENUM(AudioUnitPropertyID) {
  /// AUDiagnosticsXruns: the deadlines missed since the unit was started. File player: how often it
  /// was silent since it was initialized because its file had not been read in time; listeners are
  /// notified. Units with a thread of their own: how often they were silent because that thread was
  /// late.
  kAUDiagnosticsProperty_Xruns = 64001,
  /// CFStringRef: why the unit is silent although it runs (its device is gone, the server has
  /// died); null while it plays. Listeners are called when an interruption begins and ends. File
  /// player and units with a thread of their own: the work that was not finished in time.
  kAUDiagnosticsProperty_Interruption = 64002
};

/// Properties of 3D mixers: global scope, element 0, read only.
CF_ENUM(AudioUnitPropertyID) {
  /// CFStringRef: the file with the measured head that kSpatializationAlgorithm_HRTF and HRTFHQ
  /// use. Without such a file they use the sphere model, and the value is "sphere: " and the
  /// reason.
  kAUDiagnosticsProperty_Head = 64003
};

/// Properties of `kAudioUnitSubType_NewTimePitch`: global scope, element 0.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: whether NewTimePitch keeps the formants of a voice when it
  /// shifts the pitch.
  kAUDiagnosticsProperty_KeepsFormants = 64004
};

/// Value of `kAUDiagnosticsProperty_Xruns`.
typedef struct AUDiagnosticsXruns {
  /// Cycles that were late or skipped, as counted by this library.
  UInt32 mCount;
  /// Missed deadlines of the stream, as counted by the sound server.
  UInt32 mServerCount;
  /// 1 if the server reports its count; else mServerCount is 0.
  UInt32 mServerReports;
} AUDiagnosticsXruns;

/// The number of status codes that AUDiagnosticsCopyStatusAtIndex lists. [any thread]
UInt32 AUDiagnosticsGetStatusCount(void);

/// What AUDiagnosticsCopyPropertyAtIndex tells about a property.
CF_ENUM(UInt32) {
  /// The unit may have the property. Set for every property if there is no unit, or one whose
  /// properties are not known in advance.
  kAUDiagnosticsPropertyFlag_MayExist = 1 << 0,
  /// Its element is the ID of a parameter.
  kAUDiagnosticsPropertyFlag_ElementIsParameter = 1 << 1,
  /// To read it, the caller puts an argument into the memory for the value.
  kAUDiagnosticsPropertyFlag_ReadingTakesArgument = 1 << 2
};

/// The number of properties that AUDiagnosticsCopyPropertyAtIndex lists. [any thread]
UInt32 AUDiagnosticsGetPropertyCount(void);

// For Swift, module AudioToolbox declares functions with the same names.
#ifndef __swift__

/// Why the last failed call on this thread failed. [any thread]
///
/// The text names the unit, scope and element, the value that was passed, and what was expected.
/// - Returns: a string that the caller releases; null when no call has failed.
CFStringRef _Nullable AUDiagnosticsCopyLastExplanation(void);

/// The meaning of a status code, such as "kAudioUnitErr_Uninitialized (-10867): ...". [any thread]
///
/// - Parameter inStatus: the result of a call.
/// - Returns: its name, its meaning and what helps, as a string that the caller releases.
CFStringRef AUDiagnosticsCopyDescription(OSStatus inStatus);

/// Why the last failed call on this thread failed, for people who did not write the call. [any
/// thread]
///
/// The text of AUDiagnosticsCopyLastExplanation without the names of the call and of the status.
///
/// - Parameter inStatus: what the call returned. Its meaning is the result when no call has failed.
/// - Returns: the reason, a string that the caller releases.
CFStringRef AUDiagnosticsCopyReason(OSStatus inStatus);

/// One of the status codes of this library. [any thread]
///
/// The codes of a family of functions, such as those of units, are neighbours. Two families may use
/// the same number.
/// - Parameters:
///   - inIndex: from 0 to AUDiagnosticsGetStatusCount() - 1.
///   - outStatus: the code.
///   - outName: its C constant, a string that the caller releases.
///   - outMeaning: when it is returned, and what to do about it: a string that the caller releases.
/// - Returns: kAudio_ParamError for another index, or if a pointer is null.
OSStatus AUDiagnosticsCopyStatusAtIndex(UInt32 inIndex, OSStatus *outStatus,
                                        CFStringRef _Nullable *_Nonnull outName,
                                        CFStringRef _Nullable *_Nonnull outMeaning);

/// One of the properties of units that the headers of this library declare. [any thread]
///
/// They are in the order of their numbers.
/// - Parameters:
///   - inUnit: the unit whose property is described; null: any unit.
///   - inIndex: from 0 to AUDiagnosticsGetPropertyCount() - 1.
///   - outID: the property.
///   - outFlags: kAUDiagnosticsPropertyFlag_….
///   - outName: its C constant, a string that the caller releases.
///   - outType: the C type of its value, a string that the caller releases; empty if it is unknown.
/// - Returns: kAudio_ParamError for another index or a null pointer; for a unit that does not exist,
///   the error of AudioUnitGetProperty.
OSStatus AUDiagnosticsCopyPropertyAtIndex(AudioUnit _Nullable inUnit, UInt32 inIndex,
                                          AudioUnitPropertyID *outID, UInt32 *outFlags,
                                          CFStringRef _Nullable *_Nonnull outName,
                                          CFStringRef _Nullable *_Nonnull outType);

#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
