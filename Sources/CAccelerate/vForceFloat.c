// SPDX-License-Identifier: Apache-2.0
//
// Functions of float as vectors, computed in double: the error is about one unit in the last place
// of a float. Numbers that the short reductions do not cover go to the C library.

#include "Loops.h"
#include "include/vecLib/vecLib.h"

// Added to a double below 2^51, rounds it to an integer, which is then in the lowest bits.
#define ROUNDER 0x1.8p52

INLINE double from_bits(uint64_t bits) {
  double number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

INLINE uint64_t bits_of(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

// The sine of r, at most a quarter turn: Taylor's series, whose first left-out term is 7e-10.
INLINE double quarter_sine(double r) {
  const double s = r * r;
  double p = 1.0 / 6227020800;
  p = p * s - 1.0 / 39916800;
  p = p * s + 1.0 / 362880;
  p = p * s - 1.0 / 5040;
  p = p * s + 1.0 / 120;
  p = p * s - 1.0 / 6;
  // So that the sine of -0 is -0.
  return r * (1 + s * p);
}

#define PI_HIGH 0x1.921fb544p+1
#define PI_LOW 0x1.0b4611a626331p-33

// The sine of x without its half turns; `quarter` makes it a cosine.
INLINE float wave(float x, double quarter, double sign) {
  const double d = x;
  const double rounded = (d * M_1_PI - quarter) + ROUNDER;
  const double half_turns = (rounded - ROUNDER) + quarter;
  const double r = (d - half_turns * PI_HIGH) - half_turns * PI_LOW;
  // An odd number of half turns changes the sign.
  return (float)from_bits(bits_of(sign * quarter_sine(r)) ^ bits_of(rounded) << 63);
}

INLINE float sine(float x) { return wave(x, 0, 1); }
INLINE float cosine(float x) { return wave(x, 0.5, -1); }

// The limits of the loops: beyond them, half turns are not exact, or a result is not normal.
static bool is_within(const float *x, int count, float minimum, float maximum) {
  float least, greatest;
  vDSP_minv(x, 1, &least, (vDSP_Length)count);
  vDSP_maxv(x, 1, &greatest, (vDSP_Length)count);
  return least >= minimum && greatest <= maximum;
}

#define MOST_RADIANS 1e6f

#define FUNCTION_OF_FLOAT(name, MINIMUM, MAXIMUM, VECTOR, PLAIN)                     \
  KERNEL_DISPATCHED static void name##_vector(float *y, const float *x, long count) { \
    VECTORISE for (long i = 0; i < count; i++) {                                      \
      const float a = x[i];                                                           \
      y[i] = VECTOR(a);                                                               \
    }                                                                                 \
  }                                                                                   \
  void vv##name##f(float *y, const float *x, const int *n) {                          \
    const int count = *n;                                                             \
    if (count <= 0) return;                                                           \
    if (is_within(x, count, MINIMUM, MAXIMUM)) {                                      \
      name##_vector(y, x, count);                                                     \
    } else {                                                                          \
      for (int i = 0; i < count; i++) y[i] = PLAIN(x[i]);                             \
    }                                                                                 \
  }

FUNCTION_OF_FLOAT(sin, -MOST_RADIANS, MOST_RADIANS, sine, sinf)
FUNCTION_OF_FLOAT(cos, -MOST_RADIANS, MOST_RADIANS, cosine, cosf)

// 2^k e^r, where r is at most half of ln 2: Taylor's series to the seventh power.
INLINE float exponential(float x) {
  const double d = x;
  const double rounded = d * M_LOG2E + ROUNDER;
  const double r = d - (rounded - ROUNDER) * M_LN2;
  double p = 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 0.5;
  p = p * r + 1;
  p = p * r + 1;
  const float result = (float)(p * from_bits((bits_of(rounded) + 1023) << 52));
  return x == x ? result : x;
}
FUNCTION_OF_FLOAT(exp, -87, 88, exponential, expf)

// x = m 2^e with m around 1; with s = (m - 1) / (m + 1), ln m = 2 (s + s^3/3 + s^5/5 + …).
INLINE float logarithm(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  const uint32_t root_of_half = 0x3f3504f3;
  const int32_t above = (int32_t)(bits - root_of_half);
  const uint32_t mantissa = ((uint32_t)above & 0x7fffff) + root_of_half;
  float m;
  memcpy(&m, &mantissa, sizeof m);
  const double s = ((double)m - 1) / ((double)m + 1), z = s * s;
  double p = 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  const float result = (float)((double)(above >> 23) * M_LN2 + 2 * (s + s * z * p));
  return x == x ? result : x;
}
FUNCTION_OF_FLOAT(log, 0x1p-126f, 0x1p127f, logarithm, logf)

void vvsincosf(float *z, float *y, const float *x, const int *n) {
  // The results may replace the input, which the second function would miss.
  if (z == x) {
    for (int i = 0; i < *n; i++) {
      const float a = x[i];
      z[i] = sinf(a);
      y[i] = cosf(a);
    }
    return;
  }
  vvsinf(z, x, n);
  vvcosf(y, x, n);
}
