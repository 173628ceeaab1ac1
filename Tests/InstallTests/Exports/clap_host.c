// SPDX-License-Identifier: Apache-2.0

// A small host of CLAP.
//
//   clap_host FILE list              prints the identifiers
//   clap_host FILE check             checks each plug-in: ports, parameters, texts, state, bypass, odd calls
//   clap_host FILE render ID IN.raw OUT.raw SLICE in-place|apart [PARAMETER=VALUE[@FRAME]]…
//                                    sends the samples of a stereo file through a plug-in, at 48000 Hz
//   clap_host FILE play ID OUT.raw   plays a note of an instrument

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLAPExtensions.h"

enum { rate = 48000, most_frames = 4096, most_events = 64 };

static const void *no_extension(const CLAPHost *host, const char *id) {
  (void)host, (void)id;
  return NULL;
}
static void ignore(const CLAPHost *host) { (void)host; }
static const CLAPHost host = {
    {1, 1, 1}, NULL, "test", "test", "", "1", no_extension, ignore, ignore, ignore};

static const CLAPFactory *factory;

#define REQUIRE(condition)                                                    \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s: line %d: %s\n", id_of_test, __LINE__, #condition); \
      exit(1);                                                                \
    }                                                                         \
  } while (0)
static const char *id_of_test = "";

// Events of one call of process.
typedef union Event {
  CLAPEventHeader header;
  CLAPParamEvent param;
  CLAPNoteEvent note;
  CLAPMIDIEvent midi;
} Event;
static Event events[most_events];
static uint32_t event_count;
static uint32_t events_size(const CLAPInputEvents *list) {
  (void)list;
  return event_count;
}
static const CLAPEventHeader *events_get(const CLAPInputEvents *list, uint32_t index) {
  (void)list;
  return &events[index].header;
}
static bool drop(const CLAPOutputEvents *list, const CLAPEventHeader *event) {
  (void)list, (void)event;
  return true;
}
static const CLAPInputEvents in_events = {NULL, events_size, events_get};
static const CLAPOutputEvents out_events = {NULL, drop};

static void add_value(uint32_t id, double value, uint32_t frame) {
  events[event_count++].param = (CLAPParamEvent){
      .header = {sizeof(CLAPParamEvent), frame, 0, CLAPEventParamValue, 0},
      .param_id = id, .note_id = -1, .port = -1, .channel = -1, .key = -1, .value = value};
}

static const CLAPPlugIn *create(const char *id) {
  id_of_test = id;
  const CLAPPlugIn *plug_in = factory->create(factory, &host, id);
  REQUIRE(plug_in && plug_in->init(plug_in));
  return plug_in;
}

// Processes up to 4096 frames of two channels, with the same memory for input and output if `in` is `out`.
static void process(const CLAPPlugIn *plug_in, float (*in)[most_frames], float (*out)[most_frames], uint32_t frames) {
  float *inputs[] = {in[0], in[1]}, *outputs[] = {out[0], out[1]};
  const CLAPAudioBuffer input = {inputs, NULL, 2, 0, 0};
  CLAPAudioBuffer output = {outputs, NULL, 2, 0, 0};
  const CLAPAudioPorts *ports = plug_in->get_extension(plug_in, CLAP_AUDIO_PORTS);
  const uint32_t input_count = ports->count(plug_in, true);
  const CLAPProcess call = {-1, frames, NULL, input_count ? &input : NULL, &output, input_count, 1, &in_events, &out_events};
  REQUIRE(plug_in->process(plug_in, &call) != CLAPStatusError);
  event_count = 0;
}

static void start(const CLAPPlugIn *plug_in) {
  REQUIRE(plug_in->activate(plug_in, rate, 1, most_frames));
  REQUIRE(plug_in->start_processing(plug_in));
}

static void end(const CLAPPlugIn *plug_in) {
  plug_in->stop_processing(plug_in);
  plug_in->deactivate(plug_in);
  plug_in->destroy(plug_in);
}

// Finds a parameter by name.
static uint32_t parameter(const CLAPPlugIn *plug_in, const char *name) {
  const CLAPParams *params = plug_in->get_extension(plug_in, CLAP_PARAMS);
  CLAPParamInfo info;
  for (uint32_t i = 0; params->get_info(plug_in, i, &info); i++)
    if (!strcmp(info.name, name)) return info.id;
  fprintf(stderr, "%s has no parameter %s\n", id_of_test, name);
  exit(1);
}

