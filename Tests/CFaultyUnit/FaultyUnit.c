// SPDX-License-Identifier: Apache-2.0
// The functions of the unit, its parameters, and the table of faults.
#include "FaultyUnit.h"
#include "CFaultyUnit.h"

static const char *const checks[FaultCount] = {
    "", "opens", "initialises", "renders", "plays", "default formats", "required properties",
    "maximum frames", "bus count", "parameter information", "parameter defaults", "parameters kept",
    "unknown parameter", "parameter texts", "clumps", "state keys", "state returns", "presets",
    "slice sizes", "rates", "channels", "too many frames", "uninitialised", "connection", "feeding",
    "output buses", "input failure", "reset", "bypass", "silence", "instances", "recommended properties",
    "property sizes", "property mistakes", "property listeners", "nonsense formats", "fixed formats",
    "own memory", "arguments", "notifications", "in place", "scheduled parameters", "ramped parameters",
    "MIDI", "latency", "tail", "slices sound equal", "marked silence", "strange numbers", "denormals", "times",
    "values beyond ranges", "extreme parameters", "control beside render", "structure beside render",
    "two render threads", "opening on threads", "real time", "foreign states", "damaged states", "leaks"};

const Float32 faulty_defaults[ParameterCount] = {1, 0, 50}, faulty_maxima[ParameterCount] = {2, 2, 100};

// The unit initialised last: state that instances must not share.
static Unit *owner;
// Volatile, so that the compiler keeps the call.
static void *volatile lost;
static atomic_int openings;

static OSStatus Open(void *self, AudioComponentInstance instance) {
  Unit *unit = self;
  unit->instance = instance;
  if (HAS(Opens)) usleep(1200000);
  if (!HAS(OpeningOnThreads)) return noErr;
  const int others = openings++;
  // Until another thread opens one, if any does.
  for (int tries = 0; tries < 100 && openings < 2; tries++) usleep(2000);
  openings--;
  return others ? kAudioUnitErr_FailedInitialization : noErr;
}

static void release(Unit *unit) {
  for (int c = 0; c < MaximumChannels; c++) {
    free(unit->memory[c]);
    unit->memory[c] = NULL;
  }
}

static OSStatus Close(void *self) {
  release(self);
  free(self);
  return noErr;
}

static OSStatus Initialize(void *self) {
  Unit *unit = self;
  if (unit->isInitialized) return HAS(Initialises) ? kAudioUnitErr_Initialized : noErr;
  if (unit->formats[0].mChannelsPerFrame != unit->formats[1].mChannelsPerFrame)
    return kAudioUnitErr_FormatNotSupported;
  release(unit);
  for (UInt32 c = 0; c < unit->formats[1].mChannelsPerFrame; c++)
    unit->memory[c] = calloc(unit->maximumFrames, sizeof(Float32));
  if (HAS(Leaks)) lost = malloc(4096);
  faulty_forget(unit);
  owner = unit;
  unit->isInitialized = true;
  return noErr;
}

static OSStatus Uninitialize(void *self) {
  ((Unit *)self)->isInitialized = false;
  return noErr;
}

static OSStatus ResetUnit(void *self, AudioUnitScope scope, AudioUnitElement element) {
  Unit *unit = self;
  if (!HAS(Reset)) faulty_forget(unit);
  return noErr;
}

static OSStatus AddListener(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc function,
                            void *context) {
  Unit *unit = self;
  for (int i = 0; i < ListenerCount; i++) {
    if (unit->listeners[i].function) continue;
    unit->listeners[i].id = id, unit->listeners[i].function = function;
    unit->listeners[i].context = context;
    return noErr;
  }
  return kAudio_MemFullError;
}

static OSStatus RemoveListener(void *self, AudioUnitPropertyID id, AudioUnitPropertyListenerProc function,
                               void *context) {
  Unit *unit = self;
  for (int i = 0; i < ListenerCount; i++)
    if (unit->listeners[i].id == id && unit->listeners[i].context == context)
      unit->listeners[i].function = NULL;
  return noErr;
}

static OSStatus AddNotify(void *self, AURenderCallback function, void *context) {
  Unit *unit = self;
  for (int i = 0; i < NotifyCount; i++) {
    if (unit->notifies[i].function) continue;
    unit->notifies[i].context = context, unit->notifies[i].function = function;
    return noErr;
  }
  return kAudio_MemFullError;
}

static OSStatus RemoveNotify(void *self, AURenderCallback function, void *context) {
  Unit *unit = self;
  for (int i = 0; i < NotifyCount; i++)
    if (unit->notifies[i].context == context) unit->notifies[i].function = NULL;
  return noErr;
}

static OSStatus GetParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                             AudioUnitElement element, AudioUnitParameterValue *value) {
  Unit *unit = self;
  if (id >= ParameterCount && !HAS(UnknownParameter)) return kAudioUnitErr_InvalidParameter;
  if (scope != kAudioUnitScope_Global || element) return kAudioUnitErr_InvalidElement;
  *value = unit->values[id < ParameterCount ? id : 0];
  return noErr;
}

static OSStatus SetParameter(void *self, AudioUnitParameterID id, AudioUnitScope scope,
                             AudioUnitElement element, AudioUnitParameterValue value, UInt32 offset) {
  Unit *unit = self;
  if (id >= ParameterCount) return HAS(UnknownParameter) ? noErr : kAudioUnitErr_InvalidParameter;
  if (scope != kAudioUnitScope_Global || element) return kAudioUnitErr_InvalidElement;
  if (isnan(value) && !HAS(ValuesBeyondRanges)) return kAudioUnitErr_InvalidParameterValue;
  if (HAS(ControlBesideRender)) unit->isWriting = true, usleep(200), unit->isWriting = false;
  if (HAS(ParametersKept)) value *= 0.5f;
  unit->values[id] = value < 0 ? 0 : value > faulty_maxima[id] ? faulty_maxima[id] : value;
  return noErr;
}

