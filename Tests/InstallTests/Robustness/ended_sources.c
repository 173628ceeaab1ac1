// SPDX-License-Identifier: Apache-2.0
// A repeated render of the same time must not return memory of a source that has been disposed of.
// Prints uninitialized: nothing freed
// Prints disposed: nothing freed
// Prints removed from the graph: 0, 0.5

#include "robustness.h"

// Overwrites freed memory, as malloc may do.
static void overwrite_freed_memory(void) {
  for (int i = 0; i < 64; i++) {
    float *block = malloc(4000 + 64 * (size_t)i);
    for (int k = 0; k < 1000; k++) block[k] = 1234.5f;
  }
}

static void end_source(bool disposes) {
  AudioUnit source = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
  AudioUnit reader = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
  feed(source, half);
  feed_from(source, reader);
  SUCCEED(AudioUnitInitialize(source));
  SUCCEED(AudioUnitInitialize(reader));
  SUCCEED(render(reader, 0, FRAMES));
  SUCCEED(disposes ? AudioComponentInstanceDispose(source) : AudioUnitUninitialize(source));
  overwrite_freed_memory();
  memset(sound, 0, sizeof sound);
  (void)render(reader, 0, FRAMES);
  bool isFine = true;
  for (int i = 0; i < FRAMES; i++) isFine = isFine && (sound[0][i] == 0 || sound[0][i] == 0.5f);
  printf("%s: %s\n", disposes ? "disposed" : "uninitialized", isFine ? "nothing freed" : "FREED");
  AudioComponentInstanceDispose(reader);
}

static void update_graph(void) {
  AudioComponentDescription output = described(kAudioUnitType_Output, kAudioUnitSubType_GenericOutput);
  AudioComponentDescription effect = described(kAudioUnitType_Effect, kAudioUnitSubType_SampleDelay);
  AURenderCallbackStruct callback = {half, NULL};
  AUGraph graph;
  AUNode end, first, second;
  SUCCEED(NewAUGraph(&graph));
  SUCCEED(AUGraphAddNode(graph, &output, &end));
  SUCCEED(AUGraphAddNode(graph, &effect, &first));
  SUCCEED(AUGraphAddNode(graph, &effect, &second));
  SUCCEED(AUGraphOpen(graph));
  SUCCEED(AUGraphSetNodeInputCallback(graph, first, 0, &callback));
  SUCCEED(AUGraphConnectNodeInput(graph, first, 0, second, 0));
  SUCCEED(AUGraphConnectNodeInput(graph, second, 0, end, 0));
  SUCCEED(AUGraphInitialize(graph));
  SUCCEED(render(unit_of(graph, end), 0, FRAMES));
  SUCCEED(AUGraphRemoveNode(graph, first));
  SUCCEED(AUGraphSetNodeInputCallback(graph, second, 0, &callback));
  SUCCEED(AUGraphUpdate(graph, NULL));
  usleep(100000);
  overwrite_freed_memory();
  memset(sound, 0, sizeof sound);
  OSStatus status = render(unit_of(graph, end), 0, FRAMES);
  printf("removed from the graph: %d, %g\n", (int)status, sound[0][0]);
  DisposeAUGraph(graph);
}

int main(void) {
  end_source(false);
  end_source(true);
  update_graph();
  return 0;
}
