// SPDX-License-Identifier: Apache-2.0
// The input is played through a mixer: pass_through_mixer [PAN] [VOLUME] [SECONDS]
//
//   cc pass_through_mixer.c $(pkg-config --cflags --libs audiotoolbox) -o pass_through_mixer

#include <AudioToolbox/AudioToolbox.h>

static void check(OSStatus status, const char *step) {
  if (status == noErr) return;
  fprintf(stderr, "pass_through_mixer: %s: error %d\n", step, (int)status);
  exit(1);
}

static AUNode addNode(AUGraph graph, OSType type, OSType subType) {
  const AudioComponentDescription wanted = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  check(AUGraphAddNode(graph, &wanted, &node), "adding a node");
  return node;
}

static AudioUnit unitOf(AUGraph graph, AUNode node) {
  AudioUnit unit = NULL;
  check(AUGraphNodeInfo(graph, node, NULL, &unit), "asking for a unit");
  return unit;
}

static double number(int count, char **words, int index, double standard) {
  return index < count ? atof(words[index]) : standard;
}

int main(int count, char **words) {
  AUGraph graph = NULL;
  check(NewAUGraph(&graph), "making the graph");
  const AUNode ioNode = addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  const AUNode mixerNode =
      addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  check(AUGraphOpen(graph), "opening the graph");
  AudioUnit io = unitOf(graph, ioNode);
  AudioUnit mixer = unitOf(graph, mixerNode);

  // Input is off until it is asked for.
  const UInt32 on = 1;
  check(AudioUnitSetProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on,
                             sizeof on),
        "enabling input");

  // The rate of the hardware, so that nothing has to be converted.
  AudioStreamBasicDescription format;
  UInt32 size = sizeof format;
  check(AudioUnitGetProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 1,
                             &format, &size),
        "asking for the hardware's format");
  const Float64 rate = format.mSampleRate;
  format = (AudioStreamBasicDescription){
      .mSampleRate = rate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(Float32),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(Float32),
      .mChannelsPerFrame = 2,
      .mBitsPerChannel = 32,
  };
  check(AudioUnitSetProperty(io, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 1,
                             &format, sizeof format),
        "setting the format of the input");
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0,
                             &rate, sizeof rate),
        "setting the mixer's rate");
  const UInt32 maximum = 4096;
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_MaximumFramesPerSlice,
                             kAudioUnitScope_Global, 0, &maximum, sizeof maximum),
        "setting the largest slice");

  check(AUGraphConnectNodeInput(graph, ioNode, 1, mixerNode, 0), "connecting the input");
  check(AUGraphConnectNodeInput(graph, mixerNode, 0, ioNode, 0), "connecting the output");
  check(AUGraphInitialize(graph), "initialising the graph");
  check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0,
                              (Float32)number(count, words, 1, 0), 0),
        "setting the pan");
  check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0,
                              (Float32)number(count, words, 2, 1), 0),
        "setting the volume");

  check(AUGraphStart(graph), "starting the graph");
  usleep((useconds_t)(1e6 * number(count, words, 3, 10)));
  check(AUGraphStop(graph), "stopping the graph");
  check(DisposeAUGraph(graph), "disposing of the graph");
  return 0;
}
