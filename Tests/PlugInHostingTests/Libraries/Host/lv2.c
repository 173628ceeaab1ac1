// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <lv2/atom/atom.h>
#include <lv2/buf-size/buf-size.h>
#include <lv2/core/lv2.h>
#include <lv2/options/options.h>
#include <lv2/parameters/parameters.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdlib.h>
#include <string.h>

#include "Lilv.h"
#include "host.h"

enum { EVENT_BYTES = 1 << 16, WORK_BYTES = 1 << 16 };

typedef struct {
  Instance common;
  const LV2_Descriptor *type;
  LV2_Handle handle;
  int *inputs, *outputs, *event_inputs, *event_outputs;
  int event_input_count, event_output_count;
  LV2_Atom_Sequence *events_in, *events_out;
  const LV2_Worker_Interface *work;
  // What was scheduled in a run, and what the work answers: sizes and bytes.
  uint32_t request_bytes, response_bytes;
  uint8_t requests[WORK_BYTES], responses[WORK_BYTES];
} LV2Instance;

static LilvTable lilv;
static LV2_URID sequence, chunk;

static void open_lilv(void) {
  void *library = dlopen("liblilv-0.so.0", RTLD_NOW | RTLD_GLOBAL);
  if (!library) fail(dlerror());
#define FIND(function) *(void **)&lilv.function = must(dlsym(library, #function));
  LILV_FUNCTIONS(FIND)
}

// Numbers of URIs

static char *uris[4096];

static LV2_URID map_uri(LV2_URID_Map_Handle handle, const char *uri) {
  (void)handle;
  LV2_URID number = 1;
  for (; uris[number]; number++) {
    if (!strcmp(uris[number], uri)) return number;
  }
  if (number >= 4095) fail("too many URIs");
  uris[number] = must(strdup(uri));
  return number;
}

static const char *unmap_number(LV2_URID_Unmap_Handle handle, LV2_URID number) {
  (void)handle;
  return number < 4096 ? uris[number] : NULL;
}

// Work is done after the run that has scheduled it.

static bool append(uint8_t *list, uint32_t *bytes, uint32_t size, const void *data) {
  if (*bytes + 8 + size > WORK_BYTES) return false;
  memcpy(list + *bytes, &size, sizeof size);
  memcpy(list + *bytes + 8, data, size);
  *bytes += (8 + size + 7) & ~7u;
  return true;
}

static LV2_Worker_Status schedule(LV2_Worker_Schedule_Handle handle, uint32_t size, const void *data) {
  LV2Instance *made = handle;
  return append(made->requests, &made->request_bytes, size, data) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE;
}

static LV2_Worker_Status respond(LV2_Worker_Respond_Handle handle, uint32_t size, const void *data) {
  LV2Instance *made = handle;
  return append(made->responses, &made->response_bytes, size, data) ? LV2_WORKER_SUCCESS : LV2_WORKER_ERR_NO_SPACE;
}

static void work(LV2Instance *made) {
  if (!made->work) return;
  for (uint32_t at = 0; at < made->request_bytes;) {
    uint32_t size;
    memcpy(&size, made->requests + at, sizeof size);
    made->work->work(made->handle, respond, made, size, made->requests + at + 8);
    at += (8 + size + 7) & ~7u;
  }
  made->request_bytes = 0;
  for (uint32_t at = 0; at < made->response_bytes;) {
    uint32_t size;
    memcpy(&size, made->responses + at, sizeof size);
    made->work->work_response(made->handle, size, made->responses + at + 8);
    at += (8 + size + 7) & ~7u;
  }
  made->response_bytes = 0;
  if (made->work->end_run) made->work->end_run(made->handle);
}

// Instances

// The number of a unit's parameter: FNV-1a of the port's symbol.
static uint32_t number_of(const char *symbol) {
  uint32_t number = 2166136261u;
  for (; *symbol; symbol++) number = (number ^ (uint8_t)*symbol) * 16777619u;
  return number;
}

static void instantiate(LV2Instance *made, const Setup *setup, const LilvPlugin *plug_in) {
  static LV2_URID_Map map = {NULL, map_uri};
  static LV2_URID_Unmap unmap = {NULL, unmap_number};
  static float rate;
  static int32_t shortest = 1, longest, event_bytes = EVENT_BYTES;
  rate = (float)setup->rate;
  sequence = map_uri(NULL, LV2_ATOM__Sequence);
  chunk = map_uri(NULL, LV2_ATOM__Chunk);
  longest = setup->maximum_frames;
  LV2_URID real = map_uri(NULL, LV2_ATOM__Float), whole = map_uri(NULL, LV2_ATOM__Int);
  LV2_Options_Option *options = must(calloc(6, sizeof *options));
  options[0] = (LV2_Options_Option){0, 0, map_uri(NULL, LV2_PARAMETERS__sampleRate), 4, real, &rate};
  options[1] = (LV2_Options_Option){0, 0, map_uri(NULL, LV2_BUF_SIZE__minBlockLength), 4, whole, &shortest};
  options[2] = (LV2_Options_Option){0, 0, map_uri(NULL, LV2_BUF_SIZE__maxBlockLength), 4, whole, &longest};
  options[3] = (LV2_Options_Option){0, 0, map_uri(NULL, LV2_BUF_SIZE__nominalBlockLength), 4, whole, &longest};
  options[4] = (LV2_Options_Option){0, 0, map_uri(NULL, LV2_BUF_SIZE__sequenceSize), 4, whole, &event_bytes};
  LV2_Worker_Schedule *scheduling = must(calloc(1, sizeof *scheduling));
  *scheduling = (LV2_Worker_Schedule){made, schedule};
  LV2_Feature *features = must(calloc(6, sizeof *features));
  features[0] = (LV2_Feature){LV2_URID__map, &map};
  features[1] = (LV2_Feature){LV2_URID__unmap, &unmap};
  features[2] = (LV2_Feature){LV2_OPTIONS__options, options};
  features[3] = (LV2_Feature){LV2_BUF_SIZE__boundedBlockLength, NULL};
  features[4] = (LV2_Feature){LV2_WORKER__schedule, scheduling};
  features[5] = (LV2_Feature){"http://lv2plug.in/ns/ext/state#loadDefaultState", NULL};
  const LV2_Feature **list = must(calloc(7, sizeof *list));
  for (int i = 0; i < 6; i++) list[i] = &features[i];
  LilvInstance *instance = must(lilv.lilv_plugin_instantiate(plug_in, setup->rate, list));
  made->type = instance->descriptor;
  made->handle = instance->handle;
  if (made->type->extension_data) made->work = made->type->extension_data(LV2_WORKER__interface);
}

