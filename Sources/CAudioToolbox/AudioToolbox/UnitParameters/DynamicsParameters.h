// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_DYNAMICS_PARAMETERS_H
#define CAUDIOTOOLBOX_DYNAMICS_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of the dynamics processor, the limiter, the multiband compressor and the distortion.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of the dynamics processor, kAudioUnitSubType_DynamicsProcessor: global scope.
///
/// However loud the input, the output stays below threshold plus headroom.
CF_ENUM(AudioUnitParameterID) {
  /// The level above which the sound is compressed: decibels, -40 to 20, default -20.
  kDynamicsProcessorParam_Threshold = 0,
  /// The maximum output level above the threshold: decibels, 0.1 to 40, default 5.
  kDynamicsProcessorParam_HeadRoom = 1,
  /// Output decibels per input decibel below the expansion threshold: 1 to 50, default 2.
  kDynamicsProcessorParam_ExpansionRatio = 2,
  /// The level below which the sound is expanded: decibels, -120 (never) to 0, default -120.
  kDynamicsProcessorParam_ExpansionThreshold = 3,
  /// Time constant (63 %) of falling gain: seconds, 0.0001 to 0.2, default 0.001.
  kDynamicsProcessorParam_AttackTime = 4,
  /// Time constant (63 %) of rising gain: seconds, 0.01 to 3, default 0.05.
  kDynamicsProcessorParam_ReleaseTime = 5,
  /// Output gain: decibels, -40 to 40, default 0.
  kDynamicsProcessorParam_OverallGain = 6,
  /// Another name of kDynamicsProcessorParam_OverallGain.
  kDynamicsProcessorParam_MasterGain = kDynamicsProcessorParam_OverallGain,
  /// The current gain reduction: decibels, 0 to 40; read only.
  kDynamicsProcessorParam_CompressionAmount = 1000,
  /// Peak level of the input, held for a second: -120 to 20 dB; read only.
  kDynamicsProcessorParam_InputAmplitude = 2000,
  /// Peak level of the output, held for a second: -120 to 20 dB; read only.
  kDynamicsProcessorParam_OutputAmplitude = 3000
};

/// Parameters of the peak limiter, kAudioUnitSubType_PeakLimiter: global scope. No sample of its
/// output exceeds full scale.
CF_ENUM(AudioUnitParameterID) {
  /// The lookahead in which the gain falls before a peak: seconds, 0.001 to 0.03, default 0.012.
  /// Its value at initialization is the unit's latency, and the maximum until the next
  /// initialization.
  kLimiterParam_AttackTime = 0,
  /// Time constant (63 %) of rising gain after a peak: seconds, 0.001 to 0.06, default 0.024.
  kLimiterParam_DecayTime = 1,
  /// Input gain: decibels, -40 to 40, default 0.
  kLimiterParam_PreGain = 2,
  /// 0 or 1, default 0: 1 also limits peaks between samples (true peaks) to -0.2 dB, detected at
  /// eight times the rate, for 229 frames more latency. Takes effect when the unit is initialized.
  /// Only in this library.
  kLimiterParam_TruePeak = 0x7472706b  // 'trpk'
};

