// SPDX-License-Identifier: Apache-2.0
// A device chooser that survives unplugging: it remembers the UID of the chosen device, listens for
// its removal and for changes of the list, and moves to the default device.
// Plays 500 Hz at 0.25.
// Prints chosen: Borrowed
// Prints moved: file:.*

#include <CoreAudio/CoreAudio.h>
#include <CoreFoundation/CoreFoundation.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

typedef struct {
  AudioDeviceID device;
  AudioDeviceIOProcID proc;
  double frame, rate;
  atomic_int cycles, must_move;
} Player;

static AudioObjectPropertyAddress global(AudioObjectPropertySelector selector) {
  AudioObjectPropertyAddress address = {selector, kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  return address;
}

static OSStatus play(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
                     const AudioTimeStamp *input_time, AudioBufferList *output,
                     const AudioTimeStamp *output_time, void *data) {
  (void)device, (void)now, (void)input, (void)input_time, (void)output_time;
  Player *player = data;
  for (UInt32 b = 0; b < output->mNumberBuffers; b++) {
    AudioBuffer *buffer = &output->mBuffers[b];
    Float32 *samples = buffer->mData;
    if (samples == NULL) continue;
    UInt32 frames = buffer->mDataByteSize / buffer->mNumberChannels / sizeof *samples;
    for (UInt32 i = 0; i < frames; i++)
      for (UInt32 c = 0; c < buffer->mNumberChannels; c++)
        samples[i * buffer->mNumberChannels + c] =
            0.25f * (Float32)sin(2 * M_PI * 500 * (player->frame + i) / player->rate);
    if (b == 0) player->frame += frames;
  }
  player->cycles++;
  return 0;
}

static OSStatus devices_changed(AudioObjectID object, UInt32 count,
                                const AudioObjectPropertyAddress *addresses, void *data) {
  (void)object, (void)count, (void)addresses;
  Player *player = data;
  AudioObjectPropertyAddress alive = global(kAudioDevicePropertyDeviceIsAlive);
  UInt32 is_alive = 0, size = sizeof is_alive;
  OSStatus err = AudioObjectGetPropertyData(player->device, &alive, 0, NULL, &size, &is_alive);
  if (err || !is_alive) player->must_move = 1;
  return 0;
}

static void print_name(const char *word, AudioDeviceID device, AudioObjectPropertySelector selector) {
  AudioObjectPropertyAddress address = global(selector);
  CFStringRef string = NULL;
  UInt32 size = sizeof string;
  char text[512] = "?";
  if (!AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &string) && string) {
    CFStringGetCString(string, text, sizeof text, kCFStringEncodingUTF8);
    CFRelease(string);
  }
  printf("%s: %s\n", word, text);
}

static int start(Player *player, AudioDeviceID device) {
  AudioObjectPropertyAddress address = global(kAudioDevicePropertyNominalSampleRate);
  UInt32 size = sizeof player->rate;
  player->device = device;
  player->cycles = 0;
  if (AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &player->rate)) return 0;
  if (AudioDeviceCreateIOProcID(device, play, player, &player->proc)) return 0;
  return AudioDeviceStart(device, player->proc) == noErr;
}

/// A device that can be removed again: an aggregate of one that always exists.
static AudioDeviceID plug_in(void) {
  CFStringRef part_key = CFSTR(kAudioSubDeviceUIDKey), part_uid = CFSTR("null");
  CFDictionaryRef part = CFDictionaryCreate(NULL, (const void **)&part_key, (const void **)&part_uid, 1,
                                            &kCFTypeDictionaryKeyCallBacks,
                                            &kCFTypeDictionaryValueCallBacks);
  CFArrayRef parts = CFArrayCreate(NULL, (const void **)&part, 1, &kCFTypeArrayCallBacks);
  int one = 1;
  CFNumberRef yes = CFNumberCreate(NULL, kCFNumberIntType, &one);
  const void *keys[] = {CFSTR(kAudioAggregateDeviceUIDKey), CFSTR(kAudioAggregateDeviceNameKey),
                        CFSTR(kAudioAggregateDeviceSubDeviceListKey),
                        CFSTR(kAudioAggregateDeviceIsPrivateKey)};
  const void *values[] = {CFSTR("com.example.borrowed"), CFSTR("Borrowed"), parts, yes};
  CFDictionaryRef description = CFDictionaryCreate(
      NULL, keys, values, 4, &kCFTypeDictionaryKeyCallBacks, &kCFTypeDictionaryValueCallBacks);
  AudioDeviceID device = kAudioObjectUnknown;
  AudioHardwareCreateAggregateDevice(description, &device);
  CFRelease(description), CFRelease(yes), CFRelease(parts), CFRelease(part);
  return device;
}

static AudioDeviceID find(CFStringRef uid) {
  AudioObjectPropertyAddress address = global(kAudioHardwarePropertyTranslateUIDToDevice);
  AudioDeviceID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, sizeof uid, &uid, &size, &device);
  return device;
}

static int wait_for(atomic_int *value, int least) {
  for (int i = 0; i < 3000 && *value < least; i++) usleep(10000);
  return *value >= least;
}

int main(void) {
  static Player player;
  AudioDeviceID borrowed = plug_in();
  CFStringRef remembered = CFSTR("com.example.borrowed");
  if (borrowed == kAudioObjectUnknown || find(remembered) != borrowed) return 1;
  print_name("chosen", borrowed, kAudioObjectPropertyName);

  AudioObjectPropertyAddress list = global(kAudioHardwarePropertyDevices);
  AudioObjectPropertyAddress alive = global(kAudioDevicePropertyDeviceIsAlive);
  if (AudioObjectAddPropertyListener(kAudioObjectSystemObject, &list, devices_changed, &player)) return 2;
  if (AudioObjectAddPropertyListener(borrowed, &alive, devices_changed, &player)) return 3;
  if (!start(&player, borrowed) || !wait_for(&player.cycles, 10)) return 4;

  // The device is unplugged.
  if (AudioHardwareDestroyAggregateDevice(borrowed)) return 5;
  if (!wait_for(&player.must_move, 1)) return 6;
  AudioDeviceStop(borrowed, player.proc);
  AudioDeviceDestroyIOProcID(borrowed, player.proc);
  AudioObjectRemovePropertyListener(borrowed, &alive, devices_changed, &player);
  if (find(remembered) != kAudioObjectUnknown) return 7;

  AudioObjectPropertyAddress standard = global(kAudioHardwarePropertyDefaultOutputDevice);
  AudioDeviceID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &standard, 0, NULL, &size, &device)) return 8;
  if (!start(&player, device) || !wait_for(&player.cycles, 60)) return 9;
  print_name("moved", device, kAudioDevicePropertyDeviceUID);
  AudioDeviceStop(device, player.proc);
  AudioDeviceDestroyIOProcID(device, player.proc);
  return AudioObjectRemovePropertyListener(kAudioObjectSystemObject, &list, devices_changed, &player);
}
