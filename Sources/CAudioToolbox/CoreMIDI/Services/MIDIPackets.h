// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_PACKETS_H
#define CAUDIOTOOLBOX_MIDI_PACKETS_H

#include "MIDITypes.h"

// Lists of messages with their times: bytes of MIDI 1.0, or Universal MIDI Packets.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

#pragma pack(push, 4)

// MARK: Packets of bytes

/// Messages of MIDI 1.0 as bytes, which belong to one instant.
///
/// A packet contains whole messages, without running status. A system exclusive message is alone in
/// its packets; it may continue over several of them.
typedef struct MIDIPacket {
  /// When it is due, in host time; 0: at once.
  MIDITimeStamp timeStamp;
  /// The number of bytes; may exceed 256 in larger memory.
  UInt16 length;
  /// The first of `length` bytes.
  Byte data[256];
} MIDIPacket;

/// Packets in the order of their times, one behind the other: `MIDIPacketNext` finds them.
typedef struct MIDIPacketList {
  /// The number of packets.
  UInt32 numPackets;
  /// The first packet.
  MIDIPacket packet[1];
} MIDIPacketList;

// MARK: Packets of words

/// Universal MIDI Packets which belong to one instant: whole messages of one to four words.
typedef struct MIDIEventPacket {
  /// When it is due, in host time; 0: at once.
  MIDITimeStamp timeStamp;
  /// The number of words, at most 64.
  UInt32 wordCount;
  /// The first of `wordCount` words.
  UInt32 words[64];
} MIDIEventPacket;

/// Event packets in the order of their times, one behind the other: `MIDIEventPacketNext` finds
/// them.
typedef struct MIDIEventList {
  /// The protocol of the messages.
  MIDIProtocolID protocol;
  /// The number of packets.
  UInt32 numPackets;
  /// The first packet.
  MIDIEventPacket packet[1];
} MIDIEventList;

#pragma pack(pop)

// MARK: System exclusive requests

/// Bytes that `MIDISendSysex` sends; they and the request must remain until it is complete.
typedef struct MIDISysexSendRequest {
  /// Where the bytes go.
  MIDIEndpointRef destination;
  /// The next byte to send; the library advances it.
  const Byte *data;
  /// The number of bytes that are left.
  UInt32 bytesToSend;
  /// Set by the library at the end, or by the program to cancel the request.
  Boolean complete;
  /// Always 0.
  Byte reserved[3];
  /// Called at the end, on a thread of the library. [control thread]
  void (*_Nullable completionProc)(struct MIDISysexSendRequest *request);
  /// For the use of that function.
  void *_Nullable completionRefCon;
} MIDISysexSendRequest;

/// Called when a request is complete. [control thread]
typedef void (*MIDICompletionProc)(MIDISysexSendRequest *request);

/// Words that `MIDISendUMPSysex` sends; they and the request must remain until it is complete.
typedef struct MIDISysexSendRequestUMP {
  /// Where the words go.
  MIDIEndpointRef destination;
  /// The next word to send; the library advances it.
  UInt32 *words;
  /// The number of words that are left.
  UInt32 wordsToSend;
  /// Set by the library at the end, or by the program to cancel the request.
  Boolean complete;
  /// Called at the end, on a thread of the library. [control thread]
  void (*_Nullable completionProc)(struct MIDISysexSendRequestUMP *request);
  /// For the use of that function.
  void *_Nullable completionRefCon;
} MIDISysexSendRequestUMP;

/// Called when a request is complete. [control thread]
typedef void (*MIDICompletionProcUMP)(MIDISysexSendRequestUMP *request);

// MARK: Receivers

/// Called with packets that arrived, on the delivery thread, and with what was passed when the port
/// or the virtual destination was created, and when the source was connected. The list is valid
/// until it returns.
typedef void (*MIDIReadProc)(const MIDIPacketList *pktlist, void *_Nullable readProcRefCon,
                             void *_Nullable srcConnRefCon);

