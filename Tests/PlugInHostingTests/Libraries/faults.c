// SPDX-License-Identifier: Apache-2.0
// LADSPA plug-ins that break the rules of the interface.
#include <math.h>
#include <stdlib.h>

#include "LADSPA.h"

static void *make(const LADSPADescriptor *type, unsigned long rate) {
  (void)rate;
  // One type refuses.
  return type->unique_id == 104 ? NULL : calloc(1, 64);
}
static void connect(void *instance, unsigned long port, float *data) { ((float **)instance)[port] = data; }
static void run(void *instance, unsigned long count) {
  for (unsigned long i = 0; i < count; i++) ((float **)instance)[1][i] = ((float **)instance)[0][i];
}

#define CONTROL (LADSPAPortControl | LADSPAPortInput)
static const int ports[] = {LADSPAPortAudio | LADSPAPortInput, LADSPAPortAudio | LADSPAPortOutput,
                            CONTROL, CONTROL, CONTROL, CONTROL};
static const int senseless[] = {LADSPAPortAudio | LADSPAPortControl, LADSPAPortAudio | LADSPAPortOutput};
static const char *const names[] = {"\xff\xfe", NULL, "", "a\nb", "Very bad (Hz)", NULL};
#define BOUNDED (LADSPAHintBoundedBelow | LADSPAHintBoundedAbove)
static const LADSPARangeHint hints[] = {
    {0, 0, 0},
    {0, 0, 0},
    {BOUNDED | LADSPAHintDefaultMaximum, 5, -5},
    {BOUNDED | LADSPAHintDefaultMiddle | LADSPAHintLogarithmic, NAN, INFINITY},
    {BOUNDED | LADSPAHintDefault440, 0, 1},
    {BOUNDED | LADSPAHintInteger | LADSPAHintDefaultLow, 3, 3},
};

#define COMMON .instantiate = make, .connect_port = connect, .run = run, .cleanup = free
static const LADSPADescriptor types[] = {
    {.unique_id = 100, .label = "bounds", .name = "Bounds", .port_count = 6, .port_descriptors = ports,
     .port_names = names, .port_range_hints = hints, COMMON},
    {.unique_id = 101, .label = "nameless", .port_count = 2, .port_descriptors = ports, COMMON},
    {.unique_id = 102, .label = "many", .port_count = 1ul << 31, .port_descriptors = ports, COMMON},
    {.unique_id = 103, .label = "senseless", .port_count = 2, .port_descriptors = senseless, COMMON},
    {.unique_id = 104, .label = "refusing", .port_count = 2, .port_descriptors = ports, COMMON},
    {.unique_id = 105, .label = "idle", .port_count = 2, .port_descriptors = ports, .instantiate = make},
    {.unique_id = 106, .label = "blank", .port_count = 2, COMMON},
    {.unique_id = 107, COMMON},
};

const LADSPADescriptor *ladspa_descriptor(unsigned long index) {
  return index < sizeof types / sizeof types[0] ? &types[index] : NULL;
}
