// SPDX-License-Identifier: Apache-2.0
// A recorder: capture only, into the program's buffers, with a count of the captured frames.
// Captures 500 Hz at 0.25.
// Prints 500 Hz, peak 0.25

#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
#include <libkern/OSAtomic.h>

static AudioUnit auHAL;
static AudioBufferList *buffers;
static SInt16 *recording;
static volatile int32_t recorded;

static OSStatus capture(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                        const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                        UInt32 inNumberFrames, AudioBufferList *ioData) {
  buffers->mBuffers[0].mData = recording + recorded;
  buffers->mBuffers[0].mDataByteSize = inNumberFrames * sizeof *recording;
  OSStatus err = AudioUnitRender(auHAL, ioActionFlags, inTimeStamp, 1, inNumberFrames, buffers);
  if (!err && recorded < 40000) OSAtomicAdd32Barrier((int32_t)inNumberFrames, &recorded);
  return err;
}

int main(void) {
  AudioComponentDescription desc = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                    kAudioUnitManufacturer_Apple, 0, 0};
  if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &desc), &auHAL)) return 1;
  // Initialised first and changed afterwards, as in code that has grown over the years.
  if (AudioUnitInitialize(auHAL)) return 2;
  UInt32 on = 1, off = 0;
  if (AudioUnitSetProperty(auHAL, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on,
                           sizeof on)
      || AudioUnitSetProperty(auHAL, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Output, 0,
                              &off, sizeof off))
    return 3;
  AudioDeviceID device;
  UInt32 size = sizeof device;
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultInputDevice,
                                        kAudioObjectPropertyScopeGlobal, 0};
  if (AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device)
      || AudioUnitSetProperty(auHAL, kAudioOutputUnitProperty_CurrentDevice, kAudioUnitScope_Output,
                              1, &device, sizeof device))
    return 4;
  AudioStreamBasicDescription deviceFormat, mono = {0};
  size = sizeof deviceFormat;
  if (AudioUnitGetProperty(auHAL, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1,
                           &deviceFormat, &size))
    return 5;
  mono.mSampleRate = deviceFormat.mSampleRate;
  mono.mFormatID = kAudioFormatLinearPCM;
  mono.mFormatFlags = kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsSignedInteger
                      | kAudioFormatFlagIsPacked;
  mono.mBytesPerPacket = mono.mBytesPerFrame = 2;
  mono.mFramesPerPacket = mono.mChannelsPerFrame = 1;
  mono.mBitsPerChannel = 16;
  UInt32 frames = 0;
  size = sizeof frames;
  AURenderCallbackStruct callback = {capture, NULL};
  if (AudioUnitSetProperty(auHAL, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1, &mono,
                           sizeof mono)
      || AudioUnitSetProperty(auHAL, kAudioUnitProperty_ShouldAllocateBuffer,
                              kAudioUnitScope_Output, 1, &off, sizeof off)
      || AudioUnitGetProperty(auHAL, kAudioDevicePropertyBufferFrameSize, kAudioUnitScope_Global, 1,
                              &frames, &size)
      || AudioUnitSetProperty(auHAL, kAudioOutputUnitProperty_SetInputCallback,
                              kAudioUnitScope_Global, 0, &callback, sizeof callback))
    return 6;
  buffers = calloc(1, sizeof *buffers);
  buffers->mNumberBuffers = 1;
  buffers->mBuffers[0].mNumberChannels = 1;
  recording = calloc(40000 + 16 * frames, sizeof *recording);
  if (AudioOutputUnitStart(auHAL)) return 7;
  while (recorded < 24000) usleep(10000);
  AudioOutputUnitStop(auHAL);
  int rises = 0, first = 0, last = 0, peak = 0;
  for (int i = 1; i < recorded; i++) {
    if (recording[i - 1] < 0 && recording[i] >= 0) {
      if (rises++ == 0) first = i;
      last = i;
    }
    peak = abs(recording[i]) > peak ? abs(recording[i]) : peak;
  }
  printf("%.0f Hz, peak %.2f\n", (rises - 1) * mono.mSampleRate / (last - first), peak / 32768.);
  return AudioComponentInstanceDispose(auHAL);
}
