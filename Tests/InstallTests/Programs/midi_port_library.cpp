// SPDX-License-Identifier: Apache-2.0
// A library of MIDI ports in C++. One client for the process, whose run loop it pumps before it counts
// ports; names of ports from endpoint, entity and device; virtual ports; long messages in several lists.
// Prints sources 2, destinations 2
// Prints the port is "Library In", also without case
// Prints received 90 3c 64
// Prints received a message of 70000 bytes in order
// Prints ports after closing: 1 and 1

#include <AudioToolbox/AudioToolbox.h>
#include <CoreAudio/HostTime.h>
#include <CoreMIDI/CoreMIDI.h>
#include <CoreServices/CoreServices.h>
#include <mach/mach_time.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

static MIDIClientRef client() {
  static MIDIClientRef shared = 0;
  if (shared != 0) return shared;
  CFStringRef name = CFStringCreateWithCString(NULL, "Library", kCFStringEncodingASCII);
  OSStatus result = MIDIClientCreate(name, NULL, NULL, &shared);
  CFRelease(name);
  if (result != noErr) std::exit(1);
  return shared;
}

// The name of an endpoint, with that of its device in front unless it begins so.
static CFStringRef copyName(MIDIEndpointRef endpoint) {
  CFMutableStringRef result = CFStringCreateMutable(NULL, 0);
  CFStringRef text = NULL;
  MIDIObjectGetStringProperty(endpoint, kMIDIPropertyName, &text);
  if (text != NULL) {
    CFStringAppend(result, text);
    CFRelease(text);
  }
  MIDIEntityRef entity = 0;
  MIDIEndpointGetEntity(endpoint, &entity);
  if (entity == 0) return result;
  if (CFStringGetLength(result) == 0) {
    text = NULL;
    MIDIObjectGetStringProperty(entity, kMIDIPropertyName, &text);
    if (text != NULL) {
      CFStringAppend(result, text);
      CFRelease(text);
    }
  }
  MIDIDeviceRef device = 0;
  MIDIEntityGetDevice(entity, &device);
  if (device == 0) return result;
  text = NULL;
  MIDIObjectGetStringProperty(device, kMIDIPropertyName, &text);
  if (text == NULL) return result;
  if (MIDIDeviceGetNumberOfEntities(device) < 2) {
    CFRelease(result);
    return text;
  }
  if (CFStringCompareWithOptions(result, text, CFRangeMake(0, CFStringGetLength(text)), 0) !=
      kCFCompareEqualTo) {
    if (CFStringGetLength(result) > 0) CFStringInsert(result, 0, CFSTR(" "));
    CFStringInsert(result, 0, text);
  }
  CFRelease(text);
  CFStringTrim(result, CFSTR(" "));
  return result;
}

static CFStringRef copyConnectedName(MIDIEndpointRef endpoint) {
  CFDataRef connections = NULL;
  MIDIObjectGetDataProperty(endpoint, kMIDIPropertyConnectionUniqueID, &connections);
  if (connections != NULL) {
    const SInt32 *ids = reinterpret_cast<const SInt32 *>(CFDataGetBytePtr(connections));
    const CFIndex count = CFDataGetLength(connections) / static_cast<CFIndex>(sizeof(MIDIUniqueID));
    for (CFIndex index = 0; index < count; ++index) {
      MIDIUniqueID id = EndianS32_BtoN(ids[index]);
      MIDIObjectRef object = 0;
      MIDIObjectType type = kMIDIObjectType_Other;
      if (MIDIObjectFindByUniqueID(id, &object, &type) == noErr &&
          type == kMIDIObjectType_ExternalSource) {
        CFRelease(connections);
        return copyName(object);
      }
    }
    CFRelease(connections);
  }
  return copyName(endpoint);
}

static void pump() { CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, false); }

static std::string cString(CFStringRef text) {
  std::vector<char> buffer(
      static_cast<size_t>(CFStringGetMaximumSizeForEncoding(CFStringGetLength(text), kCFStringEncodingUTF8)) + 1);
  if (!CFStringGetCString(text, buffer.data(), static_cast<CFIndex>(buffer.size()), kCFStringEncodingUTF8)) {
    return std::string();
  }
  return std::string(buffer.data());
}

static std::vector<unsigned char> received;
static std::atomic<size_t> receivedCount(0);

static void input(const MIDIPacketList *list, void *processContext, void *sourceContext) {
  std::vector<unsigned char> *target = static_cast<std::vector<unsigned char> *>(processContext);
  (void)sourceContext;
  const MIDIPacket *packet = &list->packet[0];
  for (unsigned int index = 0; index < list->numPackets; ++index) {
    target->insert(target->end(), packet->data, packet->data + packet->length);
    packet = MIDIPacketNext(packet);
  }
  receivedCount += 1;
  receivedCount = target->size() + (size_t(1) << 32);
}

