// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_INSTRUMENT_PROPERTIES_H
#define CAUDIOTOOLBOX_INSTRUMENT_PROPERTIES_H

#include "../AUCoreFoundationFields.h"
#include "MixerProperties.h"

// Properties of instruments: the bank, its instruments, and what the sampler loads.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Properties of instruments. Built-in units have only some of them; plug-ins may have any.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, R: the number of available instruments.
  kMusicDeviceProperty_InstrumentCount = 1000,
  /// char[], global, element = instrument, R.
  kMusicDeviceProperty_InstrumentName = 1001,
  /// UInt32, group, RW: the output bus of a group, 0 at first. A group that sounds moves in a crossfade.
  kMusicDeviceProperty_GroupOutputBus = 1002,
  /// MusicDeviceInstrumentID, global, element = index, R: the number of an instrument.
  kMusicDeviceProperty_InstrumentNumber = 1004,
  /// UInt32 as a Boolean, global, RW: whether it adds reverberation.
  kMusicDeviceProperty_UsesInternalReverb = kAudioUnitProperty_UsesInternalReverb,
  /// CFURLRef, global, RW: a file with names of notes and controllers; plug-ins only.
  kMusicDeviceProperty_MIDIXMLNames = 1006,
  /// CFStringRef, global, element = bank, R: the name of a bank.
  kMusicDeviceProperty_BankName = 1007,
  /// UInt32, part, RW: the group of a part; plug-ins only.
  kMusicDeviceProperty_PartGroup = 1010,
  /// UInt32 as a Boolean, global, RW: whether events arrive one render call ahead; plug-ins only.
  kMusicDeviceProperty_DualSchedulingMode = 1013,
  /// UInt32 as a Boolean, global, R: whether it supports MusicDeviceStartNote and
  /// MusicDeviceStopNote.
  kMusicDeviceProperty_SupportsStartStopNote = 1014,
  /// CFURLRef, global, RW: the file of the sound bank.
  kMusicDeviceProperty_SoundBankURL = 1100
};

/// Properties of kAudioUnitSubType_MIDISynth.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: while it is on, program changes only load instruments. While
  /// it is off, they select instruments that have been loaded; others are refused
  /// (kAudioUnitErr_IllegalInstrument).
  kAUMIDISynthProperty_EnablePreload = 4119
};

/// Properties of kAudioUnitSubType_Sampler.
CF_ENUM(AudioUnitPropertyID) {
  /// AUSamplerBankPresetData, global, W: loads an instrument from a bank. The older form of
  /// kAUSamplerProperty_LoadInstrument.
  kAUSamplerProperty_LoadPresetFromBank = 4100,
  /// Another name of kAUSamplerProperty_LoadPresetFromBank.
  kAUSamplerProperty_BankAndPreset = kAUSamplerProperty_LoadPresetFromBank,
  /// CFArrayRef of CFURLRef, global, W: makes an instrument of sound files, each for the keys
  /// around its root key.
  kAUSamplerProperty_LoadAudioFiles = 4101,
  /// AUSamplerInstrumentData, global, W: loads an instrument from a bank, a saved state or
  /// an EXS24 file, or makes one of a sound file.
  kAUSamplerProperty_LoadInstrument = 4102
};

/// The location of an instrument.
typedef struct AUSamplerInstrumentData {
  /// A file.
  AU_CF_NONNULL_FIELD(CFURLRef, fileURL);
  /// One of kInstrumentType_.
  UInt8 instrumentType;
  /// The bank, and the program in the bank; ignored for a sound file.
  UInt8 bankMSB;
  /// The second byte of the bank: kAUSampler_DefaultBankLSB.
  UInt8 bankLSB;
  /// The program, 0 to 127.
  UInt8 presetID;
} AUSamplerInstrumentData;

/// The location of an instrument in a bank.
typedef struct AUSamplerBankPresetData {
  /// The file of the bank.
  AU_CF_NONNULL_FIELD(CFURLRef, bankURL);
  /// The bank, and the program in the bank.
  UInt8 bankMSB;
  /// The second byte of the bank: kAUSampler_DefaultBankLSB.
  UInt8 bankLSB;
  /// The program, 0 to 127.
  UInt8 presetID;
  /// Always 0.
  UInt8 reserved;
} AUSamplerBankPresetData;

/// Kinds of files with instruments.
enum {
  /// An instrument in a DLS bank.
  kInstrumentType_DLSPreset = 1,
  /// An instrument in a SoundFont bank; has the same number.
  kInstrumentType_SF2Preset = kInstrumentType_DLSPreset,
  /// A saved state of the sampler (.aupreset).
  kInstrumentType_AUPreset = 2,
  /// A sound file, which becomes an instrument over all keys.
  kInstrumentType_Audiofile = 3,
  /// An instrument of the sampler EXS24 (.exs).
  kInstrumentType_EXS24 = 4
};

/// Usual bank numbers: of drum kits, of melodic instruments, and the second byte of both.
enum {
  kAUSampler_DefaultPercussionBankMSB = 0x78,  ///< The first byte of the bank of drum kits.
  kAUSampler_DefaultMelodicBankMSB = 0x79,  ///< The first byte of the bank of melodic instruments.
  kAUSampler_DefaultBankLSB = 0x00  ///< The second byte of both.
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
