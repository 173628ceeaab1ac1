// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_OUTPUT_UNIT_PROPERTIES_H
#define CAUDIOTOOLBOX_OUTPUT_UNIT_PROPERTIES_H

#include "../AUComponent.h"

// Properties of the units that play to a device or capture from it.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties; the notation is that of GeneralProperties.h.
///
/// Element 1 is the device's input, element 0 its output.
CF_ENUM(AudioUnitPropertyID) {
  /// AudioObjectID (UInt32), global, RW: the device.
  kAudioOutputUnitProperty_CurrentDevice = 2000,
  /// UInt32 as a Boolean, global, R; has listeners.
  kAudioOutputUnitProperty_IsRunning = 2001,
  /// SInt32[], input and output, RW: the source of each destination channel, or -1 for silence.
  kAudioOutputUnitProperty_ChannelMap = 2002,
  /// UInt32 as a Boolean, input element 1 and output element 0, RW (U): whether the unit captures
  /// or plays.
  kAudioOutputUnitProperty_EnableIO = 2003,
  /// AudioOutputUnitStartAtTimeParams, global, W: for the next start only.
  kAudioOutputUnitProperty_StartTime = 2004,
  /// AURenderCallbackStruct, global, RW: called when input is available.
  kAudioOutputUnitProperty_SetInputCallback = 2005,
  /// UInt32 as a Boolean, input element 1 and output element 0, R: whether the device has this
  /// endpoint.
  kAudioOutputUnitProperty_HasIO = 2006,
  /// UInt32 as a Boolean, global, RW: sample time starts at 0 with each start.
  kAudioOutputUnitProperty_StartTimestampsAtZero = 2007
};

/// The start time of an output unit.
typedef struct AudioOutputUnitStartAtTimeParams {
  AudioTimeStamp mTimestamp;  ///< A sample time or a host time of the device.
  UInt32 mFlags;              ///< Always 0.
} AudioOutputUnitStartAtTimeParams;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
