// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_UNIT_CODES_H
#define CAUDIOTOOLBOX_UNIT_CODES_H

#include "../AudioComponent.h"

// The types, subtypes and manufacturers of the built-in units.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Types of units: the first code of a component's three.
CF_ENUM(UInt32) {
  /// The end of a chain, which pulls the other units: for a device, or for a caller.
  kAudioUnitType_Output = 0x61756f75,  // 'auou'
  /// Notes in, sound out.
  kAudioUnitType_MusicDevice = 0x61756d75,  // 'aumu'
  /// An effect that also plays notes.
  kAudioUnitType_MusicEffect = 0x61756d66,  // 'aumf'
  /// May pull a different number of frames than it outputs.
  kAudioUnitType_FormatConverter = 0x61756663,  // 'aufc'
  /// As many frames out as in.
  kAudioUnitType_Effect = 0x61756678,  // 'aufx'
  /// Several inputs, one or more outputs.
  kAudioUnitType_Mixer = 0x61756d78,  // 'aumx'
  /// One input, placed in space in one output.
  kAudioUnitType_Panner = 0x6175706e,  // 'aupn'
  /// Sound out, no input.
  kAudioUnitType_Generator = 0x6175676e,  // 'augn'
  /// Needs its whole input in advance.
  kAudioUnitType_OfflineEffect = 0x61756f6c,  // 'auol'
  /// Notes in, notes out.
  kAudioUnitType_MIDIProcessor = 0x61756d69,  // 'aumi'
  /// Makes speech of text.
  kAudioUnitType_SpeechSynthesizer = 0x61757370,  // 'ausp'
  /// An effect of another program.
  kAudioUnitType_RemoteEffect = 0x61757278,  // 'aurx'
  /// A generator of another program.
  kAudioUnitType_RemoteGenerator = 0x61757267,  // 'aurg'
  /// An instrument of another program.
  kAudioUnitType_RemoteInstrument = 0x61757269,  // 'auri'
  /// An effect of another program that receives MIDI.
  kAudioUnitType_RemoteMusicEffect = 0x6175726d  // 'aurm'
};

/// The manufacturer of the units that Apple's systems also have.
CF_ENUM(UInt32) {
  /// The codes of these units are the same on both systems.
  kAudioUnitManufacturer_Apple = 0x6170706c  // 'appl'
};

/// Subtypes of effects: filters.
CF_ENUM(UInt32) {
  /// Passes frequencies below a cutoff.
  kAudioUnitSubType_LowPassFilter = 0x6c706173,  // 'lpas'
  /// Passes frequencies above a cutoff.
  kAudioUnitSubType_HighPassFilter = 0x68706173,  // 'hpas'
  /// Passes a band around a frequency.
  kAudioUnitSubType_BandPassFilter = 0x62706173,  // 'bpas'
  /// Boosts or cuts frequencies above a cutoff.
  kAudioUnitSubType_HighShelfFilter = 0x68736866,  // 'hshf'
  /// Boosts or cuts frequencies below a cutoff.
  kAudioUnitSubType_LowShelfFilter = 0x6c736866,  // 'lshf'
  /// Boosts or cuts a band around a frequency.
  kAudioUnitSubType_ParametricEQ = 0x706d6571,  // 'pmeq'
  /// Many bands, each one of eleven kinds of filter.
  kAudioUnitSubType_NBandEQ = 0x6e626571,  // 'nbeq'
  /// Gains at ten or 31 fixed frequencies.
  kAudioUnitSubType_GraphicEQ = 0x67726571,  // 'greq'
  /// A choice of named curves.
  kAudioUnitSubType_AUiPodEQ = 0x69706571  // 'ipeq'
};

/// Subtypes of output units.
CF_ENUM(UInt32) {
  /// No device: the caller pulls. Converts linear PCM between its input and output.
  kAudioUnitSubType_GenericOutput = 0x67656e72,  // 'genr'
  /// A device for output, input or both.
  kAudioUnitSubType_HALOutput = 0x6168616c,  // 'ahal'
  /// The device that the user chose for sound.
  kAudioUnitSubType_DefaultOutput = 0x64656620,  // 'def '
  /// The device that the user chose for alerts.
  kAudioUnitSubType_SystemOutput = 0x73797320,  // 'sys '
  /// The device of the audio session, for output, input or both.
  kAudioUnitSubType_RemoteIO = 0x72696f63,  // 'rioc'
  /// Like RemoteIO; also removes the echo of the playback and steady noise from the captured sound.
  kAudioUnitSubType_VoiceProcessingIO = 0x7670696f  // 'vpio'
};

