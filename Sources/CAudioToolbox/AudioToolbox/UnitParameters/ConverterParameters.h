// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CONVERTER_PARAMETERS_H
#define CAUDIOTOOLBOX_CONVERTER_PARAMETERS_H

#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

/// Parameters of `kAudioUnitSubType_Varispeed`; global scope. Both say the same: setting either sets both.
CF_ENUM(AudioUnitParameterID) {
  /// How many input frames an output frame takes: 0.25 to 4, default 1. Can ramp.
  kVarispeedParam_PlaybackRate = 0,
  /// How much higher that sounds: cents, -2400 to 2400, default 0. Can ramp.
  kVarispeedParam_PlaybackCents = 1
};

/// Parameters of `kAudioUnitSubType_TimePitch`, `kAudioUnitSubType_AUiPodTime` and
/// `kAudioUnitSubType_AUiPodTimeOther`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// How many input frames an output frame takes: 1/32 to 32, of AUiPodTime 0.5 to 2, default 1. Can ramp.
  kTimePitchParam_Rate = 0,
  /// How much higher it sounds: cents, -2400 to 2400, default 0. Can ramp. TimePitch alone.
  kTimePitchParam_Pitch = 1
};

/// Parameters of `kAudioUnitSubType_NewTimePitch`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// How many input frames an output frame takes: 1/32 to 32, default 1. Can ramp.
  kNewTimePitchParam_Rate = 0,
  /// How much higher it sounds: cents, -2400 to 2400, default 0. Can ramp.
  kNewTimePitchParam_Pitch = 1,
  /// How much the frames of the transform overlap: 3 to 32, default 8. Below 6 they are half as long, which
  /// suits speech; from 12 and from 24 on there are twice and four times as many.
  kNewTimePitchParam_Smoothness = 4,
  kNewTimePitchParam_Overlap = kNewTimePitchParam_Smoothness,
  /// Whether the neighbours of a peak turn with it: 0 or 1, default 1.
  kNewTimePitchParam_EnableSpectralCoherence = 6,
  kNewTimePitchParam_EnablePeakLocking = kNewTimePitchParam_EnableSpectralCoherence,
  /// Whether hits are copied in place: 0 or 1, default 1.
  kNewTimePitchParam_EnableTransientPreservation = 7
};

/// Parameters of `kAudioUnitSubType_RoundTripAAC`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Which AAC, an index: 0 AAC (low complexity), the one that can be encoded here.
  kRoundTripAACParam_Format = 0,
  /// How bits are spent, an index: 0 constant bit rate, 1 average, 2 variable; default 0.
  kRoundTripAACParam_EncodingStrategy = 1,
  /// An index, 0 to 15, default 8: bits per second and channel from 8,000 to 256,000 as
  /// `kAudioUnitProperty_ParameterValueStrings` lists them, or the quality of a variable bit rate.
  kRoundTripAACParam_RateOrQuality = 2
};

CF_ASSUME_NONNULL_END

#endif
