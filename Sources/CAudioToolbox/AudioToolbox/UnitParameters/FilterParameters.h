// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_FILTER_PARAMETERS_H
#define CAUDIOTOOLBOX_FILTER_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of filters.

CF_ASSUME_NONNULL_BEGIN

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
  /// Cents, 100 to 12000, default 600: the bandwidth between the -3 dB points.
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

/// Parameters of the parametric equalizer, kAudioUnitSubType_ParametricEQ: global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 20 to half the sample rate, default 2000.
  kParametricEQParam_CenterFreq = 0,
  /// 0.1 to 20, default 1.
  kParametricEQParam_Q = 1,
  /// dB, -20 to 20, default 0.
  kParametricEQParam_Gain = 2
};

CF_ASSUME_NONNULL_END

#endif