/// Parameters of the multiband compressor, kAudioUnitSubType_MultiBandCompressor: global scope.
/// Bands are counted from the lowest.
CF_ENUM(AudioUnitParameterID) {
  /// Gain before the bands are split, and after they are summed: decibels, -40 to 40, default 0.
  kMultibandCompressorParam_Pregain = 0,
  /// Gain after the bands are summed: decibels, -40 to 40, default 0.
  kMultibandCompressorParam_Postgain = 1,
  /// The crossover frequencies: hertz, 20 to half the sample rate, default 120, 700 and 3000.
  kMultibandCompressorParam_Crossover1 = 2,
  /// Between the second and the third band; default 700.
  kMultibandCompressorParam_Crossover2 = 3,
  /// Between the third and the fourth band; default 3000.
  kMultibandCompressorParam_Crossover3 = 4,
  /// The level above which a band is compressed: decibels, -100 to 0, default -22, -32, -33, -36.
  kMultibandCompressorParam_Threshold1 = 5,
  /// The threshold of the second band; default -32.
  kMultibandCompressorParam_Threshold2 = 6,
  /// The threshold of the third band; default -33.
  kMultibandCompressorParam_Threshold3 = 7,
  /// The threshold of the fourth band; default -36.
  kMultibandCompressorParam_Threshold4 = 8,
  /// The maximum output level above the threshold: decibels, 0.1 to 40, default 5, 12, 5 and 7.5.
  kMultibandCompressorParam_Headroom1 = 9,
  /// The headroom of the second band; default 12.
  kMultibandCompressorParam_Headroom2 = 10,
  /// The headroom of the third band; default 5.
  kMultibandCompressorParam_Headroom3 = 11,
  /// The headroom of the fourth band; default 7.5.
  kMultibandCompressorParam_Headroom4 = 12,
  /// Time constant (63 %) of falling gain: seconds, 0.001 to 0.2, default 0.08.
  kMultibandCompressorParam_AttackTime = 13,
  /// Time constant (63 %) of rising gain: seconds, 0.01 to 3, default 0.12.
  kMultibandCompressorParam_ReleaseTime = 14,
  /// Gain of a band: decibels, -20 to 20, default 0.
  kMultibandCompressorParam_EQ1 = 15,
  /// Gain of the second band, in the same range.
  kMultibandCompressorParam_EQ2 = 16,
  /// Gain of the third band, in the same range.
  kMultibandCompressorParam_EQ3 = 17,
  /// Gain of the fourth band, in the same range.
  kMultibandCompressorParam_EQ4 = 18,
  /// The current gain reduction of a band: decibels, 0 to 20; read only.
  kMultibandCompressorParam_CompressionAmount1 = 1000,
  /// Gain reduction of the second band; read only.
  kMultibandCompressorParam_CompressionAmount2 = 2000,
  /// Gain reduction of the third band; read only.
  kMultibandCompressorParam_CompressionAmount3 = 3000,
  /// Gain reduction of the fourth band; read only.
  kMultibandCompressorParam_CompressionAmount4 = 4000,
  /// Peak level of a band, held for a second: -120 to 20 dB; read only.
  kMultibandCompressorParam_InputAmplitude1 = 5000,
  /// Input peak of the second band; read only.
  kMultibandCompressorParam_InputAmplitude2 = 6000,
  /// Input peak of the third band; read only.
  kMultibandCompressorParam_InputAmplitude3 = 7000,
  /// Input peak of the fourth band; read only.
  kMultibandCompressorParam_InputAmplitude4 = 8000,
  /// Peak level of a band after its compressor and gains, held for a second: -120 to 20 dB; read
  /// only.
  kMultibandCompressorParam_OutputAmplitude1 = 9000,
  /// Output peak of the second band; read only.
  kMultibandCompressorParam_OutputAmplitude2 = 10000,
  /// Output peak of the third band; read only.
  kMultibandCompressorParam_OutputAmplitude3 = 11000,
  /// Output peak of the fourth band; read only.
  kMultibandCompressorParam_OutputAmplitude4 = 12000
};

/// Parameters of the distortion, kAudioUnitSubType_Distortion, in the order of the signal path:
/// global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The delay of the echo: milliseconds, 0.1 to 500, default 0.1.
  kDistortionParam_Delay = 0,
  /// The decay of the echo: each repeat has e^-decay times the previous level; 0.1 to 50, default
  /// 1.
  kDistortionParam_Decay = 1,
  /// The mix of the echo: percent, default 50.
  kDistortionParam_DelayMix = 2,
  /// How long each sample is held: percent, 0 (not at all) to 100 (480 Hz), default 50.
  kDistortionParam_Decimation = 3,
  /// How coarsely samples are rounded: percent, 0 (not at all) to 100 (one bit), default 0.
  kDistortionParam_Rounding = 4,
  /// The mix of decimation and rounding: percent, default 50.
  kDistortionParam_DecimationMix = 5,
  /// The polynomial linear x + squared x^2 + cubic x^3; linear 0 to 1, default 1, the others 0 to
  /// 20, default 0.
  kDistortionParam_LinearTerm = 6,
  /// The factor of x^2: 0 to 20, default 0.
  kDistortionParam_SquaredTerm = 7,
  /// The factor of x^3: 0 to 20, default 0.
  kDistortionParam_CubicTerm = 8,
  /// The mix of the polynomial: percent, default 50.
  kDistortionParam_PolynomialMix = 9,
  /// The frequencies of the two ring modulators: hertz, 0.5 to 8000, default 100.
  kDistortionParam_RingModFreq1 = 10,
  /// The frequency of the second ring modulator, in the same range.
  kDistortionParam_RingModFreq2 = 11,
  /// The share of the second ring modulator: percent, default 50.
  kDistortionParam_RingModBalance = 12,
  /// Percent, default 0.
  kDistortionParam_RingModMix = 13,
  /// The gain before the soft clip, which limits to full scale: decibels, -80 to 20, default -6.
  kDistortionParam_SoftClipGain = 14,
  /// The mix of all of this with the input: percent, default 50.
  kDistortionParam_FinalMix = 15
};

CF_ASSUME_NONNULL_END

#endif
