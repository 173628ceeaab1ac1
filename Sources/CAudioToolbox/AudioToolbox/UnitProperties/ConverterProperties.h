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

/// Identifiers of properties of `kAudioUnitSubType_DeferredRenderer`.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, RW (U): how many frames are pulled at once, from 16 to 65,536; 512 at first. The unit
  /// is late by as many, or by the longest slice where that is longer.
  kAudioUnitProperty_DeferredRendererPullSize = 3320,
  /// UInt32, global, RW (U): by how many frames more it is late, for an input that takes longer at times: 0
  /// to 1,048,576; 0 at first.
  kAudioUnitProperty_DeferredRendererExtraLatency = 3321
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
