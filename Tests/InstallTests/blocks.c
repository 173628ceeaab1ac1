// SPDX-License-Identifier: Apache-2.0
// The functions with a block and a dispatch queue, for a compiler that supports blocks. Prints each
// sentence that is not true; the exit code is their number.
#include <AudioToolbox/AudioToolbox.h>
#include <dispatch/dispatch.h>

static int failures;
#define EXPECT(sentence) ((sentence) ? 0 : (failures++, fprintf(stderr, "not true: %s\n", #sentence)))

static char key;
static bool is_on_queue(void) { return dispatch_get_specific(&key) != NULL; }

static bool comes(dispatch_semaphore_t sign) {
  return dispatch_semaphore_wait(sign, dispatch_time(DISPATCH_TIME_NOW, 60 * NSEC_PER_SEC)) == 0;
}

static void parameters_are_reported(AudioUnit unit, dispatch_queue_t queue, Float32 interval) {
  dispatch_semaphore_t sign = dispatch_semaphore_create(0);
  __block Float32 reported = 0;
  __block bool rightly = false;
  static int object;  // a block would have a copy of another
  AUParameterListenerRef listener = NULL;
  EXPECT(AUListenerCreateWithDispatchQueue(
             &listener, interval, queue, ^(void *who, const AudioUnitParameter *what, Float32 value) {
               rightly = is_on_queue() && who == &object && what->mAudioUnit == unit;
               reported = value;
               dispatch_semaphore_signal(sign);
             }) == noErr);
  AudioUnitParameter parameter = {unit, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0};
  EXPECT(AUListenerAddParameter(listener, &object, &parameter) == noErr);
  EXPECT(AUParameterSet(NULL, NULL, &parameter, 500, 0) == noErr);
  EXPECT(comes(sign) && reported == 500 && rightly);
  EXPECT(AUListenerDispose(listener) == noErr);
  EXPECT(AUParameterSet(NULL, NULL, &parameter, 600, 0) == noErr);
  dispatch_sync(queue, ^{});
  EXPECT(reported == 500);
  dispatch_release(sign);
}

// Adds a block that is on the stack of this function.
__attribute__((noinline)) static AUParameterListenerRef listen(dispatch_queue_t queue, dispatch_semaphore_t sign,
                                                               Float32 *reported, Float32 factor) {
  AUParameterListenerRef listener = NULL;
  EXPECT(AUListenerCreateWithDispatchQueue(
             &listener, 0, queue, ^(void *who, const AudioUnitParameter *what, Float32 value) {
               (void)who, (void)what;
               *reported = value * factor;
               dispatch_semaphore_signal(sign);
             }) == noErr);
  return listener;
}

__attribute__((noinline)) static void overwrite_the_stack(void) {
  volatile char bytes[8192];
  for (size_t index = 0; index < sizeof bytes; index++) bytes[index] = 0x5a;
}

static void blocks_outlive_their_function(AudioUnit unit, dispatch_queue_t queue) {
  dispatch_semaphore_t sign = dispatch_semaphore_create(0);
  Float32 reported = 0;
  AUParameterListenerRef listener = listen(queue, sign, &reported, 2);
  overwrite_the_stack();
  AudioUnitParameter parameter = {unit, kLowPassParam_CutoffFrequency, kAudioUnitScope_Global, 0};
  EXPECT(AUListenerAddParameter(listener, NULL, &parameter) == noErr);
  EXPECT(AUParameterSet(NULL, NULL, &parameter, 700, 0) == noErr);
  EXPECT(comes(sign) && reported == 1400);
  EXPECT(AUListenerDispose(listener) == noErr);
  dispatch_release(sign);
}

