// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_EQUALIZER_PARAMETERS_H
#define CAUDIOTOOLBOX_EQUALIZER_PARAMETERS_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

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

CF_ASSUME_NONNULL_END

#endif
