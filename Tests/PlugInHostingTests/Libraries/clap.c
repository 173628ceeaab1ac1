// SPDX-License-Identifier: Apache-2.0
// CLAP plug-ins: an effect with a side chain whose functions check their thread, an instrument, and some that
// break the rules.
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLAPPresets.h"

enum { GAIN, SYNTH, MANY, SHIFTING, MUTE, REFUSING, TWINS, KIND_COUNT };

typedef struct Instance {
  CLAPPlugIn plug_in;
  const CLAPHost *host;
  const CLAPHostThreadCheck *threads;
  int kind;
  pthread_t main;
  bool is_active, is_processing;
  double rate;
  // Gain: values, and what the host did.
  double gain, mode, bypass, faults, restarts, calls, extra;
  uint32_t latency, resets, timer, ticks;
  // Synth
  double value, tempo, beat;
  int32_t notes;
} Instance;

enum { P_GAIN = 7, P_MODE = 1000, P_BYPASS = 3, P_FAULTS = 40, P_ACTION = 41, P_LEVEL = 42, P_FREQUENCY = 43,
       P_CALLS = 44, P_TICKS = 45 };
enum { S_NOTES = 1, S_TEMPO = 2, S_BEAT = 3 };

static Instance *of(const CLAPPlugIn *plug_in) { return plug_in->plug_in_data; }

static void expect_main(Instance *it) {
  if (!pthread_equal(it->main, pthread_self())) it->faults++;
  if (!it->threads->is_main_thread(it->host) || it->threads->is_audio_thread(it->host)) it->faults++;
}
static void expect_audio(Instance *it) {
  if (it->threads->is_main_thread(it->host) || !it->threads->is_audio_thread(it->host)) it->faults++;
}

// Life

static bool init(const CLAPPlugIn *plug_in) {
  Instance *it = of(plug_in);
  it->main = pthread_self();
  it->threads = it->host->get_extension(it->host, CLAP_THREAD_CHECK);
  it->gain = 1;
  it->latency = 3;
  it->extra = 5;
  if (it->host->get_extension(it->host, "nothing")) return false;
  return it->threads && it->kind != REFUSING;
}
static void destroy(const CLAPPlugIn *plug_in) {
  if (of(plug_in)->is_active) abort();
  free(of(plug_in));
}
static bool activate(const CLAPPlugIn *plug_in, double rate, uint32_t min, uint32_t max) {
  Instance *it = of(plug_in);
  expect_main(it);
  if (it->is_active || min < 1 || max < min) it->faults++;
  if (rate == 11025) {
    const CLAPHostLog *log = it->host->get_extension(it->host, CLAP_LOG);
    log->log(it->host, CLAPLogError, "this rate is too low");
    return false;
  }
  it->rate = rate;
  it->is_active = true;
  return true;
}
static void deactivate(const CLAPPlugIn *plug_in) {
  Instance *it = of(plug_in);
  expect_main(it);
  if (!it->is_active || it->is_processing) it->faults++;
  it->is_active = false;
  it->restarts++;
}
static bool start_processing(const CLAPPlugIn *plug_in) {
  Instance *it = of(plug_in);
  expect_audio(it);
  if (!it->is_active) it->faults++;
  return it->is_processing = true;
}
static void stop_processing(const CLAPPlugIn *plug_in) {
  Instance *it = of(plug_in);
  expect_audio(it);
  it->is_processing = false;
}
static void reset(const CLAPPlugIn *plug_in) {
  expect_audio(of(plug_in));
  of(plug_in)->resets++;
  of(plug_in)->value = 0;
}
static void on_main_thread(const CLAPPlugIn *plug_in) {
  Instance *it = of(plug_in);
  expect_main(it);
  it->calls++;
  // The first call starts a timer, which ends itself after three ticks.
  const CLAPHostTimers *timers = it->host->get_extension(it->host, CLAP_TIMERS);
  if (it->calls > 1) return;
  if (!timers || !timers->register_timer(it->host, 1, &it->timer)) it->faults++;
}
static void on_timer(const CLAPPlugIn *plug_in, uint32_t id) {
  Instance *it = of(plug_in);
  expect_main(it);
  if (id != it->timer) it->faults++;
  const CLAPHostTimers *timers = it->host->get_extension(it->host, CLAP_TIMERS);
  if (++it->ticks < 3) return;
  if (!timers->unregister_timer(it->host, id) || timers->unregister_timer(it->host, id)) it->faults++;
}

