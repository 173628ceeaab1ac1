// SPDX-License-Identifier: Apache-2.0
//
// The loops over vectors with strides. A kernel file includes a template by EachReal.h, once for
// float and once for double; in the template, REAL is the type and NAME adds the names' D.

#ifndef LOOPS_H
#define LOOPS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// From CKernels: the choice of a loop for a processor.
#include "Dispatch.h"

// Loops that wait for memory gain nothing from the widest vectors: two versions instead of three, which
// makes the library smaller by a quarter of a megabyte.
#if defined(__x86_64__) && defined(__linux__) && !defined(KERNEL_BASELINE)
#define VECTOR_DISPATCHED __attribute__((target_clones("arch=x86-64-v3", "default")))
#else
#define VECTOR_DISPATCHED
#endif

#define INLINE static inline __attribute__((always_inline))

// Output may be the same memory as input, element for element, but not overlap it in another way.
// Not every level of optimisation vectorises, which is no mistake.
#pragma clang diagnostic ignored "-Wpass-failed"
#define VECTORISE _Pragma("clang loop vectorize(assume_safety)")

// Runs the statements at the end for each index i below N. If all strides are 1, a copy of the loop
// has them as constants, which the compiler vectorises.
#define EACH1(IA, ...)                                                  \
  do {                                                                  \
    const long element_count = (long)N;                                 \
    if (IA == 1) {                                                      \
      enum { IA = 1 };                                                  \
      VECTORISE for (long i = 0; i < element_count; i++) __VA_ARGS__    \
    } else {                                                            \
      for (long i = 0; i < element_count; i++) __VA_ARGS__              \
    }                                                                   \
  } while (0)
#define EACH2(IA, IB, ...)                                              \
  do {                                                                  \
    const long element_count = (long)N;                                 \
    if (IA == 1 && IB == 1) {                                           \
      enum { IA = 1, IB = 1 };                                          \
      VECTORISE for (long i = 0; i < element_count; i++) __VA_ARGS__    \
    } else {                                                            \
      for (long i = 0; i < element_count; i++) __VA_ARGS__              \
    }                                                                   \
  } while (0)
#define EACH3(IA, IB, IC, ...)                                          \
  do {                                                                  \
    const long element_count = (long)N;                                 \
    if (IA == 1 && IB == 1 && IC == 1) {                                \
      enum { IA = 1, IB = 1, IC = 1 };                                  \
      VECTORISE for (long i = 0; i < element_count; i++) __VA_ARGS__    \
    } else {                                                            \
      for (long i = 0; i < element_count; i++) __VA_ARGS__              \
    }                                                                   \
  } while (0)
#define EACH4(IA, IB, IC, ID, ...)                                      \
  do {                                                                  \
    const long element_count = (long)N;                                 \
    if (IA == 1 && IB == 1 && IC == 1 && ID == 1) {                     \
      enum { IA = 1, IB = 1, IC = 1, ID = 1 };                          \
      VECTORISE for (long i = 0; i < element_count; i++) __VA_ARGS__    \
    } else {                                                            \
      for (long i = 0; i < element_count; i++) __VA_ARGS__              \
    }                                                                   \
  } while (0)
#define EACH5(IA, IB, IC, ID, IE, ...)                                  \
  do {                                                                  \
    const long element_count = (long)N;                                 \
    if (IA == 1 && IB == 1 && IC == 1 && ID == 1 && IE == 1) {          \
      enum { IA = 1, IB = 1, IC = 1, ID = 1, IE = 1 };                  \
      VECTORISE for (long i = 0; i < element_count; i++) __VA_ARGS__    \
    } else {                                                            \
      for (long i = 0; i < element_count; i++) __VA_ARGS__              \
    }                                                                   \
  } while (0)

#endif
