// SPDX-License-Identifier: Apache-2.0
// LADSPA plug-ins with known sound: a gain, a delay with latency, a meter, and one that uses its input after it
// has begun to write its output.
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "LADSPA.h"

#define PORTS 12
#define DELAY 64

typedef struct {
  float *ports[PORTS];
  float history[DELAY];
  int position;
  unsigned long rate;
  int runs;
} Instance;

static void *make(const LADSPADescriptor *type, unsigned long rate) {
  (void)type;
  // A careless library: another locale, and another rounding.
  setlocale(LC_ALL, "C.UTF-8");
  Instance *instance = calloc(1, sizeof *instance);
  instance->rate = rate;
  return instance;
}

static void connect(void *instance, unsigned long port, float *data) { ((Instance *)instance)->ports[port] = data; }

static void activate(void *memory) {
  Instance *instance = memory;
  memset(instance->history, 0, sizeof instance->history);
  instance->position = 0;
  instance->runs = 0;
}

static void cleanup(void *instance) { free(instance); }

static void change_modes(void) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(0x7f80);
  unsigned short word = 0x0f7f;
  __asm__ volatile("fldcw %0" : : "m"(word));
#endif
}

// gain: 0 in, 1 out, 2 gain, 3 the peak of the output
static void run_gain(void *memory, unsigned long count) {
  Instance *instance = memory;
  float peak = 0;
  for (unsigned long i = 0; i < count; i++) {
    float sample = instance->ports[0][i] * *instance->ports[2];
    instance->ports[1][i] = sample;
    if (fabsf(sample) > peak) peak = fabsf(sample);
  }
  *instance->ports[3] = peak;
  change_modes();
}

// delay: 0 in, 1 out, 2 the latency
static void run_delay(void *memory, unsigned long count) {
  Instance *instance = memory;
  for (unsigned long i = 0; i < count; i++) {
    float sample = instance->ports[0][i];
    instance->ports[1][i] = instance->history[instance->position];
    instance->history[instance->position] = sample;
    instance->position = (instance->position + 1) % DELAY;
  }
  // As some do, only after the first block.
  *instance->ports[2] = DELAY + (instance->runs++ > 3 ? 1 : 0);
}

// mix: 0 and 1 in, 2 side chain in, 3 and 4 out: left and right are exchanged, plus the third input
static void run_mix(void *memory, unsigned long count) {
  Instance *instance = memory;
  for (unsigned long i = 0; i < count; i++) instance->ports[3][i] = instance->ports[1][i] + instance->ports[2][i];
  for (unsigned long i = 0; i < count; i++) instance->ports[4][i] = instance->ports[0][i] + instance->ports[2][i];
}

// nan: 0 in, 1 out, 2 whether
static void run_nan(void *memory, unsigned long count) {
  Instance *instance = memory;
  for (unsigned long i = 0; i < count; i++)
    instance->ports[1][i] = *instance->ports[2] > 0 ? NAN : instance->ports[0][i];
}

// tone: 0 out, 1 frequency, which is a multiple of the rate
static void run_tone(void *memory, unsigned long count) {
  Instance *instance = memory;
  for (unsigned long i = 0; i < count; i++) {
    instance->ports[0][i] = sinf((float)instance->position++ * *instance->ports[1] / (float)instance->rate);
  }
}

// threads: 0 in, 1 out, 2 how often it was activated, 3 how often by another thread than the one that runs it
static pthread_t activator[2];
static int activations, foreign;
static void activate_thread(void *memory) {
  (void)memory;
  activator[activations++ > 0] = pthread_self();
}
static void run_threads(void *memory, unsigned long count) {
  Instance *instance = memory;
  memcpy(instance->ports[1], instance->ports[0], count * sizeof(float));
  if (activations > 1 && !pthread_equal(activator[1], pthread_self())) foreign = 1;
  *instance->ports[2] = activations;
  *instance->ports[3] = foreign;
}

// wide: 0 to 3 in, 4 to 11 out: each input twice
static void run_wide(void *memory, unsigned long count) {
  Instance *instance = memory;
  for (unsigned long i = 0; i < count; i++) {
    for (int out = 0; out < 8; out++) instance->ports[4 + out][i] = instance->ports[out % 4][i];
  }
}