static void connect(LV2Instance *made, const Setup *setup, LilvWorld *world, const LilvPlugin *plug_in) {
  int count = (int)lilv.lilv_plugin_get_num_ports(plug_in);
  int **lists[] = {&made->inputs, &made->outputs, &made->event_inputs, &made->event_outputs};
  for (int i = 0; i < 4; i++) *lists[i] = must(calloc((size_t)count + 1, sizeof(int)));
  float *controls = must(calloc((size_t)count + 1, sizeof(float)));
  LilvNode *input = lilv.lilv_new_uri(world, LV2_CORE__InputPort);
  LilvNode *control = lilv.lilv_new_uri(world, LV2_CORE__ControlPort);
  LilvNode *designation = lilv.lilv_new_uri(world, LV2_CORE__designation);
  LilvNode *atom = lilv.lilv_new_uri(world, LV2_ATOM__AtomPort);
  for (int port = 0; port < count; port++) {
    const LilvPort *info = lilv.lilv_plugin_get_port_by_index(plug_in, (uint32_t)port);
    bool is_input = lilv.lilv_port_is_a(plug_in, info, input);
    void *memory = &controls[port];
    if (lilv.lilv_port_is_a(plug_in, info, control)) {
      uint32_t number = number_of(lilv.lilv_node_as_string(lilv.lilv_port_get_symbol(plug_in, info)));
      LilvNode *meaning = lilv.lilv_port_get(plug_in, info, designation);
      bool is_enabled = meaning && !strcmp(lilv.lilv_node_as_string(meaning), LV2_CORE__enabled);
      controls[port] = value_of(setup, number, is_enabled ? 1 : 0);
    } else if (lilv.lilv_port_is_a(plug_in, info, atom)) {
      memory = must(calloc(1, EVENT_BYTES));
      if (is_input) {
        made->event_inputs[made->event_input_count++] = port;
      } else {
        made->event_outputs[made->event_output_count++] = port;
      }
    } else {
      memory = must(calloc((size_t)setup->maximum_frames, sizeof(float)));
      if (is_input) {
        made->inputs[made->common.input_count++] = port;
      } else {
        made->outputs[made->common.output_count++] = port;
      }
    }
    made->type->connect_port(made->handle, (uint32_t)port, memory);
  }
}

static Instance *make(const Setup *setup) {
  static LilvWorld *world;
  if (!world) {
    open_lilv();
    world = lilv.lilv_world_new();
    lilv.lilv_world_load_bundle(world, lilv.lilv_new_file_uri(world, NULL, setup->path));
  }
  const LilvPlugin *plug_in = must((void *)lilv.lilv_plugins_get_by_uri(
      lilv.lilv_world_get_all_plugins(world), lilv.lilv_new_uri(world, setup->identifier)));
  LV2Instance *made = must(calloc(1, sizeof *made));
  made->events_in = must(calloc(1, EVENT_BYTES));
  made->events_out = must(calloc(1, EVENT_BYTES));
  instantiate(made, setup, plug_in);
  connect(made, setup, world, plug_in);
  if (made->type->activate) made->type->activate(made->handle);
  return &made->common;
}

static void run(Instance *instance, float **in, float **out, int frames) {
  LV2Instance *made = (LV2Instance *)instance;
  made->events_in->atom = (LV2_Atom){sizeof(LV2_Atom_Sequence_Body), sequence};
  made->events_out->atom = (LV2_Atom){EVENT_BYTES - sizeof(LV2_Atom), chunk};
  for (int i = 0; i < instance->input_count; i++) {
    made->type->connect_port(made->handle, (uint32_t)made->inputs[i], in[i]);
  }
  for (int i = 0; i < instance->output_count; i++) {
    made->type->connect_port(made->handle, (uint32_t)made->outputs[i], out[i]);
  }
  for (int i = 0; i < made->event_input_count; i++) {
    made->type->connect_port(made->handle, (uint32_t)made->event_inputs[i], made->events_in);
  }
  for (int i = 0; i < made->event_output_count; i++) {
    made->type->connect_port(made->handle, (uint32_t)made->event_outputs[i], made->events_out);
  }
  made->type->run(made->handle, (uint32_t)frames);
  work(made);
}

static void reset(Instance *instance) {
  LV2Instance *made = (LV2Instance *)instance;
  if (made->type->deactivate) made->type->deactivate(made->handle);
  if (made->type->activate) made->type->activate(made->handle);
}

const Format lv2_format = {make, run, reset};
