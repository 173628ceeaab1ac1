// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_DYNAMICS_PARAMETERS_H
#define CAUDIOTOOLBOX_DYNAMICS_PARAMETERS_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

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
  /// The current gain reduction: decibels, 0 to 40; read only.
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
  kLimiterParam_PreGain = 2,
  /// 0 or 1, default 0: 1 keeps peaks between samples within full scale too, by detection at four
  /// times the rate, for a latency of 60 frames more. Takes effect when the unit is initialised. Of
  /// this library alone.
  kLimiterParam_TruePeak = 0x7472706b  // 'trpk'
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

CF_ASSUME_NONNULL_END

#endif
