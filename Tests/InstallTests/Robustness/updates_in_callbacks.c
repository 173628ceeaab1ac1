// SPDX-License-Identifier: Apache-2.0
// A render callback edits its own graph: an update that is refused, or that coincides with another
// thread's change, does not block later ones.
// Prints refused: -10\d+, mended 0, rendered 0
// Prints contended: 500 rounds, rendered 0

#include "robustness.h"

static AUGraph graph;
static AUNode output, mixer, extra;
static AudioUnit head, mixerUnit;
static int step;
static OSStatus refused, mended;

static const AURenderCallbackStruct quiet = {half, NULL};

static AUNode add(OSType type, OSType subtype) {
  AudioComponentDescription description = described(type, subtype);
  AUNode node;
  SUCCEED(AUGraphAddNode(graph, &description, &node));
  return node;
}

static void build(AURenderCallback function) {
  AURenderCallbackStruct callback = {function, NULL};
  SUCCEED(NewAUGraph(&graph));
  output = add(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
  mixer = add(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  SUCCEED(AUGraphOpen(graph));
  head = unit_of(graph, output);
  mixerUnit = unit_of(graph, mixer);
  SUCCEED(AUGraphSetNodeInputCallback(graph, mixer, 0, &callback));
  SUCCEED(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
  SUCCEED(AUGraphInitialize(graph));
}

static void join(AUNode node, UInt32 bus) {
  SUCCEED(AUGraphConnectNodeInput(graph, node, 0, mixer, bus));
  SUCCEED(AUGraphSetNodeInputCallback(graph, node, 0, &quiet));
}

// First an edit with a unit that cannot be initialised, because its rates differ; then one without
// it.
static OSStatus refuse_and_mend(void *context, AudioUnitRenderActionFlags *flags,
                                const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
                                AudioBufferList *data) {
  Boolean isUpdated;
  if (step == 1) {
    extra = add(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
    AUNode impossible = add(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
    join(extra, 1);
    join(impossible, 2);
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    AudioUnit unit = unit_of(graph, impossible);
    SUCCEED(AudioUnitGetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                                 &size));
    format.mSampleRate = 12345;
    SUCCEED(AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                                 size));
    refused = AUGraphUpdate(graph, &isUpdated);
  } else if (step == 2) {
    extra = add(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
    join(extra, 1);
    mended = AUGraphUpdate(graph, &isUpdated);
  }
  if (step > 0) step++;
  return half(context, flags, time, bus, frames, data);
}

// Adds an effect as soon as no other thread edits the graph.
static OSStatus add_effect(void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                           UInt32 bus, UInt32 frames, AudioBufferList *data) {
  const OSStatus busy = kAUGraphErr_CannotDoInCurrentContext;
  OSStatus status = noErr;
  Boolean isUpdated;
  AudioComponentDescription effect = described(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
  if (step == 1) status = AUGraphAddNode(graph, &effect, &extra);
  if (step == 2) status = AUGraphConnectNodeInput(graph, extra, 0, mixer, 1);
  if (step == 3) status = AUGraphSetNodeInputCallback(graph, extra, 0, &quiet);
  if (step == 4) status = AUGraphUpdate(graph, &isUpdated);
  if (step >= 1 && step <= 4 && status == noErr) step++;
  if (status != noErr && status != busy) step = -1;
  return half(context, flags, time, bus, frames, data);
}

static atomic_bool isOver;

// Keeps the lock of a unit in the graph busy.
static void *disturb(void *context) {
  while (!isOver) {
    AudioStreamBasicDescription format;
    UInt32 size = sizeof format;
    AudioUnitGetProperty(mixerUnit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 0, &format,
                         &size);
    for (volatile int i = 0; i < 400; i++) {}
  }
  return context;
}

static void refuse(void) {
  build(refuse_and_mend);
  OSStatus status = noErr;
  double time = 0;
  for (int i = 0; i < 8; i++, time += 64) {
    if (i == 1) step = 1;
    if (i == 5) usleep(50000);
    status = render(head, time, 64);
  }
  printf("refused: %d, mended %d, rendered %d\n", (int)refused, (int)mended, (int)status);
  DisposeAUGraph(graph);
}

static void contend(void) {
  step = 0;
  build(add_effect);
  SUCCEED(AUGraphStart(graph));
  pthread_t thread;
  pthread_create(&thread, NULL, disturb, NULL);
  OSStatus status = noErr;
  double time = 0;
  int rounds = 0;
  for (; rounds < 500 && status == noErr; rounds++) {
    step = 1;
    for (int i = 0; i < 20000 && step > 0 && step < 5; i++, time += 512) render(head, time, 512);
    if (step != 5) break;
    usleep(2000);
    for (int i = 0; i < 3 && status == noErr; i++, time += 512) status = render(head, time, 512);
    SUCCEED(AUGraphRemoveNode(graph, extra));
    OSStatus update;
    do update = AUGraphUpdate(graph, NULL); while (update == kAUGraphErr_CannotDoInCurrentContext);
    SUCCEED(update);
  }
  isOver = true;
  pthread_join(thread, NULL);
  printf("contended: %d rounds, rendered %d\n", rounds, (int)status);
  DisposeAUGraph(graph);
}

int main(void) {
  refuse();
  contend();
  return 0;
}
