// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIXER_PARAMETERS_H
#define CAUDIOTOOLBOX_MIXER_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of mixers without a place in space, and their meters.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of the multichannel mixer, kAudioUnitSubType_MultiChannelMixer. Meters are read only,
/// in decibels from -120 up. They run while `kAudioUnitProperty_MeteringMode` of the element is on.
/// For the second channel, add 1.
CF_ENUM(AudioUnitParameterID) {
  /// Linear gain, 0 to 1, default 1; input and output scope. Values above 1 and below 0 are
  /// allowed.
  kMultiChannelMixerParam_Volume = 0,
  /// Boolean, default 1; input and output scope. An input that is off is not pulled.
  kMultiChannelMixerParam_Enable = 1,
  /// -1 (left) to 1 (right), default 0; input scope. Constant power; ignored if the output is mono.
  kMultiChannelMixerParam_Pan = 2,
  /// Average power before the volume, over some tenths of a second.
  kMultiChannelMixerParam_PreAveragePower = 1000,
  /// Peak level before the volume; held for a second, then falling.
  kMultiChannelMixerParam_PrePeakHoldLevel = 2000,
  /// The same meters, after the volume and the switch.
  kMultiChannelMixerParam_PostAveragePower = 3000,
  /// Peak level after the volume and the switch.
  kMultiChannelMixerParam_PostPeakHoldLevel = 4000
};

/// Parameters of the stereo mixer, kAudioUnitSubType_StereoMixer; its meters are like those of the
/// multichannel mixer.
CF_ENUM(AudioUnitParameterID) {
  /// Mixer fader curve 1, 0 to 1, default 1; input and output scope: the gain is the cube.
  kStereoMixerParam_Volume = 0,
  /// 0 (left) to 1 (right), default 0.5; input scope. Constant power.
  kStereoMixerParam_Pan = 1,
  /// Average power before the volume. Read only.
  kStereoMixerParam_PreAveragePower = 1000,
  /// Peak level before the volume, held for a second. Read only.
  kStereoMixerParam_PrePeakHoldLevel = 2000,
  /// Average power after the volume. Read only.
  kStereoMixerParam_PostAveragePower = 3000,
  /// Peak level after the volume, held for a second. Read only.
  kStereoMixerParam_PostPeakHoldLevel = 4000
};

/// Parameters of the matrix mixer, kAudioUnitSubType_MatrixMixer. In the input and output scopes,
/// an element is a channel, counted through all buses. In the global scope, it is `input << 16 |
/// output`, with 0xFFFF for all.
CF_ENUM(AudioUnitParameterID) {
  /// Linear gain, 0 to 1 and more; initially 0, except for the master (element 0xFFFFFFFF), which
  /// is 1.
  kMatrixMixerParam_Volume = 0,
  /// Boolean, default 1; input and output scope.
  kMatrixMixerParam_Enable = 1,
  /// Meters of a channel, read only; input and output scope. Before and after the channel's volume,
  /// in decibels from -120 up, while kAudioUnitProperty_MeteringMode of its bus is on.
  kMatrixMixerParam_PreAveragePower = 1000,
  /// Peak before the volume, held for a second.
  kMatrixMixerParam_PrePeakHoldLevel = 2000,
  /// Average after the volume.
  kMatrixMixerParam_PostAveragePower = 3000,
  /// Peak after the volume, held for a second.
  kMatrixMixerParam_PostPeakHoldLevel = 4000,
  /// The same meters as linear gains: a full-scale sine has an average of 0.707 and a peak of 1.
  kMatrixMixerParam_PreAveragePowerLinear = 5000,
  /// Peak before the volume, as a gain.
  kMatrixMixerParam_PrePeakHoldLevelLinear = 6000,
  /// Average after the volume, as a gain.
  kMatrixMixerParam_PostAveragePowerLinear = 7000,
  /// Peak after the volume, as a gain.
  kMatrixMixerParam_PostPeakHoldLevelLinear = 8000
};

CF_ASSUME_NONNULL_END

#endif