static int render(char **arguments) {
  static float in[2][most_frames], out[2][most_frames], frame[2];
  const CLAPPlugIn *plug_in = create(arguments[0]);
  FILE *input = fopen(arguments[1], "rb"), *output = fopen(arguments[2], "wb");
  const uint32_t slice = (uint32_t)atoi(arguments[3]);
  const bool in_place = !strcmp(arguments[4], "in-place");
  REQUIRE(input && output && slice > 0 && slice <= most_frames);
  const CLAPParams *params = plug_in->get_extension(plug_in, CLAP_PARAMS);
  // Values without a frame are set before it is active.
  struct {
    uint32_t id;
    double value;
    long frame;
  } changes[most_events];
  int change_count = 0;
  for (arguments += 5; *arguments; arguments++) {
    char *equals = strchr(*arguments, '='), *rest;
    *equals = 0;
    const uint32_t id = parameter(plug_in, *arguments);
    const double value = strtod(equals + 1, &rest);
    if (*rest == '@') changes[change_count].id = id, changes[change_count].value = value, changes[change_count++].frame = atol(rest + 1);
    else add_value(id, value, 0);
  }
  params->flush(plug_in, &in_events, &out_events);
  event_count = 0;
  start(plug_in);
  for (long done = 0;;) {
    uint32_t count = 0;
    for (; count < slice && fread(frame, sizeof frame, 1, input) == 1; count++)
      for (int channel = 0; channel < 2; channel++) in[channel][count] = frame[channel];
    if (count == 0) break;
    for (int i = 0; i < change_count; i++)
      if (changes[i].frame >= done && changes[i].frame < done + count)
        add_value(changes[i].id, changes[i].value, (uint32_t)(changes[i].frame - done));
    float(*result)[most_frames] = in_place ? in : out;
    process(plug_in, in, result, count);
    for (uint32_t i = 0; i < count; i++) {
      for (int channel = 0; channel < 2; channel++) frame[channel] = result[channel][i];
      fwrite(frame, sizeof frame, 1, output);
    }
    done += count;
  }
  end(plug_in);
  return fclose(output);
}

static int play(char **arguments) {
  static float out[2][most_frames];
  const CLAPPlugIn *plug_in = create(arguments[0]);
  FILE *output = fopen(arguments[1], "wb");
  const CLAPNotePorts *ports = plug_in->get_extension(plug_in, CLAP_NOTE_PORTS);
  CLAPNotePortInfo info;
  REQUIRE(output && ports && ports->count(plug_in, true) == 1 && ports->get(plug_in, 0, true, &info));
  start(plug_in);
  for (int block = 0; block < 12; block++) {
    // Middle C, from frame 100 of the first block to frame 10 of the sixth.
    if (block == 0 || block == 5)
      events[event_count++].note = (CLAPNoteEvent){
          .header = {sizeof(CLAPNoteEvent), block ? 10 : 100, 0, block ? CLAPEventNoteOff : CLAPEventNoteOn, 0},
          .note_id = -1, .key = 60, .velocity = block ? 0 : 100 / 127.0};
    process(plug_in, out, out, most_frames);
    for (int i = 0; i < most_frames; i++)
      for (int channel = 0; channel < 2; channel++) fwrite(&out[channel][i], sizeof(float), 1, output);
  }
  end(plug_in);
  return fclose(output);
}

// A stream that transfers few bytes at a time.
typedef struct Memory {
  char bytes[1 << 20];
  size_t count, place;
} Memory;
static int64_t write_some(const CLAPOutputStream *stream, const void *bytes, uint64_t count) {
  Memory *memory = stream->context;
  if (count > 7) count = 7;
  memcpy(memory->bytes + memory->count, bytes, count);
  memory->count += count;
  return (int64_t)count;
}
static int64_t read_some(const CLAPInputStream *stream, void *bytes, uint64_t count) {
  Memory *memory = stream->context;
  if (count > 5) count = 5;
  if (count > memory->count - memory->place) count = memory->count - memory->place;
  memcpy(bytes, memory->bytes + memory->place, count);
  memory->place += count;
  return (int64_t)count;
}

