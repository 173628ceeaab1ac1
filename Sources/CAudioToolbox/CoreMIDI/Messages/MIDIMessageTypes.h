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
  /// No operation, and clocks: one word.
  kMIDIMessageTypeUtility = 0x0,
  /// System messages other than exclusive ones: one word.
  kMIDIMessageTypeSystem = 0x1,
  /// Channel messages of MIDI 1.0: one word.
  kMIDIMessageTypeChannelVoice1 = 0x2,
  /// System exclusive messages of 7-bit bytes: two words.
  kMIDIMessageTypeSysEx = 0x3,
  /// Channel messages of MIDI 2.0: two words.
  kMIDIMessageTypeChannelVoice2 = 0x4,
  /// System exclusive messages of 8-bit bytes: four words.
  kMIDIMessageTypeData128 = 0x5,
  /// Tempo, signatures and lyrics: four words.
  kMIDIMessageTypeFlexData = 0xD,
  /// Negotiation between endpoints: four words.
  kMIDIMessageTypeStream = 0xF,
  /// Not a type of a message.
  kMIDIMessageTypeInvalid = 0xFF
};

/// The kind of a channel message.
typedef CF_ENUM(unsigned int, MIDICVStatus) {
  kMIDICVStatusRegisteredPNC = 0x0,         ///< A registered controller of one note.
  kMIDICVStatusAssignablePNC = 0x1,         ///< An assignable controller of one note.
  kMIDICVStatusRegisteredControl = 0x2,     ///< A registered controller (RPN).
  kMIDICVStatusAssignableControl = 0x3,     ///< An assignable controller (NRPN).
  kMIDICVStatusRelRegisteredControl = 0x4,  ///< A change of a registered controller.
  kMIDICVStatusRelAssignableControl = 0x5,  ///< A change of an assignable controller.
  kMIDICVStatusPerNotePitchBend = 0x6,      ///< The pitch bend of one note.
  kMIDICVStatusNoteOff = 0x8,               ///< The end of a note.
  kMIDICVStatusNoteOn = 0x9,                ///< The beginning of a note.
  kMIDICVStatusPolyPressure = 0xA,          ///< The pressure on one key.
  kMIDICVStatusControlChange = 0xB,         ///< A controller.
  kMIDICVStatusProgramChange = 0xC,         ///< Another program, and perhaps bank.
  kMIDICVStatusChannelPressure = 0xD,       ///< The pressure on all keys.
  kMIDICVStatusPitchBend = 0xE,             ///< The pitch bend of the channel.
  kMIDICVStatusPerNoteMgmt = 0xF            ///< What happens to the controllers of a note.
};

/// The status byte of a system message.
typedef CF_ENUM(unsigned int, MIDISystemStatus) {
  kMIDIStatusStartOfExclusive = 0xF0,  ///< The start of a system exclusive message.
  kMIDIStatusMTC = 0xF1,               ///< A quarter frame of MIDI time code.
  kMIDIStatusSongPosPointer = 0xF2,    ///< The position in the song, in sixteenths.
  kMIDIStatusSongSelect = 0xF3,        ///< The song, 0 to 127.
  kMIDIStatusTuneRequest = 0xF6,       ///< Asks analogue synthesizers to tune.
  kMIDIStatusEndOfExclusive = 0xF7,    ///< The end of a system exclusive message.
  kMIDIStatusTimingClock = 0xF8,       ///< A beat clock, 24 in each quarter note.
  kMIDIStatusStart = 0xFA,             ///< Play from the beginning.
  kMIDIStatusContinue = 0xFB,          ///< Play from the present position.
  kMIDIStatusStop = 0xFC,              ///< Stop.
  kMIDIStatusActiveSending = 0xFE,     ///< Another name of kMIDIStatusActiveSensing.
  kMIDIStatusActiveSensing = 0xFE,     ///< The sender is still there; sent every 300 ms.
  kMIDIStatusSystemReset = 0xFF        ///< Reset to the state after power-on.
};

