// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIXER_PROPERTIES_H
#define CAUDIOTOOLBOX_MIXER_PROPERTIES_H

#include "../AUComponent.h"

// Properties of mixers: levels, meters, and the place of each source in space.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties; the notation is that of GeneralProperties.h.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: whether a 3D mixer has a reverberation; initially not.
  /// Parameters of its inputs set how much of each is sent to it.
  kAudioUnitProperty_UsesInternalReverb = 1005,
  /// UInt32, input, RW: how a mono source is placed (AUSpatializationAlgorithm).
  kAudioUnitProperty_SpatializationAlgorithm = 3000,
  /// UInt32 as a Boolean, input, RW: only the flag k3DMixerRenderingFlags_DopplerShift of the 3D
  /// mixer.
  kAudioUnitProperty_DopplerShift = 3002,
  /// UInt32, input, RW: AUSpatialMixerRenderingFlags, initially both; for the 3D mixer
  /// AU3DMixerRenderingFlags, initially the same two.
  kAudioUnitProperty_SpatialMixerRenderingFlags = 3003,
  /// Another name of kAudioUnitProperty_SpatialMixerRenderingFlags.
  kAudioUnitProperty_3DMixerRenderingFlags = kAudioUnitProperty_SpatialMixerRenderingFlags,
  /// UInt32, input, RW: how a source is rendered (AUSpatialMixerSourceMode).
  kAudioUnitProperty_SpatialMixerSourceMode = 3005,
  /// Float32[], RW. Matrix mixer, global: all gains, row by row. Each input channel has a row that
  /// ends with its own gain; the last row has the gains of the outputs and the master gain.
  /// Multichannel mixer, input: each channel of the bus has a row with its gains to the output
  /// channels. They replace the pan until the pan is set.
  kAudioUnitProperty_MatrixLevels = 3006,
  /// UInt32 as a Boolean, input and (except in 3D mixers) output, RW: whether the element's meters
  /// run; initially off. Matrix mixer: also global, for all buses.
  kAudioUnitProperty_MeteringMode = 3007,
  /// UInt32[2], R: the numbers of input and output channels of a matrix mixer (global), or of the
  /// levels of a multichannel mixer's input (input).
  kAudioUnitProperty_MatrixDimensions = 3009,
  /// AudioUnitMeterClipping, global, R: the peak of the output of a multichannel, stereo or matrix
  /// mixer since the last read, over all channels whose meters run.
  kAudioUnitProperty_MeterClipping = 3011,
  /// MixerDistanceParams, input, RW: the attenuation with distance.
  kAudioUnitProperty_SpatialMixerDistanceParams = 3010,
  /// Another name of kAudioUnitProperty_SpatialMixerDistanceParams.
  kAudioUnitProperty_3DMixerDistanceParams = kAudioUnitProperty_SpatialMixerDistanceParams,
  /// UInt32, input, RW: the curve of the gain with distance, AUSpatialMixerAttenuationCurve.
  kAudioUnitProperty_SpatialMixerAttenuationCurve = 3013,
  /// Another name of kAudioUnitProperty_SpatialMixerAttenuationCurve.
  kAudioUnitProperty_3DMixerAttenuationCurve = kAudioUnitProperty_SpatialMixerAttenuationCurve,
  /// UInt32, global, RW: the output device type of a spatial mixer (AUSpatialMixerOutputType), for
  /// inputs with kSpatializationAlgorithm_UseOutputType.
  kAudioUnitProperty_SpatialMixerOutputType = 3100
};

/// The output of a mixer since the last read, over all channels.
typedef struct AudioUnitMeterClipping {
  /// The largest finite magnitude; a device clips values above 1.
  Float32 peakValueSinceLastCall;
  /// Whether there was an infinite sample.
  Boolean sawInfinity;
  /// Whether there was a sample that is not a number.
  Boolean sawNotANumber;
} AudioUnitMeterClipping;

/// How a source is placed at the outputs.
typedef CF_ENUM(UInt32, AUSpatializationAlgorithm) {
  /// Constant-power panning between the two speakers next to the direction.
  kSpatializationAlgorithm_EqualPowerPanning = 0,
  /// A spherical head model for headphones: interaural delay and head shadow.
  kSpatializationAlgorithm_SphericalHead = 1,
  /// A measured head if there is one, else the spherical head model.
  kSpatializationAlgorithm_HRTF = 2,
  /// Vector-based panning: the speakers' directions, weighted by their gains, add up to the
  /// direction of the source.
  kSpatializationAlgorithm_VectorBasedPanning = 4,
  /// No spatialization.
  kSpatializationAlgorithm_StereoPassThrough = 5,
  /// The same as `kSpatializationAlgorithm_HRTF`.
  kSpatializationAlgorithm_HRTFHQ = 6,
  /// Spatial mixer only: the head model if it plays to headphones, else vector-based panning.
  kSpatializationAlgorithm_UseOutputType = 7
};