static void check_parameters(const CLAPPlugIn *plug_in, const CLAPParams *params) {
  CLAPParamInfo info;
  const uint32_t count = params->count(plug_in);
  for (uint32_t i = 0; i < count; i++) {
    REQUIRE(params->get_info(plug_in, i, &info));
    REQUIRE(info.min_value < info.max_value && *info.name);
    REQUIRE(info.default_value >= info.min_value && info.default_value <= info.max_value);
    double value;
    REQUIRE(params->get_value(plug_in, info.id, &value) && isfinite(value));
    char text[256];
    REQUIRE(params->value_to_text(plug_in, info.id, info.max_value, text, sizeof text) && *text);
    REQUIRE(params->text_to_value(plug_in, info.id, text, &value));
    REQUIRE(fabs(value - info.max_value) <= 1e-4 * fabs(info.max_value));
    REQUIRE(!params->text_to_value(plug_in, info.id, "nonsense", &value) || info.flags & CLAPParamIsBypass);
  }
  REQUIRE(!params->get_info(plug_in, count, &info));
  double value;
  REQUIRE(!params->get_value(plug_in, 0xfffffff0, &value));
}

static void check_state(const CLAPPlugIn *plug_in, const CLAPParams *params, const char *id) {
  static Memory memory;
  memory.count = memory.place = 0;
  // Every parameter at a value of its own.
  CLAPParamInfo info;
  double expected[256], value;
  for (uint32_t i = 0; params->get_info(plug_in, i, &info); i++) {
    const double part = 0.25 + 0.5 * (i % 3) / 3;
    value = info.min_value + part * (info.max_value - info.min_value);
    if (info.flags & CLAPParamIsStepped) value = floor(value);
    if (!(info.flags & CLAPParamIsReadOnly)) add_value(info.id, value, 0);
    if (event_count == most_events || i + 1 == params->count(plug_in)) {
      params->flush(plug_in, &in_events, &out_events);
      event_count = 0;
    }
  }
  for (uint32_t i = 0; params->get_info(plug_in, i, &info); i++) params->get_value(plug_in, info.id, &expected[i]);
  const CLAPState *state = plug_in->get_extension(plug_in, CLAP_STATE);
  const CLAPOutputStream out = {&memory, write_some};
  REQUIRE(state->save(plug_in, &out) && memory.count > 0);

  const CLAPPlugIn *other = create(id);
  const CLAPInputStream in = {&memory, read_some};
  REQUIRE(state->load(other, &in));
  for (uint32_t i = 0; params->get_info(other, i, &info); i++) {
    if (info.flags & CLAPParamIsReadOnly) continue;
    REQUIRE(params->get_value(other, info.id, &value) && value == expected[i]);
  }
  // Broken states are refused, and nothing happens.
  memory.place = 0;
  memory.count /= 2;
  REQUIRE(!state->load(other, &in));
  memory.count = memory.place = 0;
  REQUIRE(!state->load(other, &in));
  memset(memory.bytes, 'x', memory.count = 1000);
  REQUIRE(!state->load(other, &in));
  other->destroy(other);
}

static void check_calls(const CLAPPlugIn *plug_in, const CLAPParams *params) {
  static float in[2][most_frames], out[2][most_frames];
  for (int i = 0; i < most_frames; i++) in[0][i] = in[1][i] = (float)(i % 100) / 200;
  start(plug_in);
  // Values that are no numbers, or far out of range, and unknown parameters.
  CLAPParamInfo info;
  REQUIRE(params->count(plug_in) == 0 || params->get_info(plug_in, 0, &info));
  if (params->count(plug_in)) add_value(info.id, NAN, 0), add_value(info.id, 1e30, 3), add_value(info.id, -INFINITY, 1u << 31);
  add_value(12345678, 1, 0);
  events[event_count++].header = (CLAPEventHeader){sizeof(CLAPEventHeader), 0, 0, CLAPEventNoteOn, 0};
  events[event_count++].header = (CLAPEventHeader){sizeof(CLAPEventHeader), 0, 7, 99, 0};
  process(plug_in, in, out, 512);
  for (uint32_t frames = 0; frames <= 3; frames++) process(plug_in, in, out, frames);
  plug_in->reset(plug_in);
  process(plug_in, in, out, most_frames);
  for (int i = 0; i < most_frames; i++) REQUIRE(isfinite(out[0][i]) && isfinite(out[1][i]));
  // Without channels and without events.
  const CLAPProcess nothing = {.frame_count = 64};
  REQUIRE(plug_in->process(plug_in, &nothing) != CLAPStatusError);
  plug_in->stop_processing(plug_in);
  plug_in->deactivate(plug_in);
  REQUIRE(!plug_in->activate(plug_in, -1, 1, 512));
}

