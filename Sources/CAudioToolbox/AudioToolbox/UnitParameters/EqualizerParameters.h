// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_EQUALIZER_PARAMETERS_H
#define CAUDIOTOOLBOX_EQUALIZER_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of equalizers.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of the N-band equalizer, kAudioUnitSubType_NBandEQ: global scope. For a band, add its
/// number, counted from 0.
CF_ENUM(AudioUnitParameterID) {
  /// dB, -96 to 24, default 0.
  kAUNBandEQParam_GlobalGain = 0,
  /// Boolean, default 1.
  kAUNBandEQParam_BypassBand = 1000,
  /// One of the filter types below, default parametric.
  kAUNBandEQParam_FilterType = 2000,
  /// Hz, 20 to half the sample rate, default 1000.
  kAUNBandEQParam_Frequency = 3000,
  /// dB, -96 to 24, default 0.
  kAUNBandEQParam_Gain = 4000,
  /// Octaves, 0.05 to 5, default 0.5.
  kAUNBandEQParam_Bandwidth = 5000
};

/// Filter types of bands: values of `kAUNBandEQParam_FilterType`.
CF_ENUM(long) {
  /// Frequency, gain and bandwidth; the bandwidth is measured at half of the gain in decibels.
  kAUNBandEQFilterType_Parametric = 0,
  /// Frequency, at -3 dB.
  kAUNBandEQFilterType_2ndOrderButterworthLowPass = 1,
  /// Frequency, at -3 dB.
  kAUNBandEQFilterType_2ndOrderButterworthHighPass = 2,
  /// Frequency and bandwidth.
  kAUNBandEQFilterType_ResonantLowPass = 3,
  /// Frequency and bandwidth.
  kAUNBandEQFilterType_ResonantHighPass = 4,
  /// Frequency and bandwidth.
  kAUNBandEQFilterType_BandPass = 5,
  /// Frequency and bandwidth.
  kAUNBandEQFilterType_BandStop = 6,
  /// Frequency, at half of the gain in decibels, and gain.
  kAUNBandEQFilterType_LowShelf = 7,
  /// Frequency, at half of the gain in decibels, and gain.
  kAUNBandEQFilterType_HighShelf = 8,
  /// Frequency, gain and bandwidth.
  kAUNBandEQFilterType_ResonantLowShelf = 9,
  /// Frequency, gain and bandwidth.
  kAUNBandEQFilterType_ResonantHighShelf = 10,
  /// The number of filter types.
  kNumAUNBandEQFilterTypes = 11
};

/// Parameters of the graphic equalizer, kAudioUnitSubType_GraphicEQ: global scope. Parameters 0 to
/// 30 are the gains of the bands: dB, -20 to 20, default 0.
CF_ENUM(AudioUnitParameterID) {
  /// 0: ten octave bands around 1 kHz; 1, the default: 31 third-octave bands.
  kGraphicEQParam_NumberOfBands = 10000
};

CF_ASSUME_NONNULL_END

#endif
