// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_EQUALIZER_PROPERTIES_H
#define CAUDIOTOOLBOX_EQUALIZER_PROPERTIES_H

#include "../AUComponent.h"

// Properties of equalizers.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Identifiers of properties; the notation is that of GeneralProperties.h.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, RW (U): 1 to the maximum.
  kAUNBandEQProperty_NumberOfBands = 2200,
  /// UInt32, global, R: 64.
  kAUNBandEQProperty_MaxNumberOfBands = 2201,
  /// Float64[], global, R: b0, b1, b2, a1, a2 of each band; a0 is 1.
  kAUNBandEQProperty_BiquadCoefficients = 2203
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