// Events

static void push_value(const CLAPOutputEvents *out, uint32_t id, double value) {
  const CLAPParamEvent event = {
      {sizeof event, 0, 0, CLAPEventParamValue, 0}, id, NULL, -1, -1, -1, -1, value};
  out->try_push(out, &event.header);
}

static void act(Instance *it, int action, const CLAPOutputEvents *out) {
  const CLAPHostLatency *latency = it->host->get_extension(it->host, CLAP_LATENCY);
  const CLAPHostParams *params = it->host->get_extension(it->host, CLAP_PARAMS);
  switch (action) {
    case 1:  // another latency
      it->latency = 8;
      it->host->request_restart(it->host);
      break;
    case 2: it->host->request_callback(it->host); break;
    case 3:
      it->gain = 0.25;
      params->rescan(it->host, CLAPParamRescanValues);
      break;
    case 4:
      it->gain = 0.5;
      push_value(out, P_GAIN, 0.5);
      push_value(out, 99, 1);
      push_value(out, P_GAIN, NAN);
      push_value(out, P_GAIN, 0.5);
      break;
    case 5:  // Events that are too short, or of unknown kinds.
      for (uint16_t type = 0; type < 40; type++) {
        const CLAPEventHeader event = {sizeof event, 1 << 30, 0, type, 0};
        out->try_push(out, &event);
      }
      break;
    default: break;
  }
  (void)latency;
}

static void set(Instance *it, const CLAPParamEvent *event, const CLAPOutputEvents *out) {
  if (event->cookie && event->cookie != it) it->faults++;
  switch (event->param_id) {
    case P_GAIN: it->gain = event->value; break;
    case P_MODE: it->mode = event->value; break;
    case P_BYPASS: it->bypass = event->value; break;
    case P_ACTION: act(it, (int)event->value, out); break;
    case P_LEVEL: it->extra = event->value; break;
    default: break;
  }
}

static void take(Instance *it, const CLAPInputEvents *in, const CLAPOutputEvents *out) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < in->size(in); i++) {
    const CLAPEventHeader *event = in->get(in, i);
    if (event->time < last) it->faults++;
    last = event->time;
    if (event->type == CLAPEventParamValue) set(it, (const CLAPParamEvent *)event, out);
  }
}

static void flush(const CLAPPlugIn *plug_in, const CLAPInputEvents *in, const CLAPOutputEvents *out) {
  Instance *it = of(plug_in);
  if (it->is_active) expect_audio(it);
  else expect_main(it);
  if (it->kind == GAIN) take(it, in, out);
}

static int32_t process_gain(Instance *it, const CLAPProcess *call) {
  take(it, call->in_events, call->out_events);
  push_value(call->out_events, P_FAULTS, it->faults);
  push_value(call->out_events, P_CALLS, it->calls);
  push_value(call->out_events, P_TICKS, it->ticks);
  if (it->mode == 2) return CLAPStatusError;
  for (uint32_t channel = 0; channel < 2; channel++) {
    const float *in = call->inputs[0].data32[channel], *side = call->inputs[1].data32[0];
    float *out = call->outputs[0].data32[channel];
    if (in == out || call->inputs[1].channel_count != 1) it->faults++;
    for (uint32_t i = 0; i < call->frame_count; i++)
      out[i] = it->bypass >= 0.5 ? in[i] : (float)(it->gain * in[i]) + side[i];
    if (it->mode == 1) out[0] = NAN;
  }
  return CLAPStatusContinue;
}