/// The place of a packet in a system exclusive message.
typedef CF_ENUM(unsigned int, MIDISysExStatus) {
  kMIDISysExStatusComplete = 0x0,            ///< The whole message.
  kMIDISysExStatusStart = 0x1,               ///< Its first packet of several.
  kMIDISysExStatusContinue = 0x2,            ///< A packet in the middle.
  kMIDISysExStatusEnd = 0x3,                 ///< Its last packet.
  kMIDISysExStatusMixedDataSetHeader = 0x8,  ///< The header of a mixed data set.
  kMIDISysExStatusMixedDataSetPayload = 0x9  ///< Data of a mixed data set.
};

/// The kind of a utility message.
typedef CF_ENUM(unsigned int, MIDIUtilityStatus) {
  /// Nothing.
  kMIDIUtilityStatusNOOP = 0x0,
  /// The clock of the sender.
  kMIDIUtilityStatusJitterReductionClock = 0x1,
  /// The sender's time of the next message.
  kMIDIUtilityStatusJitterReductionTimestamp = 0x2,
  /// Ticks of a quarter note, in a clip file.
  kMIDIUtilityStatusDeltaClockstampTicksPerQuarterNote = 0x3,
  /// Ticks since the last event, in a clip file.
  kMIDIUtilityStatusTicksSinceLastEvent = 0x4
};

/// What the attribute of a note means.
typedef CF_ENUM(UInt8, MIDINoteAttribute) {
  /// There is none.
  kMIDINoteAttributeNone = 0x0,
  /// What the manufacturer has defined.
  kMIDINoteAttributeManufacturerSpecific = 0x1,
  /// What a profile of MIDI-CI has defined.
  kMIDINoteAttributeProfileSpecific = 0x2,
  /// A pitch in semitones, with nine bits after the point.
  kMIDINoteAttributePitch = 0x3
};

/// Options of a program change.
typedef CF_OPTIONS(UInt8, MIDIProgramChangeOptions) {
  kMIDIProgramChangeBankValid = 0x1  ///< The message has a bank.
};

/// Options of a per-note management message.
typedef CF_OPTIONS(UInt8, MIDIPerNoteManagementOptions) {
  /// The controllers of the note return to their defaults.
  kMIDIPerNoteManagementReset = 0x1,
  /// Later controllers of the note do not affect a sounding one.
  kMIDIPerNoteManagementDetach = 0x2
};

/// The device identifiers with which a message is for a group, or for a function block.
typedef CF_ENUM(UInt8, MIDICIDeviceTarget) {
  kMIDIDeviceIDUMPGroup = 0x7E,      ///< The group.
  kMIDIDeviceIDFunctionBlock = 0x7F  ///< The function block.
};

CF_ENUM(UInt8) {
  /// The most bytes of a system exclusive message in one packet of type 3.
  kMIDI1UPMaxSysexSize = 6
};

/// A message of one word.
typedef UInt32 MIDIMessage_32;

/// A message of two words.
typedef struct MIDIMessage_64 {
  UInt32 word0;  ///< The first word, with type, group and status.
  UInt32 word1;  ///< The second word.
} MIDIMessage_64;

/// A message of three words.
typedef struct MIDIMessage_96 {
  UInt32 word0;  ///< The first word, with type, group and status.
  UInt32 word1;  ///< The second word.
  UInt32 word2;  ///< The third word.
} MIDIMessage_96;

/// A message of four words.
typedef struct MIDIMessage_128 {
  UInt32 word0;  ///< The first word, with type and status.
  UInt32 word1;  ///< The second word.
  UInt32 word2;  ///< The third word.
  UInt32 word3;  ///< The fourth word.
} MIDIMessage_128;

/// The type of a message by its first word. [any thread]
///
/// - Parameter word: the first word of a message.
/// - Returns: its type.
static inline MIDIMessageType MIDIMessageTypeForUPWord(const UInt32 word) {
  return (MIDIMessageType)(word >> 28);
}

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
