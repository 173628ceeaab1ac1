// SPDX-License-Identifier: Apache-2.0
// A loopback tool: one unit for both directions, whose render callback plays what it captures;
// levels and times are printed.
// Captures 250 Hz at 0.5.
// Plays 250 Hz at 0.25.
// Prints steady

#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
#include <mach/mach_time.h>

static AudioUnit unit;
static uint64_t last_host, gaps, calls;
static mach_timebase_info_data_t base;

static OSStatus render(void *refcon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                       UInt32 bus, UInt32 frames, AudioBufferList *list) {
  OSStatus status = AudioUnitRender(unit, flags, stamp, 1, frames, list);
  for (UInt32 b = 0; b < list->mNumberBuffers && status == noErr; b++) {
    float *samples = list->mBuffers[b].mData;
    for (UInt32 i = 0; i < list->mBuffers[b].mDataByteSize / sizeof *samples; i++) samples[i] /= 2;
  }
  if (last_host && stamp->mHostTime < last_host) gaps++;
  last_host = stamp->mHostTime;
  calls++;
  return status;
}

#define TRY(call) \
  do { \
    OSStatus status_ = (call); \
    if (status_ != noErr) { \
      fprintf(stderr, #call ": %d\n", (int)status_); \
      abort(); \
    } \
  } while (0)

int main(void) {
  mach_timebase_info(&base);
  AudioComponentDescription d = {'auou', 'ahal', 'appl', 0, 0};
  TRY(AudioComponentInstanceNew(AudioComponentFindNext(0, &d), &unit));
  UInt32 one = 1;
  TRY(AudioUnitSetProperty(unit, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &one,
                           sizeof one));
  AudioStreamBasicDescription f;
  UInt32 size = sizeof f;
  TRY(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1, &f, &size));
  // In float and interleaved, without much thought for flags.
  f.mFormatFlags = kAudioFormatFlagIsFloat;
  f.mBytesPerPacket = f.mBytesPerFrame = f.mChannelsPerFrame * 4;
  f.mBitsPerChannel = 32;
  f.mReserved = 42;
  TRY(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &f, size));
  TRY(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &f, size));
  AURenderCallbackStruct callback = {render, NULL};
  TRY(AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                           &callback, sizeof callback));
  UInt32 in_latency = 0, out_latency = 0;
  size = sizeof in_latency;
  TRY(AudioUnitGetProperty(unit, kAudioDevicePropertyLatency, kAudioUnitScope_Input, 1, &in_latency,
                           &size));
  TRY(AudioUnitGetProperty(unit, kAudioDevicePropertyLatency, kAudioUnitScope_Output, 0, &out_latency,
                           &size));
  TRY(AudioUnitInitialize(unit));
  TRY(AudioOutputUnitStart(unit));
  const uint64_t begin = mach_absolute_time();
  mach_wait_until(begin + 400000000ull * base.denom / base.numer);
  TRY(AudioOutputUnitStop(unit));
  double seconds = (mach_absolute_time() - begin) * 1e-9 * base.numer / base.denom;
  printf("%u + %u frames late, %.2f s: %s\n", (unsigned)in_latency, (unsigned)out_latency, seconds,
         gaps == 0 && calls > 10 ? "steady" : "torn");
  TRY(AudioUnitUninitialize(unit));
  TRY(AudioComponentInstanceDispose(unit));
  return 0;
}
