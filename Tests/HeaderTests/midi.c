// SPDX-License-Identifier: Apache-2.0

// Sizes and offsets of the types of MIDI, and values of constants and messages.

#include <CoreMIDI/CoreMIDI.h>
#include <stddef.h>

#include "check.h"

#define SIZE(type, bytes) CHECK(sizeof(type) == (bytes))
#define AT(type, field, bytes) CHECK(offsetof(type, field) == (bytes))

SIZE(MIDIPacket, 268);
AT(MIDIPacket, length, 8);
AT(MIDIPacket, data, 10);
SIZE(MIDIPacketList, 272);
AT(MIDIPacketList, packet, 4);
SIZE(MIDIEventPacket, 268);
AT(MIDIEventPacket, wordCount, 8);
AT(MIDIEventPacket, words, 12);
SIZE(MIDIEventList, 276);
AT(MIDIEventList, numPackets, 4);
AT(MIDIEventList, packet, 8);
SIZE(MIDISysexSendRequest, 40);
AT(MIDISysexSendRequest, data, 8);
AT(MIDISysexSendRequest, bytesToSend, 16);
AT(MIDISysexSendRequest, complete, 20);
AT(MIDISysexSendRequest, completionProc, 24);
AT(MIDISysexSendRequest, completionRefCon, 32);
SIZE(MIDISysexSendRequestUMP, 40);
AT(MIDISysexSendRequestUMP, wordsToSend, 16);
AT(MIDISysexSendRequestUMP, completionProc, 24);
SIZE(MIDINotification, 8);
SIZE(MIDIObjectAddRemoveNotification, 24);
AT(MIDIObjectAddRemoveNotification, parent, 8);
AT(MIDIObjectAddRemoveNotification, childType, 20);
SIZE(MIDIObjectPropertyChangeNotification, 24);
AT(MIDIObjectPropertyChangeNotification, propertyName, 16);
SIZE(MIDIIOErrorNotification, 16);
SIZE(MIDIThruConnectionParams, 204);
AT(MIDIThruConnectionParams, sources, 8);
AT(MIDIThruConnectionParams, numDestinations, 72);
AT(MIDIThruConnectionParams, channelMap, 140);
AT(MIDIThruConnectionParams, lowVelocity, 156);
AT(MIDIThruConnectionParams, noteNumber, 160);
AT(MIDIThruConnectionParams, pitchBend, 180);
AT(MIDIThruConnectionParams, filterOutSysEx, 184);
AT(MIDIThruConnectionParams, filterOutAllControls, 191);
AT(MIDIThruConnectionParams, numControlTransforms, 192);
AT(MIDIThruConnectionParams, numMaps, 194);
SIZE(MIDIControlTransform, 8);
AT(MIDIControlTransform, transform, 4);
SIZE(MIDIValueMap, 128);

CHECK_VALUE(kMIDIInvalidClient, -10830);
CHECK_VALUE(kMIDIUnknownError, -10845);
CHECK_VALUE(kMIDIObjectType_ExternalDestination, 0x13);
CHECK_VALUE(kMIDIMsgIOError, 7);
CHECK_VALUE(kMIDIMsgInternalStart, 0x1000);
CHECK_VALUE(kMIDITransform_MapValue, 12);
CHECK_VALUE(kMIDIControlType_14BitNRPN, 5);
CHECK_VALUE(kMIDIMessageTypeStream, 15);

// What a player that sends from a thread of its own does, with all that it asks of the headers.
typedef struct Player {
  MIDIClientRef client;
  MIDIPortRef port;
  MIDIEndpointRef endpoint;
  MIDISysexSendRequest request;
} Player;

static void receive(const MIDIPacketList *list, void *context, void *source) {
  UInt32 count = 0;
  const MIDIPacket *packet = &list->packet[0];
  for (; count < list->numPackets; count++) packet = MIDIPacketNext(packet);
  if (context && !source) ((Player *)context)->request.complete = packet->length > 0;
}

static void change(const MIDINotification *message, void *context) {
  if (message->messageID == kMIDIMsgObjectRemoved)
    ((Player *)context)->endpoint = ((const MIDIObjectAddRemoveNotification *)message)->child;
}

static CFStringRef copy_name(MIDIEndpointRef endpoint) {
  MIDIEntityRef entity = 0;
  CFStringRef name = NULL, device = NULL;
  CFMutableStringRef result = CFStringCreateMutable(NULL, 0);
  MIDIObjectGetStringProperty(endpoint, kMIDIPropertyName, &name);
  if (name) {
    CFStringAppend(result, name);
    CFRelease(name);
  }
  MIDIEndpointGetEntity(endpoint, &entity);
  if (entity && !MIDIObjectGetStringProperty(entity, kMIDIPropertyName, &device) && device) {
    const CFRange all = CFRangeMake(0, CFStringGetLength(device));
    if (CFStringCompareWithOptions(result, device, all, 0) != kCFCompareEqualTo) {
      CFStringInsert(result, 0, CFSTR(" "));
      CFStringInsert(result, 0, device);
    }
    CFRelease(device);
  }
  CFStringTrim(result, CFSTR(" "));
  return result;
}

OSStatus play(Player *player);
OSStatus play(Player *player) {
  Byte buffer[512];
  const Byte note[3] = {0x90, 60, 100};
  MIDIPacketList *list = (MIDIPacketList *)(void *)buffer;
  MIDIPacket *packet = MIDIPacketListInit(list);
  CFStringRef name = CFSTR("player"), found;
  ItemCount index;
  OSStatus error = MIDIClientCreate(name, change, player, &player->client);
  if (error) return error;
  error = MIDIInputPortCreate(player->client, name, receive, player, &player->port);
  for (index = 0; index < MIDIGetNumberOfSources(); index++) {
    found = copy_name(MIDIGetSource(index));
    MIDIPortConnectSource(player->port, MIDIGetSource(index), NULL);
    CFRelease(found);
  }
  packet = MIDIPacketListAdd(list, sizeof buffer, packet, 0, sizeof note, note);
  if (!packet) return kMIDIMessageSendErr;
  error = MIDIDestinationCreate(player->client, name, receive, player, &player->endpoint);
  if (!error) error = MIDISend(player->port, player->endpoint, list);
  CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, 0);
  return MIDIClientDispose(player->client);
}
