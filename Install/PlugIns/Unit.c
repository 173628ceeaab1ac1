// SPDX-License-Identifier: Apache-2.0
#include "Unit.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_channels = 2 };

struct Unit {
  const Export *export;
  const Variant *variant;
  AudioUnit unit;
  Parameter *parameters;
  size_t parameter_count;
  bool is_active;
  double rate;
  UInt32 max_frames, latency, tail;
  AudioTimeStamp time;
  // The host's input during a render, null if there is none.
  const float *inputs[most_channels];
  atomic_bool is_bypassed;
  // The input of the last `latency` frames, then that of this render, and how much of it is heard: 0 to 1.
  float *dry[most_channels];
  float dry_gain;
};

static OSStatus read_input(
    void *context, AudioUnitRenderActionFlags *flags, const AudioTimeStamp *time, UInt32 bus, UInt32 frames,
    AudioBufferList *list) {
  (void)flags, (void)time, (void)bus;
  const Unit *unit = context;
  for (UInt32 i = 0; i < list->mNumberBuffers; i++) {
    const float *input = i < most_channels ? unit->inputs[i] : NULL;
    if (input) memcpy(list->mBuffers[i].mData, input, frames * sizeof(float));
    else memset(list->mBuffers[i].mData, 0, frames * sizeof(float));
  }
  return noErr;
}

static bool set_format(AudioUnit unit, AudioUnitScope scope, double rate, UInt32 channels) {
  const AudioStreamBasicDescription format = {
      .mSampleRate = rate,
      .mFormatID = kAudioFormatLinearPCM,
      .mFormatFlags = kAudioFormatFlagsNativeFloatPacked | kAudioFormatFlagIsNonInterleaved,
      .mBytesPerPacket = sizeof(float),
      .mFramesPerPacket = 1,
      .mBytesPerFrame = sizeof(float),
      .mChannelsPerFrame = channels,
      .mBitsPerChannel = 8 * sizeof(float)};
  return !AudioUnitSetProperty(unit, kAudioUnitProperty_StreamFormat, scope, 0, &format, sizeof format);
}

static bool set_formats(const Unit *unit, double rate) {
  return (unit->variant->inputs == 0
          || set_format(unit->unit, kAudioUnitScope_Input, rate, unit->variant->inputs))
      && set_format(unit->unit, kAudioUnitScope_Output, rate, unit->variant->outputs);
}

Unit *unit_new(const Export *export, const Variant *variant) {
  Unit *unit = calloc(1, sizeof *unit);
  if (!unit) return NULL;
  unit->export = export;
  unit->variant = variant;
  unit->rate = 48000;
  if (AudioComponentInstanceNew(export->component, &unit->unit)) {
    free(unit);
    return NULL;
  }
  const AURenderCallbackStruct callback = {read_input, unit};
  const bool is_ready = has_variant(unit->unit, variant) && set_formats(unit, unit->rate)
      && (variant->inputs == 0
          || !AudioUnitSetProperty(
              unit->unit, kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input, 0, &callback,
              sizeof callback));
  unit->parameters = copy_parameters(unit->unit, &unit->parameter_count);
  if (!is_ready || !unit->parameters) {
    unit_free(unit);
    return NULL;
  }
  return unit;
}

void unit_free(Unit *unit) {
  unit_deactivate(unit);
  AudioComponentInstanceDispose(unit->unit);
  free(unit->parameters);
  free(unit);
}

const Export *unit_export(const Unit *unit) { return unit->export; }
const Variant *unit_variant(const Unit *unit) { return unit->variant; }
AudioUnit unit_handle(const Unit *unit) { return unit->unit; }

bool unit_set_variant(Unit *unit, const Variant *variant) {
  if (unit->is_active || !has_variant(unit->unit, variant)) return false;
  const Variant *old = unit->variant;
  unit->variant = variant;
  if (set_formats(unit, unit->rate)) return true;
  unit->variant = old;
  set_formats(unit, unit->rate);
  return false;
}

const Parameter *unit_parameters(const Unit *unit, size_t *count) {
  *count = unit->parameter_count;
  return unit->parameters;
}

size_t unit_parameter_index(const Unit *unit, AudioUnitParameterID id) {
  size_t index = 0;
  while (index < unit->parameter_count && unit->parameters[index].id != id) index++;
  return index;
}

