// SPDX-License-Identifier: Apache-2.0
// When a call that ends a unit, a graph or a listener returns, none of its callbacks runs any more.
// Prints dispose: the listener has ended
// Prints removal: not called afterwards
// Prints close: the plug-in is closed

#include "robustness.h"

// MARK: A unit, while its listener runs

static AudioUnit unit;
static atomic_int cycles, began, ended;

static OSStatus stop_at_third(void *context, AudioUnitRenderActionFlags *flags,
                              const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
                              AudioBufferList *data) {
  if (++cycles == 3) AudioOutputUnitStop(unit);
  return half(context, flags, time, bus, frames, data);
}

static void run_long(void *context, AudioUnit who, AudioUnitPropertyID id, AudioUnitScope scope,
                      AudioUnitElement element) {
  (void)context, (void)who, (void)id, (void)scope, (void)element;
  if (cycles < 3) return;
  began = 1;
  usleep(200000);
  ended = 1;
}

static void dispose_while_listener_runs(void) {
  unit = make_unit(kAudioUnitType_Output, kAudioUnitSubType_DefaultOutput);
  feed(unit, stop_at_third);
  SUCCEED(AudioUnitAddPropertyListener(unit, kAudioOutputUnitProperty_IsRunning, run_long, NULL));
  SUCCEED(AudioUnitInitialize(unit));
  SUCCEED(AudioOutputUnitStart(unit));
  while (!began) usleep(1000);
  SUCCEED(AudioComponentInstanceDispose(unit));
  printf("dispose: the listener %s\n", ended ? "has ended" : "STILL RUNS");
}

// MARK: A listener, while the one before it runs

static atomic_int isInFirst, mayContinue, secondCalled;

static void first(void *context, AudioUnit who, AudioUnitPropertyID id, AudioUnitScope scope,
                  AudioUnitElement element) {
  (void)context, (void)who, (void)id, (void)scope, (void)element;
  isInFirst = 1;
  while (!mayContinue) usleep(100);
}

static void second(void *context, AudioUnit who, AudioUnitPropertyID id, AudioUnitScope scope,
                   AudioUnitElement element) {
  (void)context, (void)who, (void)id, (void)scope, (void)element;
  secondCalled = 1;
}

static void *set_maximum(void *context) {
  UInt32 frames = 2048;
  SUCCEED(AudioUnitSetProperty(unit, kAudioUnitProperty_MaximumFramesPerSlice, 0, 0, &frames,
                               sizeof frames));
  return context;
}

static void remove_listener(void) {
  const AudioUnitPropertyID id = kAudioUnitProperty_MaximumFramesPerSlice;
  unit = make_unit(kAudioUnitType_Effect, kAudioUnitSubType_Delay);
  SUCCEED(AudioUnitAddPropertyListener(unit, id, first, NULL));
  SUCCEED(AudioUnitAddPropertyListener(unit, id, second, NULL));
  pthread_t thread;
  pthread_create(&thread, NULL, set_maximum, NULL);
  while (!isInFirst) usleep(100);
  SUCCEED(AudioUnitRemovePropertyListenerWithUserData(unit, id, second, NULL));
  mayContinue = 1;
  pthread_join(thread, NULL);
  printf("removal: %s\n", secondCalled ? "CALLED" : "not called afterwards");
  AudioComponentInstanceDispose(unit);
}

// MARK: A graph with a plug-in

static atomic_int isClosed;

static OSStatus open_plugin(void *me, AudioComponentInstance instance) {
  (void)me, (void)instance;
  return noErr;
}

static OSStatus close_plugin(void *me) {
  (void)me;
  usleep(100000);
  isClosed = 1;
  return noErr;
}

static OSStatus initialize_plugin(void *me) {
  (void)me;
  return noErr;
}

static AudioComponentMethod look_up(SInt16 selector) {
  return selector == kAudioUnitInitializeSelect || selector == kAudioUnitUninitializeSelect
           ? (AudioComponentMethod)initialize_plugin : NULL;
}

static AudioComponentPlugInInterface *make_plugin(const AudioComponentDescription *description) {
  static AudioComponentPlugInInterface interface = {open_plugin, close_plugin, look_up, NULL};
  (void)description;
  return &interface;
}

static void close_graph(void) {
  AudioComponentDescription description = {kAudioUnitType_Effect, 0x74657374, 0x74657374, 0, 0};
  if (!AudioComponentRegister(&description, CFSTR("Tests: Closed"), 1, make_plugin)) exit(1);
  AUGraph graph;
  AUNode node;
  SUCCEED(NewAUGraph(&graph));
  SUCCEED(AUGraphAddNode(graph, &description, &node));
  SUCCEED(AUGraphOpen(graph));
  SUCCEED(AUGraphClose(graph));
  printf("close: the plug-in is %s\n", isClosed ? "closed" : "OPEN");
  DisposeAUGraph(graph);
}

int main(void) {
  setenv("AUDIOTOOLBOX_DEVICE", "null", 1);
  dispose_while_listener_runs();
  remove_listener();
  close_graph();
  return 0;
}
