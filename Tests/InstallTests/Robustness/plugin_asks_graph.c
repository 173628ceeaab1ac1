// SPDX-License-Identifier: Apache-2.0
// While it opens, a plug-in queries its graph on another thread and waits for the answer: no lock
// is held meanwhile.
// Prints opened with the graph: answered
// Prints added to an open graph: answered

#include "robustness.h"

static AUGraph graph;
static atomic_bool isAnswered;

static void *ask(void *context) {
  UInt32 count;
  AUGraphGetNodeCount(graph, &count);
  isAnswered = true;
  return context;
}

static OSStatus open_plugin(void *me, AudioComponentInstance instance) {
  pthread_t thread;
  (void)me, (void)instance;
  isAnswered = false;
  pthread_create(&thread, NULL, ask, NULL);
  pthread_detach(thread);
  for (int i = 0; i < 2000 && !isAnswered; i++) usleep(1000);
  return noErr;
}

static OSStatus nothing(void *me) {
  (void)me;
  return noErr;
}

static AudioComponentMethod look_up(SInt16 selector) {
  return selector == kAudioUnitInitializeSelect || selector == kAudioUnitUninitializeSelect
           ? (AudioComponentMethod)nothing : NULL;
}

static AudioComponentPlugInInterface *make_plugin(const AudioComponentDescription *description) {
  static AudioComponentPlugInInterface interface = {open_plugin, nothing, look_up, NULL};
  (void)description;
  return &interface;
}

int main(void) {
  AudioComponentDescription description = {kAudioUnitType_Effect, 0x61736B73, 0x74657374, 0, 0};
  if (!AudioComponentRegister(&description, CFSTR("Tests: Asks"), 1, make_plugin)) return 1;
  AUNode node;
  SUCCEED(NewAUGraph(&graph));
  SUCCEED(AUGraphAddNode(graph, &description, &node));
  SUCCEED(AUGraphOpen(graph));
  printf("opened with the graph: %s\n", isAnswered ? "answered" : "NOT ANSWERED");
  SUCCEED(AUGraphAddNode(graph, &description, &node));
  printf("added to an open graph: %s\n", isAnswered ? "answered" : "NOT ANSWERED");
  SUCCEED(DisposeAUGraph(graph));
  return 0;
}
