// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIXER_PROPERTIES_H
#define CAUDIOTOOLBOX_MIXER_PROPERTIES_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties; written as those of every unit.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: whether a 3D mixer has a room; not at first. The parameters of its
  /// inputs say how much of each fills it.
  kAudioUnitProperty_UsesInternalReverb = 1005,
  /// UInt32, input, RW: how a mono source is placed (AUSpatializationAlgorithm).
  kAudioUnitProperty_SpatializationAlgorithm = 3000,
  /// UInt32 as a Boolean, input, RW: k3DMixerRenderingFlags_DopplerShift of the 3D mixer by itself.
  kAudioUnitProperty_DopplerShift = 3002,
  /// UInt32, input, RW: AUSpatialMixerRenderingFlags, both at first; of the 3D mixer
  /// AU3DMixerRenderingFlags, the same two at first.
  kAudioUnitProperty_SpatialMixerRenderingFlags = 3003,
  kAudioUnitProperty_3DMixerRenderingFlags = kAudioUnitProperty_SpatialMixerRenderingFlags,
  /// UInt32, input, RW: how a source is rendered (AUSpatialMixerSourceMode).
  kAudioUnitProperty_SpatialMixerSourceMode = 3005,
  /// Float32[], RW. Of a matrix mixer, global: every gain, row by row. A row for each input channel,
  /// its own gain last; a last row with the gains of the outputs and that of all. Of a multichannel
  /// mixer, input: a row for each channel of the bus, with its gain into each channel of the output;
  /// they stand in the place of the pan until that is set.
  kAudioUnitProperty_MatrixLevels = 3006,
  /// UInt32 as a Boolean, input and (but of 3D mixers) output, RW: whether the element's meters run; off
  /// at first. Of a matrix mixer also global: those of all buses.
  kAudioUnitProperty_MeteringMode = 3007,
  /// UInt32[2], R: the input and the output channels of a matrix mixer (global), or of what an input of
  /// a multichannel mixer has levels for (input).
  kAudioUnitProperty_MatrixDimensions = 3009,
  /// AudioUnitMeterClipping, global, R: of a multichannel, stereo or matrix mixer, its output since
  /// the last read, over channels whose meters run.
  kAudioUnitProperty_MeterClipping = 3011,
  /// MixerDistanceParams, input, RW: how distance attenuates.
  kAudioUnitProperty_SpatialMixerDistanceParams = 3010,
  kAudioUnitProperty_3DMixerDistanceParams = kAudioUnitProperty_SpatialMixerDistanceParams,
  /// UInt32, input, RW: AUSpatialMixerAttenuationCurve.
  kAudioUnitProperty_SpatialMixerAttenuationCurve = 3013,
  kAudioUnitProperty_3DMixerAttenuationCurve = kAudioUnitProperty_SpatialMixerAttenuationCurve,
  /// UInt32, global, RW: what a spatial mixer plays to (AUSpatialMixerOutputType), for inputs of
  /// kSpatializationAlgorithm_UseOutputType.
  kAudioUnitProperty_SpatialMixerOutputType = 3100
};

/// The output of a mixer since the last read, over all channels.
typedef struct AudioUnitMeterClipping {
  /// The largest magnitude that is a finite number; above 1 a device clips it.
  Float32 peakValueSinceLastCall;
  /// Whether there was an infinite sample.
  Boolean sawInfinity;
  /// Whether there was a sample that is not a number.
  Boolean sawNotANumber;
} AudioUnitMeterClipping;

