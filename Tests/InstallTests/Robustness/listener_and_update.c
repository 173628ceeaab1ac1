// SPDX-License-Identifier: Apache-2.0
// A listener queries a graph while another thread updates it: no lock is held while a function of
// the program runs, so both continue.
// Prints both continued

#include "robustness.h"

static AUGraph graph;
static AUNode mixer;
static AudioUnit source, reader;
static atomic_long connections, updates;
static atomic_bool isOver;

static void count_nodes(void *context, AudioUnit unit, AudioUnitPropertyID id, AudioUnitScope scope,
                        AudioUnitElement element) {
  (void)context, (void)unit, (void)id, (void)scope, (void)element;
  UInt32 count;
  AUGraphGetNodeCount(graph, &count);
}

static void *connect_and_disconnect(void *context) {
  for (; !isOver; connections++) {
    AudioUnitConnection connection = {connections & 1 ? source : NULL, 0, 0};
    AudioUnitSetProperty(reader, kAudioUnitProperty_MakeConnection, kAudioUnitScope_Input, 0, &connection,
                         sizeof connection);
  }
  return context;
}

static void *update(void *context) {
  for (; !isOver; updates++) {
    AURenderCallbackStruct callback = {half, (void *)(updates & 1)};
    AUGraphSetNodeInputCallback(graph, mixer, (UInt32)updates & 3, &callback);
    AUGraphUpdate(graph, NULL);
  }
  return context;
}

int main(void) {
  setenv("AUDIOTOOLBOX_DEVICE", "null", 1);
  AudioComponentDescription end = described(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  AudioComponentDescription mix = described(kAudioUnitType_Mixer, kAudioUnitSubType_MultiChannelMixer);
  AUNode output;
  SUCCEED(NewAUGraph(&graph));
  SUCCEED(AUGraphAddNode(graph, &end, &output));
  SUCCEED(AUGraphAddNode(graph, &mix, &mixer));
  SUCCEED(AUGraphOpen(graph));
  SUCCEED(AUGraphConnectNodeInput(graph, mixer, 0, output, 0));
  SUCCEED(AUGraphInitialize(graph));
  SUCCEED(AUGraphStart(graph));
  source = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  reader = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter);
  SUCCEED(AudioUnitAddPropertyListener(reader, kAudioUnitProperty_MakeConnection, count_nodes, NULL));
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, connect_and_disconnect, NULL);
  pthread_create(&threads[1], NULL, update, NULL);
  long made = -1, updated = -1;
  for (int i = 0; i < 4; i++) {
    sleep(1);
    if (connections == made || updates == updated) {
      printf("DEADLOCK after %ld connections, %ld updates\n", connections, updates);
      _exit(1);
    }
    made = connections;
    updated = updates;
  }
  isOver = true;
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  DisposeAUGraph(graph);
  printf("both continued\n");
  return 0;
}
