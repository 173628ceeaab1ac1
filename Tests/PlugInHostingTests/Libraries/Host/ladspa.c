// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "LADSPA.h"
#include "host.h"

typedef struct {
  Instance common;
  const LADSPADescriptor *type;
  void *handle;
  int *inputs, *outputs;
} LADSPAInstance;

static const LADSPADescriptor *find(const Setup *setup) {
  void *library = dlopen(setup->path, RTLD_NOW | RTLD_LOCAL);
  if (!library) fail(dlerror());
  LADSPADescriptorFunction types;
  *(void **)&types = must(dlsym(library, "ladspa_descriptor"));
  for (unsigned long index = 0;; index++) {
    const LADSPADescriptor *type = types(index);
    if (!type) fail("there is no such label");
    if (type->label && !strcmp(type->label, setup->identifier)) return type;
  }
}

static Instance *make(const Setup *setup) {
  LADSPAInstance *made = must(calloc(1, sizeof *made));
  const LADSPADescriptor *type = made->type = find(setup);
  made->handle = must(type->instantiate(type, (unsigned long)setup->rate));
  made->inputs = must(calloc(type->port_count, sizeof(int)));
  made->outputs = must(calloc(type->port_count, sizeof(int)));
  float *controls = must(calloc(type->port_count, sizeof(float)));
  for (unsigned long port = 0; port < type->port_count; port++) {
    int kind = type->port_descriptors[port];
    if (kind & LADSPAPortControl) {
      controls[port] = value_of(setup, (uint32_t)port, 0);
      type->connect_port(made->handle, port, &controls[port]);
    } else if (kind & LADSPAPortInput) {
      made->inputs[made->common.input_count++] = (int)port;
    } else {
      made->outputs[made->common.output_count++] = (int)port;
    }
    // Some look at all ports when they are activated.
    if (kind & LADSPAPortAudio) {
      type->connect_port(made->handle, port, must(calloc((size_t)setup->maximum_frames, sizeof(float))));
    }
  }
  if (type->activate) type->activate(made->handle);
  return &made->common;
}

static void run(Instance *instance, float **in, float **out, int frames) {
  LADSPAInstance *made = (LADSPAInstance *)instance;
  for (int i = 0; i < instance->input_count; i++) {
    made->type->connect_port(made->handle, (unsigned long)made->inputs[i], in[i]);
  }
  for (int i = 0; i < instance->output_count; i++) {
    made->type->connect_port(made->handle, (unsigned long)made->outputs[i], out[i]);
  }
  made->type->run(made->handle, (unsigned long)frames);
}

static void reset(Instance *instance) {
  LADSPAInstance *made = (LADSPAInstance *)instance;
  if (made->type->deactivate) made->type->deactivate(made->handle);
  if (made->type->activate) made->type->activate(made->handle);
}

const Format ladspa_format = {make, run, reset};
