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

/// Parameters of the dynamics processor; global scope.
///
/// A level above the threshold comes out below threshold plus head room, however loud it is.
CF_ENUM(AudioUnitParameterID) {
  /// Level above which sound becomes less loud: decibels, -40 to 20, default -20.
  kDynamicsProcessorParam_Threshold = 0,
  /// How far the output may rise above the threshold: decibels, 0.1 to 40, default 5.
  kDynamicsProcessorParam_HeadRoom = 1,
  /// Decibels out per decibel in below the expansion threshold: 1 to 50, default 2.
  kDynamicsProcessorParam_ExpansionRatio = 2,
  /// Level below which sound becomes quieter: decibels, -120 (never) to 0, default -120.
  kDynamicsProcessorParam_ExpansionThreshold = 3,
  /// Seconds in which the gain goes 63 % of the way down: 0.0001 to 0.2, default 0.001.
  kDynamicsProcessorParam_AttackTime = 4,
  /// Seconds in which the gain goes 63 % of the way up: 0.01 to 3, default 0.05.
  kDynamicsProcessorParam_ReleaseTime = 5,
  /// Gain behind it: decibels, -40 to 40, default 0.
  kDynamicsProcessorParam_OverallGain = 6,
  kDynamicsProcessorParam_MasterGain = kDynamicsProcessorParam_OverallGain,
  /// How much is taken away now: decibels, 0 to 40; read only.
  kDynamicsProcessorParam_CompressionAmount = 1000,
  /// Peak level of the input, held for a second: -120 to 20 dB; read only.
  kDynamicsProcessorParam_InputAmplitude = 2000,
  /// The same of the output.
  kDynamicsProcessorParam_OutputAmplitude = 3000
};

/// Parameters of the peak limiter; global scope. No sample of its output exceeds full scale.
CF_ENUM(AudioUnitParameterID) {
  /// Seconds in which the gain goes down before a peak: 0.001 to 0.03, default 0.012. What it is when
  /// the unit is initialised is the unit's latency, and the longest until it is initialised again.
  kLimiterParam_AttackTime = 0,
  /// Seconds in which the gain goes 63 % of the way up behind it: 0.001 to 0.06, default 0.024.
  kLimiterParam_DecayTime = 1,
  /// Gain before it: decibels, -40 to 40, default 0.
  kLimiterParam_PreGain = 2
};

/// Parameters of the multi-band compressor; global scope. Bands are counted from the lowest.
CF_ENUM(AudioUnitParameterID) {
  /// Gain before the bands are parted, and behind their sum: decibels, -40 to 40, default 0.
  kMultibandCompressorParam_Pregain = 0,
  kMultibandCompressorParam_Postgain = 1,
  /// Where the bands meet: hertz, 20 to half the sample rate, default 120, 700 and 3000.
  kMultibandCompressorParam_Crossover1 = 2,
  kMultibandCompressorParam_Crossover2 = 3,
  kMultibandCompressorParam_Crossover3 = 4,
  /// Level above which a band becomes less loud: decibels, -100 to 0, default -22, -32, -33, -36.
  kMultibandCompressorParam_Threshold1 = 5,
  kMultibandCompressorParam_Threshold2 = 6,
  kMultibandCompressorParam_Threshold3 = 7,
  kMultibandCompressorParam_Threshold4 = 8,
  /// How far it may rise above that: decibels, 0.1 to 40, default 5, 12, 5 and 7.5.
  kMultibandCompressorParam_Headroom1 = 9,
  kMultibandCompressorParam_Headroom2 = 10,
  kMultibandCompressorParam_Headroom3 = 11,
  kMultibandCompressorParam_Headroom4 = 12,
  /// Seconds in which gains go 63 % of the way down: 0.001 to 0.2, default 0.08.
  kMultibandCompressorParam_AttackTime = 13,
  /// Seconds in which gains go 63 % of the way up: 0.01 to 3, default 0.12.
  kMultibandCompressorParam_ReleaseTime = 14,
  /// Gain of a band: decibels, -20 to 20, default 0.
  kMultibandCompressorParam_EQ1 = 15,
  kMultibandCompressorParam_EQ2 = 16,
  kMultibandCompressorParam_EQ3 = 17,
  kMultibandCompressorParam_EQ4 = 18,
  /// How much is taken of a band now: decibels, 0 to 20; read only.
  kMultibandCompressorParam_CompressionAmount1 = 1000,
  kMultibandCompressorParam_CompressionAmount2 = 2000,
  kMultibandCompressorParam_CompressionAmount3 = 3000,
  kMultibandCompressorParam_CompressionAmount4 = 4000,
  /// Peak level of a band, held for a second: -120 to 20 dB; read only.
  kMultibandCompressorParam_InputAmplitude1 = 5000,
  kMultibandCompressorParam_InputAmplitude2 = 6000,
  kMultibandCompressorParam_InputAmplitude3 = 7000,
  kMultibandCompressorParam_InputAmplitude4 = 8000,
  /// The same behind the band's compressor and gains.
  kMultibandCompressorParam_OutputAmplitude1 = 9000,
  kMultibandCompressorParam_OutputAmplitude2 = 10000,
  kMultibandCompressorParam_OutputAmplitude3 = 11000,
  kMultibandCompressorParam_OutputAmplitude4 = 12000
};

