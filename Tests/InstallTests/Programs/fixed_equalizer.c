// SPDX-License-Identifier: Apache-2.0
// Two tones in a mixer, one of them through the listener's equaliser, as early phones play them: every
// format of the graph is 8.24 fixed point, on both sides of each unit. Both channels of a tone add up on its side.
// Plays 440 Hz at 0.5 on channel 1.
// Plays 660 Hz at 0.25 on channel 2.

#define CA_PREFER_FIXED_POINT 1

#include <AudioToolbox/AudioToolbox.h>
#include <unistd.h>

typedef struct {
  double frequency, amplitude, phase;
} Tone;

static OSStatus render(void *user, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frames, AudioBufferList *data) {
  Tone *tone = user;
  for (UInt32 i = 0; i < frames; i++) {
    const AudioUnitSampleType sample =
        (SInt32)(tone->amplitude * sin(tone->phase) * (1 << kAudioUnitSampleFractionBits));
    tone->phase += 2 * M_PI * tone->frequency / 48000;
    for (UInt32 buffer = 0; buffer < data->mNumberBuffers; buffer++)
      ((AudioUnitSampleType *)data->mBuffers[buffer].mData)[i] = sample;
  }
  return noErr;
}

static void check(OSStatus status, int step) {
  if (status == noErr) return;
  fprintf(stderr, "step %d: status %d\n", step, (int)status);
  exit(step);
}

static AUNode add(AUGraph graph, OSType type, OSType subType) {
  const AudioComponentDescription description = {type, subType, kAudioUnitManufacturer_Apple, 0, 0};
  AUNode node;
  check(AUGraphAddNode(graph, &description, &node), 2);
  return node;
}

static AudioUnit unitOf(AUGraph graph, AUNode node) {
  AudioUnit unit;
  check(AUGraphNodeInfo(graph, node, NULL, &unit), 3);
  return unit;
}

int main(void) {
  AudioStreamBasicDescription format = {0};
  format.mSampleRate = 48000;
  format.mFormatID = kAudioFormatLinearPCM;
  format.mFormatFlags = kAudioFormatFlagsAudioUnitCanonical;
  format.mBytesPerPacket = format.mBytesPerFrame = sizeof(AudioUnitSampleType);
  format.mFramesPerPacket = 1;
  format.mChannelsPerFrame = 2;
  format.mBitsPerChannel = 8 * sizeof(AudioUnitSampleType);

  AUGraph graph;
  check(NewAUGraph(&graph), 4);
  const AUNode io = add(graph, kAudioUnitType_Output, kAudioUnitSubType_RemoteIO);
  const AUNode mixing = add(graph, kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  const AUNode equalizing = add(graph, kAudioUnitType_Effect, kAudioUnitSubType_AUiPodEQ);
  check(AUGraphOpen(graph), 5);
  AudioUnit mixer = unitOf(graph, mixing), equalizer = unitOf(graph, equalizing);
  const UInt32 buses = 2;
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0, &buses,
                             sizeof buses), 6);
  check(AudioUnitSetProperty(unitOf(graph, io), kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0,
                             &format, sizeof format), 7);
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
                             sizeof format), 8);
  check(AudioUnitSetProperty(mixer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                             sizeof format), 9);
  check(AudioUnitSetProperty(equalizer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                             sizeof format), 10);
  check(AudioUnitSetProperty(equalizer, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format,
                             sizeof format), 11);

  Tone tones[2] = {{440, 0.25, 0}, {660, 0.125, 0}};
  const AURenderCallbackStruct left = {render, &tones[0]}, right = {render, &tones[1]};
  check(AUGraphSetNodeInputCallback(graph, mixing, 0, &left), 12);
  check(AUGraphSetNodeInputCallback(graph, equalizing, 0, &right), 13);
  check(AUGraphConnectNodeInput(graph, equalizing, 0, mixing, 1), 14);
  check(AUGraphConnectNodeInput(graph, mixing, 0, io, 0), 15);
  check(AUGraphInitialize(graph), 16);
  check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 0, -1, 0), 17);
  check(AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Pan, kAudioUnitScope_Input, 1, 1, 0), 18);
  check(AUGraphStart(graph), 19);
  sleep(1);
  check(AUGraphStop(graph), 20);
  return DisposeAUGraph(graph);
}