static int32_t process_synth(Instance *it, const CLAPProcess *call) {
  float *out = call->outputs[0].data32[0];
  uint32_t frame = 0;
  if (call->transport) {
    if (call->transport->flags & CLAPTransportHasTempo) it->tempo = call->transport->tempo;
    it->beat = (double)call->transport->position_beats / (double)CLAP_TIME_UNIT;
    push_value(call->out_events, S_TEMPO, it->tempo);
    push_value(call->out_events, S_BEAT, it->beat);
  }
  for (uint32_t i = 0; i < call->in_events->size(call->in_events); i++) {
    const CLAPEventHeader *event = call->in_events->get(call->in_events, i);
    for (; frame < event->time; frame++) out[frame] = (float)it->value;
    if (event->type == CLAPEventNoteOn) {
      const CLAPNoteEvent *note = (const CLAPNoteEvent *)event;
      it->value = note->velocity;
      it->notes++;
      // A fifth above; far behind the block.
      CLAPNoteEvent fifth = *note;
      fifth.key += 7;
      call->out_events->try_push(call->out_events, &fifth.header);
    } else if (event->type == CLAPEventNoteOff) {
      it->value = 0;
      const CLAPMIDIEvent off = {
          {sizeof off, event->time, 0, CLAPEventMIDI, 0}, 0, {0x80, ((const CLAPNoteEvent *)event)->key, 64}};
      call->out_events->try_push(call->out_events, &off.header);
    } else if (event->type == CLAPEventMIDI || event->type == CLAPEventSysEx) {
      it->value = 0.125;
    }
  }
  for (; frame < call->frame_count; frame++) out[frame] = (float)it->value;
  push_value(call->out_events, S_NOTES, it->notes);
  return CLAPStatusContinue;
}

static int32_t process(const CLAPPlugIn *plug_in, const CLAPProcess *call) {
  Instance *it = of(plug_in);
  expect_audio(it);
  if (!it->is_processing) it->faults++;
  if (it->kind == GAIN) return process_gain(it, call);
  if (it->kind == SYNTH) return process_synth(it, call);
  return CLAPStatusError;
}

// Parameters

static const CLAPParamInfo gain_params[] = {
    {P_GAIN, CLAPParamIsAutomatable, NULL, "Gain", "Main/Level", 0, 4, 1},
    {P_MODE, CLAPParamIsAutomatable | CLAPParamIsStepped | CLAPParamIsEnum, NULL, "Mode", "Main", 0, 2, 0},
    {P_BYPASS, CLAPParamIsAutomatable | CLAPParamIsStepped | CLAPParamIsBypass, NULL, "Bypass", "", 0, 1, 0},
    {P_FAULTS, CLAPParamIsReadOnly, NULL, "Faults", "", 0, 1000, 0},
    {P_ACTION, CLAPParamIsStepped, NULL, "Action", "", 0, 10, 0},
    {P_LEVEL, CLAPParamIsAutomatable | CLAPParamIsHidden, NULL, "Level", "", -60, 10, 5},
    {P_FREQUENCY, CLAPParamIsAutomatable, NULL, "Frequency", "", 0, 1, 0.5},
    {P_CALLS, CLAPParamIsReadOnly, NULL, "Calls", "", 0, 1000, 0},
    {P_TICKS, CLAPParamIsReadOnly, NULL, "Ticks", "", 0, 1000, 0},
};
static const CLAPParamInfo synth_params[] = {
    {S_NOTES, CLAPParamIsReadOnly, NULL, "Notes", "", 0, 1000, 0},
    {S_TEMPO, CLAPParamIsReadOnly, NULL, "Tempo", "", 0, 1000, 0},
    {S_BEAT, CLAPParamIsReadOnly, NULL, "Beat", "", 0, 1000, 0},
};
static const CLAPParamInfo twin_params[] = {
    {5, CLAPParamIsAutomatable, NULL, "One", "", NAN, INFINITY, -INFINITY},
    {5, CLAPParamIsAutomatable, NULL, "Two", "", 3, -3, 1e300},
};