/// Parameters of the distortion, in the order in which sound passes; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// After how long the echo comes: milliseconds, 0.1 to 500, default 0.1.
  kDistortionParam_Delay = 0,
  /// How soon it is gone: each repeat has e^-decay of the level before; 0.1 to 50, default 1.
  kDistortionParam_Decay = 1,
  /// How much echo: percent, default 50. So are all mixes.
  kDistortionParam_DelayMix = 2,
  /// How long samples are held: percent, 0 (not at all) to 100 (480 Hz), default 50.
  kDistortionParam_Decimation = 3,
  /// How coarsely they are rounded: percent, 0 (not at all) to 100 (one bit), default 0.
  kDistortionParam_Rounding = 4,
  kDistortionParam_DecimationMix = 5,
  /// What is made of x: linear x + squared x^2 + cubic x^3; 0 to 1, default 1, and 0 to 20, default 0.
  kDistortionParam_LinearTerm = 6,
  kDistortionParam_SquaredTerm = 7,
  kDistortionParam_CubicTerm = 8,
  kDistortionParam_PolynomialMix = 9,
  /// Two sines to multiply with: hertz, 0.5 to 8000, default 100.
  kDistortionParam_RingModFreq1 = 10,
  kDistortionParam_RingModFreq2 = 11,
  /// How much of the second: percent, default 50.
  kDistortionParam_RingModBalance = 12,
  /// Percent, default 0.
  kDistortionParam_RingModMix = 13,
  /// Gain before the soft clip, which ends at full scale: decibels, -80 to 20, default -6.
  kDistortionParam_SoftClipGain = 14,
  kDistortionParam_FinalMix = 15
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

/// Parameters of the low-pass filter, kAudioUnitSubType_LowPassFilter: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 10 to half the sample rate, default 6900.
  kLowPassParam_CutoffFrequency = 0,
  /// dB, -20 to 40, default 0: the gain at the cutoff frequency.
  kLowPassParam_Resonance = 1
};

/// Parameters of the high-pass filter, kAudioUnitSubType_HighPassFilter: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 10 to half the sample rate, default 6900.
  kHipassParam_CutoffFrequency = 0,
  /// dB, -20 to 40, default 0: the gain at the cutoff frequency.
  kHipassParam_Resonance = 1
};

/// Parameters of the band-pass filter, kAudioUnitSubType_BandPassFilter: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 20 to half the sample rate, default 5000.
  kBandpassParam_CenterFrequency = 0,
  /// Cents, 100 to 12000, default 600: between the points at -3 dB.
  kBandpassParam_Bandwidth = 1
};

/// Parameters of the high shelf, kAudioUnitSubType_HighShelfFilter: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 10000 to half the sample rate, default 10000.
  kHighShelfParam_CutOffFrequency = 0,
  /// dB, -40 to 40, default 0.
  kHighShelfParam_Gain = 1
};