static OSStatus Schedule(void *self, const AudioUnitParameterEvent *events, UInt32 count) {
  Unit *unit = self;
  for (UInt32 i = 0; i < count && unit->eventCount < EventCount; i++)
    unit->events[unit->eventCount++] = events[i];
  return noErr;
}

static OSStatus MIDIEvent(void *self, UInt32 status, UInt32 data1, UInt32 data2, UInt32 frame) {
  Unit *unit = self;
  unit->hasNote = (status & 0xF0) == 0x90 && data2 > 0;
  return noErr;
}

static OSStatus Start(void *self) { return kAudio_UnimplementedError; }

static AudioComponentMethod Lookup(SInt16 selector) {
  switch (selector) {
    case kAudioUnitInitializeSelect: return (AudioComponentMethod)Initialize;
    case kAudioUnitUninitializeSelect: return (AudioComponentMethod)Uninitialize;
    case kAudioUnitResetSelect: return (AudioComponentMethod)ResetUnit;
    case kAudioUnitGetPropertyInfoSelect: return (AudioComponentMethod)faulty_get_info;
    case kAudioUnitGetPropertySelect: return (AudioComponentMethod)faulty_get;
    case kAudioUnitSetPropertySelect: return (AudioComponentMethod)faulty_set;
    case kAudioUnitAddPropertyListenerSelect: return (AudioComponentMethod)AddListener;
    case kAudioUnitRemovePropertyListenerWithUserDataSelect: return (AudioComponentMethod)RemoveListener;
    case kAudioUnitAddRenderNotifySelect: return (AudioComponentMethod)AddNotify;
    case kAudioUnitRemoveRenderNotifySelect: return (AudioComponentMethod)RemoveNotify;
    case kAudioUnitGetParameterSelect: return (AudioComponentMethod)GetParameter;
    case kAudioUnitSetParameterSelect: return (AudioComponentMethod)SetParameter;
    case kAudioUnitScheduleParametersSelect: return (AudioComponentMethod)Schedule;
    case kAudioUnitRenderSelect: return (AudioComponentMethod)faulty_render;
    case kAudioUnitProcessSelect: return (AudioComponentMethod)faulty_process;
    case kMusicDeviceMIDIEventSelect: return (AudioComponentMethod)MIDIEvent;
    case kAudioOutputUnitStartSelect:
    case kAudioOutputUnitStopSelect: return (AudioComponentMethod)Start;
    default: return NULL;
  }
}

static AudioComponentPlugInInterface *Factory(const AudioComponentDescription *description) {
  Unit *unit = calloc(1, sizeof *unit);
  unit->interface = (AudioComponentPlugInInterface){Open, Close, Lookup, NULL};
  unit->description = *description;
  const UInt32 code = description->componentSubType;
  unit->fault = code == 'fine' ? Fine : (Fault)((code >> 8 & 0xFF) - 'A') * 26 + (code & 0xFF) - 'a';
  for (int i = 0; i < 2; i++)
    unit->formats[i] = (AudioStreamBasicDescription){
        HAS(DefaultFormats) ? 0 : 44100, kAudioFormatLinearPCM,
        kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved, 4, 1, 4, 2, 32, 0};
  unit->maximumFrames = 1156;
  unit->isInPlace = 1;
  unit->inputCount = 1;
  unit->preset = -1;
  memcpy(unit->values, faulty_defaults, sizeof faulty_defaults);
  if (HAS(ParameterDefaults)) unit->values[0] = 0.5f;
  return &unit->interface;
}

/// Whether this is still the unit initialised last.
bool faulty_is_owner(Unit *unit) { return owner == unit; }

unsigned faulty_unit_type(int index) {
  return index + 1 == Plays ? kAudioUnitType_Output
         : index + 1 == MIDI ? kAudioUnitType_MusicEffect : kAudioUnitType_Effect;
}

unsigned faulty_unit_subtype(int index) {
  const unsigned fault = (unsigned)index + 1;
  return ((unsigned)'f' << 8 | 'l') << 16 | ('A' + fault / 26) << 8 | ('a' + fault % 26);
}

int faulty_unit_count(void) { return FaultCount - 1; }
const char *faulty_unit_check(int index) { return checks[index + 1]; }

void faulty_unit_register(int index) {
  faulty_presets[0] = (AUPreset){0, CFSTR("Loud")};
  faulty_presets[1] = (AUPreset){1, CFSTR("Soft")};
  AudioComponentDescription description = {kAudioUnitType_Effect, 'fine', 'Flty', 0, 0};
  if (index >= 0) {
    description.componentType = faulty_unit_type(index);
    description.componentSubType = faulty_unit_subtype(index);
  }
  AudioComponentRegister(&description, index < 0 ? CFSTR("Faulty: Fine") : CFSTR("Faulty: Fault"),
                         0x00010000, Factory);
}

void faulty_units_register(void) {
  for (int i = -1; i < faulty_unit_count(); i++) faulty_unit_register(i);
}

AudioComponentPlugInInterface *FaultyUnitFactory(const AudioComponentDescription *description) {
  return Factory(description);
}
