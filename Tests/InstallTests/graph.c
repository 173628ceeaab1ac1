// SPDX-License-Identifier: Apache-2.0
// A C and C++ program with the installed library: plays half a second of 440 Hz through a graph,
// and changes its callback during playback.

#include <AudioToolbox/AudioToolbox.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

static OSStatus render(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                       UInt32 bus, UInt32 frameCount, AudioBufferList *data) {
  (void)flags, (void)bus, (void)refCon;
  for (UInt32 buffer = 0; buffer < data->mNumberBuffers; buffer++) {
    float *samples = (float *)data->mBuffers[buffer].mData;
    for (UInt32 frame = 0; frame < frameCount; frame++) {
      double cycles = (time->mSampleTime + frame) * 440.0 / 48000.0;
      samples[frame] = (float)(0.25 * sin(2 * M_PI * (cycles - floor(cycles))));
    }
  }
  return noErr;
}

static int failed(const char *call, OSStatus status) {
  if (status != noErr) fprintf(stderr, "%s: %d\n", call, (int)status);
  return status != noErr;
}

int main(void) {
  AudioComponentDescription outputDescription = {
      kAudioUnitType_Output, kAudioUnitSubType_RemoteIO, kAudioUnitManufacturer_Apple, 0, 0};
  AudioComponentDescription mixerDescription = {kAudioUnitType_Mixer,
                                                kAudioUnitSubType_MultiChannelMixer,
                                                kAudioUnitManufacturer_Apple, 0, 0};
  AUGraph graph;
  AUNode output, mixer;
  AudioUnit mixerUnit;
  Float64 rate = 48000;
  UInt32 inputs = 2;
  AURenderCallbackStruct input = {render, NULL};
  if (failed("NewAUGraph", NewAUGraph(&graph)) ||
      failed("output", AUGraphAddNode(graph, &outputDescription, &output)) ||
      failed("mixer", AUGraphAddNode(graph, &mixerDescription, &mixer)) ||
      failed("AUGraphOpen", AUGraphOpen(graph)) ||
      failed("AUGraphNodeInfo", AUGraphNodeInfo(graph, mixer, NULL, &mixerUnit)) ||
      failed("buses", AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_ElementCount,
                                           kAudioUnitScope_Input, 0, &inputs, sizeof inputs)) ||
      failed("input rate", AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_SampleRate,
                                                kAudioUnitScope_Input, 0, &rate, sizeof rate)) ||
      failed("output rate", AudioUnitSetProperty(mixerUnit, kAudioUnitProperty_SampleRate,
                                                 kAudioUnitScope_Output, 0, &rate, sizeof rate)) ||
      failed("callback", AUGraphSetNodeInputCallback(graph, mixer, 0, &input)) ||
      failed("connection", AUGraphConnectNodeInput(graph, mixer, 0, output, 0)) ||
      failed("AUGraphInitialize", AUGraphInitialize(graph)) ||
      failed("AUGraphStart", AUGraphStart(graph))) {
    return 1;
  }
  usleep(250000);
  Boolean updated = 0, running = 0;
  int context = 0;
  input.inputProcRefCon = &context;
  if (failed("another callback", AUGraphSetNodeInputCallback(graph, mixer, 0, &input))) return 1;
  while (!updated) {
    if (failed("AUGraphUpdate", AUGraphUpdate(graph, &updated))) return 1;
  }
  usleep(250000);
  if (failed("AUGraphIsRunning", AUGraphIsRunning(graph, &running)) || !running) return 1;
  CAShow(graph);
  return failed("AUGraphStop", AUGraphStop(graph)) ||
         failed("DisposeAUGraph", DisposeAUGraph(graph));
}
