// SPDX-License-Identifier: Apache-2.0
// An early device lister: AudioHardwareGetProperty, names as C strings, a listener with channel and
// direction, and a run loop that must be NULL.
// Prints notified 0 volm

#include <CoreAudio/AudioHardware.h>
#include <CoreServices/CoreServices.h>

static volatile SInt32 notified;

static OSStatus listener(AudioDeviceID device, UInt32 channel, Boolean isInput,
                         AudioDevicePropertyID property, void *data) {
  UInt32 code = EndianU32_NtoB(property);
  printf("notified %d %.4s\n", (int)channel, (char *)&code);
  fflush(stdout);
  *(volatile SInt32 *)data = 1;
  return noErr;
}

int main(void) {
  CFRunLoopRef theRunLoop = NULL;
  if (AudioHardwareSetProperty(kAudioHardwarePropertyRunLoop, sizeof(CFRunLoopRef), &theRunLoop))
    return 1;
  UInt32 size;
  Boolean writable;
  if (AudioHardwareGetPropertyInfo(kAudioHardwarePropertyDevices, &size, &writable)) return 2;
  AudioDeviceID *list = (AudioDeviceID *)NewPtrClear(size);
  if (AudioHardwareGetProperty(kAudioHardwarePropertyDevices, &size, list)) return 3;
  for (UInt32 i = 0; i < size / sizeof(AudioDeviceID); i++) {
    char name[256] = "";
    UInt32 length = sizeof name;
    if (AudioDeviceGetProperty(list[i], 0, false, kAudioDevicePropertyDeviceName, &length, name))
      return 4;
    AudioStreamBasicDescription format;
    length = sizeof format;
    if (AudioDeviceGetProperty(list[i], 0, false, kAudioDevicePropertyStreamFormat, &length, &format))
      continue;
    printf("%u: %s, %u channels\n", (unsigned)list[i], name, (unsigned)format.mChannelsPerFrame);
  }
  DisposePtr((Ptr)list);
  AudioDeviceID device = kAudioDeviceUnknown;
  size = sizeof device;
  if (AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &device)) return 5;
  if (AudioDeviceAddPropertyListener(device, 0, false, kAudioDevicePropertyVolumeScalar, listener,
                                     (void *)&notified))
    return 6;
  Float32 volume = 0.5f;
  if (AudioDeviceSetProperty(device, NULL, 0, false, kAudioDevicePropertyVolumeScalar, sizeof volume,
                             &volume))
    return 7;
  for (int i = 0; i < 3000 && !notified; i++) usleep(1000);
  if (AudioDeviceRemovePropertyListener(device, 0, false, kAudioDevicePropertyVolumeScalar, listener))
    return 8;
  return notified ? 0 : 9;
}
