// SPDX-License-Identifier: Apache-2.0
// LADSPA plug-ins that pass their input on, and misbehave: in the call that their label names, or in a run when the
// control "Fault" says how.
#define _GNU_SOURCE
#include <locale.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "LADSPA.h"

enum {
  FINE, ABORTS, LOOPS, EXITS, CRASHES, GIVES_NAN, WRITES_BEYOND, OVERWRITES_ALL, SLEEPS_DEAF, FORKS, CLOSES_FILES,
  TAKES_MEMORY, CHANGES_STATE, STOPS_ITSELF, IS_LATE_ONCE
};

typedef struct {
  const char *label;
  float *ports[4];
  int was_late;
} Instance;

static void stay(void) {
  for (;;) sleep(1000);
}

static void be_deaf(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (int each = 1; each < 32; each++) signal(each, SIG_IGN);
  stay();
}

static void *make(const LADSPADescriptor *type, unsigned long rate) {
  (void)rate;
  if (strcmp(type->label, "aborts in make") == 0) abort();
  if (strcmp(type->label, "hangs in make") == 0) be_deaf();
  if (strcmp(type->label, "exits in make") == 0) exit(0);
  Instance *instance = calloc(1, sizeof *instance);
  instance->label = type->label;
  return instance;
}

static void connect(void *instance, unsigned long port, float *data) { ((Instance *)instance)->ports[port] = data; }

static void activate(void *memory) {
  Instance *instance = memory;
  if (strcmp(instance->label, "aborts in activate") == 0) abort();
  if (strcmp(instance->label, "hangs in activate") == 0) stay();
}

static void cleanup(void *memory) {
  Instance *instance = memory;
  if (strcmp(instance->label, "aborts in cleanup") == 0) abort();
  free(instance);
}

static void overwrite_all(float *from) {
  // Everything around the samples that can be written, whatever it is.
  char *page = (char *)((size_t)from & ~4095ul);
  unsigned char state;
  char *first = page;
  while (mincore(first - 4096, 4096, &state) == 0) first -= 4096;
  memset(first, 0xff, (size_t)(page - first));
  memset(page, 0xff, 4096 * 4096);
}

static void run(void *memory, unsigned long count) {
  Instance *instance = memory;
  memmove(instance->ports[1], instance->ports[0], count * sizeof(float));
  *instance->ports[3] = (float)getpid();
  switch ((int)*instance->ports[2]) {
    case ABORTS: abort();
    case LOOPS:
      for (volatile int forever = 1; forever;) continue;
      break;
    case EXITS: exit(0);
    case CRASHES: *(volatile int *)8 = 1; break;
    case GIVES_NAN:
      for (unsigned long i = 0; i < count; i++) instance->ports[1][i] = NAN;
      break;
    case WRITES_BEYOND: memset(instance->ports[1], 0x7f, 1 << 24); break;
    case OVERWRITES_ALL: overwrite_all(instance->ports[1]); break;
    case SLEEPS_DEAF: be_deaf(); break;
    case FORKS:
      if (fork() == 0) stay();
      abort();
    case CLOSES_FILES:
      for (int file = 0; file < 1024; file++) close(file);
      break;
    case TAKES_MEMORY:
      for (int i = 0; i < 64; i++)
        if (!malloc(1 << 24)) abort();
      abort();
    case CHANGES_STATE:
      setlocale(LC_ALL, "C.UTF-8");
      for (int each = 1; each < 32; each++) signal(each, SIG_IGN);
      if (chdir("/") != 0) abort();
#if defined(__x86_64__)
      __builtin_ia32_ldmxcsr(0x7f80);
#endif
      break;
    case STOPS_ITSELF: raise(SIGSTOP); break;
    case IS_LATE_ONCE:
      if (instance->was_late++ == 0) usleep(200000);
      break;
    default: break;
  }
}

static const int ports[] = {LADSPAPortAudio | LADSPAPortInput, LADSPAPortAudio | LADSPAPortOutput,
                            LADSPAPortControl | LADSPAPortInput, LADSPAPortControl | LADSPAPortOutput};
static const char *const names[] = {"In", "Out", "Fault", "Process"};
static const LADSPARangeHint hints[] = {
    {0, 0, 0}, {0, 0, 0}, {LADSPAHintBoundedBelow | LADSPAHintBoundedAbove | LADSPAHintDefaultMinimum, 0, 100}, {0, 0, 0}};

#define TYPE(number, label_)                                                                                       \
  {.unique_id = number, .label = label_, .name = label_, .maker = "Hostile", .port_count = 4,                      \
   .port_descriptors = ports, .port_names = names, .port_range_hints = hints, .instantiate = make,                 \
   .connect_port = connect, .activate = activate, .run = run, .cleanup = cleanup}
static const LADSPADescriptor types[] = {
    TYPE(1, "through"),        TYPE(2, "aborts in make"),     TYPE(3, "hangs in make"),     TYPE(4, "exits in make"),
    TYPE(5, "aborts in activate"), TYPE(6, "hangs in activate"), TYPE(7, "aborts in cleanup"),
};

const LADSPADescriptor *ladspa_descriptor(unsigned long index) {
  return index < sizeof types / sizeof types[0] ? &types[index] : NULL;
}
