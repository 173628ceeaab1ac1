// SPDX-License-Identifier: Apache-2.0
// The drivers of a synthesizer and of a library of MIDI streams in C. The client is named after the
// process; a virtual destination parses bytes; a thread wakes a reader by sending to its own
// destination; system exclusive requests; times by the clock of the kernel; disposes the client first.
// Prints 3 events: 144 176 128
// Prints woken by 8 bytes
// Prints sent 600 bytes of 600, complete
// Prints properties: 0, offline 0, missing -10835
// Prints closed

#include <CoreAudio/HostTime.h>
#include <CoreFoundation/CoreFoundation.h>
#include <CoreMIDI/MIDIServices.h>
#include <CoreServices/CoreServices.h>
#import <mach/clock.h>
#import <mach/mach.h>
#import <mach/mach_error.h>
#import <mach/mach_time.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  MIDIClientRef client;
  MIDIEndpointRef endpoint;
  MIDIPortRef port;
  volatile int events;
  volatile int wakes;
  volatile int exclusive;
  unsigned char statuses[8];
} driver_t;

static void read_proc(const MIDIPacketList *list, void *context, void *source) {
  driver_t *driver = (driver_t *)context;
  const MIDIPacket *packet = &list->packet[0];
  unsigned int i, j;
  (void)source;
  for (i = 0; i < list->numPackets; ++i) {
    for (j = 0; j < packet->length; ++j) {
      unsigned char byte = packet->data[j];
      if (byte == 0xFF) {
        driver->wakes++;
      } else if (byte == 0xF0 || driver->exclusive > 0) {
        if (driver->exclusive < 600) driver->exclusive++;
      } else if (byte & 0x80) {
        if (driver->events < 8) driver->statuses[driver->events] = byte;
        driver->events++;
      }
    }
    packet = MIDIPacketNext(packet);
  }
}

static void notify_proc(const MIDINotification *message, void *context) {
  (void)message;
  (void)context;
}

static volatile int completions;
static void completion(MIDISysexSendRequest *request) { completions += request->complete ? 1 : 100; }

static int wait_for(volatile int *value, int wanted) {
  int round;
  for (round = 0; round < 5000 && *value < wanted; round++) {
    if (mach_wait_until(mach_absolute_time() + 1000000) != KERN_SUCCESS) mach_error("wait", KERN_FAILURE);
  }
  return *value >= wanted;
}

static void *waker(void *context) {
  driver_t *driver = (driver_t *)context;
  static const Byte resets[8] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
  Byte memory[128];
  MIDIPacketList *list = (MIDIPacketList *)memory;
  MIDIPacket *packet = MIDIPacketListInit(list);
  packet = MIDIPacketListAdd(list, sizeof memory, packet, 0, sizeof resets, resets);
  if (packet != NULL) MIDISend(driver->port, driver->endpoint, list);
  return NULL;
}

int main(void) {
  driver_t driver;
  char identifier[32];
  CFStringRef client_name, port_name;
  Byte memory[272];
  MIDIPacketList *list = (MIDIPacketList *)memory;
  MIDIPacket *packet;
  MIDITimeStamp now;
  clock_serv_t clock;
  mach_timespec_t before, after;
  pthread_t thread;
  static Byte dump[600];
  MIDISysexSendRequest request;
  SInt32 offline = 0, missing = 0;
  int round;

  setenv("AUDIOTOOLBOX_MIDI", "none", 1);
  memset(&driver, 0, sizeof driver);
  if (host_get_clock_service(mach_host_self(), CALENDAR_CLOCK, &clock) != KERN_SUCCESS) return 1;
  clock_get_time(clock, &before);

  snprintf(identifier, sizeof identifier, " (%d)", (int)getpid());
  client_name = CFStringCreateWithFormat(NULL, NULL, CFSTR("Synth%s"), identifier);
  port_name = CFStringCreateWithFormat(NULL, NULL, CFSTR("Synth virtual port%s"), identifier);
  if (MIDIClientCreate(client_name, notify_proc, NULL, &driver.client) != noErr) return 2;
  if (MIDIDestinationCreate(driver.client, port_name, read_proc, &driver, &driver.endpoint) != noErr) {
    return 3;
  }
  if (MIDIOutputPortCreate(driver.client, CFSTR("out"), &driver.port) != noErr) return 4;
  CFRelease(client_name);
  CFRelease(port_name);
  for (round = 0; round < 100; round++) CFRunLoopRunInMode(kCFRunLoopDefaultMode, 0, true);

  now = AudioConvertNanosToHostTime(AudioConvertHostTimeToNanos(AudioGetCurrentHostTime()));
  packet = MIDIPacketListInit(list);
  packet = MIDIPacketListAdd(list, sizeof memory, packet, now, 3, (const Byte *)"\x90\x3c\x64");
  packet = MIDIPacketListAdd(list, sizeof memory, packet, now, 3, (const Byte *)"\xb0\x07\x40");
  packet = MIDIPacketListAdd(list, sizeof memory, packet, now + 5000000, 3, (const Byte *)"\x80\x3c\x40");
  if (packet == NULL || MIDISend(driver.port, driver.endpoint, list) != noErr) return 5;
  if (!wait_for(&driver.events, 3)) return 6;
  printf("%d events: %d %d %d\n", driver.events, driver.statuses[0], driver.statuses[1],
         driver.statuses[2]);

  pthread_create(&thread, NULL, waker, &driver);
  pthread_join(thread, NULL);
  if (!wait_for(&driver.wakes, 8)) return 7;
  printf("woken by %d bytes\n", driver.wakes);

  dump[0] = 0xF0;
  dump[599] = 0xF7;
  memset(&request, 0, sizeof request);
  request.destination = driver.endpoint;
  request.data = dump;
  request.bytesToSend = sizeof dump;
  request.completionProc = completion;
  request.completionRefCon = &driver;
  if (MIDISendSysex(&request) != noErr || !wait_for(&completions, 1)) return 8;
  wait_for(&driver.exclusive, 600);
  printf("sent %d bytes of 600, %s\n", driver.exclusive,
         completions == 1 && request.bytesToSend == 0 ? "complete" : "not complete");

  {
    OSStatus result = MIDIObjectGetIntegerProperty(driver.endpoint, kMIDIPropertyOffline, &offline);
    if (result == kMIDIUnknownProperty) result = noErr;
    printf("properties: %d, offline %d, missing %d\n", (int)result, (int)offline,
           (int)MIDIObjectGetIntegerProperty(driver.endpoint, CFSTR("nothing"), &missing));
  }

  MIDIFlushOutput(driver.endpoint);
  clock_get_time(clock, &after);
  mach_port_deallocate(mach_task_self(), clock);
  if (after.tv_sec < before.tv_sec) return 9;
  MIDIClientDispose(driver.client);
  MIDIPortDispose(driver.port);
  MIDIEndpointDispose(driver.endpoint);
  printf("closed\n");
  return 0;
}
