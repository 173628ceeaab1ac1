// SPDX-License-Identifier: Apache-2.0
// Our units as CLAP plug-ins. The choices of channels of a unit are the configurations of one plug-in.
#include "CLAPExtensions.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "Unit.h"

#define ID_PREFIX "swift-audiotoolbox:"
/// The identifier of the parameter that bypasses an effect: 'bypa'.
enum { bypass_id = 0x62797061 };

typedef struct Instance {
  CLAPPlugIn plug_in;
  Unit *unit;
  size_t count;
} Instance;

static Instance *instance_of(const CLAPPlugIn *plug_in) { return plug_in->plug_in_data; }
static Unit *unit_of(const CLAPPlugIn *plug_in) { return instance_of(plug_in)->unit; }
static bool is_effect(const Unit *unit) {
  return unit_export(unit)->description.componentType == kAudioUnitType_Effect;
}
static bool is_instrument(const Unit *unit) {
  return unit_export(unit)->description.componentType == kAudioUnitType_MusicDevice;
}

// Events

static void send_note(Unit *unit, const CLAPNoteEvent *event, UInt32 frame) {
  if (event->channel < 0 || event->channel > 15 || event->key < 0 || event->key > 127) return;
  const bool starts = event->header.type == CLAPEventNoteOn;
  const double velocity = fmin(fmax(event->velocity, 0), 1) * 127;
  // A note on with velocity 0 is a note off.
  const UInt8 bytes[3] = {
      (UInt8)((starts ? 0x90 : 0x80) | event->channel), (UInt8)event->key,
      (UInt8)fmax(round(velocity), starts ? 1 : 0)};
  unit_midi(unit, bytes, sizeof bytes, frame);
}

static void set_parameter(Unit *unit, size_t count, const CLAPParamEvent *event, UInt32 frame) {
  if (event->param_id == bypass_id && is_effect(unit)) return unit_set_bypass(unit, event->value >= 0.5);
  const size_t index = unit_parameter_index(unit, event->param_id);
  if (index == count) return;
  if (unit_is_active(unit)) unit_schedule(unit, index, (float)event->value, frame);
  else unit_set_value(unit, index, (float)event->value);
}

static void send_event(const Instance *instance, const CLAPEventHeader *event, UInt32 frame) {
  if (event->space != 0) return;
  if (event->type == CLAPEventParamValue && event->size >= sizeof(CLAPParamEvent))
    return set_parameter(instance->unit, instance->count, (const CLAPParamEvent *)event, frame);
  if (!is_instrument(instance->unit)) return;
  switch (event->type) {
    case CLAPEventNoteOn:
    case CLAPEventNoteOff:
    case CLAPEventNoteChoke:
      if (event->size >= sizeof(CLAPNoteEvent)) send_note(instance->unit, (const CLAPNoteEvent *)event, frame);
      break;
    case CLAPEventMIDI:
      if (event->size >= sizeof(CLAPMIDIEvent))
        unit_midi(instance->unit, ((const CLAPMIDIEvent *)event)->data, 3, frame);
      break;
    case CLAPEventSysEx: {
      const CLAPSysExEvent *message = (const CLAPSysExEvent *)event;
      if (event->size >= sizeof *message && message->bytes)
        unit_midi(instance->unit, message->bytes, message->count, frame);
      break;
    }
    default: break;
  }
}

static void send_events(const Instance *instance, const CLAPInputEvents *events, UInt32 frame_count) {
  const uint32_t count = events && events->size && events->get ? events->size(events) : 0;
  for (uint32_t i = 0; i < count; i++) {
    const CLAPEventHeader *event = events->get(events, i);
    if (event) send_event(instance, event, event->time < frame_count ? event->time : 0);
  }
}

// Life

static bool init(const CLAPPlugIn *plug_in) {
  (void)plug_in;
  return true;
}

static void destroy(const CLAPPlugIn *plug_in) {
  Instance *instance = instance_of(plug_in);
  unit_free(instance->unit);
  free(instance);
}

static bool activate(const CLAPPlugIn *plug_in, double rate, uint32_t min_frames, uint32_t max_frames) {
  (void)min_frames;
  return unit_activate(unit_of(plug_in), rate, max_frames);
}

static void deactivate(const CLAPPlugIn *plug_in) { unit_deactivate(unit_of(plug_in)); }
static void reset(const CLAPPlugIn *plug_in) { unit_reset(unit_of(plug_in)); }
static void stop_processing(const CLAPPlugIn *plug_in) { (void)plug_in; }

static bool start_processing(const CLAPPlugIn *plug_in) {
  // The library's memory for this thread is allocated here, not in the first process.
  unit_reset(unit_of(plug_in));
  return true;
}