static UInt32 frames_of(const Unit *unit, AudioUnitPropertyID property) {
  Float64 seconds = 0;
  UInt32 size = sizeof seconds;
  if (AudioUnitGetProperty(unit->unit, property, kAudioUnitScope_Global, 0, &seconds, &size)) return 0;
  const double frames = round(seconds * unit->rate);
  return frames >= INT32_MAX ? INT32_MAX : frames > 0 ? (UInt32)frames : 0;
}

bool unit_activate(Unit *unit, double rate, UInt32 max_frames) {
  unit_deactivate(unit);
  if (!set_formats(unit, rate)) {
    set_formats(unit, unit->rate);
    return false;
  }
  unit->rate = rate;
  unit->max_frames = max_frames;
  if (AudioUnitSetProperty(
          unit->unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &max_frames,
          sizeof max_frames)
      || AudioUnitInitialize(unit->unit))
    return false;
  unit->is_active = true;
  for (size_t i = 0; i < unit->parameter_count; i++) update_limits(unit->unit, &unit->parameters[i]);
  unit->latency = frames_of(unit, kAudioUnitProperty_Latency);
  unit->tail = frames_of(unit, kAudioUnitProperty_TailTime);
  unit->time = (AudioTimeStamp){.mFlags = kAudioTimeStampSampleTimeValid};
  for (UInt32 i = 0; i < unit->variant->inputs; i++) {
    unit->dry[i] = calloc((size_t)unit->latency + max_frames, sizeof(float));
    if (!unit->dry[i]) return unit_deactivate(unit), false;
  }
  unit->dry_gain = unit->is_bypassed ? 1 : 0;
  return true;
}

void unit_deactivate(Unit *unit) {
  if (unit->is_active) AudioUnitUninitialize(unit->unit);
  unit->is_active = false;
  for (int i = 0; i < most_channels; i++) {
    free(unit->dry[i]);
    unit->dry[i] = NULL;
  }
}

bool unit_is_active(const Unit *unit) { return unit->is_active; }
UInt32 unit_latency(const Unit *unit) { return unit->latency; }
UInt32 unit_tail(const Unit *unit) { return unit->tail; }

float unit_value(const Unit *unit, size_t index) {
  float value = unit->parameters[index].initial;
  AudioUnitGetParameter(unit->unit, unit->parameters[index].id, kAudioUnitScope_Global, 0, &value);
  return value;
}

static float in_range(const Parameter *parameter, float value) {
  return fminf(fmaxf(value, parameter->lowest), parameter->highest);
}

void unit_set_value(Unit *unit, size_t index, float value) {
  const Parameter *parameter = &unit->parameters[index];
  if (is_meter(parameter) || isnan(value)) return;
  AudioUnitSetParameter(
      unit->unit, parameter->id, kAudioUnitScope_Global, 0, in_range(parameter, value), 0);
}

void unit_schedule(Unit *unit, size_t index, float value, UInt32 frame) {
  const Parameter *parameter = &unit->parameters[index];
  if (is_meter(parameter) || isnan(value)) return;
  const AudioUnitParameterEvent event = {
      .scope = kAudioUnitScope_Global,
      .parameter = parameter->id,
      .eventType = kParameterEvent_Immediate,
      .eventValues.immediate = {.bufferOffset = frame, .value = in_range(parameter, value)}};
  AudioUnitScheduleParameters(unit->unit, &event, 1);
}

void unit_set_bypass(Unit *unit, bool is_bypassed) { unit->is_bypassed = is_bypassed; }
bool unit_is_bypassed(const Unit *unit) { return unit->is_bypassed; }

void unit_midi(Unit *unit, const UInt8 *bytes, UInt32 count, UInt32 frame) {
  if (count == 0 || bytes[0] < 0x80) return;
  if (bytes[0] == 0xf0) MusicDeviceSysEx(unit->unit, bytes, count);
  else if (count <= 3)
    MusicDeviceMIDIEvent(unit->unit, bytes[0], count > 1 ? bytes[1] : 0, count > 2 ? bytes[2] : 0, frame);
}

