// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <AudioToolbox/AudioToolbox.h>
#include <CoreFoundation/CoreFoundation.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

// One fault for each check of the validator, in its order.
typedef enum {
  Fine, Opens, Initialises, Renders, Plays, DefaultFormats, RequiredProperties, MaximumFrames, BusCount,
  ParameterInformation, ParameterDefaults, ParametersKept, UnknownParameter, ParameterTexts, Clumps,
  StateKeys, StateReturns, Presets, SliceSizes, Rates, Channels, TooManyFrames, Uninitialised, Connection,
  Feeding, OutputBuses, InputFailure, Reset, Bypass, Silence, Instances, RecommendedProperties,
  PropertySizes, PropertyMistakes, PropertyListeners, NonsenseFormats, FixedFormats, OwnMemory, Arguments,
  Notifications, InPlace, ScheduledParameters, RampedParameters, MIDI, Latency, Tail, SlicesSoundEqual,
  MarkedSilence, StrangeNumbers, Denormals, Times, ValuesBeyondRanges, ExtremeParameters,
  ControlBesideRender, StructureBesideRender, TwoRenderThreads, OpeningOnThreads, RealTime, ForeignStates,
  DamagedStates, Leaks, FaultCount
} Fault;

// The sound: a delay of eight frames, a gain, and an echo with a feedback of a quarter.
enum {
  DelayFrames = 8, EchoFrames = 64, MaximumChannels = 16, ParameterCount = 3, EventCount = 64,
  ListenerCount = 16, NotifyCount = 8
};

typedef struct {
  AudioComponentPlugInInterface interface;
  AudioComponentDescription description;
  AudioComponentInstance instance;
  Fault fault;
  AudioStreamBasicDescription formats[2];  // in, out
  UInt32 maximumFrames, isBypassed, isInPlace, inputCount;
  bool isInitialized;
  OSStatus lastError;
  Float32 values[ParameterCount];
  SInt32 preset;
  AURenderCallbackStruct input;
  AudioUnitConnection connection;
  Float32 *memory[MaximumChannels];
  Float32 delay[MaximumChannels][DelayFrames], echo[MaximumChannels][EchoFrames];
  UInt32 delayPlace, echoPlace;
  AudioUnitParameterEvent events[EventCount];
  UInt32 eventCount;
  struct { AudioUnitPropertyID id; AudioUnitPropertyListenerProc function; void *context; } listeners[ListenerCount];
  struct { AURenderCallback function; void *context; } notifies[NotifyCount];
  volatile bool isWriting;
  pthread_t thread;
  bool hasThread;
  AUMIDIOutputCallbackStruct midiOutput;
  bool hasNote;
  UInt32 mutedFrames;
} Unit;

#define HAS(name) (unit->fault == name)

OSStatus faulty_get_info(void *self, AudioUnitPropertyID id, AudioUnitScope scope,
                         AudioUnitElement element, UInt32 *size, Boolean *writable);
OSStatus faulty_get(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                    void *data, UInt32 *size);
OSStatus faulty_set(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                    const void *data, UInt32 size);
OSStatus faulty_render(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus,
                       UInt32 frames, AudioBufferList *data);
OSStatus faulty_process(void *self, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time,
                        UInt32 frames, AudioBufferList *data);
bool faulty_is_owner(Unit *unit);
void faulty_forget(Unit *unit);
CFDictionaryRef faulty_copy_state(Unit *unit);
OSStatus faulty_set_state(Unit *unit, CFTypeRef state);

extern const Float32 faulty_defaults[ParameterCount], faulty_maxima[ParameterCount];
extern AUPreset faulty_presets[2];
extern const Float32 faulty_preset_gains[2];

// The factory of all of them, for the property list of a component folder.
AudioComponentPlugInInterface *FaultyUnitFactory(const AudioComponentDescription *description);
