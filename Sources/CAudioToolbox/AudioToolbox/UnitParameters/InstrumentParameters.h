// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_INSTRUMENT_PARAMETERS_H
#define CAUDIOTOOLBOX_INSTRUMENT_PARAMETERS_H

#include "../AUComponent.h"

// Parameters of instruments.

CF_ASSUME_NONNULL_BEGIN

/// Parameters of kAudioUnitSubType_DLSSynth: global scope, element 0.
CF_ENUM(AudioUnitParameterID) {
  /// Cents, -1200 to 1200, default 0.
  kMusicDeviceParam_Tuning = 0,
  /// Decibels, -120 to 40, default 0.
  kMusicDeviceParam_Volume = 1,
  /// Decibels, -120 to 40, default 0: the level of the reverberation.
  kMusicDeviceParam_ReverbVolume = 2
};

/// Parameters of kAudioUnitSubType_Sampler: global scope, element 0.
CF_ENUM(AudioUnitParameterID) {
  /// Decibels, -90 to 12, default 0.
  kAUSamplerParam_Gain = 900,
  /// Semitones, -24 to 24, default 0.
  kAUSamplerParam_CoarseTuning = 901,
  /// Cents, -99 to 99, default 0.
  kAUSamplerParam_FineTuning = 902,
  /// -1 (left) to 1, default 0.
  kAUSamplerParam_Pan = 903
};

/// Parameters of instruments on the group scope: the controllers of MIDI channels, with their numbers. An
/// element is a channel, 0 to 15. The sampler and the synthesizers also have the performance parameters 1000
/// to 1007, which are the general purpose controllers 1 to 8.
CF_ENUM(AudioUnitParameterID) {
  /// 0 to 127, default 100.
  kAUGroupParameterID_Volume = 7,
  /// The sustain pedal: down from 64 on.
  kAUGroupParameterID_Sustain = 64,
  /// The sostenuto pedal: down from 64 on.
  kAUGroupParameterID_Sostenuto = 66,
  /// Setting it ends all notes of the group.
  kAUGroupParameterID_AllNotesOff = 123,
  /// The modulation wheel, 0 to 127.
  kAUGroupParameterID_ModWheel = 1,
  /// -8192 to 8191, default 0.
  kAUGroupParameterID_PitchBend = 224,
  /// Setting it silences the group.
  kAUGroupParameterID_AllSoundOff = 120,
  /// Setting it resets the controllers of the group.
  kAUGroupParameterID_ResetAllControllers = 121,
  /// 0 (left) to 127, default 64.
  kAUGroupParameterID_Pan = 10,
  /// The foot controller, 0 to 127.
  kAUGroupParameterID_Foot = 4,
  /// 0 to 127.
  kAUGroupParameterID_ChannelPressure = 208,
  /// Pressure of keys; plug-ins only.
  kAUGroupParameterID_KeyPressure = 160,
  /// 0 to 127, default 127.
  kAUGroupParameterID_Expression = 11,
  /// Data of registered parameters; plug-ins only.
  kAUGroupParameterID_DataEntry = 6,
  /// The low byte of kAUGroupParameterID_Volume; plug-ins only.
  kAUGroupParameterID_Volume_LSB = kAUGroupParameterID_Volume + 32,
  /// The low byte of kAUGroupParameterID_ModWheel; plug-ins only.
  kAUGroupParameterID_ModWheel_LSB = kAUGroupParameterID_ModWheel + 32,
  /// The low byte of kAUGroupParameterID_Pan; plug-ins only.
  kAUGroupParameterID_Pan_LSB = kAUGroupParameterID_Pan + 32,
  /// The low byte of kAUGroupParameterID_Foot; plug-ins only.
  kAUGroupParameterID_Foot_LSB = kAUGroupParameterID_Foot + 32,
  /// The low byte of kAUGroupParameterID_Expression; plug-ins only.
  kAUGroupParameterID_Expression_LSB = kAUGroupParameterID_Expression + 32,
  /// The low byte of kAUGroupParameterID_DataEntry; plug-ins only.
  kAUGroupParameterID_DataEntry_LSB = kAUGroupParameterID_DataEntry + 32,
  /// The pressure of key 0; plug-ins only.
  kAUGroupParameterID_KeyPressure_FirstKey = 256,
  /// The pressure of key 127; plug-ins only.
  kAUGroupParameterID_KeyPressure_LastKey = 383
};

CF_ASSUME_NONNULL_END

#endif
