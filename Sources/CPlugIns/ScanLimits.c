// SPDX-License-Identifier: Apache-2.0
#include "ScanLimits.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>

void plug_in_limit_process(size_t bytes) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  const struct rlimit none = {0, 0}, memory = {bytes, bytes};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_AS, &memory);
}
