// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_CONVERTER_PARAMETERS_H
#define CAUDIOTOOLBOX_CONVERTER_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of units that change speed and pitch, and of the round trip through AAC.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of `kAudioUnitSubType_Varispeed`; global scope. Both express the same ratio: setting
/// one sets both.
CF_ENUM(AudioUnitParameterID) {
  /// Input frames per output frame: 0.25 to 4, default 1. Can ramp.
  kVarispeedParam_PlaybackRate = 0,
  /// The pitch shift: cents, -2400 to 2400, default 0. Can ramp.
  kVarispeedParam_PlaybackCents = 1
};

/// Parameters of `kAudioUnitSubType_TimePitch`, `kAudioUnitSubType_AUiPodTime` and
/// `kAudioUnitSubType_AUiPodTimeOther`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Input frames per output frame: 1/32 to 32 (AUiPodTime: 0.5 to 2), default 1. Can ramp.
  kTimePitchParam_Rate = 0,
  /// The pitch shift: cents, -2400 to 2400, default 0. Can ramp. TimePitch only.
  kTimePitchParam_Pitch = 1
};

/// Parameters of `kAudioUnitSubType_NewTimePitch`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// Input frames per output frame: 1/32 to 32, default 1. Can ramp.
  kNewTimePitchParam_Rate = 0,
  /// The pitch shift: cents, -2400 to 2400, default 0. Can ramp.
  kNewTimePitchParam_Pitch = 1,
  /// The overlap of the transform's windows: 3 to 32, default 8. Below 6, windows are half as long,
  /// which suits speech. From 12 and from 24 on, there are twice and four times as many windows.
  kNewTimePitchParam_Smoothness = 4,
  /// Another name of kNewTimePitchParam_Smoothness.
  kNewTimePitchParam_Overlap = kNewTimePitchParam_Smoothness,
  /// Whether the phases of neighboring bins follow that of a peak: 0 or 1, default 1.
  kNewTimePitchParam_EnableSpectralCoherence = 6,
  /// Another name of kNewTimePitchParam_EnableSpectralCoherence.
  kNewTimePitchParam_EnablePeakLocking = kNewTimePitchParam_EnableSpectralCoherence,
  /// Whether transients are copied unchanged: 0 or 1, default 1.
  kNewTimePitchParam_EnableTransientPreservation = 7
};

/// Parameters of `kAudioUnitSubType_RoundTripAAC`; global scope.
CF_ENUM(AudioUnitParameterID) {
  /// The kind of AAC, an index: 0 is AAC (low complexity), the only one that can be encoded here.
  kRoundTripAACParam_Format = 0,
  /// The bit rate control, an index: 0 constant, 1 average, 2 variable; default 0.
  kRoundTripAACParam_EncodingStrategy = 1,
  /// An index, 0 to 15, default 8: the bits per second and channel, 8,000 to 256,000, as
  /// `kAudioUnitProperty_ParameterValueStrings` lists them, or the quality of a variable bit rate.
  kRoundTripAACParam_RateOrQuality = 2
};

CF_ASSUME_NONNULL_END

#endif
