// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_TONE_GENERATOR_H
#define CAUDIOTOOLBOX_AU_TONE_GENERATOR_H

#include "AUComponent.h"

// Only in this library: a unit of type kAudioUnitType_Generator with one output bus. It outputs the
// same tone on any number of channels, or one whose phase is shifted from channel to channel. White
// and pink noise differ between channels unless set otherwise; what repeats is the same on all.
//
// Immediate changes of amplitude, duty cycle, phases, depth and deviation take 5 ms, and so does the
// crossfade to another waveform. A new frequency applies immediately, with continuous phase.

/// The manufacturer of units that exist only in this library.
CF_ENUM(UInt32) {
  kAudioUnitManufacturer_SwiftAudioToolbox = 0x73776174  ///< This project ('swat').
};

/// The subtype of the tone generator.
CF_ENUM(UInt32) {
  kAudioUnitSubType_ToneGenerator = 0x746f6e65  ///< A generator of one tone or noise ('tone').
};

/// Parameters of the tone generator, kAudioUnitSubType_ToneGenerator: global scope, element 0.
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
  kToneGeneratorParam_SameNoise = 8,
  /// A whole number, 4 to 20, default 16: periodic pink noise repeats after two to this power
  /// frames, a maximum-length sequence after one frame less. Takes effect at initialization.
  kToneGeneratorParam_NoiseOrder = 9,
  /// A whole number, 8 to 24, default 24: the bits per sample for which the J-test is made.
  kToneGeneratorParam_SampleBits = 10,
  /// Hz, 0.01 to half the sample rate, default 5: the frequency of the amplitude modulation.
  kToneGeneratorParam_AMFrequency = 11,
  /// Percent, 0 to 100, default 0: the depth of the amplitude modulation by a sine. The peak of the
  /// modulated tone is the amplitude. Can ramp.
  kToneGeneratorParam_AMDepth = 12,
  /// Hz, 0.01 to half the sample rate, default 5: the frequency of the frequency modulation.
  kToneGeneratorParam_FMFrequency = 13,
  /// Hz, 0 to half the sample rate, default 0: the peak deviation of the frequency modulation by a
  /// sine. Can ramp.
  kToneGeneratorParam_FMDeviation = 14
};

/// Values of `kToneGeneratorParam_Waveform`.
CF_ENUM(UInt32) {
  kToneGeneratorWaveform_Sine = 0,  ///< A sine: the fundamental alone.
  kToneGeneratorWaveform_Square = 1,  ///< A square wave: odd harmonics, below half the sample rate.
  kToneGeneratorWaveform_Triangle = 2,  ///< A triangle: odd harmonics that fall by 12 dB an octave.
  kToneGeneratorWaveform_Saw = 3,  ///< A saw: all harmonics, falling by 6 dB an octave.
  kToneGeneratorWaveform_WhiteNoise = 4,  ///< Noise of equal power per Hz.
  kToneGeneratorWaveform_PinkNoise = 5,  ///< Noise of equal power per octave.
  /// A maximum-length sequence of plus and minus the amplitude.
  kToneGeneratorWaveform_MLS = 6,
  /// Pink noise that repeats, with the level of pink noise.
  kToneGeneratorWaveform_PeriodicPinkNoise = 7,
  /// A tone at a quarter of the sample rate, and a square wave of the last bit at a 192nd of it: the
  /// J-test of Dunn for jitter, if the amplitude is 0.5.
  kToneGeneratorWaveform_JitterTest = 8,
  /// One frame per period, and silence between.
  kToneGeneratorWaveform_Impulse = 9,
  /// The amplitude itself, times the cosine of the phase: direct current.
  kToneGeneratorWaveform_Constant = 10
};

#endif
