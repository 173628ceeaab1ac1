// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_TONE_GENERATOR_H
#define CAUDIOTOOLBOX_AU_TONE_GENERATOR_H

#include "AUComponent.h"

// Only in this library: a unit of type kAudioUnitType_Generator with one output bus. It outputs the
// same tone on any number of channels, or one whose phase is shifted from channel to channel. Noise
// differs between channels unless set otherwise.
//
// Immediate changes of amplitude, duty cycle and phases take 5 ms, and so does the crossfade to
// another waveform. A new frequency applies immediately, with continuous phase.

/// The manufacturer of units that exist only in this library.
CF_ENUM(UInt32) {
  kAudioUnitManufacturer_SwiftAudioToolbox = 0x73776174  // 'swat'
};

/// The subtype of the tone generator.
CF_ENUM(UInt32) {
  kAudioUnitSubType_ToneGenerator = 0x746f6e65  // 'tone'
};

/// Parameters of the tone generator: global scope, element 0.
CF_ENUM(AudioUnitParameterID) {
  /// Hz, 0.01 to half the sample rate, default 440. Can ramp.
  kToneGeneratorParam_Frequency = 0,
  /// Hz, -1 to 1, default 0. Added to the frequency in double precision, because Float32 is too
  /// coarse.
  kToneGeneratorParam_FineFrequency = 1,
  /// Linear gain, 0 to 1, default 0.25: the peak level. Can ramp. (White noise rarely reaches it,
  /// and pink noise almost never: its RMS is a fifth of it.)
  kToneGeneratorParam_Amplitude = 2,
  /// One of the waveforms below, default sine.
  kToneGeneratorParam_Waveform = 3,
  /// Percent, 1 to 99, default 50: the high part of a square wave.
  kToneGeneratorParam_DutyCycle = 4,
  /// Degrees, -180 to 180, default 0.
  kToneGeneratorParam_Phase = 5,
  /// Degrees, -180 to 180, default 0: the phase by which each channel leads the previous one. Can
  /// ramp.
  kToneGeneratorParam_ChannelPhase = 6,
  /// A whole number, 1 to 65,535, default 1: the seed of the noise. Equal seeds produce equal
  /// noise.
  kToneGeneratorParam_NoiseSeed = 7,
  /// 0 or 1, default 0: 1 outputs the same noise on all channels.
  kToneGeneratorParam_SameNoise = 8
};

/// Values of `kToneGeneratorParam_Waveform`.
CF_ENUM(UInt32) {
  kToneGeneratorWaveform_Sine = 0,
  kToneGeneratorWaveform_Square = 1,
  kToneGeneratorWaveform_Triangle = 2,
  kToneGeneratorWaveform_Saw = 3,
  kToneGeneratorWaveform_WhiteNoise = 4,
  kToneGeneratorWaveform_PinkNoise = 5
};

#endif