static bool waitForBytes(size_t count) {
  for (int round = 0; round < 5000; ++round) {
    if ((receivedCount & 0xffffffffu) >= count) return true;
    usleep(1000);
  }
  return false;
}

// Long messages go in lists of at most 65,535 bytes, whose packets have nothing but data.
static bool send(MIDIPortRef port, MIDIEndpointRef destination, MIDIEndpointRef source,
                 const std::vector<unsigned char> &message) {
  const MIDITimeStamp stamp = AudioGetCurrentHostTime();
  size_t remaining = message.size();
  ByteCount listSize = remaining + sizeof(MIDIPacketList);
  listSize = listSize > 65535 ? 65535 : listSize;
  Byte *memory = static_cast<Byte *>(std::malloc(listSize));
  MIDIPacketList *list = reinterpret_cast<MIDIPacketList *>(memory);
  MIDIPacket *packet = MIDIPacketListInit(list);
  bool isSent = true;
  while (remaining > 0 && isSent) {
    const size_t most = listSize - (sizeof(UInt32) + 10);
    const size_t now = remaining > most ? most : remaining;
    packet = MIDIPacketListInit(list);
    packet = MIDIPacketListAdd(list, listSize, packet, stamp, now,
                               &message[message.size() - remaining]);
    isSent = packet != NULL;
    if (isSent && source != 0) isSent = MIDIReceived(source, list) == noErr;
    if (isSent && destination != 0) isSent = MIDISend(port, destination, list) == noErr;
    remaining -= now;
  }
  std::free(memory);
  return isSent;
}

int main() {
  setenv("AUDIOTOOLBOX_MIDI", "none", 1);
  MIDIEndpointRef virtualIn = 0, virtualOut = 0;
  MIDIPortRef outPort = 0, inPort = 0;
  CFStringRef inName = CFStringCreateWithCString(NULL, "Library In", kCFStringEncodingASCII);
  if (MIDIDestinationCreate(client(), inName, input, &received, &virtualIn) != noErr) return 1;
  if (MIDISourceCreate(client(), CFSTR("Library Out"), &virtualOut) != noErr) return 2;
  if (MIDIOutputPortCreate(client(), CFSTR("output"), &outPort) != noErr) return 3;
  if (MIDIInputPortCreate(client(), CFSTR("input"), input, &received, &inPort) != noErr) return 4;
  pump();
  std::cout << "sources " << MIDIGetNumberOfSources() << ", destinations "
            << MIDIGetNumberOfDestinations() << std::endl;

  CFStringRef name = copyConnectedName(virtualIn);
  const bool isSame =
      CFStringCompare(name, inName, kCFCompareCaseInsensitive) == kCFCompareEqualTo &&
      CFStringCompareWithOptions(name, CFSTR("LIBRARY IN"), CFRangeMake(0, CFStringGetLength(name)),
                                 kCFCompareCaseInsensitive) == kCFCompareEqualTo;
  std::cout << "the port is \"" << cString(name) << "\"" << (isSame ? ", also without case" : "")
            << std::endl;
  CFRelease(name);
  CFRelease(inName);

  std::vector<unsigned char> note;
  note.push_back(0x90);
  note.push_back(60);
  note.push_back(100);
  if (!send(outPort, virtualIn, 0, note) || !waitForBytes(3)) return 5;
  std::printf("received %02x %02x %02x\n", received[0], received[1], received[2]);

  received.clear();
  receivedCount = 0;
  std::vector<unsigned char> dump(70000, 0);
  dump[0] = 0xf0;
  for (size_t index = 1; index < dump.size() - 1; ++index) dump[index] = index % 127;
  dump[dump.size() - 1] = 0xf7;
  if (MIDIPortConnectSource(inPort, virtualOut, NULL) != noErr) return 6;
  if (!send(outPort, 0, virtualOut, dump) || !waitForBytes(dump.size())) return 7;
  std::cout << "received a message of " << received.size() << " bytes"
            << (received == dump ? " in order" : "") << std::endl;

  MIDIPortDisconnectSource(inPort, virtualOut);
  MIDIPortDispose(inPort);
  MIDIPortDispose(outPort);
  MIDIEndpointDispose(virtualIn);
  MIDIEndpointDispose(virtualOut);
  pump();
  std::cout << "ports after closing: " << MIDIGetNumberOfSources() << " and "
            << MIDIGetNumberOfDestinations() << std::endl;
  return 0;
}