// Keeps the input, because the output may be the same memory.
static void store_dry(Unit *unit, UInt32 frames) {
  for (UInt32 i = 0; i < unit->variant->inputs; i++) {
    float *end = unit->dry[i] + unit->latency;
    if (unit->inputs[i]) memcpy(end, unit->inputs[i], frames * sizeof(float));
    else memset(end, 0, frames * sizeof(float));
  }
}

// Crossfades to the input, or back, within ten milliseconds.
static void mix_dry(Unit *unit, float *const *outputs, UInt32 first, UInt32 frames) {
  const float target = unit->is_bypassed ? 1 : 0;
  const float step = (float)(100 / unit->rate) * (target > unit->dry_gain ? 1 : -1);
  float gain = unit->dry_gain;
  for (UInt32 i = 0; i < unit->variant->outputs; i++) {
    // A mono input is on both outputs.
    const float *dry = unit->dry[i < unit->variant->inputs ? i : 0];
    gain = unit->dry_gain;
    for (UInt32 frame = 0; frame < frames && (gain > 0 || target > 0); frame++) {
      if (gain != target) gain = fminf(fmaxf(gain + step, 0), 1);
      if (outputs[i]) {
        float *sample = &outputs[i][first + frame];
        *sample = gain == 1 ? dry[frame] : *sample + gain * (dry[frame] - *sample);
      }
    }
  }
  unit->dry_gain = gain;
}

static void shift_dry(Unit *unit, UInt32 frames) {
  for (UInt32 i = 0; i < unit->variant->inputs; i++)
    memmove(unit->dry[i], unit->dry[i] + frames, unit->latency * sizeof(float));
}

void unit_render(Unit *unit, const float *const *inputs, float *const *outputs, UInt32 first, UInt32 count) {
  if (!unit->is_active || count == 0 || count > unit->max_frames) return;
  for (UInt32 i = 0; i < unit->variant->inputs; i++) unit->inputs[i] = inputs[i] ? inputs[i] + first : NULL;
  store_dry(unit, count);

  struct {
    UInt32 count;
    AudioBuffer buffers[most_channels];
  } list = {.count = unit->variant->outputs};
  // A list without memory gets the unit's.
  for (UInt32 i = 0; i < list.count; i++)
    list.buffers[i] = (AudioBuffer){
        1, count * (UInt32)sizeof(float), outputs[0] && outputs[list.count - 1] ? outputs[i] + first : NULL};
  AudioUnitRenderActionFlags flags = 0;
  const OSStatus status =
      AudioUnitRender(unit->unit, &flags, &unit->time, 0, count, (AudioBufferList *)&list);
  unit->time.mSampleTime += count;
  for (UInt32 i = 0; i < list.count; i++) {
    if (!outputs[i]) continue;
    float *output = outputs[i] + first;
    if (status || !list.buffers[i].mData) memset(output, 0, count * sizeof(float));
    else if (list.buffers[i].mData != output) memmove(output, list.buffers[i].mData, count * sizeof(float));
  }
  if (unit->variant->inputs) {
    mix_dry(unit, outputs, first, count);
    shift_dry(unit, count);
  }
}

void unit_reset(Unit *unit) {
  AudioUnitReset(unit->unit, kAudioUnitScope_Global, 0);
  for (UInt32 i = 0; i < unit->variant->inputs; i++)
    if (unit->dry[i]) memset(unit->dry[i], 0, unit->latency * sizeof(float));
}

void unit_set_offline(Unit *unit, bool is_offline) {
  const UInt32 value = is_offline;
  AudioUnitSetProperty(
      unit->unit, kAudioUnitProperty_OfflineRender, kAudioUnitScope_Global, 0, &value, sizeof value);
}

static const char *measure(const Parameter *parameter) {
  switch (parameter->unit) {
    case kAudioUnitParameterUnit_Percent:
    case kAudioUnitParameterUnit_EqualPowerCrossfade: return " %";
    case kAudioUnitParameterUnit_Seconds: return " s";
    case kAudioUnitParameterUnit_Milliseconds: return " ms";
    case kAudioUnitParameterUnit_Hertz: return " Hz";
    case kAudioUnitParameterUnit_Decibels: return " dB";
    case kAudioUnitParameterUnit_Degrees:
    case kAudioUnitParameterUnit_Phase: return "°";
    case kAudioUnitParameterUnit_Octaves: return " oct";
    case kAudioUnitParameterUnit_Cents: return " cents";
    case kAudioUnitParameterUnit_RelativeSemiTones: return " semitones";
    case kAudioUnitParameterUnit_SampleFrames: return " frames";
    default: return "";
  }
}

