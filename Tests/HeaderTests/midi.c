// SPDX-License-Identifier: Apache-2.0

// Sizes and offsets of the types of MIDI, and values of constants and messages.

#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/AudioHardware.h>
#include <CoreMIDI/CoreMIDI.h>
#include <CoreServices/CoreServices.h>
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

// What the drivers of a synthesizer do: one for MIDI, with a name that printf would make, and one for
// sound, which finds a device by its name.
OSStatus open_port(MIDIClientRef *client, MIDIEndpointRef *endpoint, const char *given, int number);
OSStatus open_port(MIDIClientRef *client, MIDIEndpointRef *endpoint, const char *given, int number) {
  CFStringRef title = CFStringCreateWithFormat(NULL, NULL, CFSTR("Synthesizer (%d)"), number);
  CFStringRef name = given ? CFStringCreateWithCString(NULL, given, kCFStringEncodingASCII)
                           : CFStringCreateWithFormat(NULL, NULL, CFSTR("port %s"), "of it");
  OSStatus error = MIDIClientCreate(title, NULL, NULL, client);
  if (!error) error = MIDIDestinationCreate(*client, name, receive, NULL, endpoint);
  CFRelease(title);
  CFRelease(name);
  return error;
}

OSStatus choose_device(AudioUnit unit, const char *wanted);
OSStatus choose_device(AudioUnit unit, const char *wanted) {
  AudioObjectPropertyAddress address;
  AudioDeviceID devices[16];
  UInt32 size = sizeof devices, index, channels = 0;
  address.mSelector = kAudioHardwarePropertyDevices;
  address.mScope = kAudioObjectPropertyScopeWildcard;
  address.mElement = kAudioObjectPropertyElementMaster;
  if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, 0, &size, devices) != noErr)
    return kAudioHardwareUnspecifiedError;
  for (index = 0; index < size / sizeof(AudioDeviceID); index++) {
    char name[256];
    AudioBufferList streams[4];
    UInt32 length = sizeof name;
    address.mSelector = kAudioDevicePropertyDeviceName;
    if (AudioObjectGetPropertyData(devices[index], &address, 0, 0, &length, name)) continue;
    address.mSelector = kAudioDevicePropertyStreamConfiguration;
    address.mScope = kAudioDevicePropertyScopeOutput;
    length = sizeof streams;
    if (!AudioObjectGetPropertyData(devices[index], &address, 0, 0, &length, streams))
      channels = streams->mBuffers[0].mNumberChannels;
    if (channels && name[0] == wanted[0])
      return AudioUnitSetProperty(
          unit, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Global, 0, &devices[index],
          sizeof(AudioDeviceID));
  }
  return AudioUnitGetPropertyInfo(
      unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Output, 0, &size, NULL);
}

// Versions of the system and of the SDK, by which such drivers choose names.
CHECK(__MAC_OS_X_VERSION_MAX_ALLOWED >= 120000);
CHECK(MAC_OS_X_VERSION_MIN_REQUIRED >= 1060);
CHECK(kAudioObjectPropertyElementMain == kAudioObjectPropertyElementMaster);