#if defined(__BLOCKS__) && !defined(__swift__)
/// As MIDIReadProc.
typedef void (^MIDIReadBlock)(const MIDIPacketList *pktlist, void *_Nullable srcConnRefCon);

/// As MIDIReadProc, with events.
typedef void (^MIDIReceiveBlock)(const MIDIEventList *evtlist, void *_Nullable srcConnRefCon);
#endif

// MARK: Walks through lists

/// The packet after a packet of a list. [any thread]
///
/// Every packet begins at a multiple of four bytes.
///
/// - Parameter pkt: a packet of the list that is not the last one.
/// - Returns: the next one.
static inline MIDIPacket *MIDIPacketNext(const MIDIPacket *pkt) {
  const unsigned long end = (unsigned long)&pkt->data[0] + pkt->length;
  return (MIDIPacket *)((end + 3) & ~3ul);
}

/// The packet after an event packet of a list. [any thread]
///
/// - Parameter pkt: a packet of the list that is not the last one.
/// - Returns: the next one.
static inline MIDIEventPacket *MIDIEventPacketNext(const MIDIEventPacket *pkt) {
  return (MIDIEventPacket *)((unsigned long)&pkt->words[0] +
                             pkt->wordCount * (unsigned long)sizeof(UInt32));
}

// MARK: Making lists

/// Prepares memory for a packet list, which has no packets yet. [any thread]
///
/// - Parameter pktlist: the memory.
/// - Returns: where the first packet goes.
MIDIPacket *MIDIPacketListInit(MIDIPacketList *pktlist);

/// Appends bytes to a list: to its last packet if the time is the same, else as a new packet. A
/// system exclusive message always begins a new packet. [any thread]
///
/// - Parameters:
///   - pktlist: the list.
///   - listSize: the size of the memory of the list, in bytes.
///   - curPacket: what the previous call returned.
///   - time: the host time; 0 is now.
///   - nData: the number of bytes.
///   - data: the bytes.
/// - Returns: the last packet; null if there is no room.
MIDIPacket *_Nullable MIDIPacketListAdd(MIDIPacketList *pktlist, ByteCount listSize,
                                        MIDIPacket *curPacket, MIDITimeStamp time,
                                        ByteCount nData, const Byte *data);

/// Prepares memory for an event list, which has no packets yet. [any thread]
///
/// - Parameters:
///   - evtlist: the memory.
///   - protocol: `kMIDIProtocol_1_0` or `kMIDIProtocol_2_0`.
/// - Returns: where the first packet goes.
MIDIEventPacket *MIDIEventListInit(MIDIEventList *evtlist, MIDIProtocolID protocol);

/// Appends words to a list: to its last packet if the time is the same and it has room, else as a
/// new packet. [any thread]
///
/// - Parameters:
///   - evtlist: the list.
///   - listSize: the size of the memory of the list, in bytes.
///   - curPacket: what the previous call returned.
///   - time: the host time; 0 is now.
///   - wordCount: at most 64.
///   - words: the words.
/// - Returns: the last packet; null if there is no room.
MIDIEventPacket *_Nullable MIDIEventListAdd(MIDIEventList *evtlist, ByteCount listSize,
                                            MIDIEventPacket *curPacket, MIDITimeStamp time,
                                            ByteCount wordCount, const UInt32 *words);

#ifndef __swift__
/// Collects the bytes of the system exclusive messages of one group in a packet, without their
/// first and last bytes F0 and F7. [any thread]
///
/// - Parameters:
///   - pkt: the packet.
///   - groupIndex: the group, 0 to 15.
///   - outData: an object that the caller releases.
/// - Returns: noErr; kMIDIUnknownError if the packet has no such message of the group;
///   `kAudio_ParamError` if a pointer is null.
OSStatus MIDIEventPacketSysexBytesForGroup(const MIDIEventPacket *pkt, UInt8 groupIndex,
                                           CFDataRef _Nullable *_Nonnull outData);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
