// SPDX-License-Identifier: Apache-2.0
// The properties of the unit.
#include "FaultyUnit.h"

AUPreset faulty_presets[2];
const Float32 faulty_preset_gains[2] = {1.5f, 0.25f};

typedef struct {
  AudioUnitPropertyID id;
  int scopes;  // 1 global, 2 input, 4 output
  UInt32 size;
  bool writable;
} Row;

static const Row rows[] = {
    {kAudioUnitProperty_ClassInfo, 1, 8, true},
    {kAudioUnitProperty_MakeConnection, 2, sizeof(AudioUnitConnection), true},
    {kAudioUnitProperty_SampleRate, 6, 8, true},
    {kAudioUnitProperty_ParameterList, 1, 4 * ParameterCount, false},
    {kAudioUnitProperty_ParameterInfo, 1, sizeof(AudioUnitParameterInfo), false},
    {kAudioUnitProperty_StreamFormat, 6, 40, true},
    {kAudioUnitProperty_ElementCount, 7, 4, false},
    {kAudioUnitProperty_Latency, 1, 8, false},
    {kAudioUnitProperty_SupportedNumChannels, 1, sizeof(AUChannelInfo), false},
    {kAudioUnitProperty_MaximumFramesPerSlice, 1, 4, true},
    {kAudioUnitProperty_ParameterValueStrings, 1, 8, false},
    {kAudioUnitProperty_TailTime, 1, 8, false},
    {kAudioUnitProperty_BypassEffect, 1, 4, true},
    {kAudioUnitProperty_LastRenderError, 1, 4, false},
    {kAudioUnitProperty_SetRenderCallback, 2, sizeof(AURenderCallbackStruct), true},
    {kAudioUnitProperty_FactoryPresets, 1, 8, false},
    {kAudioUnitProperty_InPlaceProcessing, 1, 4, true},
    {kAudioUnitProperty_ParameterClumpName, 1, sizeof(AudioUnitParameterIDName), false},
    {kAudioUnitProperty_PresentPreset, 1, sizeof(AUPreset), true},
    {kAudioUnitProperty_MIDIOutputCallbackInfo, 1, 8, false},
    {kAudioUnitProperty_MIDIOutputCallback, 1, sizeof(AUMIDIOutputCallbackStruct), true},
    {kAudioOutputUnitProperty_CurrentDevice, 1, 4, true}};

static OSStatus find(Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                     const Row **found) {
  const bool isMissing =
      (HAS(RequiredProperties) && id == kAudioUnitProperty_Latency)
      || (HAS(RecommendedProperties) && id == kAudioUnitProperty_TailTime)
      || (!HAS(Plays) && id == kAudioOutputUnitProperty_CurrentDevice)
      || (!HAS(MIDI) && id == kAudioUnitProperty_MIDIOutputCallbackInfo)
      || (!HAS(MIDI) && id == kAudioUnitProperty_MIDIOutputCallback)
      // Their element is a parameter or a clump.
      || (id == kAudioUnitProperty_ParameterValueStrings && element != 1);
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !isMissing; i++) {
    if (rows[i].id != id) continue;
    if (scope > 2 || !(rows[i].scopes & 1 << scope)) return kAudioUnitErr_InvalidScope;
    const bool isQuestion = id == kAudioUnitProperty_ParameterInfo || id == kAudioUnitProperty_ParameterClumpName
                            || id == kAudioUnitProperty_ParameterValueStrings;
    const UInt32 buses = scope == 2 && HAS(OutputBuses) ? 2 : scope == 1 ? unit->inputCount : 1;
    if (!isQuestion && element >= buses) return kAudioUnitErr_InvalidElement;
    *found = &rows[i];
    return noErr;
  }
  return kAudioUnitErr_InvalidProperty;
}

OSStatus faulty_get_info(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                         UInt32 *size, Boolean *writable) {
  Unit *unit = self;
  const Row *row;
  const OSStatus status = find(unit, id, scope, element, &row);
  if (status) return status;
  *size = HAS(PropertySizes) && id == kAudioUnitProperty_Latency ? 16 : row->size;
  *writable = row->writable || (HAS(BusCount) && id == kAudioUnitProperty_ElementCount && scope == 1);
  return noErr;
}