static uint32_t parameter_count(const CLAPPlugIn *plug_in) {
  switch (of(plug_in)->kind) {
    case GAIN: return sizeof gain_params / sizeof gain_params[0];
    case SYNTH: return of(plug_in)->host ? sizeof synth_params / sizeof synth_params[0] : 0;
    case TWINS: return 2;
    case MANY: return 1u << 31;
    default: return 0;
  }
}
static bool parameter_info(const CLAPPlugIn *plug_in, uint32_t index, CLAPParamInfo *info) {
  switch (of(plug_in)->kind) {
    case GAIN: *info = gain_params[index]; break;
    case SYNTH: *info = synth_params[index]; break;
    case TWINS: *info = twin_params[index]; break;
    default: return false;
  }
  if (of(plug_in)->kind == GAIN) info->cookie = of(plug_in);
  return true;
}
static bool parameter_value(const CLAPPlugIn *plug_in, uint32_t id, double *value) {
  Instance *it = of(plug_in);
  expect_main(it);
  switch (id) {
    case P_GAIN: return *value = it->gain, true;
    case P_MODE: return *value = it->mode, true;
    case P_BYPASS: return *value = it->bypass, true;
    case P_LEVEL: return *value = it->extra, true;
    case P_FREQUENCY: return *value = 0.5, true;
    default: return *value = NAN, id != P_ACTION;
  }
}
static bool value_to_text(const CLAPPlugIn *plug_in, uint32_t id, double value, char *text, uint32_t size) {
  expect_main(of(plug_in));
  static const char *const modes[] = {"Clean", "Broken", "Failing"};
  if (of(plug_in)->kind != GAIN) return false;
  if (id == P_MODE) return snprintf(text, size, "%s", modes[(int)value % 3]) > 0;
  if (id == P_LEVEL) return snprintf(text, size, "%.1f dB", value) > 0;
  if (id == P_FREQUENCY) return snprintf(text, size, "%.0f Hz", 100 * pow(10, 2 * value)) > 0;
  return false;
}
static bool text_to_value(const CLAPPlugIn *plug_in, uint32_t id, const char *text, double *value) {
  expect_main(of(plug_in));
  if (id != P_FREQUENCY || atof(text) <= 0) return false;
  *value = log10(atof(text) / 100) / 2;
  return true;
}

// State: the level of the gain, and the notes of the synth, a byte at a time.

static bool save(const CLAPPlugIn *plug_in, const CLAPOutputStream *stream) {
  Instance *it = of(plug_in);
  expect_main(it);
  char text[64];
  int count = snprintf(text, sizeof text, "state %g %d", it->gain, (int)it->notes);
  for (int i = 0; i < count; i++)
    if (stream->write(stream, text + i, 1) != 1) return false;
  return true;
}
static bool load(const CLAPPlugIn *plug_in, const CLAPInputStream *stream) {
  Instance *it = of(plug_in);
  expect_main(it);
  char text[64] = {0};
  int64_t count = 0, part;
  while (count < 63 && (part = stream->read(stream, text + count, 5)) > 0) count += part;
  int notes;
  if (sscanf(text, "state %lg %d", &it->gain, &notes) != 2) return false;
  it->notes = notes;
  return true;
}

static uint32_t latency(const CLAPPlugIn *plug_in) {
  expect_main(of(plug_in));
  if (!of(plug_in)->is_active) of(plug_in)->faults++;
  return of(plug_in)->latency;
}
static uint32_t tail(const CLAPPlugIn *plug_in) { return (uint32_t)of(plug_in)->rate / 2; }

// Ports