#define AUDIO_IN (LADSPAPortAudio | LADSPAPortInput)
#define AUDIO_OUT (LADSPAPortAudio | LADSPAPortOutput)
#define CONTROL_IN (LADSPAPortControl | LADSPAPortInput)
#define CONTROL_OUT (LADSPAPortControl | LADSPAPortOutput)
#define BOUNDED (LADSPAHintBoundedBelow | LADSPAHintBoundedAbove)

#define PLUG_IN(number, key, label_, run_)                                                                     \
  {.unique_id = number, .label = label_, .name = "Test " #key,                                          \
   .maker = "Maker <who@where>", .port_count = sizeof key##_ports / sizeof(int),                        \
   .port_descriptors = key##_ports, .port_names = key##_names, .port_range_hints = key##_hints,         \
   .instantiate = make, .connect_port = connect, .activate = activate, .run = run_, .cleanup = cleanup}

static const int gain_ports[] = {AUDIO_IN, AUDIO_OUT, CONTROL_IN, CONTROL_OUT};
static const char *const gain_names[] = {"In", "Out", "Gain (dB)", "Peak"};
static const LADSPARangeHint gain_hints[] = {
    {0, 0, 0}, {0, 0, 0}, {BOUNDED | LADSPAHintDefault1, -4, 4}, {BOUNDED, 0, 4}};

static const int delay_ports[] = {AUDIO_IN, AUDIO_OUT, CONTROL_OUT};
static const char *const delay_names[] = {"In", "Out", "_latency"};
static const LADSPARangeHint delay_hints[3];

static const int mix_ports[] = {AUDIO_IN, AUDIO_IN, AUDIO_IN, AUDIO_OUT, AUDIO_OUT};
static const char *const mix_names[] = {"Left", "Right", "Side chain", "Left", "Right"};
static const LADSPARangeHint mix_hints[5];

static const int threads_ports[] = {AUDIO_IN, AUDIO_OUT, CONTROL_OUT, CONTROL_OUT};
static const char *const threads_names[] = {"In", "Out", "Activations", "Foreign"};
static const LADSPARangeHint threads_hints[] = {{0, 0, 0}, {0, 0, 0}, {BOUNDED, 0, 100}, {BOUNDED, 0, 1}};

static const int nan_ports[] = {AUDIO_IN, AUDIO_OUT, CONTROL_IN};
static const char *const nan_names[] = {"In", "Out", "Broken"};
static const LADSPARangeHint nan_hints[] = {{0, 0, 0}, {0, 0, 0}, {LADSPAHintToggled, 0, 0}};

static const int tone_ports[] = {AUDIO_OUT, CONTROL_IN};
static const char *const tone_names[] = {"Out", "Frequency [Hz]"};
static const LADSPARangeHint tone_hints[] = {
    {0, 0, 0},
    {BOUNDED | LADSPAHintSampleRate | LADSPAHintLogarithmic | LADSPAHintDefaultMiddle, 0.001f, 0.1f}};

static const int wide_ports[] = {AUDIO_IN,  AUDIO_IN,  AUDIO_IN,  AUDIO_IN,  AUDIO_OUT, AUDIO_OUT,
                                 AUDIO_OUT, AUDIO_OUT, AUDIO_OUT, AUDIO_OUT, AUDIO_OUT, AUDIO_OUT};
static const char *const wide_names[12];
static const LADSPARangeHint wide_hints[12];

#define THREADS                                                                                                \
  {.unique_id = 7, .label = "threads", .name = "Test threads", .maker = "Maker", .port_count = 4,             \
   .port_descriptors = threads_ports, .port_names = threads_names, .port_range_hints = threads_hints,          \
   .instantiate = make, .connect_port = connect, .activate = activate_thread, .deactivate = NULL,             \
   .run = run_threads, .cleanup = cleanup}

const LADSPADescriptor *ladspa_descriptor(unsigned long index) {
  static const LADSPADescriptor types[] = {
      PLUG_IN(1, gain, "gain", run_gain), PLUG_IN(2, delay, "delay", run_delay), PLUG_IN(3, mix, "mix", run_mix),
      PLUG_IN(4, nan, "nan", run_nan), PLUG_IN(5, tone, "urn:test:tone/1", run_tone), PLUG_IN(6, wide, "wide", run_wide),
      THREADS};
  return index < sizeof types / sizeof types[0] ? &types[index] : NULL;
}
