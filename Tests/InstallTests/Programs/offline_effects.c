// SPDX-License-Identifier: Apache-2.0
// Renders an effect without a device: a host pulls a chain with AudioUnitRender as fast as
// possible, saves the effect's state as a property list, restores it in another unit, and compares.
// Prints peak 0\.500, states are equal

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CFPropertyList.h>

static OSStatus source(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frames, AudioBufferList *data) {
  for (UInt32 i = 0; i < frames; i++) {
    Float32 value = (Float32)(0.5 * sin(2 * M_PI * 1000 * (time->mSampleTime + i) / 44100));
    for (UInt32 b = 0; b < data->mNumberBuffers; b++) ((Float32 *)data->mBuffers[b].mData)[i] = value;
  }
  return noErr;
}

static AudioUnit effect(void) {
  AudioComponentDescription desc = {kAudioUnitType_Effect, kAudioUnitSubType_HighPassFilter,
                                    kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &desc), &unit)) exit(1);
  return unit;
}

static CFDataRef state(AudioUnit unit) {
  CFPropertyListRef list = NULL;
  UInt32 size = sizeof list;
  if (AudioUnitGetProperty(unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, &size))
    exit(2);
  CFDataRef data = CFPropertyListCreateXMLData(kCFAllocatorDefault, list);
  CFRelease(list);
  return data;
}

int main(void) {
  AudioUnit first = effect(), second = effect();
  AudioUnitSetParameter(first, kHipassParam_CutoffFrequency, kAudioUnitScope_Global, 0, 30, 0);
  CFDataRef saved = state(first);
  CFStringRef reason = NULL;
  CFPropertyListRef list = CFPropertyListCreateFromXMLData(kCFAllocatorDefault, saved,
                                                           kCFPropertyListImmutable, &reason);
  if (!list || AudioUnitSetProperty(second, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0,
                                    &list, sizeof list))
    return 3;
  CFRelease(list);
  CFDataRef restored = state(second);
  AURenderCallbackStruct callback = {source, NULL};
  if (AudioUnitSetProperty(second, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                           &callback, sizeof callback)
      || AudioUnitInitialize(second))
    return 4;
  AudioTimeStamp time = {0};
  time.mFlags = kAudioTimeStampSampleTimeValid;
  AudioBufferList *buffers = malloc(offsetof(AudioBufferList, mBuffers[0]) + 2 * sizeof(AudioBuffer));
  Float32 peak = 0;
  for (int slice = 0; slice < 100; slice++, time.mSampleTime += 512) {
    buffers->mNumberBuffers = 2;
    for (int b = 0; b < 2; b++) {
      buffers->mBuffers[b].mNumberChannels = 1;
      buffers->mBuffers[b].mDataByteSize = 512 * sizeof(Float32);
      buffers->mBuffers[b].mData = NULL;
    }
    AudioUnitRenderActionFlags flags = 0;
    if (AudioUnitRender(second, &flags, &time, 0, 512, buffers)) return 5;
    for (int i = 0; i < 512 && slice > 50; i++)
      peak = fmaxf(peak, fabsf(((Float32 *)buffers->mBuffers[1].mData)[i]));
  }
  printf("peak %.3f, states are %s\n", peak, CFEqual(saved, restored) ? "equal" : "different");
  CFRelease(saved);
  CFRelease(restored);
  AudioComponentInstanceDispose(first);
  AudioComponentInstanceDispose(second);
  free(buffers);
  return 0;
}