static int32_t process(const CLAPPlugIn *plug_in, const CLAPProcess *call) {
  const Instance *instance = instance_of(plug_in);
  if (!unit_is_active(instance->unit)) return CLAPStatusError;
  send_events(instance, call->in_events, call->frame_count);
  if (call->frame_count == 0) return CLAPStatusContinue;
  const Variant *variant = unit_variant(instance->unit);
  const float *inputs[2] = {NULL, NULL};
  float *outputs[2] = {NULL, NULL};
  const CLAPAudioBuffer *input = call->input_count > 0 ? call->inputs : NULL;
  CLAPAudioBuffer *output = call->output_count > 0 ? call->outputs : NULL;
  for (UInt32 i = 0; input && input->data32 && i < variant->inputs && i < input->channel_count; i++)
    inputs[i] = input->data32[i];
  for (UInt32 i = 0; output && output->data32 && i < variant->outputs && i < output->channel_count; i++)
    outputs[i] = output->data32[i];
  unit_render(instance->unit, inputs, outputs, 0, call->frame_count);
  if (output) output->constant_mask = 0;
  return CLAPStatusContinue;
}

static void on_main_thread(const CLAPPlugIn *plug_in) { (void)plug_in; }

// Parameters

static uint32_t parameter_count(const CLAPPlugIn *plug_in) {
  return (uint32_t)instance_of(plug_in)->count + is_effect(unit_of(plug_in));
}

static void bypass_info(CLAPParamInfo *info) {
  *info = (CLAPParamInfo){
      .id = bypass_id, .flags = CLAPParamIsBypass | CLAPParamIsStepped | CLAPParamIsAutomatable,
      .name = "Bypass", .max_value = 1};
}

static bool parameter_info(const CLAPPlugIn *plug_in, uint32_t index, CLAPParamInfo *info) {
  size_t count;
  const Parameter *parameters = unit_parameters(unit_of(plug_in), &count);
  if (index >= parameter_count(plug_in)) return false;
  if (index == count) return bypass_info(info), true;
  const Parameter *parameter = &parameters[index];
  *info = (CLAPParamInfo){
      .id = parameter->id,
      .flags = (is_meter(parameter) ? CLAPParamIsReadOnly : CLAPParamIsAutomatable)
          | (is_choice(parameter) ? CLAPParamIsStepped : 0u)
          | (parameter->flags & kAudioUnitParameterFlag_ValuesHaveStrings ? CLAPParamIsEnum : 0u),
      .min_value = parameter->minimum,
      .max_value = parameter->maximum,
      .default_value = parameter->initial};
  snprintf(info->name, sizeof info->name, "%s", parameter->name);
  snprintf(info->module, sizeof info->module, "%s", parameter->group);
  return true;
}

static bool parameter_value(const CLAPPlugIn *plug_in, uint32_t id, double *value) {
  if (id == bypass_id && is_effect(unit_of(plug_in)))
    return *value = unit_is_bypassed(unit_of(plug_in)), true;
  const size_t index = unit_parameter_index(unit_of(plug_in), id);
  if (index == instance_of(plug_in)->count) return false;
  *value = unit_value(unit_of(plug_in), index);
  return true;
}

static bool value_to_text(const CLAPPlugIn *plug_in, uint32_t id, double value, char *text, uint32_t size) {
  if (id == bypass_id && is_effect(unit_of(plug_in)))
    return snprintf(text, size, "%s", value >= 0.5 ? "on" : "off") > 0;
  const size_t index = unit_parameter_index(unit_of(plug_in), id);
  return index < instance_of(plug_in)->count
      && unit_value_text(unit_of(plug_in), index, (float)value, text, size);
}

static bool text_to_value(const CLAPPlugIn *plug_in, uint32_t id, const char *text, double *value) {
  if (id == bypass_id && is_effect(unit_of(plug_in))) return *value = !strcmp(text, "on"), true;
  const size_t index = unit_parameter_index(unit_of(plug_in), id);
  float single;
  if (index == instance_of(plug_in)->count || !unit_text_value(unit_of(plug_in), index, text, &single))
    return false;
  *value = single;
  return true;
}

static void flush(const CLAPPlugIn *plug_in, const CLAPInputEvents *in, const CLAPOutputEvents *out) {
  (void)out;
  send_events(instance_of(plug_in), in, 0);
}

// State

