// SPDX-License-Identifier: Apache-2.0
// The smallest host of a plug-in, to compare units with: it renders noise, the same each time, in given slices, and
// writes the samples of all outputs, one channel after the other, to standard output.
//
//   host ladspa|lv2|clap PATH IDENTIFIER RATE MODE SLICES [NUMBER=VALUE ...]
//
// PATH is the library (LADSPA, CLAP) or the folder of the bundle (LV2), IDENTIFIER the label, the URI or the id.
// SLICES are lengths such as 512,64,7. The values of control inputs follow, by the numbers of the unit's parameters;
// those of CLAP are defaults otherwise. MODE: noise; silence; reset (the noise again after a reset, instead of the first one); time
// (prints nanoseconds for a slice of one instance, and of twenty in turn).
#define _GNU_SOURCE
#include "host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

noreturn void fail(const char *reason) {
  fprintf(stderr, "host: %s\n", reason);
  exit(1);
}

void *must(void *memory) {
  if (!memory) fail("no memory, library or function");
  return memory;
}

float value_of(const Setup *setup, uint32_t number, float otherwise) {
  for (int i = 0; i < setup->value_count; i++) {
    char *end;
    if (strtoul(setup->values[i], &end, 10) == number && *end == '=') return strtof(end + 1, NULL);
  }
  return otherwise;
}

// As a render of units: denormal numbers are zero. Plug-ins change that.
static void set_modes(void) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(0x9fc0);
#endif
}

static float noise(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (float)(int32_t)(*state >> 32) / 0x1p32f;
}

static void run(Instance *instance, const Setup *setup, float **in, float **out, int frames) {
  set_modes();
  setup->format->run(instance, in, out, frames);
}

// Memory as units have it: code for vectors may give other bits where it is not aligned.
static void allocate(float **channels, int count, int frames) {
  for (int channel = 0; channel < count; channel++) {
    size_t size = ((size_t)frames * sizeof(float) + 63) & ~(size_t)63;
    channels[channel] = must(aligned_alloc(64, size));
    memset(channels[channel], 0, size);
  }
}

static void render(const Setup *setup, Instance *instance, const int *slices, int count) {
  int frames = 0, at = 0, ins = instance->input_count, outs = instance->output_count;
  for (int i = 0; i < count; i++) frames += slices[i];
  float *in[MAX_CHANNELS], *out[MAX_CHANNELS], *in_part[MAX_CHANNELS], *out_part[MAX_CHANNELS];
  allocate(in, ins, frames);
  allocate(out, outs, frames);
  allocate(in_part, ins, setup->maximum_frames);
  allocate(out_part, outs, setup->maximum_frames);
  for (int channel = 0; channel < ins; channel++) {
    uint64_t state = (uint64_t)channel + 1;
    for (int frame = 0; frame < frames && !setup->is_silent; frame++) in[channel][frame] = noise(&state);
  }
  for (int pass = 0; pass <= setup->resets; pass++) {
    if (pass > 0) setup->format->reset(instance);
    at = 0;
    for (int i = 0; i < count; i++) {
      size_t bytes = (size_t)slices[i] * sizeof(float);
      for (int channel = 0; channel < ins; channel++) memcpy(in_part[channel], in[channel] + at, bytes);
      run(instance, setup, in_part, out_part, slices[i]);
      for (int channel = 0; channel < outs; channel++) memcpy(out[channel] + at, out_part[channel], bytes);
      at += slices[i];
    }
  }
  for (int channel = 0; channel < outs; channel++) {
    if (fwrite(out[channel], sizeof(float), (size_t)frames, stdout) != (size_t)frames) fail("cannot write");
  }
  fflush(stdout);
}

// Time

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The shortest of many times: others use the processor, too.
static double nanoseconds(const Setup *setup, Instance **instances, int count, int frames) {
  float *sides[2][MAX_CHANNELS];
  for (int side = 0; side < 2; side++) allocate(sides[side], MAX_CHANNELS, 4096);
  double best = 1e18;
  for (int round = 0; round < 200; round++) {
    uint64_t state = 1;
    for (int frame = 0; frame < frames; frame++) sides[0][0][frame] = sides[0][1][frame] = noise(&state);
    double start = now();
    for (int again = 0; again < 20; again++) {
      for (int i = 0; i < count; i++) setup->format->run(instances[i], sides[i & 1], sides[~i & 1], frames);
    }
    double time = (now() - start) / 20;
    if (time < best) best = time;
  }
  return best;
}

static void measure(const Setup *setup, Instance *first, int frames) {
  Instance *instances[20] = {first};
  for (int i = 1; i < 20; i++) instances[i] = setup->format->make(setup);
  set_modes();
  double one = nanoseconds(setup, instances, 1, frames);
  printf("%.1f %.1f\n", one, nanoseconds(setup, instances, 20, frames));
  fflush(stdout);
}

int main(int count, char **words) {
  if (count < 7) fail("expected FORMAT PATH IDENTIFIER RATE MODE SLICES");
  static const struct { const char *name; const Format *format; } formats[] = {
      {"ladspa", &ladspa_format}, {"lv2", &lv2_format}, {"clap", &clap_format}};
  Setup setup = {.path = words[2], .identifier = words[3], .rate = atof(words[4]),
                 .is_silent = !strcmp(words[5], "silence"), .resets = !strcmp(words[5], "reset"),
                 .values = words + 7, .value_count = count - 7};
  for (int i = 0; i < 3; i++) {
    if (!strcmp(words[1], formats[i].name)) setup.format = formats[i].format;
  }
  if (!setup.format) fail("unknown format");
  int slices[256], slice_count = 0;
  for (char *text = words[6]; *text && slice_count < 256;) {
    slices[slice_count++] = (int)strtol(text, &text, 10);
    if (*text == ',') text++;
  }
  // What the plug-in prints must not mix with the samples.
  int output = dup(1);
  dup2(2, 1);
  // Plug-ins may rely on the program's mathematical functions.
  dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL);
  setup.maximum_frames = 4096;
  Instance *instance = setup.format->make(&setup);
  if (instance->input_count > MAX_CHANNELS || instance->output_count > MAX_CHANNELS) fail("too many channels");
  fflush(stdout);
  dup2(output, 1);
  if (!strcmp(words[5], "time")) {
    measure(&setup, instance, slices[0]);
  } else {
    render(&setup, instance, slices, slice_count);
  }
  // Nothing is freed: some plug-ins crash then.
  _exit(0);
}