/// Parameters of the low shelf, kAudioUnitSubType_LowShelfFilter: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 10 to 200, default 80.
  kAULowShelfParam_CutoffFrequency = 0,
  /// dB, -40 to 40, default 0.
  kAULowShelfParam_Gain = 1
};

/// Parameters of the parametric equaliser, kAudioUnitSubType_ParametricEQ: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 20 to half the sample rate, default 2000.
  kParametricEQParam_CenterFreq = 0,
  /// 0.1 to 20, default 1.
  kParametricEQParam_Q = 1,
  /// dB, -20 to 20, default 0.
  kParametricEQParam_Gain = 2
};

/// Parameters of the stereo mixer; meters as those of the multichannel mixer.
CF_ENUM(AudioUnitParameterID) {
  /// Mixer fader curve 1, 0 to 1, default 1; input and output scope: the gain is the third power.
  kStereoMixerParam_Volume = 0,
  /// 0 (left) to 1 (right), default 0.5; input scope. Constant power.
  kStereoMixerParam_Pan = 1,
  kStereoMixerParam_PreAveragePower = 1000,
  kStereoMixerParam_PrePeakHoldLevel = 2000,
  kStereoMixerParam_PostAveragePower = 3000,
  kStereoMixerParam_PostPeakHoldLevel = 4000
};

/// Parameters of the matrix mixer. On the input and output scopes an element is a channel, counted
/// through all buses; on the global scope it is `input << 16 | output`, with 0xFFFF for all.
CF_ENUM(AudioUnitParameterID) {
  /// Linear gain, 0 to 1 and more; 0 at first but for the master (element 0xFFFFFFFF), which is 1.
  kMatrixMixerParam_Volume = 0,
  /// Boolean, default 1; input and output scope.
  kMatrixMixerParam_Enable = 1,
  /// What the meters of a channel show, read only; input and output scope. Before and after the volume
  /// of the channel, in decibels from -120, while kAudioUnitProperty_MeteringMode of its bus is on.
  kMatrixMixerParam_PreAveragePower = 1000,
  kMatrixMixerParam_PrePeakHoldLevel = 2000,
  kMatrixMixerParam_PostAveragePower = 3000,
  kMatrixMixerParam_PostPeakHoldLevel = 4000,
  /// The same as linear gains: a full-scale sine has an average of 0.707 and a peak of 1.
  kMatrixMixerParam_PreAveragePowerLinear = 5000,
  kMatrixMixerParam_PrePeakHoldLevelLinear = 6000,
  kMatrixMixerParam_PostAveragePowerLinear = 7000,
  kMatrixMixerParam_PostPeakHoldLevelLinear = 8000
};

/// Parameters of the 3D mixer; input scope but where something else is said.
CF_ENUM(AudioUnitParameterID) {
  /// Degrees clockwise from the front, -180 to 180, default 0.
  k3DMixerParam_Azimuth = 0,
  /// Degrees upwards, -90 to 90, default 0.
  k3DMixerParam_Elevation = 1,
  /// Metres, 0 to 10,000, default 0.
  k3DMixerParam_Distance = 2,
  /// Decibels, -120 to 20, default 0; input and output scope.
  k3DMixerParam_Gain = 3,
  /// 0.5 to 2, default 1: pitch and speed. Changes and ramps hold from their frame on.
  k3DMixerParam_PlaybackRate = 4,
  /// Boolean, default 1. An input that is off is not pulled.
  k3DMixerParam_BusEnable = 20,
  /// Limits of the gain with distance, decibels, -120 to 20, default -120 and 20.
  k3DMixerParam_MinGainInDecibels = 21,
  k3DMixerParam_MaxGainInDecibels = 22,
  /// Percent, 0 to 100, default 30: how much of a placed source fills the room, where there is one
  /// (kAudioUnitProperty_UsesInternalReverb), at constant power.
  k3DMixerParam_DryWetReverbBlend = 23,
  /// Decibels, -40 to 40, default 0; global scope: the level of the room.
  k3DMixerParam_GlobalReverbGainInDecibels = 24,
  /// Decibels, -100 to 0, default 0: what is lost above 5 kHz behind an obstacle. Occlusion takes it from
  /// what fills the room too, obstruction from the direct sound only.
  k3DMixerParam_OcclusionAttenuationInDecibels = 25,
  k3DMixerParam_ObstructionAttenuationInDecibels = 26,
  /// What the meters of an input show, in decibels from -120, while kAudioUnitProperty_MeteringMode is on:
  /// before and after its gain with distance. For the second channel add 1. Read only.
  k3DMixerParam_PreAveragePower = 1000,
  k3DMixerParam_PrePeakHoldLevel = 2000,
  k3DMixerParam_PostAveragePower = 3000,
  k3DMixerParam_PostPeakHoldLevel = 4000
};

