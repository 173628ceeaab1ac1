// SPDX-License-Identifier: Apache-2.0
// A small synthesizer: an AUGraph with a mixer, two voices as callbacks of its buses, a low-pass
// after it, and a note that is switched off by a parameter.
// Plays 220 Hz at 0.25.

#include <AudioToolbox/AudioToolbox.h>

typedef struct {
  double phase, step, level;
} Voice;

static OSStatus voice_render(void *inRefCon, AudioUnitRenderActionFlags *ioActionFlags,
                             const AudioTimeStamp *inTimeStamp, UInt32 inBusNumber,
                             UInt32 inNumberFrames, AudioBufferList *ioData) {
  Voice *voice = (Voice *)inRefCon + inBusNumber;
  Float32 *left = (Float32 *)ioData->mBuffers[0].mData, *right = (Float32 *)ioData->mBuffers[1].mData;
  for (UInt32 i = 0; i < inNumberFrames; ++i) {
    left[i] = right[i] = (Float32)(voice->level * sin(voice->phase));
    if ((voice->phase += voice->step) > 2 * M_PI) voice->phase -= 2 * M_PI;
  }
  return noErr;
}

#define Fail(what) \
  if (result) { \
    printf(what " result %u %4.4s\n", (unsigned int)result, (char *)&result); \
    return 1; \
  }

int main(void) {
  OSStatus result = noErr;
  AUGraph graph;
  AUNode outputNode, filterNode, mixerNode;
  AudioUnit mixer, filter;
  Voice voices[2] = {{0, 2 * M_PI * 220 / 44100, .25}, {0, 2 * M_PI * 1234 / 44100, .5}};
  AudioComponentDescription output_desc = {kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription filter_desc = {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                           kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription mixer_desc = {kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer,
                                          kAudioUnitManufacturer_Apple, 0, 0};
  result = NewAUGraph(&graph);
  Fail("NewAUGraph");
  result = AUGraphAddNode(graph, &output_desc, &outputNode);
  Fail("AUGraphAddNode output");
  result = AUGraphAddNode(graph, &filter_desc, &filterNode);
  Fail("AUGraphAddNode filter");
  result = AUGraphAddNode(graph, &mixer_desc, &mixerNode);
  Fail("AUGraphAddNode mixer");
  result = AUGraphConnectNodeInput(graph, mixerNode, 0, filterNode, 0);
  Fail("AUGraphConnectNodeInput mixer");
  result = AUGraphConnectNodeInput(graph, filterNode, 0, outputNode, 0);
  Fail("AUGraphConnectNodeInput filter");
  result = AUGraphOpen(graph);
  Fail("AUGraphOpen");
  result = AUGraphNodeInfo(graph, mixerNode, NULL, &mixer);
  Fail("AUGraphNodeInfo");
  result = AUGraphNodeInfo(graph, filterNode, NULL, &filter);
  Fail("AUGraphNodeInfo");
  UInt32 numbuses = 2;
  result = AudioUnitSetProperty(mixer, kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 0,
                                &numbuses, sizeof(numbuses));
  Fail("AudioUnitSetProperty ElementCount");
  for (UInt32 i = 0; i < numbuses; ++i) {
    AURenderCallbackStruct rcbs = {&voice_render, voices};
    result = AUGraphSetNodeInputCallback(graph, mixerNode, i, &rcbs);
    Fail("AUGraphSetNodeInputCallback");
    result = AudioUnitSetParameter(mixer, kMultiChannelMixerParam_Volume, kAudioUnitScope_Input, i,
                                   i == 0, 0);
    Fail("AudioUnitSetParameter volume");
  }
  result = AudioUnitSetParameter(filter, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0,
                                 8000, 0);
  Fail("AudioUnitSetParameter cutoff");
  UInt32 maxFrames = 4096;
  result = AudioUnitSetProperty(mixer, kAudioUnitProperty_MaximumFramesPerSlice,
                                kAudioUnitScope_Global, 1, &maxFrames, sizeof maxFrames);
  Fail("AudioUnitSetProperty MaximumFramesPerSlice");
  result = AUGraphInitialize(graph);
  Fail("AUGraphInitialize");
  result = AUGraphStart(graph);
  Fail("AUGraphStart");
  usleep(400 * 1000);
  Boolean isRunning = false;
  result = AUGraphIsRunning(graph, &isRunning);
  if (!isRunning) return 2;
  Float32 load = 0;
  AUGraphGetCPULoad(graph, &load);
  result = AUGraphStop(graph);
  Fail("AUGraphStop");
  AUGraphUninitialize(graph);
  AUGraphClose(graph);
  DisposeAUGraph(graph);
  return 0;
}