static bool save(const CLAPPlugIn *plug_in, const CLAPOutputStream *stream) {
  CFDataRef data = unit_copy_state(unit_of(plug_in));
  if (!data) return false;
  const UInt8 *bytes = CFDataGetBytePtr(data);
  uint64_t left = (uint64_t)CFDataGetLength(data);
  while (left > 0) {
    const int64_t written = stream->write(stream, bytes, left);
    if (written <= 0) break;
    bytes += written;
    left -= (uint64_t)written;
  }
  CFRelease(data);
  return left == 0;
}

static bool load(const CLAPPlugIn *plug_in, const CLAPInputStream *stream) {
  enum { part = 65536, most = 256 << 20 };
  char *bytes = NULL;
  size_t count = 0;
  int64_t read = 0;
  do {
    char *longer = count < most ? realloc(bytes, count + part) : NULL;
    if (!longer) return free(bytes), false;
    bytes = longer;
    read = stream->read(stream, bytes + count, part);
    if (read > 0) count += (size_t)read;
  } while (read > 0);
  const bool is_set = read == 0 && count > 0 && unit_set_state(unit_of(plug_in), bytes, count);
  free(bytes);
  return is_set;
}

// Time

static uint32_t latency(const CLAPPlugIn *plug_in) { return unit_latency(unit_of(plug_in)); }
static uint32_t tail(const CLAPPlugIn *plug_in) { return unit_tail(unit_of(plug_in)); }

static bool needs_real_time(const CLAPPlugIn *plug_in) {
  (void)plug_in;
  return false;
}

static bool set_render_mode(const CLAPPlugIn *plug_in, int32_t mode) {
  unit_set_offline(unit_of(plug_in), mode == CLAPRenderOffline);
  return true;
}

// Ports

static const char *port_type(UInt32 channels) { return channels == 2 ? CLAP_PORT_STEREO : CLAP_PORT_MONO; }

static uint32_t audio_port_count(const CLAPPlugIn *plug_in, bool is_input) {
  return !is_input || unit_variant(unit_of(plug_in))->inputs > 0;
}

static bool audio_port(const CLAPPlugIn *plug_in, uint32_t index, bool is_input, CLAPAudioPortInfo *info) {
  if (index >= audio_port_count(plug_in, is_input)) return false;
  const Variant *variant = unit_variant(unit_of(plug_in));
  const UInt32 channels = is_input ? variant->inputs : variant->outputs;
  *info = (CLAPAudioPortInfo){
      .flags = CLAPAudioPortIsMain, .channel_count = channels, .port_type = port_type(channels),
      .in_place_pair = variant->inputs == variant->outputs ? 0 : CLAP_INVALID_ID};
  snprintf(info->name, sizeof info->name, "%s", is_input ? "Input" : "Output");
  return true;
}

// The nth choice that the unit has.
static const Variant *variant_at(const CLAPPlugIn *plug_in, uint32_t index) {
  const Variant *choices = variants(unit_export(unit_of(plug_in)));
  for (int i = 0; i < variant_count; i++)
    if (has_variant(unit_handle(unit_of(plug_in)), &choices[i]) && index-- == 0) return &choices[i];
  return NULL;
}

static uint32_t config_count(const CLAPPlugIn *plug_in) {
  uint32_t count = 0;
  while (variant_at(plug_in, count)) count++;
  return count;
}

static bool config(const CLAPPlugIn *plug_in, uint32_t index, CLAPAudioPortsConfig *info) {
  const Variant *variant = variant_at(plug_in, index);
  if (!variant) return false;
  *info = (CLAPAudioPortsConfig){
      .id = index,
      .input_port_count = variant->inputs > 0,
      .output_port_count = 1,
      .has_main_input = variant->inputs > 0,
      .main_input_channel_count = variant->inputs,
      .main_input_port_type = variant->inputs ? port_type(variant->inputs) : NULL,
      .has_main_output = true,
      .main_output_channel_count = variant->outputs,
      .main_output_port_type = port_type(variant->outputs)};
  const char *in = variant->inputs == 2 ? "stereo" : "mono", *out = variant->outputs == 2 ? "stereo" : "mono";
  if (variant->inputs && variant->inputs != variant->outputs)
    snprintf(info->name, sizeof info->name, "%s to %s", in, out);
  else snprintf(info->name, sizeof info->name, "%s", out);
  return true;
}

static bool select_config(const CLAPPlugIn *plug_in, uint32_t id) {
  const Variant *variant = variant_at(plug_in, id);
  return variant && unit_set_variant(unit_of(plug_in), variant);
}

static uint32_t note_port_count(const CLAPPlugIn *plug_in, bool is_input) {
  return is_input && is_instrument(unit_of(plug_in));
}