// A bypassed effect is its input, delayed by its latency.
static void check_bypass(const CLAPPlugIn *plug_in) {
  static float in[2][most_frames], out[2][most_frames];
  const CLAPAudioPorts *ports = plug_in->get_extension(plug_in, CLAP_AUDIO_PORTS);
  if (ports->count(plug_in, true) == 0) return;
  for (int i = 0; i < most_frames; i++) in[0][i] = in[1][i] = (float)(i % 100) / 200;
  start(plug_in);
  const CLAPLatency *latency = plug_in->get_extension(plug_in, CLAP_LATENCY);
  const uint32_t delay = latency->get(plug_in);
  REQUIRE(delay < most_frames / 2);
  add_value(parameter(plug_in, "Bypass"), 1, 0);
  process(plug_in, in, out, most_frames);
  // The crossfade has ended.
  for (uint32_t i = most_frames / 2; i < most_frames; i++) REQUIRE(out[0][i] == in[0][i - delay]);
  plug_in->stop_processing(plug_in);
  plug_in->deactivate(plug_in);
}

static void check_configurations(const CLAPPlugIn *plug_in) {
  const CLAPAudioPortsConfigs *configs = plug_in->get_extension(plug_in, CLAP_AUDIO_PORTS_CONFIG);
  const CLAPAudioPorts *ports = plug_in->get_extension(plug_in, CLAP_AUDIO_PORTS);
  CLAPAudioPortsConfig config;
  CLAPAudioPortInfo port;
  REQUIRE(configs->count(plug_in) > 0);
  for (uint32_t i = configs->count(plug_in); i-- > 0;) {
    REQUIRE(configs->get(plug_in, i, &config) && configs->select(plug_in, config.id));
    REQUIRE(ports->get(plug_in, 0, false, &port) && port.channel_count == config.main_output_channel_count);
    REQUIRE(ports->count(plug_in, true) == config.input_port_count);
    start(plug_in);
    REQUIRE(!configs->select(plug_in, config.id));
    static float sound[2][most_frames];
    process(plug_in, sound, sound, 100);
    plug_in->stop_processing(plug_in);
    plug_in->deactivate(plug_in);
  }
  REQUIRE(!configs->get(plug_in, 99, &config) && !configs->select(plug_in, 99));
  const CLAPTail *tail = plug_in->get_extension(plug_in, CLAP_TAIL);
  const CLAPRender *mode = plug_in->get_extension(plug_in, CLAP_RENDER);
  REQUIRE(tail && mode && mode->set(plug_in, CLAPRenderOffline) && mode->set(plug_in, CLAPRenderRealTime));
  REQUIRE(!plug_in->get_extension(plug_in, "clap.unknown"));
}

static int check_all(void) {
  for (uint32_t i = 0; i < factory->count(factory); i++) {
    const char *id = factory->get_descriptor(factory, i)->id;
    const CLAPPlugIn *plug_in = create(id);
    const CLAPParams *params = plug_in->get_extension(plug_in, CLAP_PARAMS);
    check_parameters(plug_in, params);
    check_state(plug_in, params, id);
    check_bypass(plug_in);
    check_calls(plug_in, params);
    check_configurations(plug_in);
    plug_in->destroy(plug_in);
  }
  REQUIRE(!factory->create(factory, &host, "swift-audiotoolbox:aufx:rvb2:appl "));
  REQUIRE(!factory->get_descriptor(factory, factory->count(factory)));
  printf("%u plug-ins\n", factory->count(factory));
  return 0;
}

int main(int count, char **arguments) {
  void *library = count > 2 ? dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  const CLAPEntry *entry = library ? dlsym(library, "clap_entry") : NULL;
  if (!entry || !entry->init(arguments[1]) || !(factory = entry->get_factory(CLAP_FACTORY_ID))) {
    fprintf(stderr, "%s\n", library ? "no CLAP" : dlerror());
    return 1;
  }
  if (!strcmp(arguments[2], "check")) return check_all();
  if (!strcmp(arguments[2], "render")) return render(arguments + 3);
  if (!strcmp(arguments[2], "play")) return play(arguments + 3);
  for (uint32_t i = 0; i < factory->count(factory); i++) puts(factory->get_descriptor(factory, i)->id);
  return 0;
}
