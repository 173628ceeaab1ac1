// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI1_MESSAGES_H
#define CAUDIOTOOLBOX_MIDI1_MESSAGES_H

#include "MIDIMessageTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Messages of MIDI 1.0 as Universal MIDI Packets. Groups and channels are 0 to 15, data bytes 0 to
// 127; higher bits are ignored.

/// A channel message; `status` is a `MIDICVStatus` from 8 to 14. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - status: a `MIDICVStatus`.
///   - channel: the channel, 0 to 15.
///   - data1: the second byte, 0 to 127.
///   - data2: the third byte, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPChannelVoiceMessage(UInt8 group, UInt8 status, UInt8 channel,
                                                        UInt8 data1, UInt8 data2) {
  return (UInt32)kMIDIMessageTypeChannelVoice1 << 28 | (UInt32)(group & 15) << 24 |
         (UInt32)(status & 15) << 20 | (UInt32)(channel & 15) << 16 | (UInt32)(data1 & 127) << 8 |
         (UInt32)(data2 & 127);
}

/// The end of a note. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - velocity: 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPNoteOff(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                            UInt8 velocity) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusNoteOff, channel, noteNumber, velocity);
}

/// The beginning of a note. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - velocity: 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPNoteOn(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                           UInt8 velocity) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusNoteOn, channel, noteNumber, velocity);
}

/// The pressure of a key. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - noteNumber: the note, 0 to 127.
///   - data: the pressure or the value, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPPolyPressure(UInt8 group, UInt8 channel, UInt8 noteNumber,
                                                 UInt8 data) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusPolyPressure, channel, noteNumber, data);
}

/// The value of a controller. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - index: the controller, 0 to 127.
///   - data: the pressure or the value, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPControlChange(UInt8 group, UInt8 channel, UInt8 index,
                                                  UInt8 data) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusControlChange, channel, index, data);
}

/// The choice of a program. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - program: the program, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPProgramChange(UInt8 group, UInt8 channel, UInt8 program) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusProgramChange, channel, program, 0);
}

/// The pressure of all keys. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - data: the pressure or the value, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPChannelPressure(UInt8 group, UInt8 channel, UInt8 data) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusChannelPressure, channel, data, 0);
}

/// The position of the pitch wheel: seven bits each. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - channel: the channel, 0 to 15.
///   - lsb: the lower seven bits.
///   - msb: the upper seven bits.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPPitchBend(UInt8 group, UInt8 channel, UInt8 lsb, UInt8 msb) {
  return MIDI1UPChannelVoiceMessage(group, kMIDICVStatusPitchBend, channel, lsb, msb);
}

/// A system message; `status` is a `MIDISystemStatus`. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - status: a `MIDISystemStatus`.
///   - byte1: the first byte of data, 0 to 127.
///   - byte2: the second byte of data, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_32 MIDI1UPSystemCommon(UInt8 group, UInt8 status, UInt8 byte1,
                                                 UInt8 byte2) {
  return (UInt32)kMIDIMessageTypeSystem << 28 | (UInt32)(group & 15) << 24 | (UInt32)status << 16 |
         (UInt32)(byte1 & 127) << 8 | (UInt32)(byte2 & 127);
}

/// A part of a system exclusive message: up to six bytes, without F0 and F7; `status` is a
/// `MIDISysExStatus`. [any thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - status: a `MIDISysExStatus`.
///   - bytesUsed: how many of the bytes count, 0 to 6.
///   - byte1: the first byte, 0 to 127.
///   - byte2: the second byte, 0 to 127.
///   - byte3: the third byte, 0 to 127.
///   - byte4: the fourth byte, 0 to 127.
///   - byte5: the fifth byte, 0 to 127.
///   - byte6: the sixth byte, 0 to 127.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI1UPSysEx(UInt8 group, UInt8 status, UInt8 bytesUsed, UInt8 byte1,
                                          UInt8 byte2, UInt8 byte3, UInt8 byte4, UInt8 byte5,
                                          UInt8 byte6) {
  MIDIMessage_64 message;
  message.word0 = (UInt32)kMIDIMessageTypeSysEx << 28 | (UInt32)(group & 15) << 24 |
                  (UInt32)(status & 15) << 20 | (UInt32)(bytesUsed & 15) << 16 |
                  (UInt32)(byte1 & 127) << 8 | (UInt32)(byte2 & 127);
  message.word1 = (UInt32)(byte3 & 127) << 24 | (UInt32)(byte4 & 127) << 16 |
                  (UInt32)(byte5 & 127) << 8 | (UInt32)(byte6 & 127);
  return message;
}

/// As MIDI1UPSysEx, with the bytes from `begin` up to but not including `end`: at most six. [any
/// thread]
///
/// - Parameters:
///   - group: the group, 0 to 15.
///   - status: a `MIDISysExStatus`.
///   - begin: the first byte.
///   - end: the address after the last byte.
/// - Returns: the message.
static inline MIDIMessage_64 MIDI1UPSysExArray(UInt8 group, UInt8 status, const Byte *begin,
                                               const Byte *end) {
  Byte bytes[kMIDI1UPMaxSysexSize] = {0, 0, 0, 0, 0, 0};
  UInt8 count = 0;
  while (count < kMIDI1UPMaxSysexSize && begin + count < end) {
    bytes[count] = begin[count];
    count++;
  }
  return MIDI1UPSysEx(group, status, count, bytes[0], bytes[1], bytes[2], bytes[3], bytes[4],
                      bytes[5]);
}

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
