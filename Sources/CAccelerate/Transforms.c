// SPDX-License-Identifier: Apache-2.0

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "include/vecLib/vecLib.h"

#define GREATEST_LOG2N 24

// All functions with vector arguments or results are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

// Ends the program with the mistake that it made.
static _Noreturn void stop(const char *mistake) {
  fprintf(stderr, "vDSP: %s\n", mistake);
  abort();
}

// Whether a length is 1, 3, 5 or 15 times a power of two that is at least `least_power`.
static bool is_transform_length(vDSP_Length length, vDSP_Length least_power) {
  if (length == 0 || length > 15ul << GREATEST_LOG2N) return false;
  const vDSP_Length power = length & (0 - length), factor = length / power;
  return power >= least_power && (factor == 1 || factor == 3 || factor == 5 || factor == 15);
}

// Whether a length is 2, 3, 5, 9, 15 or 25 times a power of two that is at least 4.
static bool is_interleaved_length(vDSP_Length length) {
  if (length == 0 || length > 25ul << GREATEST_LOG2N) return false;
  const vDSP_Length power = length & (0 - length), factor = length / power;
  if (factor == 1) return power >= 8;
  return power >= 4 &&
         (factor == 3 || factor == 5 || factor == 9 || factor == 15 || factor == 25);
}

#define TEMPLATE "TransformsTemplate.h"
#include "EachReal.h"
