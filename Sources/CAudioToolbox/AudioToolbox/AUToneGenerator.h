// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_TONE_GENERATOR_H
#define CAUDIOTOOLBOX_AU_TONE_GENERATOR_H

#include "AUComponent.h"

// Of this library alone: a unit of type kAudioUnitType_Generator with one output bus. It gives the
// same tone on each of any number of channels, or one that is shifted from channel to channel;
// noise differs from channel to channel unless set otherwise.
//
// Amplitude, duty cycle and phases that are set at once are reached within 5 ms, and another waveform is
// faded over to as long. A new frequency holds at once; the phase goes on.

/// The manufacturer of units that only this library has.
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
  /// Hz, -1 to 1, default 0. Added in double precision to a frequency that Float32 cannot hold.
  kToneGeneratorParam_FineFrequency = 1,
  /// Linear gain, 0 to 1, default 0.25: the peak of the wave. Can ramp. (White noise reaches it by
  /// chance, pink noise hardly ever: its RMS is a fifth of it.)
  kToneGeneratorParam_Amplitude = 2,
  /// One of the waveforms below, default sine.
  kToneGeneratorParam_Waveform = 3,
  /// Percent, 1 to 99, default 50: the high part of a square.
  kToneGeneratorParam_DutyCycle = 4,
  /// Degrees, -180 to 180, default 0.
  kToneGeneratorParam_Phase = 5,
  /// Degrees, -180 to 180, default 0: by how much each channel is ahead of the previous one. Can
  /// ramp.
  kToneGeneratorParam_ChannelPhase = 6,
  /// A whole number, 1 to 65,535, default 1: which noise. Equal ones give equal noise.
  kToneGeneratorParam_NoiseSeed = 7,
  /// 0 or 1, default 0: 1 gives all channels the same noise.
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