bool unit_value_text(const Unit *unit, size_t index, float value, char *text, size_t size) {
  if (size == 0) return false;
  const Parameter *parameter = &unit->parameters[index];
  AudioUnitParameterStringFromValue request = {.inParamID = parameter->id, .inValue = &value};
  UInt32 request_size = sizeof request;
  if (parameter->flags & kAudioUnitParameterFlag_ValuesHaveStrings
      && !AudioUnitGetProperty(
          unit->unit, kAudioUnitProperty_ParameterStringFromValue, kAudioUnitScope_Global, 0, &request,
          &request_size)
      && request.outString) {
    copy_text(request.outString, text, size);
    CFRelease(request.outString);
    return true;
  }
  if (parameter->unit == kAudioUnitParameterUnit_Boolean) snprintf(text, size, "%s", value > 0 ? "on" : "off");
  else {
    // Without the locale's decimal comma.
    CFStringRef number = CFStringCreateWithFormat(NULL, NULL, CFSTR("%.6g"), (double)value);
    char digits[32];
    copy_text(number, digits, sizeof digits);
    if (number) CFRelease(number);
    snprintf(text, size, "%s%s%s", digits, *parameter->measure ? " " : measure(parameter), parameter->measure);
  }
  return true;
}

bool unit_text_value(const Unit *unit, size_t index, const char *text, float *value) {
  const Parameter *parameter = &unit->parameters[index];
  if (parameter->unit == kAudioUnitParameterUnit_Boolean && (!strcmp(text, "on") || !strcmp(text, "off"))) {
    *value = text[1] == 'n';
    return true;
  }
  CFStringRef string = CFStringCreateWithCString(NULL, text, kCFStringEncodingUTF8);
  if (!string) return false;
  AudioUnitParameterValueFromString request = {.inParamID = parameter->id, .inString = string};
  UInt32 size = sizeof request;
  bool is_known = parameter->flags & kAudioUnitParameterFlag_ValuesHaveStrings
      && !AudioUnitGetProperty(
          unit->unit, kAudioUnitProperty_ParameterValueFromString, kAudioUnitScope_Global, 0, &request, &size);
  if (is_known) *value = request.outValue;
  else if (strspn(text, " +-.0123456789eE") > 0 && strpbrk(text, "0123456789")) {
    *value = in_range(parameter, (float)CFStringGetDoubleValue(string));
    is_known = true;
  }
  CFRelease(string);
  return is_known;
}

// A unit does not save whether it is bypassed.
#define BYPASS_KEY CFSTR("bypass")

CFDataRef unit_copy_state(const Unit *unit) {
  CFPropertyListRef list = NULL;
  UInt32 size = sizeof list;
  if (AudioUnitGetProperty(
          unit->unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, &size)
      || !list)
    return NULL;
  CFMutableDictionaryRef state = CFDictionaryCreateMutableCopy(NULL, 0, list);
  CFRelease(list);
  if (!state) return NULL;
  CFDictionarySetValue(state, BYPASS_KEY, unit->is_bypassed ? kCFBooleanTrue : kCFBooleanFalse);
  CFDataRef data = CFPropertyListCreateData(NULL, state, kCFPropertyListBinaryFormat_v1_0, 0, NULL);
  CFRelease(state);
  return data;
}

bool unit_set_state(Unit *unit, const void *bytes, size_t count) {
  CFDataRef data = CFDataCreate(NULL, bytes, (CFIndex)count);
  if (!data) return false;
  CFPropertyListRef list = CFPropertyListCreateWithData(NULL, data, kCFPropertyListImmutable, NULL, NULL);
  CFRelease(data);
  if (!list) return false;
  const OSStatus status = AudioUnitSetProperty(
      unit->unit, kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 0, &list, sizeof list);
  // The unit has checked that it is a dictionary.
  if (!status) {
    const CFTypeRef value = CFDictionaryGetValue(list, BYPASS_KEY);
    unit_set_bypass(
        unit, value && CFGetTypeID(value) == CFBooleanGetTypeID() && CFBooleanGetValue(value));
  }
  CFRelease(list);
  return status == noErr;
}
