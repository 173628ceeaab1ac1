// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CONVERTER_PROPERTIES_H
#define CAUDIOTOOLBOX_CONVERTER_PROPERTIES_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties of the converter unit; written as those of every unit.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, RW (U): how the rate is converted, one of those below. The quality of the normal one
  /// is kAudioUnitProperty_RenderQuality.
  kAudioUnitProperty_SampleRateConverterComplexity = 3014
};

/// Values of kAudioUnitProperty_SampleRateConverterComplexity.
CF_ENUM(UInt32) {
  /// The fastest.
  kAudioUnitSampleRateConverterComplexity_Linear = 0x6c696e65,  // 'line'
  /// At first.
  kAudioUnitSampleRateConverterComplexity_Normal = 0x6e6f726d,  // 'norm'
  /// The best.
  kAudioUnitSampleRateConverterComplexity_Mastering = 0x62617473  // 'bats'
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