/// The output device type of a spatial mixer.
typedef CF_ENUM(UInt32, AUSpatialMixerOutputType) {
  /// Headphones: sources are placed with a head model.
  kSpatialMixerOutputType_Headphones = 1,
  /// Speakers of the machine: sources are panned.
  kSpatialMixerOutputType_BuiltInSpeakers = 2,
  /// The default.
  kSpatialMixerOutputType_ExternalSpeakers = 3
};

/// How a source is rendered.
typedef CF_ENUM(UInt32, AUSpatialMixerSourceMode) {
  /// Places mono sources; others pass through.
  kSpatialMixerSourceMode_SpatializeIfMono = 0,
  /// No spatialization.
  kSpatialMixerSourceMode_Bypass = 1,
  /// Places the average of the channels.
  kSpatialMixerSourceMode_PointSource = 2
};

/// Options for rendering a source.
typedef CF_OPTIONS(UInt32, AUSpatialMixerRenderingFlags) {
  /// Interaural time differences.
  kSpatialMixerRenderingFlags_InterAuralDelay = 1U << 0,
  /// Attenuation by distance.
  kSpatialMixerRenderingFlags_DistanceAttenuation = 1U << 2
};

/// Options for rendering a source in the 3D mixer.
typedef CF_OPTIONS(UInt32, AU3DMixerRenderingFlags) {
  /// Interaural time differences.
  k3DMixerRenderingFlags_InterAuralDelay = 1U << 0,
  /// Doppler shift.
  k3DMixerRenderingFlags_DopplerShift = 1U << 1,
  /// Attenuation by distance.
  k3DMixerRenderingFlags_DistanceAttenuation = 1U << 2
};

/// The rooms of a 3D mixer, named after the factory presets of reverberation units.
typedef CF_ENUM(UInt32, AUReverbRoomType) {
  /// A small room, which decays in 0.45 s.
  kReverbRoomType_SmallRoom = 0,
  /// A room of middle size, which decays in 0.75 s.
  kReverbRoomType_MediumRoom = 1,
  /// A large room, which decays in 1.15 s.
  kReverbRoomType_LargeRoom = 2,
  /// A hall of middle size, which decays in 1.7 s.
  kReverbRoomType_MediumHall = 3,
  /// A large hall, which decays in 2.6 s.
  kReverbRoomType_LargeHall = 4,
  /// A dense, bright plate, which decays in 1.9 s.
  kReverbRoomType_Plate = 5,
  /// An echo chamber of middle size, which decays in 1.3 s.
  kReverbRoomType_MediumChamber = 6,
  /// A large echo chamber, which decays in 2 s.
  kReverbRoomType_LargeChamber = 7,
  /// A cathedral, which decays in 5.5 s.
  kReverbRoomType_Cathedral = 8,
  /// Another large room, which decays in 1.4 s.
  kReverbRoomType_LargeRoom2 = 9,
  /// Another hall of middle size, which decays in 1.9 s.
  kReverbRoomType_MediumHall2 = 10,
  /// A third, brighter hall of middle size, which decays in 1.5 s.
  kReverbRoomType_MediumHall3 = 11,
  /// Another large hall, which decays in 3.4 s.
  kReverbRoomType_LargeHall2 = 12
};

/// The curve of the gain between the reference distance and the maximum distance.
typedef CF_ENUM(UInt32, AUSpatialMixerAttenuationCurve) {
  /// Equal decibels for equal ratios of distance.
  kSpatialMixerAttenuationCurve_Power = 0,
  /// Equal decibels for equal steps of distance.
  kSpatialMixerAttenuationCurve_Exponential = 1,
  /// In inverse proportion to the additional distance.
  kSpatialMixerAttenuationCurve_Inverse = 2,
  /// Linear in distance.
  kSpatialMixerAttenuationCurve_Linear = 3
};

/// The attenuation with distance.
typedef struct MixerDistanceParams {
  /// In meters, above 0: there is no attenuation up to this distance. Default 1.
  Float32 mReferenceDistance;
  /// In meters: the attenuation stays the same beyond this distance. Default 100.
  Float32 mMaxDistance;
  /// In decibels, 0 or more: the attenuation at the maximum distance. Default 40.
  Float32 mMaxAttenuation;
} MixerDistanceParams;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
