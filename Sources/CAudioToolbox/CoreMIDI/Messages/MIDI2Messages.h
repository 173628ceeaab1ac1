// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI2_MESSAGES_H
#define CAUDIOTOOLBOX_MIDI2_MESSAGES_H

#include "MIDIMessageTypes.h"

#include <stdbool.h>

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Channel messages of MIDI 2.0 as Universal MIDI Packets. Groups and channels are 0 to 15, notes,
// banks, indices and programs 0 to 127; higher bits are ignored. Other values use all of their bits.

/// A channel message; `status` is a `MIDICVStatus`. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - status: a `MIDICVStatus`.
///   - channel: the channel, 0 to 15.
///   - index: the lower half of the first word.
///   - value: the second word.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2ChannelVoiceMessage(UInt8 group, UInt8 status, UInt8 channel,
                                                      UInt16 index, UInt32 value) {
  MIDIMessage_64 message;
  message.word0 = (UInt32)kMIDIMessageTypeChannelVoice2 << 28 | (UInt32)(group & 15) << 24 |
                  (UInt32)(status & 15) << 20 | (UInt32)(channel & 15) << 16 | (UInt32)index;
  message.word1 = value;
  return message;
}

/// The two numbers in the lower half of a first word.
static inline UInt16 __MIDI2Index(UInt8 first, UInt8 second) {
  return (UInt16)((first & 127) << 8 | second);
}

/// The beginning of a note; velocity 0 is a note, too. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - attributeType: what the attribute means; 0 for none.
///   - attributeData: the attribute.
///   - velocity: 0 to 65,535.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2NoteOn(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                         UInt8 attributeType, UInt16 attributeData,
                                         UInt16 velocity) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusNoteOn, channel,
                                  __MIDI2Index(noteNumber, attributeType),
                                  (UInt32)velocity << 16 | attributeData);
}

/// The end of a note. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - attributeType: what the attribute means; 0 for none.
///   - attributeData: the attribute.
///   - velocity: 0 to 65,535.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2NoteOff(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                          UInt8 attributeType, UInt16 attributeData,
                                          UInt16 velocity) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusNoteOff, channel,
                                  __MIDI2Index(noteNumber, attributeType),
                                  (UInt32)velocity << 16 | attributeData);
}

/// The pressure of a key. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2PolyPressure(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                               UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPolyPressure, channel,
                                  __MIDI2Index(noteNumber, 0), value);
}

/// A registered controller of one note. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - index: the controller, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2RegisteredPNC(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                                UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusRegisteredPNC, channel,
                                  __MIDI2Index(noteNumber, index), value);
}

/// An assignable controller of one note. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - index: the controller, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2AssignablePNC(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                                UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusAssignablePNC, channel,
                                  __MIDI2Index(noteNumber, index), value);
}

/// Detaches a note from its controllers, or resets these. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - detachPNCs: true to detach the note from its controllers.
///   - resetPNCsToDefault: true to reset its controllers.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2PerNoteManagment(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                                   bool detachPNCs, bool resetPNCsToDefault) {
  const UInt8 options = (UInt8)((detachPNCs ? kMIDIPerNoteManagementDetach : 0) |
                                (resetPNCsToDefault ? kMIDIPerNoteManagementReset : 0));
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPerNoteMgmt, channel,
                                  __MIDI2Index(noteNumber, options), 0);
}

/// The value of a controller. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - index: the controller, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2ControlChange(UInt8 group, UInt8 channel, UInt8 index,
                                                UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusControlChange, channel,
                                  __MIDI2Index(index, 0), value);
}

/// A registered controller, as by RPN. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - bank: the bank of the controller, 0 to 127.
///   - index: the controller, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2RegisteredControl(UInt8 group, UInt8 channel, UInt8 bank,
                                                    UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusRegisteredControl, channel,
                                  __MIDI2Index(bank, index & 127), value);
}

/// An assignable controller, as by NRPN. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - bank: the bank of the controller, 0 to 127.
///   - index: the controller, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2AssignableControl(UInt8 group, UInt8 channel, UInt8 bank,
                                                    UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusAssignableControl, channel,
                                  __MIDI2Index(bank, index & 127), value);
}

/// A change of a registered controller: a signed number. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - bank: the bank of the controller, 0 to 127.
///   - index: the controller, 0 to 127.
///   - value: the change, a signed number of 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2RelRegisteredControl(UInt8 group, UInt8 channel, UInt8 bank,
                                                       UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusRelRegisteredControl, channel,
                                  __MIDI2Index(bank, index & 127), value);
}

/// A change of an assignable controller: a signed number. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - bank: the bank of the controller, 0 to 127.
///   - index: the controller, 0 to 127.
///   - value: the change, a signed number of 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2RelAssignableControl(UInt8 group, UInt8 channel, UInt8 bank,
                                                       UInt8 index, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusRelAssignableControl, channel,
                                  __MIDI2Index(bank, index & 127), value);
}

/// The choice of a program, and of a bank if that is valid. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - bankIsValid: true if the bank counts.
///   - program: the program, 0 to 127.
///   - bank_msb: the upper seven bits of the bank.
///   - bank_lsb: the lower seven bits of the bank.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2ProgramChange(UInt8 group, UInt8 channel, bool bankIsValid,
                                                UInt8 program, UInt8 bank_msb, UInt8 bank_lsb) {
  return MIDI2ChannelVoiceMessage(
      group, kMIDICVStatusProgramChange, channel, bankIsValid ? kMIDIProgramChangeBankValid : 0,
      (UInt32)(program & 127) << 24 | (UInt32)(bank_msb & 127) << 8 | (UInt32)(bank_lsb & 127));
}

/// The pressure of all keys. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2ChannelPressure(UInt8 group, UInt8 channel, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusChannelPressure, channel, 0, value);
}

/// The position of the pitch wheel; 0x80000000 is the centre. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2PitchBend(UInt8 group, UInt8 channel, UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPitchBend, channel, 0, value);
}

/// The pitch of one note; 0x80000000 is the centre. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - value: the value, all 32 bits.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI2PerNotePitchBend(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                                   UInt32 value) {
  return MIDI2ChannelVoiceMessage(group, kMIDICVStatusPerNotePitchBend, channel,
                                  __MIDI2Index(noteNumber, 0), value);
}

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
