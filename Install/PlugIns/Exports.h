// SPDX-License-Identifier: Apache-2.0
// The units that other programs can use as plug-ins, and what a host shows of them.
#pragma once
#include <AudioToolbox/AudioToolbox.h>
#include <stdbool.h>

/// A unit that is exported.
typedef struct Export {
  AudioComponent component;
  AudioComponentDescription description;
  /// Without the maker, such as "AUReverb2".
  char name[64];
  char maker[64];
  /// Type, subtype and manufacturer, such as "aufx:rvb2:appl".
  char codes[20];
  /// The project's version; major, minor and micro.
  UInt32 version;
} Export;

/// The exported units: effects, instruments, and generators with parameters. Those of other makers are left
/// out, because they have plug-ins of their own. [any thread]
const Export *exports(size_t *count);

/// A choice of channels of the only input and output.
typedef struct Variant {
  UInt32 inputs, outputs;
  /// What follows the codes in the identifier of an LV2 plug-in.
  const char *suffix;
  const char *name;
} Variant;

enum { variant_count = 3 };
/// The choices for effects, then for other units (whose third has no channels). The first is the default.
const Variant *variants(const Export *export);

/// Whether a unit says that it has a choice of channels. [control thread]
bool has_variant(AudioUnit unit, const Variant *variant);

/// A parameter of a unit.
typedef struct Parameter {
  AudioUnitParameterID id;
  AudioUnitParameterUnit unit;
  AudioUnitParameterOptions flags;
  float minimum, maximum, initial;
  /// What the unit allows at its sample rate.
  float lowest, highest;
  char name[128];
  /// The name as an identifier of C, which no other parameter of the unit has.
  char symbol[128];
  /// The name of the group, or empty.
  char group[128];
  /// The unit of measure in text, if it is no standard one.
  char measure[32];
} Parameter;

/// The parameters of a unit, to be freed. [control thread]
Parameter *copy_parameters(AudioUnit unit, size_t *count);

/// Updates what the unit allows at its sample rate. [control thread]
void update_limits(AudioUnit unit, Parameter *parameter);

/// A parameter that a host only reads: a meter.
static inline bool is_meter(const Parameter *parameter) {
  return !(parameter->flags & kAudioUnitParameterFlag_IsWritable);
}
static inline bool is_choice(const Parameter *parameter) {
  return parameter->unit == kAudioUnitParameterUnit_Indexed || parameter->unit == kAudioUnitParameterUnit_Boolean;
}

/// Whether a unit has more to save than its parameters: sounds of an instrument, or presets without parameters.
bool has_state(const Export *export, size_t parameter_count);

/// Copies a string of Core Foundation, cut to the size; empty for null.
void copy_text(CFStringRef text, char *bytes, size_t size);

/// A name as an identifier: letters, digits and underscores.
void make_symbol(const char *name, char *symbol, size_t size);