static OSStatus parameter_info(Unit *unit, AudioUnitParameterID id, AudioUnitParameterInfo *info) {
  const CFStringRef names[ParameterCount] = {CFSTR("gain"), CFSTR("mode"), CFSTR("colour")};
  const AudioUnitParameterUnit units[ParameterCount] = {
      kAudioUnitParameterUnit_LinearGain, kAudioUnitParameterUnit_Indexed, kAudioUnitParameterUnit_Percent};
  if (id >= ParameterCount) return kAudioUnitErr_InvalidParameter;
  *info = (AudioUnitParameterInfo){.cfNameString = names[id], .unit = units[id], .minValue = 0,
                                   .maxValue = faulty_maxima[id], .defaultValue = faulty_defaults[id]};
  info->flags = kAudioUnitParameterFlag_IsReadable | kAudioUnitParameterFlag_IsWritable
                | kAudioUnitParameterFlag_HasCFNameString;
  if (id == 0) info->flags |= kAudioUnitParameterFlag_CanRamp;
  if (id == 1) info->flags |= kAudioUnitParameterFlag_ValuesHaveStrings;
  if (id == 2) info->flags |= kAudioUnitParameterFlag_HasClump, info->clumpID = 3;
  if (HAS(ParameterInformation)) info->maxValue = -1;
  return noErr;
}

static CFArrayRef mode_names(Unit *unit) {
  const void *names[3] = {CFSTR("thin"), CFSTR("plain"), CFSTR("thick")};
  return CFArrayCreate(NULL, names, HAS(ParameterTexts) ? 2 : 3, &kCFTypeArrayCallBacks);
}

static CFArrayRef presets(void) {
  const void *list[2] = {&faulty_presets[0], &faulty_presets[1]};
  return CFArrayCreate(NULL, list, 2, NULL);
}

static CFArrayRef midi_outputs(void) {
  const void *names[1] = {CFSTR("Notes")};
  return CFArrayCreate(NULL, names, 1, &kCFTypeArrayCallBacks);
}

static UInt32 bus_count(Unit *unit, AudioUnitScope scope) {
  return scope == 2 && HAS(OutputBuses) ? 2 : 1;
}

OSStatus faulty_get(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                    void *data, UInt32 *size) {
  Unit *unit = self;
  const Row *row;
  OSStatus status = find(unit, id, scope, element, &row);
  if (status) return HAS(PropertyMistakes) && id == 63999 ? noErr : status;
  union {
    UInt32 number;
    double seconds;
    CFTypeRef object;
    AUChannelInfo channels;
    AUPreset preset;
    AudioUnitParameterInfo info;
    UInt32 list[ParameterCount];
    UInt8 bytes[256];
  } value = {.bytes = {0}};
  UInt32 count = row->size;
  switch (id) {
    case kAudioUnitProperty_ClassInfo: value.object = faulty_copy_state(unit); break;
    case kAudioUnitProperty_SampleRate: value.seconds = unit->formats[scope - 1].mSampleRate; break;
    case kAudioUnitProperty_ParameterList:
      for (UInt32 i = 0; i < ParameterCount; i++) value.list[i] = i;
      break;
    case kAudioUnitProperty_ParameterInfo: status = parameter_info(unit, element, &value.info); break;
    case kAudioUnitProperty_StreamFormat: memcpy(&value, &unit->formats[scope - 1], 40); break;
    case kAudioUnitProperty_ElementCount: value.number = bus_count(unit, scope); break;
    case kAudioUnitProperty_Latency:
      value.seconds = (HAS(Latency) ? 100 : DelayFrames) / unit->formats[1].mSampleRate;
      break;
    case kAudioUnitProperty_SupportedNumChannels:
      value.channels = HAS(Channels) ? (AUChannelInfo){2, 2} : (AUChannelInfo){-1, -1};
      break;
    case kAudioUnitProperty_MaximumFramesPerSlice: value.number = unit->maximumFrames; break;
    case kAudioUnitProperty_ParameterValueStrings: value.object = mode_names(unit); break;
    case kAudioUnitProperty_TailTime: value.seconds = HAS(Tail) ? 0 : 0.1; break;
    case kAudioUnitProperty_BypassEffect: value.number = unit->isBypassed; break;
    case kAudioUnitProperty_LastRenderError:
      value.number = (UInt32)unit->lastError;
      unit->lastError = noErr;
      break;
    case kAudioUnitProperty_FactoryPresets: value.object = presets(); break;
    case kAudioUnitProperty_InPlaceProcessing: value.number = unit->isInPlace; break;
    case kAudioUnitProperty_ParameterClumpName:
      memcpy(&value, data, sizeof(AudioUnitParameterIDName));
      ((AudioUnitParameterIDName *)&value)->outName = HAS(Clumps) ? NULL : CFSTR("Tone");
      break;
    case kAudioUnitProperty_PresentPreset:
      value.preset = unit->preset < 0 ? (AUPreset){-1, CFSTR("Untitled")} : faulty_presets[unit->preset];
      break;
    case kAudioUnitProperty_MIDIOutputCallbackInfo: value.object = midi_outputs(); break;
    case kAudioUnitProperty_MIDIOutputCallback: break;
    case kAudioOutputUnitProperty_CurrentDevice: value.number = 1; break;
    default: return kAudioUnitErr_InvalidProperty;
  }
  if (status) return status;
  if (*size < count) count = *size;
  memcpy(data, &value, count);
  *size = count;
  return noErr;
}