static bool note_port(const CLAPPlugIn *plug_in, uint32_t index, bool is_input, CLAPNotePortInfo *info) {
  if (index >= note_port_count(plug_in, is_input)) return false;
  *info = (CLAPNotePortInfo){
      .supported_dialects = CLAPNoteDialectCLAP | CLAPNoteDialectMIDI,
      .preferred_dialect = CLAPNoteDialectMIDI,
      .name = "Notes"};
  return true;
}

static const void *get_extension(const CLAPPlugIn *plug_in, const char *id) {
  static const CLAPParams params = {
      parameter_count, parameter_info, parameter_value, value_to_text, text_to_value, flush};
  static const CLAPState state = {save, load};
  static const CLAPLatency latencies = {latency};
  static const CLAPTail tails = {tail};
  static const CLAPRender render = {needs_real_time, set_render_mode};
  static const CLAPAudioPorts audio_ports = {audio_port_count, audio_port};
  static const CLAPAudioPortsConfigs configs = {config_count, config, select_config};
  static const CLAPNotePorts note_ports = {note_port_count, note_port};
  if (!strcmp(id, CLAP_PARAMS)) return &params;
  if (!strcmp(id, CLAP_STATE)) return &state;
  if (!strcmp(id, CLAP_LATENCY)) return &latencies;
  if (!strcmp(id, CLAP_TAIL)) return &tails;
  if (!strcmp(id, CLAP_RENDER)) return &render;
  if (!strcmp(id, CLAP_AUDIO_PORTS)) return &audio_ports;
  if (!strcmp(id, CLAP_AUDIO_PORTS_CONFIG)) return &configs;
  if (!strcmp(id, CLAP_NOTE_PORTS) && is_instrument(unit_of(plug_in))) return &note_ports;
  return NULL;
}

// The plug-ins

static const Export *table;
static size_t table_count;
static CLAPDescriptor *descriptors;

static const char *const *features_of(const Export *export) {
  static const char *const effect[] = {"audio-effect", "stereo", "mono", NULL};
  static const char *const instrument[] = {"instrument", "stereo", NULL};
  // CLAP has no generators: an instrument without notes.
  static const char *const generator[] = {"instrument", "stereo", "mono", NULL};
  switch (export->description.componentType) {
    case kAudioUnitType_Effect: return effect;
    case kAudioUnitType_MusicDevice: return instrument;
    default: return generator;
  }
}

static void fill_descriptors(void) {
  table = exports(&table_count);
  descriptors = calloc(table_count + 1, sizeof *descriptors);
  if (!descriptors) {
    table_count = 0;
    return;
  }
  for (size_t i = 0; i < table_count; i++) {
    char id[64], version[32];
    snprintf(id, sizeof id, ID_PREFIX "%s", table[i].codes);
    snprintf(
        version, sizeof version, "%u.%u.%u", table[i].version >> 16, table[i].version >> 8 & 255,
        table[i].version & 255);
    descriptors[i] = (CLAPDescriptor){
        .version = {1, 1, 1}, .id = strdup(id), .name = table[i].name, .vendor = "swift-audiotoolbox",
        .url = "", .manual_url = "", .support_url = "", .plug_in_version = strdup(version),
        .description = "", .features = features_of(&table[i])};
  }
}

static uint32_t count(const CLAPFactory *factory) {
  (void)factory;
  return (uint32_t)table_count;
}

static const CLAPDescriptor *get_descriptor(const CLAPFactory *factory, uint32_t index) {
  (void)factory;
  return index < table_count ? &descriptors[index] : NULL;
}

static const CLAPPlugIn *create(const CLAPFactory *factory, const CLAPHost *host, const char *id) {
  (void)factory, (void)host;
  size_t index = 0;
  while (index < table_count && strcmp(descriptors[index].id, id)) index++;
  Instance *instance = index < table_count ? calloc(1, sizeof *instance) : NULL;
  if (!instance) return NULL;
  instance->unit = unit_new(&table[index], &variants(&table[index])[0]);
  if (!instance->unit) return free(instance), NULL;
  unit_parameters(instance->unit, &instance->count);
  instance->plug_in = (CLAPPlugIn){
      &descriptors[index], instance, init, destroy, activate, deactivate, start_processing,
      stop_processing, reset, process, get_extension, on_main_thread};
  return &instance->plug_in;
}

static bool entry_init(const char *path) {
  (void)path;
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, fill_descriptors);
  return table_count > 0;
}

static void entry_deinit(void) {}

static const void *entry_get_factory(const char *id) {
  static const CLAPFactory factory = {count, get_descriptor, create};
  return strcmp(id, CLAP_FACTORY_ID) ? NULL : &factory;
}

__attribute__((visibility("default"))) const CLAPEntry clap_entry = {
    {1, 1, 1}, entry_init, entry_deinit, entry_get_factory};