/// Parameters of the spatial mixer, which is the embedded 3D mixer too; as those of the 3D mixer.
CF_ENUM(AudioUnitParameterID) {
  kSpatialMixerParam_Azimuth = 0,
  kSpatialMixerParam_Elevation = 1,
  kSpatialMixerParam_Distance = 2,
  kSpatialMixerParam_Gain = 3,
  kSpatialMixerParam_PlaybackRate = 4,
  kSpatialMixerParam_Enable = 5,
  /// Limits of the gain with distance, linear, 0 to 10, default 0 and 10.
  kSpatialMixerParam_MinGain = 6,
  kSpatialMixerParam_MaxGain = 7,
  kSpatialMixerParam_ReverbBlend = 8,
  /// Global scope.
  kSpatialMixerParam_GlobalReverbGain = 9,
  kSpatialMixerParam_OcclusionAttenuation = 10,
  kSpatialMixerParam_ObstructionAttenuation = 11,
  /// Global scope, degrees, default 0: how the listener's head is turned to the right (-180 to 180),
  /// then up (-90 to 90), then tilted to the right (-180 to 180). It counts where a head is the model.
  kSpatialMixerParam_HeadYaw = 19,
  kSpatialMixerParam_HeadPitch = 20,
  kSpatialMixerParam_HeadRoll = 21
};

/// Parameters of the equaliser of many bands, kAudioUnitSubType_NBandEQ: global scope. To those of a
/// band its number is added, counted from 0.
CF_ENUM(AudioUnitParameterID) {
  /// dB, -96 to 24, default 0.
  kAUNBandEQParam_GlobalGain = 0,
  /// Boolean, default 1.
  kAUNBandEQParam_BypassBand = 1000,
  /// One of the kinds below, default parametric.
  kAUNBandEQParam_FilterType = 2000,
  /// Hz, 20 to half the sample rate, default 1000.
  kAUNBandEQParam_Frequency = 3000,
  /// dB, -96 to 24, default 0.
  kAUNBandEQParam_Gain = 4000,
  /// Octaves, 0.05 to 5, default 0.5.
  kAUNBandEQParam_Bandwidth = 5000
};

/// Kinds of bands: values of `kAUNBandEQParam_FilterType`.
CF_ENUM(long) {
  /// Frequency, gain and bandwidth, which is that between half of the decibels.
  kAUNBandEQFilterType_Parametric = 0,
  /// Frequency, at -3 dB.
  kAUNBandEQFilterType_2ndOrderButterworthLowPass = 1,
  kAUNBandEQFilterType_2ndOrderButterworthHighPass = 2,
  /// Frequency and bandwidth.
  kAUNBandEQFilterType_ResonantLowPass = 3,
  kAUNBandEQFilterType_ResonantHighPass = 4,
  kAUNBandEQFilterType_BandPass = 5,
  kAUNBandEQFilterType_BandStop = 6,
  /// Frequency, at half of the decibels, and gain.
  kAUNBandEQFilterType_LowShelf = 7,
  kAUNBandEQFilterType_HighShelf = 8,
  /// Frequency, gain and bandwidth.
  kAUNBandEQFilterType_ResonantLowShelf = 9,
  kAUNBandEQFilterType_ResonantHighShelf = 10,
  kNumAUNBandEQFilterTypes = 11
};

