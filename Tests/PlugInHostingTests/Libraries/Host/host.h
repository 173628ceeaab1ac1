// SPDX-License-Identifier: Apache-2.0
// What the parts of the small host share.
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>

enum { MAX_CHANNELS = 64 };

struct Format;

typedef struct Setup {
  const struct Format *format;
  const char *path, *identifier;
  double rate;
  int maximum_frames;
  bool is_silent;
  int resets;
  // "NUMBER=VALUE"
  char **values;
  int value_count;
} Setup;

// Each format's instance begins with it.
typedef struct Instance {
  int input_count, output_count;
} Instance;

typedef struct Format {
  // Makes an instance and activates it.
  Instance *(*make)(const Setup *setup);
  void (*run)(Instance *instance, float **in, float **out, int frames);
  void (*reset)(Instance *instance);
} Format;

extern const Format ladspa_format, lv2_format, clap_format;

noreturn void fail(const char *reason);
// The argument, unless it is null.
void *must(void *memory);
// The value of the control input that is this parameter of a unit.
float value_of(const Setup *setup, uint32_t number, float otherwise);
