// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CONVERTER_PROPERTIES_H
#define CAUDIOTOOLBOX_CONVERTER_PROPERTIES_H

#include "../AUComponent.h"

// Properties of the converter unit and of the deferred renderer.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties of the converter unit; the notation is that of GeneralProperties.h.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, RW (U): the sample rate conversion, one of the values below.
  /// kAudioUnitProperty_RenderQuality sets the quality of the normal one.
  kAudioUnitProperty_SampleRateConverterComplexity = 3014
};

/// Identifiers of properties of `kAudioUnitSubType_DeferredRenderer`.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, RW (U): the number of frames that are pulled at a time, 16 to 65,536, default
  /// 512. The unit's latency is this number, or the longest slice if that is longer.
  kAudioUnitProperty_DeferredRendererPullSize = 3320,
  /// UInt32, global, RW (U): additional latency in frames, for an input that sometimes takes
  /// longer: 0 to 1,048,576, default 0.
  kAudioUnitProperty_DeferredRendererExtraLatency = 3321
};

/// Values of kAudioUnitProperty_SampleRateConverterComplexity.
CF_ENUM(UInt32) {
  /// The fastest.
  kAudioUnitSampleRateConverterComplexity_Linear = 0x6c696e65,  // 'line'
  /// The default.
  kAudioUnitSampleRateConverterComplexity_Normal = 0x6e6f726d,  // 'norm'
  /// The best.
  kAudioUnitSampleRateConverterComplexity_Mastering = 0x62617473  // 'bats'
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
