// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_SPATIAL_MIXER_PARAMETERS_H
#define CAUDIOTOOLBOX_SPATIAL_MIXER_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of the mixers that place sources around the listener.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of the 3D mixer, kAudioUnitSubType_3DMixer; input scope unless noted otherwise.
CF_ENUM(AudioUnitParameterID) {
  /// Degrees clockwise from the front, -180 to 180, default 0.
  k3DMixerParam_Azimuth = 0,
  /// Degrees upwards, -90 to 90, default 0.
  k3DMixerParam_Elevation = 1,
  /// Meters, 0 to 10,000, default 0.
  k3DMixerParam_Distance = 2,
  /// Decibels, -120 to 20, default 0; input and output scope.
  k3DMixerParam_Gain = 3,
  /// 0.5 to 2, default 1: pitch and speed. Changes and ramps apply from their frame on.
  k3DMixerParam_PlaybackRate = 4,
  /// Boolean, default 1. An input that is off is not pulled.
  k3DMixerParam_BusEnable = 20,
  /// Limits of the gain with distance, decibels, -120 to 20, default -120 and 20.
  k3DMixerParam_MinGainInDecibels = 21,
  /// The upper of these limits; default 20.
  k3DMixerParam_MaxGainInDecibels = 22,
  /// Percent, 0 to 100, default 30: how much of a placed source is sent to the reverberation, if
  /// there is one (kAudioUnitProperty_UsesInternalReverb), at constant power.
  k3DMixerParam_DryWetReverbBlend = 23,
  /// Decibels, -40 to 40, default 0; global scope: the level of the reverberation.
  k3DMixerParam_GlobalReverbGainInDecibels = 24,
  /// Decibels, -100 to 0, default 0: the attenuation above 5 kHz by an obstacle. Occlusion also
  /// attenuates the sound sent to the reverberation, obstruction only the direct sound.
  k3DMixerParam_OcclusionAttenuationInDecibels = 25,
  /// Decibels, -100 to 0, default 0: as occlusion, but only of the direct sound.
  k3DMixerParam_ObstructionAttenuationInDecibels = 26,
  /// Level meters of an input, in decibels from -120 up, while kAudioUnitProperty_MeteringMode is
  /// on: before and after its gain with distance. For the second channel, add 1. Read only.
  k3DMixerParam_PreAveragePower = 1000,
  /// Peak before the gain, held for a second. Read only.
  k3DMixerParam_PrePeakHoldLevel = 2000,
  /// Average after the gain. Read only.
  k3DMixerParam_PostAveragePower = 3000,
  /// Peak after the gain, held for a second. Read only.
  k3DMixerParam_PostPeakHoldLevel = 4000
};

/// Parameters of the spatial mixer, kAudioUnitSubType_SpatialMixer, which is also the embedded 3D
/// mixer; like those of the 3D mixer.
CF_ENUM(AudioUnitParameterID) {
  /// Degrees clockwise from the front, -180 to 180, default 0.
  kSpatialMixerParam_Azimuth = 0,
  /// Degrees upwards, -90 to 90, default 0.
  kSpatialMixerParam_Elevation = 1,
  /// Meters, 0 to 10,000, default 0.
  kSpatialMixerParam_Distance = 2,
  /// Decibels, -120 to 20, default 0; input and output scope.
  kSpatialMixerParam_Gain = 3,
  /// 0.5 to 2, default 1: pitch and speed.
  kSpatialMixerParam_PlaybackRate = 4,
  /// Boolean, default 1. An input that is off is not pulled.
  kSpatialMixerParam_Enable = 5,
  /// Limits of the gain with distance, linear, 0 to 10, default 0 and 10.
  kSpatialMixerParam_MinGain = 6,
  /// The upper of these limits; default 10.
  kSpatialMixerParam_MaxGain = 7,
  /// Percent, 0 to 100, default 30: how much of a placed source is sent to the reverberation.
  kSpatialMixerParam_ReverbBlend = 8,
  /// Global scope.
  kSpatialMixerParam_GlobalReverbGain = 9,
  /// Decibels, -100 to 0, default 0: attenuation above 5 kHz of all sound of the source.
  kSpatialMixerParam_OcclusionAttenuation = 10,
  /// Decibels, -100 to 0, default 0: attenuation above 5 kHz of its direct sound.
  kSpatialMixerParam_ObstructionAttenuation = 11,
  /// Global scope, degrees, default 0: the rotation of the listener's head to the right (-180 to
  /// 180), up (-90 to 90), and its tilt to the right (-180 to 180), in this order. Only with a head
  /// model.
  kSpatialMixerParam_HeadYaw = 19,
  /// The rotation up; negative: down.
  kSpatialMixerParam_HeadPitch = 20,
  /// The tilt to the right; negative: to the left.
  kSpatialMixerParam_HeadRoll = 21
};

CF_ASSUME_NONNULL_END

#endif
