// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "CLAPExtensions.h"
#include "host.h"

typedef struct {
  Instance common;
  const CLAPPlugIn *plug_in;
  CLAPAudioBuffer *inputs, *outputs;
  uint32_t input_ports, output_ports;
  // The values, sent with the first run.
  CLAPParamEvent *values;
  uint32_t value_count;
  CLAPInputEvents events;
} CLAPInstance;

static const void *extension(const CLAPHost *host, const char *id) { (void)host, (void)id; return NULL; }
static void request(const CLAPHost *host) { (void)host; }
static const CLAPHost host = {
    .version = {1, 2, 0}, .name = "host", .vendor = "", .url = "", .host_version = "1", .get_extension = extension,
    .request_restart = request, .request_process = request, .request_callback = request};

static uint32_t size(const CLAPInputEvents *list) { return ((CLAPInstance *)list->context)->value_count; }
static const CLAPEventHeader *get(const CLAPInputEvents *list, uint32_t index) {
  return &((CLAPInstance *)list->context)->values[index].header;
}
static bool push(const CLAPOutputEvents *list, const CLAPEventHeader *event) { (void)list, (void)event; return true; }
static const CLAPOutputEvents any_events = {NULL, push};

static CLAPAudioBuffer *buffers(const CLAPPlugIn *plug_in, bool is_input, uint32_t *ports, int *channels) {
  const CLAPAudioPorts *audio = plug_in->get_extension(plug_in, CLAP_AUDIO_PORTS);
  *ports = audio ? audio->count(plug_in, is_input) : 0;
  CLAPAudioBuffer *made = must(calloc(*ports + 1, sizeof *made));
  for (uint32_t port = 0; port < *ports; port++) {
    CLAPAudioPortInfo info;
    if (!audio->get(plug_in, port, is_input, &info)) fail("it does not describe a port");
    made[port].channel_count = info.channel_count;
    made[port].data32 = must(calloc(info.channel_count + 1, sizeof(float *)));
    *channels += (int)info.channel_count;
  }
  return made;
}

static void add_values(CLAPInstance *made, const Setup *setup) {
  const CLAPParams *params = made->plug_in->get_extension(made->plug_in, CLAP_PARAMS);
  uint32_t count = params ? params->count(made->plug_in) : 0;
  made->values = must(calloc(count + 1, sizeof *made->values));
  for (uint32_t index = 0; index < count; index++) {
    CLAPParamInfo info;
    if (!params->get_info(made->plug_in, index, &info) || info.flags & CLAPParamIsReadOnly) continue;
    made->values[made->value_count++] = (CLAPParamEvent){
        .header = {.size = sizeof(CLAPParamEvent), .type = CLAPEventParamValue}, .param_id = info.id,
        .cookie = info.cookie, .note_id = -1, .port = -1, .channel = -1, .key = -1,
        .value = value_of(setup, info.id, (float)info.default_value)};
  }
}

static Instance *make(const Setup *setup) {
  void *library = dlopen(setup->path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(dlerror());
  const CLAPEntry *entry = must(dlsym(library, "clap_entry"));
  if (!entry->init(setup->path)) fail("init failed");
  const CLAPFactory *factory = must((void *)entry->get_factory(CLAP_FACTORY_ID));
  CLAPInstance *made = must(calloc(1, sizeof *made));
  const CLAPPlugIn *plug_in = made->plug_in = must((void *)factory->create(factory, &host, setup->identifier));
  if (!plug_in->init(plug_in)) fail("init failed");
  made->inputs = buffers(plug_in, true, &made->input_ports, &made->common.input_count);
  made->outputs = buffers(plug_in, false, &made->output_ports, &made->common.output_count);
  if (!plug_in->activate(plug_in, setup->rate, 1, (uint32_t)setup->maximum_frames)) fail("activate failed");
  plug_in->start_processing(plug_in);
  add_values(made, setup);
  made->events = (CLAPInputEvents){made, size, get};
  return &made->common;
}

static void point(CLAPAudioBuffer *ports, uint32_t count, float **channels) {
  for (uint32_t port = 0; port < count; port++) {
    for (uint32_t channel = 0; channel < ports[port].channel_count; channel++) {
      ports[port].data32[channel] = *channels++;
    }
  }
}

static void run(Instance *instance, float **in, float **out, int frames) {
  CLAPInstance *made = (CLAPInstance *)instance;
  point(made->inputs, made->input_ports, in);
  point(made->outputs, made->output_ports, out);
  CLAPProcess process = {
      .steady_time = -1, .frame_count = (uint32_t)frames, .inputs = made->inputs, .outputs = made->outputs,
      .input_count = made->input_ports, .output_count = made->output_ports, .in_events = &made->events,
      .out_events = &any_events};
  made->plug_in->process(made->plug_in, &process);
  made->value_count = 0;
}

static void reset(Instance *instance) {
  const CLAPPlugIn *plug_in = ((CLAPInstance *)instance)->plug_in;
  plug_in->reset(plug_in);
}

const Format clap_format = {make, run, reset};