static uint32_t audio_port_count(const CLAPPlugIn *plug_in, bool is_input) {
  switch (of(plug_in)->kind) {
    case GAIN: return is_input ? 2 : 1;
    case SYNTH: return !is_input;
    case MANY: return 1u << 31;
    default: return 1;
  }
}
static bool audio_port(const CLAPPlugIn *plug_in, uint32_t index, bool is_input, CLAPAudioPortInfo *info) {
  Instance *it = of(plug_in);
  if (it->kind == MUTE) return false;
  static uint32_t shifting = 1;
  const uint32_t channels = it->kind == SYNTH || index == 1 ? 1 : it->kind == SHIFTING ? shifting++ % 200 : 2;
  *info = (CLAPAudioPortInfo){
      .id = index, .flags = index == 0 ? CLAPAudioPortIsMain : 0, .channel_count = channels,
      .in_place_pair = CLAP_INVALID_ID};
  memset(info->name, 'x', sizeof info->name);
  if (it->kind == GAIN) snprintf(info->name, sizeof info->name, "%s %u", is_input ? "In" : "Out", index);
  return true;
}
static uint32_t note_port_count(const CLAPPlugIn *plug_in, bool is_input) {
  return (void)is_input, of(plug_in)->kind == SYNTH;
}
static bool note_port(const CLAPPlugIn *plug_in, uint32_t index, bool is_input, CLAPNotePortInfo *info) {
  (void)plug_in, (void)is_input;
  *info = (CLAPNotePortInfo){index, CLAPNoteDialectCLAP | CLAPNoteDialectMIDI, CLAPNoteDialectCLAP, "Notes"};
  return true;
}

// The key of a preset is its gain.
static bool load_preset(const CLAPPlugIn *plug_in, uint32_t kind, const char *path, const char *key) {
  expect_main(of(plug_in));
  if (kind != CLAPPresetInPlugIn || path || !key) return false;
  of(plug_in)->gain = atof(key);
  return true;
}

static bool init_provider(const CLAPPresetProvider *provider) {
  const CLAPPresetIndexer *indexer = provider->context;
  const CLAPPresetPlace inside = {0, "Inside", CLAPPresetInPlugIn, NULL}, nowhere = {0, "", CLAPPresetInFile, "/nowhere"};
  return indexer->declare_place(indexer, &nowhere) && indexer->declare_place(indexer, &inside);
}
static bool get_metadata(
    const CLAPPresetProvider *provider, uint32_t kind, const char *path, const CLAPPresetReceiver *receiver) {
  (void)provider;
  if (kind != CLAPPresetInPlugIn || path) return false;
  static const char *const presets[][3] = {
      {"Quiet", "0.125", "test.gain"}, {"Another", "1", "test.synth"}, {"Loud", "3", "test.gain"}};
  for (int i = 0; i < 3; i++) {
    const CLAPUniversalId id = {"clap", presets[i][2]}, foreign = {"vst3", "test.gain"};
    if (!receiver->begin_preset(receiver, presets[i][0], presets[i][1])) return false;
    receiver->add_plug_in(receiver, &foreign);
    receiver->add_plug_in(receiver, &id);
    receiver->set_description(receiver, NULL);
    receiver->add_extra(receiver, "key", "value");
  }
  return true;
}
static void destroy_provider(const CLAPPresetProvider *provider) { free((void *)provider); }
static const CLAPPresetProviderDescriptor provider_descriptor = {{1, 2, 0}, "test.presets", "Presets", "Maker"};
static uint32_t provider_count(const CLAPPresetFactory *factory) { return (void)factory, 2; }
static const CLAPPresetProviderDescriptor *provider_about(const CLAPPresetFactory *factory, uint32_t index) {
  return (void)factory, index == 0 ? &provider_descriptor : NULL;
}
static const CLAPPresetProvider *create_provider(
    const CLAPPresetFactory *factory, const CLAPPresetIndexer *indexer, const char *id) {
  (void)factory, (void)id;
  CLAPPresetProvider *provider = calloc(1, sizeof *provider);
  *provider = (CLAPPresetProvider){
      &provider_descriptor, (void *)indexer, init_provider, destroy_provider, get_metadata, NULL};
  return provider;
}

