// SPDX-License-Identifier: Apache-2.0
// Stereo on two of four loudspeakers: the layout of the device is read, and a channel map is set on
// the global scope, as many programs do.
// Has 4 channels.
// Plays 300 Hz at 0.5 on channel 3.
// Plays 600 Hz at 0.25 on channel 4.

#include <AudioToolbox/AudioToolbox.h>

static OSStatus stereo(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                       UInt32 bus, UInt32 frames, AudioBufferList *list) {
  static unsigned n;
  Float32 *out = (Float32 *)list->mBuffers[0].mData;
  for (UInt32 i = 0; i < frames; i++, n++) {
    *out++ = .5f * sinf(2 * M_PI * 300 * (n % 48000) / 48000);
    *out++ = .25f * sinf(2 * M_PI * 600 * (n % 48000) / 48000);
  }
  return noErr;
}

int main(void) {
  AudioComponentDescription d = {kAudioUnitType_Output, kAudioUnitSubType_HALOutput,
                                 kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit;
  if (AudioComponentInstanceNew(AudioComponentFindNext(NULL, &d), &unit)) return 1;
  UInt32 size = 0;
  Boolean writable;
  if (AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, 0,
                               &size, &writable))
    return 2;
  AudioChannelLayout *layout = (AudioChannelLayout *)malloc(size);
  if (AudioUnitGetProperty(unit, kAudioUnitProperty_AudioChannelLayout, kAudioUnitScope_Output, 0,
                           layout, &size))
    return 3;
  if (layout->mChannelLayoutTag != kAudioChannelLayoutTag_UseChannelDescriptions
      || layout->mNumberChannelDescriptions != 4)
    return 4;
  free(layout);
  size = 0;
  if (AudioUnitGetPropertyInfo(unit, kAudioDevicePropertyPreferredChannelLayout,
                               kAudioUnitScope_Output, 0, &size, NULL)
      || size == 0)
    return 5;
  AudioStreamBasicDescription format = {48000, kAudioFormatLinearPCM,
                                        kAudioFormatFlagsNativeFloatPacked, 8, 1, 8, 2, 32, 0};
  SInt32 map[4] = {-1, -1, 0, 1};
  AURenderCallbackStruct callback = {stereo, NULL};
  if (AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                           sizeof format)
      || AudioUnitSetProperty(unit, kAudioOutputUnitProperty_ChannelMap, kAudioUnitScope_Global, 0,
                              map, sizeof map)
      || AudioUnitSetProperty(unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0,
                              &callback, sizeof callback)
      || AudioUnitInitialize(unit) || AudioOutputUnitStart(unit))
    return 6;
  usleep(300000);
  AudioOutputUnitStop(unit);
  AudioUnitUninitialize(unit);
  return AudioComponentInstanceDispose(unit);
}
