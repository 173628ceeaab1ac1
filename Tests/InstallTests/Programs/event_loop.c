// SPDX-License-Identifier: Apache-2.0
// A program that waits in its run loop: listeners follow the default device and the parameters of
// its units, and a timer ends it.
// Plays 440 Hz at 0.5.
// Prints gain moved to 0.50

#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CFRunLoop.h>

static AudioUnit mixer, output;
static AUGraph graph;

static OSStatus deviceListener(AudioObjectID object, UInt32 count,
                               const AudioObjectPropertyAddress *addresses, void *data) {
  CFRunLoopWakeUp((CFRunLoopRef)data);
  return noErr;
}

static void gainMoved(void *userData, void *object, const AudioUnitEvent *event, UInt64 hostTime,
                      AudioUnitParameterValue value) {
  if (event->mEventType == kAudioUnitEvent_ParameterValueChange) printf("gain moved to %.2f\n", value);
}

static OSStatus sine(void *refCon, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *stamp,
                     UInt32 bus, UInt32 frames, AudioBufferList *list) {
  static double x;
  for (UInt32 i = 0; i < frames; i++, x += 2 * M_PI * 440 / 44100)
    for (UInt32 b = 0; b < list->mNumberBuffers; b++) ((float *)list->mBuffers[b].mData)[i] = sin(x);
  return noErr;
}

static void quit(CFRunLoopTimerRef timer, void *info) { CFRunLoopStop(CFRunLoopGetCurrent()); }

int main(void) {
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultOutputDevice,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  if (AudioObjectAddPropertyListener(kAudioObjectSystemObject, &address, deviceListener,
                                     CFRunLoopGetCurrent()))
    return 1;
  AudioComponentDescription mix = {'aumx', 'mcmx', 'appl', 0, 0}, out = {'auou', 'def ', 'appl', 0, 0};
  AUNode mixerNode, outputNode;
  AURenderCallbackStruct callback = {sine, NULL};
  if (NewAUGraph(&graph) || AUGraphAddNode(graph, &mix, &mixerNode)
      || AUGraphAddNode(graph, &out, &outputNode)
      || AUGraphConnectNodeInput(graph, mixerNode, 0, outputNode, 0)
      || AUGraphSetNodeInputCallback(graph, mixerNode, 0, &callback) || AUGraphOpen(graph)
      || AUGraphNodeInfo(graph, mixerNode, NULL, &mixer)
      || AUGraphNodeInfo(graph, outputNode, NULL, &output))
    return 2;
  AUEventListenerRef listener;
  AudioUnitEvent event = {kAudioUnitEvent_ParameterValueChange};
  event.mArgument.mParameter.mAudioUnit = mixer;
  event.mArgument.mParameter.mParameterID = kMultiChannelMixerParam_Volume;
  event.mArgument.mParameter.mScope = kAudioUnitScope_Output;
  event.mArgument.mParameter.mElement = 0;
  if (AUEventListenerCreate(gainMoved, NULL, CFRunLoopGetCurrent(), kCFRunLoopDefaultMode, .01f, .01f,
                            &listener)
      || AUEventListenerAddEventType(listener, NULL, &event)
      || AUParameterSet(NULL, NULL, &event.mArgument.mParameter, .5f, 0))
    return 3;
  if (AUGraphInitialize(graph) || AUGraphStart(graph)) return 4;
  CFRunLoopTimerRef timer = CFRunLoopTimerCreate(NULL, CFAbsoluteTimeGetCurrent() + .4, 0, 0, 0, quit,
                                                 NULL);
  CFRunLoopAddTimer(CFRunLoopGetCurrent(), timer, kCFRunLoopDefaultMode);
  SInt32 why;
  do why = CFRunLoopRunInMode(kCFRunLoopDefaultMode, 5, false);
  while (why == kCFRunLoopRunHandledSource);
  AUGraphStop(graph);
  AUListenerDispose(listener);
  AudioObjectRemovePropertyListener(kAudioObjectSystemObject, &address, deviceListener,
                                    CFRunLoopGetCurrent());
  CFRelease(timer);
  DisposeAUGraph(graph);
  return why == kCFRunLoopRunStopped ? 0 : 5;
}
