// SPDX-License-Identifier: Apache-2.0
//
// Includes TEMPLATE for float and for double. It has no guard: each kernel file includes it.

#include "Loops.h"
#include "include/vecLib/vecLib.h"

#define IS_DOUBLE 0
#define REAL float
#define SPLIT DSPSplitComplex
#define COMPLEX DSPComplex
#define NAME(name) vDSP_##name
#define FUNCTION(name) name
#define OWN(name) name##_float
#define MATH(name) name##f
#include TEMPLATE
#undef IS_DOUBLE
#undef REAL
#undef SPLIT
#undef COMPLEX
#undef NAME
#undef FUNCTION
#undef OWN
#undef MATH

#define IS_DOUBLE 1
#define REAL double
#define SPLIT DSPDoubleSplitComplex
#define COMPLEX DSPDoubleComplex
#define NAME(name) vDSP_##name##D
#define FUNCTION(name) name##D
#define OWN(name) name##_double
#define MATH(name) name
#include TEMPLATE
#undef IS_DOUBLE
#undef REAL
#undef SPLIT
#undef COMPLEX
#undef NAME
#undef FUNCTION
#undef OWN
#undef MATH
