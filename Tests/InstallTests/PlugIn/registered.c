// SPDX-License-Identifier: Apache-2.0
// A plug-in that registers units when it is loaded. -DPLUG_IN=GOOD registers a correct unit, BAD
// one with a fault, NOTHING none; CRASHING crashes before that.
#include "CFaultyUnit.h"
#include <stdlib.h>
#include <string.h>

enum { GOOD, BAD, NOTHING, CRASHING };

__attribute__((constructor)) static void loaded(void) {
  switch (PLUG_IN) {
    case GOOD: return faulty_unit_register(-1);
    case BAD:
      for (int i = 0; i < faulty_unit_count(); i++)
        if (!strcmp(faulty_unit_check(i), "latency")) faulty_unit_register(i);
      return;
    case CRASHING: abort();
    default: return;
  }
}