static const void *get_extension(const CLAPPlugIn *plug_in, const char *id) {
  static const CLAPParams params = {
      parameter_count, parameter_info, parameter_value, value_to_text, text_to_value, flush};
  static const CLAPState state = {save, load};
  static const CLAPLatency latencies = {latency};
  static const CLAPTail tails = {tail};
  static const CLAPAudioPorts audio_ports = {audio_port_count, audio_port};
  static const CLAPNotePorts note_ports = {note_port_count, note_port};
  static const CLAPTimers timers = {on_timer};
  static const CLAPPresetLoad presets = {load_preset};
  if (!strcmp(id, CLAP_TIMERS)) return &timers;
  if (!strcmp(id, CLAP_PRESET_LOAD)) return of(plug_in)->kind == GAIN ? &presets : NULL;
  if (!strcmp(id, CLAP_PARAMS)) return &params;
  if (!strcmp(id, CLAP_STATE)) return &state;
  if (!strcmp(id, CLAP_LATENCY)) return of(plug_in)->kind == GAIN ? &latencies : NULL;
  if (!strcmp(id, CLAP_TAIL)) return of(plug_in)->kind == GAIN ? &tails : NULL;
  if (!strcmp(id, CLAP_AUDIO_PORTS)) return &audio_ports;
  if (!strcmp(id, CLAP_NOTE_PORTS)) return &note_ports;
  return NULL;
}

// The library

static const char *const effect[] = {"audio-effect", "stereo", NULL};
static const char *const instrument[] = {"instrument", NULL};
#define VERSION {1, 2, 0}
static const CLAPDescriptor descriptors[KIND_COUNT] = {
    {VERSION, "test.gain", "Gain", "Maker", NULL, NULL, NULL, "3.2.1", NULL, effect},
    {VERSION, "test.synth", "Synth", "Maker", "", "", "", "", "", instrument},
    {VERSION, "test.many", "\xff\xfe", NULL, NULL, NULL, NULL, NULL, NULL, NULL},
    {VERSION, "test.shifting", "A\nB", NULL, NULL, NULL, NULL, "99999999999.x", NULL, effect},
    {VERSION, "test.mute", NULL, NULL, NULL, NULL, NULL, NULL, NULL, effect},
    {VERSION, "test.refusing", "Refusing", "Maker", NULL, NULL, NULL, NULL, NULL, effect},
    {VERSION, "test.twins", "Twins", "Maker", NULL, NULL, NULL, NULL, NULL, effect},
};
static const CLAPDescriptor nameless = {VERSION, NULL, "Nameless", NULL, NULL, NULL, NULL, NULL, NULL, NULL};

static uint32_t count(const CLAPFactory *factory) { return (void)factory, KIND_COUNT + 2; }
static const CLAPDescriptor *get_descriptor(const CLAPFactory *factory, uint32_t index) {
  (void)factory;
  return index < KIND_COUNT ? &descriptors[index] : index == KIND_COUNT ? &nameless : NULL;
}
static const CLAPPlugIn *create(const CLAPFactory *factory, const CLAPHost *host, const char *id) {
  (void)factory;
  int kind = 0;
  while (kind < KIND_COUNT && strcmp(descriptors[kind].id, id)) kind++;
  Instance *it = kind < KIND_COUNT ? calloc(1, sizeof *it) : NULL;
  if (!it) return NULL;
  it->host = host;
  it->kind = kind;
  it->plug_in = (CLAPPlugIn){
      &descriptors[kind], it, init, destroy, activate, deactivate, start_processing, stop_processing, reset,
      process, get_extension, on_main_thread};
  return &it->plug_in;
}

static bool entry_init(const char *path) { return path && strstr(path, "clap") != NULL; }
static bool get_codes(const CLAPAudioUnitInfo *factory, uint32_t index, CLAPAudioUnitCodes *codes) {
  (void)factory;
  if (index != SYNTH) return false;
  *codes = (CLAPAudioUnitCodes){"aumu", "Syn1"};
  return true;
}
static const void *get_factory(const char *id) {
  static const CLAPFactory factory = {count, get_descriptor, create};
  static const CLAPAudioUnitInfo codes = {"Makr", "Maker", get_codes};
  static const CLAPPresetFactory presets = {provider_count, provider_about, create_provider};
  if (!strcmp(id, CLAP_AUDIO_UNIT_INFO)) return &codes;
  if (!strcmp(id, CLAP_PRESET_FACTORY)) return &presets;
  return strcmp(id, CLAP_FACTORY_ID) ? NULL : &factory;
}
static void entry_deinit(void) { abort(); }

const CLAPEntry clap_entry = {VERSION, entry_init, entry_deinit, get_factory};
