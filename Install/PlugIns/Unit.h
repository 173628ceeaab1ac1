// SPDX-License-Identifier: Apache-2.0
// One instance of a unit that a host of plug-ins renders. The render functions allocate nothing, and wait for
// nothing.
#pragma once
#include "Exports.h"

typedef struct Unit Unit;

/// A new instance, not active; null: the unit does not have these channels. [control thread]
Unit *unit_new(const Export *export, const Variant *variant);
void unit_free(Unit *unit);

const Export *unit_export(const Unit *unit);
const Variant *unit_variant(const Unit *unit);
/// Changes the channels of an instance that is not active. [control thread]
bool unit_set_variant(Unit *unit, const Variant *variant);

/// The parameters, in the order of the unit. [any thread]
const Parameter *unit_parameters(const Unit *unit, size_t *count);
/// The index of a parameter, or the number of parameters. [any thread]
size_t unit_parameter_index(const Unit *unit, AudioUnitParameterID id);

/// Fixes the rate and the most frames of a render, and forgets the history of the signal. [control thread]
bool unit_activate(Unit *unit, double rate, UInt32 max_frames);
void unit_deactivate(Unit *unit);
bool unit_is_active(const Unit *unit);

/// Fixed while the unit is active. [any thread]
UInt32 unit_latency(const Unit *unit);
/// Frames; infinite from INT32_MAX. [any thread]
UInt32 unit_tail(const Unit *unit);

/// The value of a parameter by its index. [any thread]
float unit_value(const Unit *unit, size_t index);
/// Changes a parameter at once. [control thread]
void unit_set_value(Unit *unit, size_t index, float value);
/// Changes a parameter at a frame of the next render; values that are no numbers are ignored. [render thread]
void unit_schedule(Unit *unit, size_t index, float value, UInt32 frame);
/// Passes the input to the output, from the next render on. [any thread]
void unit_set_bypass(Unit *unit, bool is_bypassed);
bool unit_is_bypassed(const Unit *unit);
/// Sends MIDI bytes at a frame of the next render. System exclusive messages are sent at its start. [render thread]
void unit_midi(Unit *unit, const UInt8 *bytes, UInt32 count, UInt32 frame);

/// Renders `count` frames from `first` on, at most as many as it was activated with. Null channels are silent,
/// or dropped. Inputs and outputs may be the same memory. [render thread]
void unit_render(Unit *unit, const float *const *inputs, float *const *outputs, UInt32 first, UInt32 count);
/// Forgets the history of the signal. [render thread]
void unit_reset(Unit *unit);
/// Whether nobody waits for the output. [control thread]
void unit_set_offline(Unit *unit, bool is_offline);

/// The text of a value, with its unit of measure. [control thread]
bool unit_value_text(const Unit *unit, size_t index, float value, char *text, size_t size);
/// The value of a text. [control thread]
bool unit_text_value(const Unit *unit, size_t index, const char *text, float *value);

/// The whole state of a unit as bytes, to be released; null: it failed. [control thread]
CFDataRef unit_copy_state(const Unit *unit);
bool unit_set_state(Unit *unit, const void *bytes, size_t count);
/// The unit itself, for its properties.
AudioUnit unit_handle(const Unit *unit);
