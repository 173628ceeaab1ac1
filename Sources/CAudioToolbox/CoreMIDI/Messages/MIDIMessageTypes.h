// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_MESSAGE_TYPES_H
#define CAUDIOTOOLBOX_MIDI_MESSAGE_TYPES_H

#include <CoreFoundation/CoreFoundation.h>

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// The numbers in Universal MIDI Packets, as the specification of the MIDI Association defines them.

/// The type of a message: the highest four bits of its first word.
typedef CF_ENUM(unsigned int, MIDIMessageType) {
  kMIDIMessageTypeUtility = 0x0,
  kMIDIMessageTypeSystem = 0x1,
  kMIDIMessageTypeChannelVoice1 = 0x2,
  kMIDIMessageTypeSysEx = 0x3,
  kMIDIMessageTypeChannelVoice2 = 0x4,
  kMIDIMessageTypeData128 = 0x5,
  kMIDIMessageTypeFlexData = 0xD,
  kMIDIMessageTypeStream = 0xF,
  /// Not a type of a message.
  kMIDIMessageTypeInvalid = 0xFF
};

/// The kind of a channel message.
typedef CF_ENUM(unsigned int, MIDICVStatus) {
  kMIDICVStatusRegisteredPNC = 0x0,
  kMIDICVStatusAssignablePNC = 0x1,
  kMIDICVStatusRegisteredControl = 0x2,
  kMIDICVStatusAssignableControl = 0x3,
  kMIDICVStatusRelRegisteredControl = 0x4,
  kMIDICVStatusRelAssignableControl = 0x5,
  kMIDICVStatusPerNotePitchBend = 0x6,
  kMIDICVStatusNoteOff = 0x8,
  kMIDICVStatusNoteOn = 0x9,
  kMIDICVStatusPolyPressure = 0xA,
  kMIDICVStatusControlChange = 0xB,
  kMIDICVStatusProgramChange = 0xC,
  kMIDICVStatusChannelPressure = 0xD,
  kMIDICVStatusPitchBend = 0xE,
  kMIDICVStatusPerNoteMgmt = 0xF
};

/// The status byte of a system message.
typedef CF_ENUM(unsigned int, MIDISystemStatus) {
  kMIDIStatusStartOfExclusive = 0xF0,
  kMIDIStatusMTC = 0xF1,
  kMIDIStatusSongPosPointer = 0xF2,
  kMIDIStatusSongSelect = 0xF3,
  kMIDIStatusTuneRequest = 0xF6,
  kMIDIStatusEndOfExclusive = 0xF7,
  kMIDIStatusTimingClock = 0xF8,
  kMIDIStatusStart = 0xFA,
  kMIDIStatusContinue = 0xFB,
  kMIDIStatusStop = 0xFC,
  kMIDIStatusActiveSending = 0xFE,
  kMIDIStatusActiveSensing = 0xFE,
  kMIDIStatusSystemReset = 0xFF
};

/// The place of a packet in a system exclusive message.
typedef CF_ENUM(unsigned int, MIDISysExStatus) {
  kMIDISysExStatusComplete = 0x0,
  kMIDISysExStatusStart = 0x1,
  kMIDISysExStatusContinue = 0x2,
  kMIDISysExStatusEnd = 0x3,
  kMIDISysExStatusMixedDataSetHeader = 0x8,
  kMIDISysExStatusMixedDataSetPayload = 0x9
};

/// The kind of a utility message.
typedef CF_ENUM(unsigned int, MIDIUtilityStatus) {
  kMIDIUtilityStatusNOOP = 0x0,
  kMIDIUtilityStatusJitterReductionClock = 0x1,
  kMIDIUtilityStatusJitterReductionTimestamp = 0x2,
  kMIDIUtilityStatusDeltaClockstampTicksPerQuarterNote = 0x3,
  kMIDIUtilityStatusTicksSinceLastEvent = 0x4
};

/// What the attribute of a note means.
typedef CF_ENUM(UInt8, MIDINoteAttribute) {
  kMIDINoteAttributeNone = 0x0,
  kMIDINoteAttributeManufacturerSpecific = 0x1,
  kMIDINoteAttributeProfileSpecific = 0x2,
  /// A pitch in semitones, with nine bits after the point.
  kMIDINoteAttributePitch = 0x3
};

/// Options of a program change.
typedef CF_OPTIONS(UInt8, MIDIProgramChangeOptions) {
  kMIDIProgramChangeBankValid = 0x1
};

/// Options of a per-note management message.
typedef CF_OPTIONS(UInt8, MIDIPerNoteManagementOptions) {
  kMIDIPerNoteManagementReset = 0x1,
  kMIDIPerNoteManagementDetach = 0x2
};

/// The device identifiers with which a message is for a group, or for a function block.
typedef CF_ENUM(UInt8, MIDICIDeviceTarget) {
  kMIDIDeviceIDUMPGroup = 0x7E,
  kMIDIDeviceIDFunctionBlock = 0x7F
};

CF_ENUM(UInt8) {
  /// The most bytes of a system exclusive message in one packet of type 3.
  kMIDI1UPMaxSysexSize = 6
};

/// A message of one word.
typedef UInt32 MIDIMessage_32;

/// A message of two words.
typedef struct MIDIMessage_64 {
  UInt32 word0;
  UInt32 word1;
} MIDIMessage_64;

/// A message of three words.
typedef struct MIDIMessage_96 {
  UInt32 word0;
  UInt32 word1;
  UInt32 word2;
} MIDIMessage_96;

/// A message of four words.
typedef struct MIDIMessage_128 {
  UInt32 word0;
  UInt32 word1;
  UInt32 word2;
  UInt32 word3;
} MIDIMessage_128;

/// The type of a message by its first word. [any thread]
static inline MIDIMessageType MIDIMessageTypeForUPWord(const UInt32 word) {
  return (MIDIMessageType)(word >> 28);
}

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