static void events_are_reported(AudioUnit unit, dispatch_queue_t queue) {
  dispatch_semaphore_t sign = dispatch_semaphore_create(0);
  __block AudioUnitEventType reported = kAudioUnitEvent_ParameterValueChange;
  __block bool rightly = false;
  AUEventListenerRef listener = NULL;
  EXPECT(AUEventListenerCreateWithDispatchQueue(
             &listener, 0.01f, 0, queue,
             ^(void *who, const AudioUnitEvent *event, UInt64 time, Float32 value) {
               rightly = is_on_queue() && !who && time && value == value;
               reported = event->mEventType;
               dispatch_semaphore_signal(sign);
             }) == noErr);
  AudioUnitEvent event = {.mEventType = kAudioUnitEvent_PropertyChange};
  event.mArgument.mProperty = (AudioUnitProperty){unit, kAudioUnitProperty_BypassEffect,
                                                  kAudioUnitScope_Global, 0};
  EXPECT(AUEventListenerAddEventType(listener, NULL, &event) == noErr);
  UInt32 on = 1;
  EXPECT(AudioUnitSetProperty(unit, kAudioUnitProperty_BypassEffect, kAudioUnitScope_Global, 0, &on,
                              sizeof on) == noErr);
  EXPECT(comes(sign) && reported == kAudioUnitEvent_PropertyChange && rightly);
  EXPECT(AUListenerDispose(listener) == noErr);
  dispatch_release(sign);
}

static void devices_call_blocks(dispatch_queue_t queue) {
  AudioObjectID device = kAudioObjectUnknown;
  UInt32 size = sizeof device;
  AudioObjectPropertyAddress address = {kAudioHardwarePropertyDefaultOutputDevice,
                                        kAudioObjectPropertyScopeGlobal,
                                        kAudioObjectPropertyElementMain};
  EXPECT(AudioObjectGetPropertyData(kAudioObjectSystemObject, &address, 0, NULL, &size, &device) == noErr);
  dispatch_semaphore_t sign = dispatch_semaphore_create(0);
  __block bool rightly = false;
  AudioDeviceIOProcID function = NULL;
  EXPECT(AudioDeviceCreateIOProcIDWithBlock(
             &function, device, queue,
             ^(const AudioTimeStamp *now, const AudioBufferList *input, const AudioTimeStamp *captured,
               AudioBufferList *output, const AudioTimeStamp *due) {
               (void)now, (void)input, (void)captured;
               rightly = is_on_queue() && output && due->mFlags & kAudioTimeStampSampleTimeValid;
               dispatch_semaphore_signal(sign);
             }) == noErr);
  EXPECT(AudioDeviceStart(device, function) == noErr);
  EXPECT(comes(sign) && rightly);
  EXPECT(AudioDeviceStop(device, function) == noErr);
  EXPECT(AudioDeviceDestroyIOProcID(device, function) == noErr);
}

static void mistakes_are_refused(dispatch_queue_t queue) {
  AUParameterListenerRef listener = NULL;
  AUParameterListenerBlock block = ^(void *who, const AudioUnitParameter *what, Float32 value) {
    (void)who, (void)what, (void)value;
  };
  dispatch_queue_t no_queue = NULL;
  AUParameterListenerBlock no_block = NULL;
  EXPECT(AUListenerCreateWithDispatchQueue(&listener, 0, no_queue, block) == kAudio_ParamError);
  EXPECT(AUListenerCreateWithDispatchQueue(&listener, 0, queue, no_block) == kAudio_ParamError);
  EXPECT(!listener);
}

int main(void) {
  AudioComponentDescription description = {kAudioUnitType_Effect, kAudioUnitSubType_LowPassFilter,
                                      kAudioUnitManufacturer_Apple, 0, 0};
  AudioUnit unit = NULL;
  EXPECT(AudioComponentInstanceNew(AudioComponentFindNext(NULL, &description), &unit) == noErr);
  dispatch_queue_t queue = dispatch_queue_create("org.example.blocks", NULL);
  dispatch_queue_set_specific(queue, &key, &key, NULL);
  parameters_are_reported(unit, queue, 0);
  parameters_are_reported(unit, queue, 0.02f);
  blocks_outlive_their_function(unit, queue);
  events_are_reported(unit, queue);
  devices_call_blocks(queue);
  mistakes_are_refused(queue);
  AudioComponentInstanceDispose(unit);
  dispatch_release(queue);
  return failures;
}
