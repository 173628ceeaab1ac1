// SPDX-License-Identifier: Apache-2.0
// A duplex effect as an IOProc of the device, without a unit: rate and cycle are set, with
// listeners that report the change, and the input is played at half its level.
// Captures 250 Hz at 0.5.
// Plays 250 Hz at 0.25.
// Prints 256 frames at 48000 Hz, 2 in, 2 out, in order
// Prints .*'fsiz': 256

#include <CoreAudio/CoreAudio.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#define TRY(call) \
  do { \
    OSStatus err = (call); \
    if (err) { \
      fprintf(stderr, "%s: %d\n", #call, (int)err); \
      return 1; \
    } \
  } while (0)

static atomic_int reported, cycles, disorder;
static double last_time = -1;

static OSStatus changed(AudioObjectID object, UInt32 count, const AudioObjectPropertyAddress *addresses,
                        void *data) {
  (void)object, (void)data;
  for (UInt32 i = 0; i < count; i++)
    if (addresses[i].mSelector == kAudioDevicePropertyBufferFrameSize) reported++;
  return kAudioHardwareNoError;
}

static OSStatus io(AudioObjectID device, const AudioTimeStamp *now, const AudioBufferList *input,
                   const AudioTimeStamp *input_time, AudioBufferList *output,
                   const AudioTimeStamp *output_time, void *gain) {
  (void)device, (void)now, (void)input_time;
  if (output_time->mSampleTime <= last_time) disorder++;
  last_time = output_time->mSampleTime;
  for (UInt32 b = 0; b < output->mNumberBuffers && b < input->mNumberBuffers; b++) {
    const Float32 *from = input->mBuffers[b].mData;
    Float32 *to = output->mBuffers[b].mData;
    UInt32 count = output->mBuffers[b].mDataByteSize / sizeof *to;
    for (UInt32 i = 0; i < count; i++) to[i] = from[i] * *(Float32 *)gain;
  }
  cycles++;
  return kAudioHardwareNoError;
}

static unsigned channels(AudioDeviceID device, AudioObjectPropertyScope scope) {
  AudioObjectPropertyAddress address = {kAudioDevicePropertyStreamConfiguration, scope,
                                        kAudioObjectPropertyElementMain};
  UInt32 size = 0;
  if (AudioObjectGetPropertyDataSize(device, &address, 0, NULL, &size)) return 0;
  AudioBufferList *list = malloc(size);
  unsigned count = 0;
  if (!AudioObjectGetPropertyData(device, &address, 0, NULL, &size, list))
    for (UInt32 i = 0; i < list->mNumberBuffers; i++) count += list->mBuffers[i].mNumberChannels;
  free(list);
  return count;
}

int main(void) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultOutputDevice,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  AudioDeviceID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  TRY(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device));

  address.mSelector = kAudioDevicePropertyNominalSampleRate;
  Float64 rate = 48000;
  TRY(AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof rate, &rate));
  size = sizeof rate;
  TRY(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &rate));

  address.mSelector = kAudioDevicePropertyBufferFrameSize;
  TRY(AudioObjectAddPropertyListener(device, &address, changed, NULL));
  UInt32 frames = 256;
  TRY(AudioObjectSetPropertyData(device, &address, 0, NULL, sizeof frames, &frames));
  for (int i = 0; i < 3000 && reported == 0; i++) usleep(10000);
  size = sizeof frames;
  TRY(AudioObjectGetPropertyData(device, &address, 0, NULL, &size, &frames));
  TRY(AudioObjectRemovePropertyListener(device, &address, changed, NULL));

  Float32 gain = 0.5f;
  AudioDeviceIOProcID proc = NULL;
  TRY(AudioDeviceCreateIOProcID(device, io, &gain, &proc));
  TRY(AudioDeviceStart(device, proc));
  for (int i = 0; i < 3000 && cycles < 150; i++) usleep(10000);
  TRY(AudioDeviceStop(device, proc));
  TRY(AudioDeviceDestroyIOProcID(device, proc));
  AudioObjectShow(device);
  printf("%u frames at %.0f Hz, %u in, %u out, %s\n", (unsigned)frames, rate,
         channels(device, kAudioObjectPropertyScopeInput),
         channels(device, kAudioObjectPropertyScopeOutput), disorder ? "out of order" : "in order");
  return reported > 0 && cycles >= 150 ? 0 : 2;
}