/// How a source is placed at the outputs.
typedef CF_ENUM(UInt32, AUSpatializationAlgorithm) {
  /// Constant power between the two speakers beside the direction.
  kSpatializationAlgorithm_EqualPowerPanning = 0,
  /// The model of a spherical head, for headphones: delay and shadow.
  kSpatializationAlgorithm_SphericalHead = 1,
  /// The same model.
  kSpatializationAlgorithm_HRTF = 2,
  /// Speakers whose directions, weighted by their gains, add up to that of the source.
  kSpatializationAlgorithm_VectorBasedPanning = 4,
  /// Nothing is placed.
  kSpatializationAlgorithm_StereoPassThrough = 5,
  /// The same as `kSpatializationAlgorithm_HRTF`.
  kSpatializationAlgorithm_HRTFHQ = 6,
  /// Of the spatial mixer: the model of a head where it plays to headphones, else vector based panning.
  kSpatializationAlgorithm_UseOutputType = 7
};

/// What a spatial mixer plays to.
typedef CF_ENUM(UInt32, AUSpatialMixerOutputType) {
  kSpatialMixerOutputType_Headphones = 1,
  kSpatialMixerOutputType_BuiltInSpeakers = 2,
  /// At first.
  kSpatialMixerOutputType_ExternalSpeakers = 3
};

/// How a source is rendered.
typedef CF_ENUM(UInt32, AUSpatialMixerSourceMode) {
  /// Mono sources are placed, others pass through.
  kSpatialMixerSourceMode_SpatializeIfMono = 0,
  /// Nothing is placed.
  kSpatialMixerSourceMode_Bypass = 1,
  /// The mean of the channels is placed.
  kSpatialMixerSourceMode_PointSource = 2
};

/// Options for rendering a source.
typedef CF_OPTIONS(UInt32, AUSpatialMixerRenderingFlags) {
  /// Time differences between the ears.
  kSpatialMixerRenderingFlags_InterAuralDelay = 1U << 0,
  /// Attenuation by distance.
  kSpatialMixerRenderingFlags_DistanceAttenuation = 1U << 2
};

/// The same of the 3D mixer.
typedef CF_OPTIONS(UInt32, AU3DMixerRenderingFlags) {
  k3DMixerRenderingFlags_InterAuralDelay = 1U << 0,
  /// Doppler shift.
  k3DMixerRenderingFlags_DopplerShift = 1U << 1,
  k3DMixerRenderingFlags_DistanceAttenuation = 1U << 2
};

/// The rooms of a 3D mixer: those of the factory presets of reverberation units.
typedef CF_ENUM(UInt32, AUReverbRoomType) {
  kReverbRoomType_SmallRoom = 0,
  kReverbRoomType_MediumRoom = 1,
  kReverbRoomType_LargeRoom = 2,
  kReverbRoomType_MediumHall = 3,
  kReverbRoomType_LargeHall = 4,
  kReverbRoomType_Plate = 5,
  kReverbRoomType_MediumChamber = 6,
  kReverbRoomType_LargeChamber = 7,
  kReverbRoomType_Cathedral = 8,
  kReverbRoomType_LargeRoom2 = 9,
  kReverbRoomType_MediumHall2 = 10,
  kReverbRoomType_MediumHall3 = 11,
  kReverbRoomType_LargeHall2 = 12
};

/// How gain falls from the reference to the maximum distance.
typedef CF_ENUM(UInt32, AUSpatialMixerAttenuationCurve) {
  /// By equal decibels in equal ratios of distance.
  kSpatialMixerAttenuationCurve_Power = 0,
  /// By equal decibels in equal steps of distance.
  kSpatialMixerAttenuationCurve_Exponential = 1,
  /// As one over the distance that is added.
  kSpatialMixerAttenuationCurve_Inverse = 2,
  /// In a straight line.
  kSpatialMixerAttenuationCurve_Linear = 3
};

/// How distance attenuates.
typedef struct MixerDistanceParams {
  /// In metres, above 0: up to here nothing is lost. At first 1.
  Float32 mReferenceDistance;
  /// In metres: from here on nothing more is lost. At first 100.
  Float32 mMaxDistance;
  /// In decibels, 0 or more: the attenuation at the maximum distance. At first 40.
  Float32 mMaxAttenuation;
} MixerDistanceParams;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
