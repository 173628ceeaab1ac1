// SPDX-License-Identifier: Apache-2.0
// An old player that sets the volume in both ways: by the parameter of its unit, and by the
// device's volume through the unit. It also reads the device's name from the unit.
// Plays 440 Hz at 0.125.
// Prints plays on [^(]

#include <AudioUnit/AudioUnit.h>
#include <CoreAudio/CoreAudio.h>
#include <CoreServices/CoreServices.h>

typedef struct {
  AudioUnit unit;
  SInt16 *table;
  UInt32 place;
} Player;

static OSStatus fill(void *data, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                     UInt32 bus, UInt32 frames, AudioBufferList *list) {
  Player *player = data;
  SInt16 *out = list->mBuffers[0].mData;
  while (frames--) *out++ = player->table[player->place++ % 4800];
  return noErr;
}

int main(void) {
  Player *player = calloc(1, sizeof *player);
  ComponentDescription what = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                               kAudioUnitManufacturer_Apple, 0, 0};
  if (OpenAComponent(FindNextComponent(NULL, &what), &player->unit) != noErr) return 1;
  player->table = malloc(4800 * sizeof(SInt16));
  for (int i = 0; i < 4800; i++) player->table[i] = (SInt16)(16384 * sin(2 * M_PI * 440 * i / 48000.));
  AudioStreamBasicDescription form;
  form.mSampleRate = 48000;
  form.mFormatID = kAudioFormatLinearPCM;
  form.mFormatFlags = kAudioFormatFlagIsSignedInteger | kAudioFormatFlagsNativeEndian;
  form.mBytesPerPacket = form.mBytesPerFrame = 2;
  form.mFramesPerPacket = form.mChannelsPerFrame = 1;
  form.mBitsPerChannel = 16;
  AURenderCallbackStruct callback = {fill, player};
  if (AudioUnitSetProperty(player->unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                           &form, sizeof form - sizeof form.mReserved)
      || AudioUnitSetProperty(player->unit, kAudioUnitProperty_SetRenderCallback,
                              kAudioUnitScope_Input, 0, &callback, sizeof callback)
      || AudioUnitInitialize(player->unit))
    return 2;
  if (AudioUnitSetParameter(player->unit, kHALOutputParam_Volume, kAudioUnitScope_Global, 0, .5f, 0))
    return 3;
  Float32 volume = .5f;
  UInt32 muted = 0;
  if (AudioUnitSetProperty(player->unit, kAudioDevicePropertyVolumeScalar, kAudioUnitScope_Output, 0,
                           &volume, sizeof volume)
      || AudioUnitSetProperty(player->unit, kAudioDevicePropertyMute, kAudioUnitScope_Global, 0,
                              &muted, sizeof muted))
    return 4;
  CFStringRef name = NULL;
  UInt32 size = sizeof name;
  if (AudioUnitGetProperty(player->unit, kAudioDevicePropertyDeviceNameCFString,
                           kAudioUnitScope_Global, 0, &name, &size))
    return 5;
  printf("plays on %s\n", CFStringGetCStringPtr(name, CFStringGetSystemEncoding()));
  CFRelease(name);
  if (AudioOutputUnitStart(player->unit)) return 6;
  usleep(300000);
  UInt32 running = 0;
  size = sizeof running;
  AudioUnitGetProperty(player->unit, kAudioDevicePropertyDeviceIsRunning, kAudioUnitScope_Global, 0,
                       &running, &size);
  if (!running) return 7;
  AudioOutputUnitStop(player->unit);
  CloseComponent(player->unit);
  return 0;
}
