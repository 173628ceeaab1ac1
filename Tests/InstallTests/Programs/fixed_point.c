// SPDX-License-Identifier: Apache-2.0
// A game for early phones: its samples are 8.24 fixed point, in the canonical format of units.
// Plays 440 Hz at 0.25.

#define CA_PREFER_FIXED_POINT 1

#include <AudioToolbox/AudioToolbox.h>
#include <unistd.h>

static double phase;

static OSStatus render(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frames, AudioBufferList *data) {
  AudioUnitSampleType *out = data->mBuffers[0].mData;
  for (UInt32 i = 0; i < frames; i++) {
    out[i] = (SInt32)(0.25 * sin(phase) * (1 << kAudioUnitSampleFractionBits));
    phase += 2 * M_PI * 440 / 48000;
  }
  for (UInt32 buffer = 1; buffer < data->mNumberBuffers; buffer++)
    memcpy(data->mBuffers[buffer].mData, out, frames * sizeof(AudioUnitSampleType));
  return noErr;
}

static void check(OSStatus status) {
  if (status == noErr) return;
  fprintf(stderr, "status %d\n", (int)status);
  exit(1);
}

int main(void) {
  // 16-bit integers, and 8.24 in a buffer per channel.
  if (sizeof(AudioSampleType) != 2 || kAudioFormatFlagsCanonical != 0x0C) return 2;
  if (sizeof(AudioUnitSampleType) != 4 || kAudioFormatFlagsAudioUnitCanonical != 0xC2C) return 3;

  AUGraph graph;
  AUNode mixerNode, outputNode;
  AudioUnit mixer;
  AudioComponentDescription description = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  check(NewAUGraph(&graph));
  check(AUGraphAddNode(graph, &description, &mixerNode));
  description.componentType = kAudioUnitType_Output;
  description.componentSubType = kAudioUnitSubType_RemoteIO;
  check(AUGraphAddNode(graph, &description, &outputNode));
  check(AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0));
  check(AUGraphOpen(graph));
  check(AUGraphNodeInfo(graph, mixerNode, NULL, &mixer));

  AudioStreamBasicDescription format = {0};
  format.mSampleRate = 48000;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsAudioUnitCanonical;
  format.mBytesPerPacket = sizeof(AudioUnitSampleType);
  format.mFramesPerPacket = 1;
  format.mBytesPerFrame = sizeof(AudioUnitSampleType);
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 8 * sizeof(AudioUnitSampleType);
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                             sizeof format));
  AURenderCallbackStruct callback = {render, NULL};
  check(AUGraphSetNodeInputCallback(graph, mixerNode, 0, &callback));
  check(AUGraphInitialize(graph));
  check(AUGraphStart(graph));
  usleep(500000);
  check(AUGraphStop(graph));
  check(DisposeAUGraph(graph));
  return 0;
}
