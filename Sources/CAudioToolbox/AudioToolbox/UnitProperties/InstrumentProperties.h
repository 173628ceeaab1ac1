// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_INSTRUMENT_PROPERTIES_H
#define CAUDIOTOOLBOX_INSTRUMENT_PROPERTIES_H

#include "../AUCoreFoundationFields.h"
#include "MixerProperties.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Properties of instruments. Of plug-ins there may be any; the built-in units say which they have.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32, global, R: how many instruments there are to choose from.
  kMusicDeviceProperty_InstrumentCount = 1000,
  /// char[], global, element = instrument, R.
  kMusicDeviceProperty_InstrumentName = 1001,
  /// UInt32, group, RW: the output bus of a group; of plug-ins alone.
  kMusicDeviceProperty_GroupOutputBus = 1002,
  /// MusicDeviceInstrumentID, global, element = index, R.
  kMusicDeviceProperty_InstrumentNumber = 1004,
  /// UInt32 as a Boolean, global, RW: whether it reverberates.
  kMusicDeviceProperty_UsesInternalReverb = kAudioUnitProperty_UsesInternalReverb,
  /// CFURLRef, global, RW: a file of names for notes and controllers; of plug-ins alone.
  kMusicDeviceProperty_MIDIXMLNames = 1006,
  /// CFStringRef, global, element = bank, R.
  kMusicDeviceProperty_BankName = 1007,
  /// UInt32, part, RW: the group of a part; of plug-ins alone.
  kMusicDeviceProperty_PartGroup = 1010,
  /// UInt32 as a Boolean, global, RW: events are given a render call ahead; of plug-ins alone.
  kMusicDeviceProperty_DualSchedulingMode = 1013,
  /// UInt32 as a Boolean, global, R: takes MusicDeviceStartNote and MusicDeviceStopNote.
  kMusicDeviceProperty_SupportsStartStopNote = 1014,
  /// CFURLRef, global, RW: the file that the sounds come from.
  kMusicDeviceProperty_SoundBankURL = 1100
};

/// Properties of kAudioUnitSubType_MIDISynth.
CF_ENUM(AudioUnitPropertyID) {
  /// UInt32 as a Boolean, global, RW: program changes load instruments and select none. While it is off
  /// they select instruments that are loaded, and others are refused (kAudioUnitErr_IllegalInstrument).
  kAUMIDISynthProperty_EnablePreload = 4119
};

/// Properties of kAudioUnitSubType_Sampler.
CF_ENUM(AudioUnitPropertyID) {
  /// AUSamplerBankPresetData, global, W: takes an instrument out of a bank. The older form of
  /// kAUSamplerProperty_LoadInstrument.
  kAUSamplerProperty_LoadPresetFromBank = 4100,
  kAUSamplerProperty_BankAndPreset = kAUSamplerProperty_LoadPresetFromBank,
  /// CFArrayRef of CFURLRef, global, W: makes an instrument of sound files, each for the keys around its
  /// own.
  kAUSamplerProperty_LoadAudioFiles = 4101,
  /// AUSamplerInstrumentData, global, W: takes an instrument out of a bank, or makes one of a sound file.
  kAUSamplerProperty_LoadInstrument = 4102
};

/// Where an instrument is.
typedef struct AUSamplerInstrumentData {
  /// A file.
  AU_CF_NONNULL_FIELD(CFURLRef, fileURL);
  /// One of kInstrumentType_.
  UInt8 instrumentType;
  /// Its bank, and its program in there; of no meaning for a sound file.
  UInt8 bankMSB;
  UInt8 bankLSB;
  UInt8 presetID;
} AUSamplerInstrumentData;

/// Where an instrument of a bank is.
typedef struct AUSamplerBankPresetData {
  /// The file of the bank.
  AU_CF_NONNULL_FIELD(CFURLRef, bankURL);
  /// Its bank, and its program in there.
  UInt8 bankMSB;
  UInt8 bankLSB;
  UInt8 presetID;
  /// 0.
  UInt8 reserved;
} AUSamplerBankPresetData;

/// Kinds of files with instruments.
enum {
  kInstrumentType_DLSPreset = 1,
  kInstrumentType_SF2Preset = kInstrumentType_DLSPreset,
  kInstrumentType_Audiofile = 3
};

/// Banks that files agree on: drum kits, melodic instruments, and the second byte of both.
enum {
  kAUSampler_DefaultPercussionBankMSB = 0x78,
  kAUSampler_DefaultMelodicBankMSB = 0x79,
  kAUSampler_DefaultBankLSB = 0x00
};

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
