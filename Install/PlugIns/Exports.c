// SPDX-License-Identifier: Apache-2.0
#include "Exports.h"

#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_exports = 64 };
static Export table[most_exports];
static size_t table_count;

void copy_text(CFStringRef text, char *bytes, size_t size) {
  bytes[0] = 0;
  if (!text) return;
  CFIndex used = 0;
  CFStringGetBytes(
      text, (CFRange){0, CFStringGetLength(text)}, kCFStringEncodingUTF8, '?', false, (UInt8 *)bytes,
      (CFIndex)size - 1, &used);
  bytes[used] = 0;
}

static void print_code(OSType code, char *text) {
  for (int i = 0; i < 4; i++) text[i] = (char)(code >> (24 - 8 * i));
}

// A generator without parameters plays what only a program can give it.
static bool has_parameters(AudioComponent component) {
  AudioUnit unit;
  if (AudioComponentInstanceNew(component, &unit)) return false;
  UInt32 size = 0;
  AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, NULL);
  AudioComponentInstanceDispose(unit);
  return size > 0;
}

static void add_units(OSType type, OSType manufacturer) {
  const AudioComponentDescription wanted = {.componentType = type, .componentManufacturer = manufacturer};
  AudioComponent component = NULL;
  while ((component = AudioComponentFindNext(component, &wanted)) && table_count < most_exports) {
    Export *export = &table[table_count];
    AudioComponentGetDescription(component, &export->description);
    if (type == kAudioUnitType_Generator && !has_parameters(component)) continue;
    export->component = component;
    AudioComponentGetVersion(component, &export->version);
    CFStringRef name = NULL;
    char whole[64];
    AudioComponentCopyName(component, &name);
    copy_text(name, whole, sizeof whole);
    if (name) CFRelease(name);
    // "Maker: Name"
    const char *colon = strstr(whole, ": ");
    snprintf(export->name, sizeof export->name, "%s", colon ? colon + 2 : whole);
    snprintf(export->maker, sizeof export->maker, "%.*s", colon ? (int)(colon - whole) : 0, whole);
    strcpy(export->codes, "????:????:????");
    print_code(export->description.componentType, export->codes);
    print_code(export->description.componentSubType, export->codes + 5);
    print_code(export->description.componentManufacturer, export->codes + 10);
    // The identifier has no spaces: "dls " is "dls".
    for (char *space; (space = strchr(export->codes, ' '));) memmove(space, space + 1, strlen(space));
    table_count++;
  }
}

static void fill_table(void) {
  static const OSType types[] = {
      kAudioUnitType_Effect, kAudioUnitType_Generator, kAudioUnitType_MusicDevice};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    add_units(types[i], kAudioUnitManufacturer_Apple);
    add_units(types[i], kAudioUnitManufacturer_SwiftAudioToolbox);
  }
}

const Export *exports(size_t *count) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_table);
  *count = table_count;
  return table;
}

const Variant *variants(const Export *export) {
  static const Variant of_effects[variant_count] = {
      {2, 2, "", ""}, {1, 1, ":mono", " (mono)"}, {1, 2, ":mono-to-stereo", " (mono to stereo)"}};
  static const Variant of_others[variant_count] = {{0, 2, "", ""}, {0, 1, ":mono", " (mono)"}, {0, 0, "", ""}};
  return export->description.componentType == kAudioUnitType_Effect ? of_effects : of_others;
}

bool has_variant(AudioUnit unit, const Variant *variant) {
  if (variant->outputs == 0) return false;
  AUChannelInfo pairs[64];
  UInt32 size = sizeof pairs;
  // A unit without pairs has as many outputs as inputs, or any number of outputs if it has no input.
  if (AudioUnitGetProperty(
          unit, kAudioUnitProperty_SupportedNumChannels, kAudioUnitScope_Global, 0, pairs, &size))
    return variant->inputs == 0 || variant->inputs == variant->outputs;
  for (UInt32 i = 0; i < size / sizeof *pairs; i++) {
    const int in = pairs[i].inChannels, out = pairs[i].outChannels;
    // -1 and -1: equal; -1 and -2: any; below -2: at most so many.
    const bool is_equal = in == -1 && out == -1;
    if (is_equal && variant->inputs != variant->outputs && variant->inputs) continue;
    if ((in < 0 ? in > -3 || (int)variant->inputs <= -in : in == (int)variant->inputs)
        && (out < 0 ? out > -3 || (int)variant->outputs <= -out : out == (int)variant->outputs))
      return true;
  }
  return false;
}