/// Subtypes of effects: dynamics and distortion.
CF_ENUM(UInt32) {
  /// A compressor for each of four frequency bands.
  kAudioUnitSubType_MultiBandCompressor = 0x6d636d70,  // 'mcmp'
  /// Echo, decimation, ring modulation, polynomial and soft clip.
  kAudioUnitSubType_Distortion = 0x64697374,  // 'dist'
  /// A compressor and expander.
  kAudioUnitSubType_DynamicsProcessor = 0x64636d70,  // 'dcmp'
  /// A lookahead limiter.
  kAudioUnitSubType_PeakLimiter = 0x6c6d7472  // 'lmtr'
};

/// Subtypes of mixers.
CF_ENUM(UInt32) {
  /// Any number of mono and stereo inputs, one output of one or two channels.
  kAudioUnitSubType_MultiChannelMixer = 0x6d636d78,  // 'mcmx'
  /// Mixes every input channel to every output channel.
  kAudioUnitSubType_MatrixMixer = 0x6d786d78,  // 'mxmx'
  /// Mono and stereo inputs, one stereo output.
  kAudioUnitSubType_StereoMixer = 0x736d7872,  // 'smxr'
  /// Mono inputs placed around a listener, one output of up to eight channels.
  kAudioUnitSubType_3DMixer = 0x33646d78,  // '3dmx'
  /// The 3D mixer with the parameters of its successor.
  kAudioUnitSubType_SpatialMixer = 0x3364656d,  // '3dem'
  /// The name of the spatial mixer on telephones.
  kAudioUnitSubType_AU3DMixerEmbedded = kAudioUnitSubType_SpatialMixer,
  /// One input, any number of outputs.
  kAudioUnitSubType_MultiSplitter = 0x6d73706c  // 'mspl'
};

/// Subtypes of generators.
CF_ENUM(UInt32) {
  /// Plays slices of sound that a program schedules.
  kAudioUnitSubType_ScheduledSoundPlayer = 0x7373706c,  // 'sspl'
  /// Plays regions of sound files, and slices.
  kAudioUnitSubType_AudioFilePlayer = 0x6166706c  // 'afpl'
};

/// Subtypes of instruments: they play banks of sounds (SoundFont 2 and 3, DLS) by MIDI.
CF_ENUM(UInt32) {
  /// Sixteen channels of General MIDI.
  kAudioUnitSubType_DLSSynth = 0x646c7320,  // 'dls '
  /// Like DLSSynth, for programs that load the instruments that they need in advance.
  kAudioUnitSubType_MIDISynth = 0x6d73796e,  // 'msyn'
  /// One instrument, from a bank or made of sound files.
  kAudioUnitSubType_Sampler = 0x73616d70  // 'samp'
};

/// Subtypes of format converters.
CF_ENUM(UInt32) {
  /// Changes rate and pitch together.
  kAudioUnitSubType_Varispeed = 0x76617269,  // 'vari'
  /// Converts linear PCM: sample type, channels, rate.
  kAudioUnitSubType_AUConverter = 0x636f6e76,  // 'conv'
  /// Changes rate and pitch independently.
  kAudioUnitSubType_TimePitch = 0x746d7074,  // 'tmpt'
  /// Like TimePitch, with more settings.
  kAudioUnitSubType_NewTimePitch = 0x6e757470,  // 'nutp'
  /// Changes only the rate, with little CPU time.
  kAudioUnitSubType_AUiPodTime = 0x6970746d,  // 'iptm'
  /// As kAudioUnitSubType_AUiPodTime.
  kAudioUnitSubType_AUiPodTimeOther = 0x6970746f,  // 'ipto'
  /// Pulls its input on its own thread, in larger slices, so that rendering only copies frames.
  kAudioUnitSubType_DeferredRenderer = 0x64656672,  // 'defr'
  /// Encodes its input to AAC and decodes it again, to preview the encoding.
  kAudioUnitSubType_RoundTripAAC = 0x72616163,  // 'raac'
  /// One input, two outputs.
  kAudioUnitSubType_Splitter = 0x73706c74,  // 'splt'
  /// Two inputs, one output: their sum, or their channels side by side.
  kAudioUnitSubType_Merger = 0x6d657267  // 'merg'
};

/// Subtypes of effects: space and time.
CF_ENUM(UInt32) {
  /// Echoes with feedback and a low-pass filter.
  kAudioUnitSubType_Delay = 0x64656c79,  // 'dely'
  /// A delay of whole frames.
  kAudioUnitSubType_SampleDelay = 0x73646c79,  // 'sdly'
  /// A reverberation made of a network of delays.
  kAudioUnitSubType_Reverb2 = 0x72766232,  // 'rvb2'
  /// A reverberation with a small room, followed by a large one.
  kAudioUnitSubType_MatrixReverb = 0x6d726576  // 'mrev'
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
