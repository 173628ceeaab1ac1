// SPDX-License-Identifier: Apache-2.0
//
// vForce. The functions of float that audio programs call for many numbers are vectors
// (vForceFloat.c); the others call the C library for each number.

#include "Loops.h"
#include "include/vecLib/vecLib.h"

// One function of float and one of double.
#define UNARY(name, EXPRESSION_F, EXPRESSION)                            \
  void vv##name##f(float *y, const float *x, const int *n) {             \
    for (int i = 0; i < *n; i++) {                                       \
      const float a = x[i];                                              \
      y[i] = EXPRESSION_F;                                               \
    }                                                                    \
  }                                                                      \
  ONLY_DOUBLE(name, EXPRESSION)
#define ONLY_DOUBLE(name, EXPRESSION)                                    \
  void vv##name(double *y, const double *x, const int *n) {              \
    for (int i = 0; i < *n; i++) {                                       \
      const double a = x[i];                                             \
      y[i] = EXPRESSION;                                                 \
    }                                                                    \
  }
// Simple operations, which the compiler vectorises.
#define SIMPLE_OF(name, REAL, EXPRESSION)                                        \
  VECTOR_DISPATCHED void vv##name(REAL *y, const REAL *x, const int *n) {        \
    const long element_count = *n;                                               \
    VECTORISE for (long i = 0; i < element_count; i++) {                         \
      const REAL a = x[i];                                                       \
      y[i] = EXPRESSION;                                                         \
    }                                                                            \
  }
#define SIMPLE(name, EXPRESSION)                                         \
  SIMPLE_OF(name##f, float, EXPRESSION)                                  \
  SIMPLE_OF(name, double, EXPRESSION)
#define BINARY(name, FUNCTION)                                                            \
  void vv##name##f(float *z, const float *y, const float *x, const int *n) {              \
    for (int i = 0; i < *n; i++) z[i] = FUNCTION##f(y[i], x[i]);                          \
  }                                                                                       \
  void vv##name(double *z, const double *y, const double *x, const int *n) {              \
    for (int i = 0; i < *n; i++) z[i] = FUNCTION(y[i], x[i]);                             \
  }

SIMPLE(ceil, __builtin_elementwise_ceil(a))
SIMPLE(floor, __builtin_elementwise_floor(a))
SIMPLE(int, __builtin_elementwise_trunc(a))
SIMPLE(nint, __builtin_elementwise_roundeven(a))
SIMPLE(fabs, __builtin_elementwise_abs(a))
SIMPLE(rec, 1 / a)
SIMPLE(sqrt, __builtin_elementwise_sqrt(a))
SIMPLE(rsqrt, 1 / __builtin_elementwise_sqrt(a))

UNARY(cbrt, cbrtf(a), cbrt(a))
UNARY(exp2, exp2f(a), exp2(a))
UNARY(expm1, expm1f(a), expm1(a))
UNARY(log2, log2f(a), log2(a))
UNARY(log10, log10f(a), log10(a))
UNARY(log1p, log1pf(a), log1p(a))
UNARY(logb, logbf(a), logb(a))
UNARY(tan, tanf(a), tan(a))
UNARY(asin, asinf(a), asin(a))
UNARY(acos, acosf(a), acos(a))
UNARY(atan, atanf(a), atan(a))
UNARY(sinh, sinhf(a), sinh(a))
UNARY(cosh, coshf(a), cosh(a))
UNARY(tanh, tanhf(a), tanh(a))
UNARY(asinh, asinhf(a), asinh(a))
UNARY(acosh, acoshf(a), acosh(a))
UNARY(atanh, atanhf(a), atanh(a))
ONLY_DOUBLE(exp, exp(a))
ONLY_DOUBLE(log, log(a))
ONLY_DOUBLE(sin, sin(a))
ONLY_DOUBLE(cos, cos(a))
// The remainder is exact, so that whole and half turns are, too.
UNARY(sinpi, (float)sin(M_PI * remainder((double)a, 2)), sin(M_PI * remainder(a, 2)))
UNARY(cospi, (float)cos(M_PI * remainder((double)a, 2)), cos(M_PI * remainder(a, 2)))
UNARY(tanpi, (float)tan(M_PI * remainder((double)a, 1)), tan(M_PI * remainder(a, 1)))

BINARY(atan2, atan2)
BINARY(copysign, copysign)
BINARY(fmod, fmod)
BINARY(remainder, remainder)
BINARY(nextafter, nextafter)

#define POWERS(suffix, REAL)                                                                 \
  void vvpow##suffix(REAL *z, const REAL *y, const REAL *x, const int *n) {                  \
    for (int i = 0; i < *n; i++) z[i] = pow##suffix(x[i], y[i]);                             \
  }                                                                                          \
  void vvpows##suffix(REAL *z, const REAL *y, const REAL *x, const int *n) {                 \
    const REAL exponent = *y;                                                                \
    for (int i = 0; i < *n; i++) z[i] = pow##suffix(x[i], exponent);                         \
  }                                                                                          \
  VECTOR_DISPATCHED                                                                          \
  void vvdiv##suffix(REAL *z, const REAL *y, const REAL *x, const int *n) {                  \
    const long element_count = *n;                                                           \
    VECTORISE for (long i = 0; i < element_count; i++) z[i] = y[i] / x[i];                   \
  }
POWERS(f, float)
POWERS(, double)

void vvsincos(double *z, double *y, const double *x, const int *n) {
  for (int i = 0; i < *n; i++) {
    const double a = x[i];
    z[i] = sin(a);
    y[i] = cos(a);
  }
}