void make_symbol(const char *name, char *symbol, size_t size) {
  size_t count = 0;
  if (isdigit((unsigned char)*name)) symbol[count++] = '_';
  for (; *name && count + 1 < size; name++) {
    const unsigned char byte = (unsigned char)*name;
    if (byte < 128 && isalnum(byte)) symbol[count++] = (char)tolower(byte);
    else if (count > 0 && symbol[count - 1] != '_') symbol[count++] = '_';
  }
  while (count > 1 && symbol[count - 1] == '_') count--;
  if (count == 0) symbol[count++] = '_';
  symbol[count] = 0;
}

static void make_unique(Parameter *parameters, size_t index) {
  Parameter *parameter = &parameters[index];
  make_symbol(parameter->name, parameter->symbol, sizeof parameter->symbol - 12);
  for (size_t i = 0; i < index; i++) {
    if (strcmp(parameters[i].symbol, parameter->symbol)) continue;
    sprintf(parameter->symbol + strlen(parameter->symbol), "_%u", parameter->id);
    return;
  }
}

static bool read_parameter(AudioUnit unit, Parameter *parameter) {
  AudioUnitParameterInfo info;
  UInt32 size = sizeof info;
  if (AudioUnitGetProperty(
          unit, kAudioUnitProperty_ParameterInfo, kAudioUnitScope_Global, parameter->id, &info, &size))
    return false;
  parameter->unit = info.unit;
  parameter->flags = info.flags;
  parameter->minimum = info.minValue;
  parameter->maximum = info.maxValue;
  parameter->initial = info.defaultValue;
  parameter->lowest = info.minValue;
  parameter->highest = info.maxValue;
  if (info.flags & kAudioUnitParameterFlag_HasCFNameString) {
    copy_text(info.cfNameString, parameter->name, sizeof parameter->name);
    if (info.flags & kAudioUnitParameterFlag_CFNameRelease) CFRelease(info.cfNameString);
  }
  if (info.unit == kAudioUnitParameterUnit_CustomUnit)
    copy_text(info.unitName, parameter->measure, sizeof parameter->measure);
  if (info.flags & kAudioUnitParameterFlag_HasClump) {
    AudioUnitParameterNameInfo group = {.inID = info.clumpID, .inDesiredLength = kAudioUnitParameterName_Full};
    size = sizeof group;
    if (!AudioUnitGetProperty(
            unit, kAudioUnitProperty_ParameterClumpName, kAudioUnitScope_Global, 0, &group, &size)) {
      copy_text(group.outName, parameter->group, sizeof parameter->group);
      if (group.outName) CFRelease(group.outName);
    }
  }
  return true;
}

Parameter *copy_parameters(AudioUnit unit, size_t *count) {
  UInt32 size = 0;
  *count = 0;
  AudioUnitGetPropertyInfo(unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, &size, NULL);
  const size_t most = size / sizeof(AudioUnitParameterID);
  AudioUnitParameterID *ids = calloc(most + 1, sizeof *ids);
  Parameter *parameters = calloc(most + 1, sizeof *parameters);
  if (ids && parameters && most
      && !AudioUnitGetProperty(
          unit, kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, 0, ids, &size)) {
    for (size_t i = 0; i < most; i++) {
      parameters[*count].id = ids[i];
      if (!read_parameter(unit, &parameters[*count])) continue;
      make_unique(parameters, *count);
      ++*count;
    }
  }
  free(ids);
  return parameters;
}

void update_limits(AudioUnit unit, Parameter *parameter) {
  Parameter now = {.id = parameter->id};
  if (!read_parameter(unit, &now)) return;
  parameter->lowest = now.lowest;
  parameter->highest = now.highest;
}

bool has_state(const Export *export, size_t parameter_count) {
  return export->description.componentType == kAudioUnitType_MusicDevice || parameter_count == 0;
}
