// SPDX-License-Identifier: Apache-2.0
// Plays the input through a mixer: pass_through_mixer [PAN] [VOLUME] [SECONDS]
//
// PAN is from -1 (left) to 1 (right), VOLUME from 0 to 1.
//
//   cc pass_through_mixer.c $(pkg-config --cflags --libs audiotoolbox) -o pass_through_mixer

#include "../ExampleSupport/session.h"

// An argument as a number; ends the program if it is invalid or out of range.
static double number(const char *name, const char *word, double least, double most) {
  char *end;
  const double value = strtod(word, &end);
  if (end == word || *end != '\0' || !(value >= least && value <= most)) {
    fprintf(stderr, "pass_through_mixer: %s is \"%s\": expected a number from %g to %g\n", name, word, least,
            most);
    exit(64);
  }
  return value;
}

static AUNode addNode(AUGraph graph, OSType type, OSType subType) {
  const AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node = 0;
  check(AUGraphAddNode(graph, &description, &node));
  return node;
}

static AudioUnit unitOf(AUGraph graph, AUNode node) {
  AudioUnit unit = NULL;
  check(AUGraphNodeInfo(graph, node, NULL, &unit));
  return unit;
}

int main(int count, char **words) {
  const Float32 pan = (Float32)number("PAN", count > 1 ? words[1] : "0", -1, 1);
  const Float32 volume = (Float32)number("VOLUME", count > 2 ? words[2] : "1", 0, 1);
  const double seconds = number("SECONDS", count > 3 ? words[3] : "10", 0, 3600);

  const Float64 rate = activateSession(kAudioSessionCategory_PlayAndRecord, 0.005f);
  AUGraph graph = NULL;
  check(NewAUGraph(&graph));
  const AUNode ioNode = addNode(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  const AUNode mixerNode =
      addNode(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  check(AUGraphOpen(graph));
  AudioUnit io = unitOf(graph, ioNode);
  AudioUnit mixer = unitOf(graph, mixerNode);

  // Input is off by default.
  const UInt32 on = 1;
  check(AudioUnitSetProperty(io, kAudioOutputUnitProperty_EnableIO, kAudioUnitScope_Input, 1, &on,
                             sizeof on));

  const AudioStreamBasicDescription format = {
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
                             &format, sizeof format));
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 0,
                             &rate, sizeof rate));
  const UInt32 maximum = 4096;
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_MaximumFramesPerSlice,
                             kAudioUnitScope_Global, 0, &maximum, sizeof maximum));

  check(AUGraphConnectNodeInput(graph, ioNode, 1, mixerNode, 0));
  check(AUGraphConnectNodeInput(graph, mixerNode, 0, ioNode, 0));
  check(AUGraphInitialize(graph));
  check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0,
                              pan, 0));
  check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Output, 0,
                              volume, 0));

  check(AUGraphStart(graph));
  usleep((useconds_t)(seconds * 1e6));
  check(AUGraphStop(graph));
  check(DisposeAUGraph(graph));
  return 0;
}
