// SPDX-License-Identifier: Apache-2.0
//
// Vectors of eight lanes, and macros that several kernels share.

#ifndef KERNEL_VECTORS_H
#define KERNEL_VECTORS_H

#include <stdint.h>
#include <string.h>

// All functions with vector arguments or results are inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#define LANES 8

typedef float Floats __attribute__((vector_size(LANES * 4)));
typedef double Doubles __attribute__((vector_size(LANES * 8)));
typedef int32_t Words __attribute__((vector_size(LANES * 4)));
typedef uint32_t UnsignedWords __attribute__((vector_size(LANES * 4)));

#define INLINE static inline __attribute__((always_inline))
#define SHUFFLE __builtin_shufflevector
#define CONVERT __builtin_convertvector

#define LOAD(type, name, source) \
  type name;                     \
  memcpy(&name, source, sizeof name)

#endif
