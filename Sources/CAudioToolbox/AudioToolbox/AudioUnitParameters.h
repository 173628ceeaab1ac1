// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AUDIO_UNIT_PARAMETERS_H
#define CAUDIOTOOLBOX_AUDIO_UNIT_PARAMETERS_H

#include "AUComponent.h"

// The parameters of a unit are declared here with the unit that has them.

/// Parameters of the output units that play through a device.
CF_ENUM(AudioUnitParameterID) {
  /// Volume of the output: linear gain, 0 to 1, default 1; global scope.
  kHALOutputParam_Volume = 14
};

/// Parameters of the multichannel mixer. Meters are read only, in decibels from -120; they run while
/// `kAudioUnitProperty_MeteringMode` of the element is on. For the second channel add 1.
CF_ENUM(AudioUnitParameterID) {
  /// Linear gain, 0 to 1, default 1; input and output scope. More, and less than 0, is possible.
  kMultiChannelMixerParam_Volume = 0,
  /// Boolean, default 1; input and output scope. An input that is off is not pulled.
  kMultiChannelMixerParam_Enable = 1,
  /// -1 (left) to 1 (right), default 0; input scope. Constant power; ignored where the output is mono.
  kMultiChannelMixerParam_Pan = 2,
  /// Mean power before the volume, of the last tenths of a second.
  kMultiChannelMixerParam_PreAveragePower = 1000,
  /// Highest sample before the volume; it holds for a second and then falls.
  kMultiChannelMixerParam_PrePeakHoldLevel = 2000,
  /// The same after volume and switch.
  kMultiChannelMixerParam_PostAveragePower = 3000,
  kMultiChannelMixerParam_PostPeakHoldLevel = 4000
};

#endif