static OSStatus set_format(Unit *unit, AudioUnitScope scope, const AudioStreamBasicDescription *format) {
  const bool isPlanarFloat = format->mFormatID == kAudioFormatLinearPCM && format->mBitsPerChannel == 32
                             && format->mBytesPerFrame == 4 && format->mFormatFlags & kAudioFormatFlagIsFloat
                             && format->mFormatFlags & kAudioFormatFlagIsNonInterleaved;
  const bool isPossible = isPlanarFloat && format->mSampleRate >= 1000 && format->mSampleRate <= 768000
                          && format->mChannelsPerFrame >= 1 && format->mChannelsPerFrame <= MaximumChannels;
  if (unit->isInitialized && !HAS(FixedFormats)) return kAudioUnitErr_PropertyNotWritable;
  if (!isPossible && !HAS(NonsenseFormats)) return kAudioUnitErr_FormatNotSupported;
  if (HAS(Rates) && format->mSampleRate > 100000) return kAudioUnitErr_FormatNotSupported;
  unit->formats[scope - 1] = *format;
  return noErr;
}

static OSStatus set_preset(Unit *unit, const AUPreset *preset) {
  if (preset->presetNumber > 1) return kAudioUnitErr_InvalidPropertyValue;
  if (HAS(Presets)) return noErr;
  unit->preset = preset->presetNumber < 0 ? -1 : preset->presetNumber;
  if (unit->preset >= 0) unit->values[0] = faulty_preset_gains[unit->preset];
  return noErr;
}

static void notify_listeners(Unit *unit, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element) {
  for (int i = 0; i < ListenerCount && !HAS(PropertyListeners); i++)
    if (unit->listeners[i].function && unit->listeners[i].id == id)
      unit->listeners[i].function(unit->listeners[i].context, unit->instance, id, scope, element);
}

OSStatus faulty_set(void *self, AudioUnitPropertyID id, AudioUnitScope scope, AudioUnitElement element,
                    const void *data, UInt32 size) {
  Unit *unit = self;
  const Row *row;
  OSStatus status = find(unit, id, scope, element, &row);
  if (status) return status;
  if (HAS(BusCount) && id == kAudioUnitProperty_ElementCount) return noErr;
  if (!row->writable) return kAudioUnitErr_PropertyNotWritable;
  if (!data || size < row->size) return kAudioUnitErr_InvalidPropertyValue;
  AudioStreamBasicDescription format = scope ? unit->formats[scope - 1] : unit->formats[1];
  switch (id) {
    case kAudioUnitProperty_ClassInfo: status = faulty_set_state(unit, *(CFTypeRef *)data); break;
    case kAudioUnitProperty_MakeConnection:
      if (HAS(Connection)) return noErr;
      unit->connection = *(AudioUnitConnection *)data;
      unit->input.inputProc = NULL;
      break;
    case kAudioUnitProperty_SampleRate:
      format.mSampleRate = *(Float64 *)data;
      status = set_format(unit, scope, &format);
      break;
    case kAudioUnitProperty_StreamFormat: status = set_format(unit, scope, data); break;
    case kAudioUnitProperty_MaximumFramesPerSlice:
      if (unit->isInitialized) return kAudioUnitErr_Initialized;
      if (!*(UInt32 *)data || *(UInt32 *)data > 1 << 20) return kAudioUnitErr_InvalidPropertyValue;
      if (!HAS(MaximumFrames)) unit->maximumFrames = *(UInt32 *)data;
      break;
    case kAudioUnitProperty_BypassEffect: unit->isBypassed = *(UInt32 *)data; break;
    case kAudioUnitProperty_SetRenderCallback:
      if (HAS(StructureBesideRender)) unit->isWriting = true, usleep(2000), unit->isWriting = false;
      unit->input = *(AURenderCallbackStruct *)data;
      unit->connection.sourceAudioUnit = NULL;
      break;
    case kAudioUnitProperty_InPlaceProcessing: unit->isInPlace = *(UInt32 *)data; break;
    case kAudioUnitProperty_PresentPreset: status = set_preset(unit, data); break;
    case kAudioUnitProperty_MIDIOutputCallback:
      unit->midiOutput = *(AUMIDIOutputCallbackStruct *)data;
      break;
    default: break;
  }
  if (!status) notify_listeners(unit, id, scope, element);
  return status;
}
