// SPDX-License-Identifier: Apache-2.0
// A LADSPA plug-in that misbehaves when it is opened, in the way that -DFAULT=NAME names. As a CLAP library it does so
// when it is initialised, and makes no plug-ins.
#define _GNU_SOURCE
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

enum {
  FINE, ABORTS, ABORTS_LATER, HANGS, HANGS_DEAF, EXITS, CRASHES, FORKS, PRINTS, CHANGES_STATE,
  CLOSES_FILES, FORGES, MANY_PORTS, NO_NAMES, NO_TEXT, ENDLESS, TAKES_MEMORY, EMPTY
};

typedef struct {
  int descriptor;
  float low, high;
} Hint;

typedef struct {
  unsigned long id;
  const char *label;
  int properties;
  const char *name, *maker, *copyright;
  unsigned long port_count;
  const int *ports;
  const char *const *port_names;
  const Hint *hints;
  void *data;
  void *(*instantiate)(const void *, unsigned long);
  void (*connect)(void *, unsigned long, float *);
  void (*activate)(void *);
  void (*run)(void *, unsigned long);
  void *run_adding, *set_gain, *deactivate;
  void (*cleanup)(void *);
} Descriptor;

static float *places[2];
static void *instantiate(const void *descriptor, unsigned long rate) {
  (void)descriptor, (void)rate;
  return places;
}
static void connect(void *unit, unsigned long port, float *place) {
  (void)unit;
  places[port & 1] = place;
}
static void run(void *unit, unsigned long count) {
  (void)unit;
  memmove(places[1], places[0], count * sizeof(float));
}
static void cleanup(void *unit) { (void)unit; }

static const int ports[] = {9, 10};  // audio in, audio out
static const char *const port_names[] = {"In", "Out"};
static const Hint hints[2];
static Descriptor descriptor = {
    .id = 1, .label = "through", .name = "Through", .maker = "Hostile", .copyright = "None", .port_count = 2,
    .ports = ports, .port_names = port_names, .hints = hints, .instantiate = instantiate, .connect = connect,
    .run = run, .cleanup = cleanup};

static void stay(void) {
  for (;;) sleep(1000);
}

__attribute__((constructor)) static void loaded(void) {
  if (FAULT == ABORTS) abort();
}

const Descriptor *ladspa_descriptor(unsigned long index) {
  switch (FAULT) {
    case ABORTS_LATER: abort();
    case HANGS: stay();
    case HANGS_DEAF: {
      sigset_t all;
      sigfillset(&all);
      sigprocmask(SIG_BLOCK, &all, NULL);
      signal(SIGTERM, SIG_IGN);
      stay();
      break;
    }
    case EXITS: exit(3);
    case CRASHES: *(volatile int *)8 = 1; break;
    case FORKS:
      if (index == 0 && fork() == 0) stay();
      break;
    case PRINTS:
      for (int i = 0; i < 100000; i++) printf("a line that nobody wants\n"), fputs("nor this one\n", stderr);
      break;
    case FORGES:
      // As if it were the scanner.
      for (int file = 3; file < 200; file++)
        if (write(file, "\xff\tplug-in\nend\t7\nplug-in\t\t\nend\t0\nend\t1\n", 41) < 0) continue;
      break;
    case CHANGES_STATE:
      setlocale(LC_ALL, "de_DE.UTF-8");
      for (int each = 1; each < 32; each++) signal(each, SIG_IGN);
      if (chdir("/") != 0) return NULL;
      setenv("PATH", "", 1);
#if defined(__x86_64__)
      _mm_setcsr(0);  // each floating-point exception is a signal
#endif
      break;
    case CLOSES_FILES:
      for (int file = 0; file < 1024; file++) close(file);
      break;
    case MANY_PORTS: descriptor.port_count = 1UL << 31; break;
    case NO_NAMES: descriptor.name = descriptor.maker = descriptor.label = NULL; break;
    case NO_TEXT:
      descriptor.name = "\xff\xfe\t\n\x80 Through";
      descriptor.maker = "\xc3\x28";
      break;
    case ENDLESS: return &descriptor;
    case TAKES_MEMORY:
      for (;;) {
        // It is not touched: the test needs little of it.
        volatile char *memory = malloc(1 << 26);
        if (!memory) abort();
      }
    case EMPTY: return NULL;
    default: break;
  }
  return index == 0 ? &descriptor : NULL;
}

static _Bool initialize(const char *path) {
  (void)path;
  return ladspa_descriptor(0);
}
static void deinitialize(void) { abort(); }
static const void *get_factory(const char *id) { return (void)id, NULL; }

const struct {
  unsigned version[3];
  _Bool (*initialize)(const char *);
  void (*deinitialize)(void);
  const void *(*get_factory)(const char *);
} clap_entry = {{1, 2, 0}, initialize, deinitialize, get_factory};
