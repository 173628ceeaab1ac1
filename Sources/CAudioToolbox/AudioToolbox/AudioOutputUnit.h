// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_OUTPUT_UNIT_H
#define CAUDIOTOOLBOX_AUDIO_OUTPUT_UNIT_H

#include "AUComponent.h"

// Starts and stops output units, the units that play to a device or capture from it.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Starts an initialized output unit; starting a running one does nothing. [control thread]
///
/// - Parameter ci: an output unit.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_FailedInitialization` if there
///   is no device or it cannot be opened; `kAudioUnitErr_CannotDoInCurrentContext` in a callback;
///   `kAudio_UnimplementedError` if it is not an output unit; `kAudio_ParamError` if there is no
///   such unit, or after a fork.
OSStatus AudioOutputUnitStart(AudioUnit ci);

/// Stops an output unit; on return, none of its callbacks runs any more. [control thread]
///
/// Called from a callback of the unit, it takes effect after the render cycle.
///
/// - Parameter ci: an output unit; one that does not run stays as it is.
/// - Returns: noErr; `kAudio_UnimplementedError` if it is not an output unit; `kAudio_ParamError`
///   if there is no such unit.
OSStatus AudioOutputUnitStop(AudioUnit ci);

/// Selectors of the additional methods of output units.
enum {
  kAudioOutputUnitRange = 0x0200,        ///< The first number of these methods.
  kAudioOutputUnitStartSelect = 0x0201,  ///< An AudioOutputUnitStartProc.
  kAudioOutputUnitStopSelect = 0x0202    ///< An AudioOutputUnitStopProc.
};

/// Types of those methods; `self` is the memory that the plug-in's factory created.
typedef OSStatus (*AudioOutputUnitStartProc)(void *self);
/// Carries out AudioOutputUnitStop.
typedef OSStatus (*AudioOutputUnitStopProc)(void *self);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