/// Parameters of the graphic equaliser, kAudioUnitSubType_GraphicEQ: global scope. The gains of the
/// bands are 0 to 30, in dB, -20 to 20, default 0.
CF_ENUM(AudioUnitParameterID) {
  /// 0: ten bands, the octaves around 1 kHz; 1, the default: 31 bands, thirds of octaves.
  kGraphicEQParam_NumberOfBands = 10000
};

/// Parameters of `kAudioUnitSubType_Delay`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// From the input to the echoes at equal power, 0 to 100, default 50.
  kDelayParam_WetDryMix = 0,
  /// Time of the first echo: seconds, 0 to 2, default 1.
  kDelayParam_DelayTime = 1,
  /// Level of an echo to the one before: percent, -100 to 100, default 50.
  kDelayParam_Feedback = 2,
  /// Where each echo loses its highs: Hz, 10 to half the sample rate, default 15,000.
  kDelayParam_LopassCutoff = 3
};

/// Parameters of `kAudioUnitSubType_SampleDelay`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The delay: frames, 0 to those of a second, default 0.
  kSampleDelayParam_DelayFrames = 0
};

/// Parameters of `kAudioUnitSubType_Reverb2`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// From the input to the room at equal power, 0 to 100, default 100.
  kReverb2Param_DryWetMix = 0,
  /// Gain of the room: dB, -20 to 20, default 0.
  kReverb2Param_Gain = 1,
  /// Length of the shortest of its delays: seconds, 0.0001 to 1, default 0.008.
  kReverb2Param_MinDelayTime = 2,
  /// Length of the longest of its delays: seconds, 0.0001 to 1, default 0.05.
  kReverb2Param_MaxDelayTime = 3,
  /// Time in which low sound falls by 60 dB: seconds, 0.001 to 20, default 1.
  kReverb2Param_DecayTimeAt0Hz = 4,
  /// The same at half the sample rate: seconds, 0.001 to 20, default 0.5.
  kReverb2Param_DecayTimeAtNyquist = 5,
  /// Which of a thousand sets of delays, 1 to 1000, default 1.
  kReverb2Param_RandomizeReflections = 6
};

/// Parameters of `kAudioUnitSubType_MatrixReverb`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// From the input to the rooms at equal power, 0 to 100, default 100.
  kReverbParam_DryWetMix = 0,
  /// From the small room to the large one at equal power, 0 to 100, default 50.
  kReverbParam_SmallLargeMix = 1,
  /// Seconds, 0.005 to 0.02, default 0.006.
  kReverbParam_SmallSize = 2,
  /// Time in which low sound falls by 60 dB: seconds, 0.4 to 10, default 3.07.
  kReverbParam_LargeSize = 3,
  /// Before both rooms: seconds, 0.001 to 0.03, default 0.025.
  kReverbParam_PreDelay = 4,
  /// From the small room to the large one: seconds, 0.001 to 0.1, default 0.035.
  kReverbParam_LargeDelay = 5,
  /// 0 to 1, default 0.28.
  kReverbParam_SmallDensity = 6,
  /// 0 to 1, default 0.82.
  kReverbParam_LargeDensity = 7,
  /// How different the delays of the large room are: 0 to 1, default 0.3.
  kReverbParam_LargeDelayRange = 8,
  /// How long high sound lasts, as a part of low sound: 0.1 to 1, default 0.96.
  kReverbParam_SmallBrightness = 9,
  /// The same of the large room: 0.1 to 1, default 0.49.
  kReverbParam_LargeBrightness = 10,
  /// How different the delays of the small room are: 0 to 1, default 0.5.
  kReverbParam_SmallDelayRange = 11,
  /// How fast the resonances move: Hz, 0.001 to 2, default 1.
  kReverbParam_ModulationRate = 12,
  /// How far they move: 0 to 1, default 0.2.
  kReverbParam_ModulationDepth = 13,
  /// Centre of the equaliser of both rooms: Hz, 10 to 20,000, default 800.
  kReverbParam_FilterFrequency = 14,
  /// Its width: octaves, 0.05 to 4, default 3.
  kReverbParam_FilterBandwidth = 15,
  /// Its gain: dB, -18 to 18, default 0.
  kReverbParam_FilterGain = 16
};

#endif
