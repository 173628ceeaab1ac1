// SPDX-License-Identifier: Apache-2.0
//
// The order of all sums of floating-point numbers is fixed, so that every processor makes the same
// packets.

#include "FLACPrediction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "Dispatch.h"

#define INLINE static inline __attribute__((always_inline))

enum { PADDING = 16 };

// --- Memory -----------------------------------------------------------------------------------

// A window with flanks of a quarter each (Tukey).
static void make_window(float *window, long frames) {
  const long flank = frames / 4;
  for (long i = 0; i < frames; i++) window[i] = 1;
  for (long i = 0; i < flank; i++) {
    const float value = (float)(0.5 - 0.5 * cos(M_PI * ((double)i + 0.5) / (double)flank));
    window[i] = window[frames - 1 - i] = value;
  }
}

int flac_prepare(FLACAnalysis *a, long frames) {
  if (frames > a->capacity) {
    float *window = realloc(a->window, (size_t)frames * sizeof *window);
    if (!window) return 0;
    a->window = window;
    double *samples = realloc(a->samples, (size_t)(frames + PADDING) * sizeof *samples);
    if (!samples) return 0;
    a->samples = samples;
    a->capacity = frames;
    a->frames = 0;
  }
  if (frames != a->frames) make_window(a->window, frames);
  a->frames = frames;
  return 1;
}

void flac_analysis_free(FLACAnalysis *a) {
  free(a->window);
  free(a->samples);
}

// --- Correlation ------------------------------------------------------------------------------

typedef double Lanes __attribute__((vector_size(32), aligned(8)));

// The correlation with the samples 0 to `lags` - 1 later, which are zero behind the end.
INLINE void correlate_lags(const double *x, long frames, double *result, const int lags) {
  Lanes sums[FLAC_LARGEST_ORDER + 1] = {{0}};
  for (long i = 0; i < frames; i += 4) {
    const Lanes here = *(const Lanes *)(x + i);
#pragma clang loop unroll(full)
    for (int lag = 0; lag < lags; lag++) sums[lag] += here * *(const Lanes *)(x + i + lag);
  }
  for (int lag = 0; lag < lags; lag++)
    result[lag] = (sums[lag][0] + sums[lag][1]) + (sums[lag][2] + sums[lag][3]);
}

KERNEL_DISPATCHED
static void correlate(const double *x, long frames, double *result, int order) {
  if (order <= 8)
    correlate_lags(x, frames, result, 9);
  else
    correlate_lags(x, frames, result, FLAC_LARGEST_ORDER + 1);
}

KERNEL_DISPATCHED
static void apply_window(const int32_t *samples, const float *window, long frames, double *out) {
  for (long i = 0; i < frames; i++) out[i] = (double)samples[i] * (double)window[i];
}

// --- Factors ----------------------------------------------------------------------------------

// The factors of each order, by the recursion of Levinson and Durbin, and the errors that remain.
// Returns the highest order that has any.
static int solve(const double *correlation, int order, double factors[][FLAC_LARGEST_ORDER],
                 double *errors) {
  double current[FLAC_LARGEST_ORDER] = {0};
  double error = correlation[0];
  for (int i = 0; i < order; i++) {
    double sum = correlation[i + 1];
    for (int j = 0; j < i; j++) sum -= current[j] * correlation[i - j];
    const double reflection = sum / error;
    double next[FLAC_LARGEST_ORDER];
    for (int j = 0; j < i; j++) next[j] = current[j] - reflection * current[i - 1 - j];
    next[i] = reflection;
    memcpy(current, next, sizeof(double) * (size_t)(i + 1));
    error *= 1 - reflection * reflection;
    if (!(error > 0)) return i;
    memcpy(factors[i], current, sizeof(double) * (size_t)(i + 1));
    errors[i] = error;
  }
  return order;
}

// Rounds factors, each with what the ones before have lost; order 0 when they do not fit.
static FLACPrediction rounded_factors(const double *factors, int order, int precision) {
  FLACPrediction made = {.isLinear = 1, .precision = precision};
  double largest = 0;
  for (int j = 0; j < order; j++) largest = fmax(largest, fabs(factors[j]));
  int exponent = 0;
  frexp(largest, &exponent);
  made.shift = precision - 1 - exponent;
  if (made.shift > 15) made.shift = 15;
  if (!(largest > 0) || made.shift < 0) return made;
  const int32_t most = (1 << (precision - 1)) - 1;
  double rest = 0;
  for (int j = 0; j < order; j++) {
    rest += ldexp(factors[j], made.shift);
    const double nearest = fmin(fmax(rint(rest), -most), most);
    made.factors[j] = (int32_t)nearest;
    rest -= nearest;
  }
  made.order = order;
  return made;
}

FLACPrediction flac_linear_prediction(FLACAnalysis *a, const int32_t *samples, int order, int depth) {
  const FLACPrediction none = {0};
  apply_window(samples, a->window, a->frames, a->samples);
  memset(a->samples + a->frames, 0, PADDING * sizeof *a->samples);
  double correlation[FLAC_LARGEST_ORDER + 1], errors[FLAC_LARGEST_ORDER];
  double factors[FLAC_LARGEST_ORDER][FLAC_LARGEST_ORDER];
  correlate(a->samples, a->frames, correlation, order);
  if (!(correlation[0] > 0)) return none;
  const int highest = solve(correlation, order, factors, errors);
  // With so many bits, products of 17 bits usually fit in 32.
  const int precision = depth <= 17 ? 14 : 15;
  int best = 0;
  double least = 0;
  for (int i = 0; i < highest; i++) {
    // Half the logarithm of the error for each sample, and the factors and the first samples.
    const double variance = fmax(errors[i] / (double)a->frames, 0.1);
    const double bits =
        0.5 * log2(variance) * (double)(a->frames - i - 1) + (i + 1) * (double)(precision + depth);
    if (best > 0 && bits >= least) continue;
    best = i + 1;
    least = bits;
  }
  return best > 0 ? rounded_factors(factors[best - 1], best, precision) : none;
}

// --- Fixed predictions ------------------------------------------------------------------------

INLINE uint32_t magnitude(int32_t value) { return (uint32_t)(value < 0 ? -value : value); }

// The sums of the differences of all fixed predictions; of 25 bits, four become at most 29.
KERNEL_DISPATCHED
static void fixed_sums(const int32_t *s, long frames, uint64_t *result) {
  uint64_t sums[5] = {0};
  for (long i = 4; i < frames; i++) {
    const int32_t a = s[i], b = s[i - 1], c = s[i - 2], d = s[i - 3], e = s[i - 4];
    sums[0] += magnitude(a);
    sums[1] += magnitude(a - b);
    sums[2] += magnitude(a - 2 * b + c);
    sums[3] += magnitude(a - 3 * (b - c) - d);
    sums[4] += magnitude(a - 4 * (b + d) + 6 * c + e);
  }
  for (int order = 0; order < 5; order++) result[order] = sums[order];
}

FLACPrediction flac_fixed_prediction(const int32_t *samples, long frames, uint64_t *sum) {
  static const int32_t factors[5][4] = {{0}, {1}, {2, -1}, {3, -3, 1}, {4, -6, 4, -1}};
  uint64_t sums[5];
  fixed_sums(samples, frames, sums);
  int best = 0;
  for (int order = 1; order < 5 && order < frames; order++)
    if (sums[order] < sums[best]) best = order;
  FLACPrediction made = {.order = best};
  memcpy(made.factors, factors[best], sizeof factors[best]);
  *sum = sums[best];
  return made;
}

KERNEL_DISPATCHED
uint64_t flac_roughness(const int32_t *s, long frames) {
  uint64_t sum = 0;
  for (long i = 2; i < frames; i++) {
    sum += magnitude(s[i] - 2 * s[i - 1] + s[i - 2]);
  }
  return sum;
}

// --- Residuals --------------------------------------------------------------------------------

INLINE int narrow_residuals(const int32_t *s, long frames, const FLACPrediction *p, int32_t *out,
                            const int order) {
  for (long i = order; i < frames; i++) {
    int32_t sum = 0;
#pragma clang loop unroll(full)
    for (int j = 0; j < order; j++) sum += p->factors[j] * s[i - 1 - j];
    out[i] = s[i] - (sum >> p->shift);
  }
  return 1;
}

INLINE int wide_residuals(const int32_t *s, long frames, const FLACPrediction *p, int32_t *out,
                          const int order) {
  uint64_t excess = 0;
  for (long i = order; i < frames; i++) {
    int64_t sum = 0;
#pragma clang loop unroll(full)
    for (int j = 0; j < order; j++) sum += (int64_t)p->factors[j] * (int64_t)s[i - 1 - j];
    const int64_t rest = s[i] - (sum >> p->shift);
    excess |= (uint64_t)(rest + (1 << 30));
    out[i] = (int32_t)rest;
  }
  return excess >> 31 == 0;
}

// Whether the sums and the differences fit in 32 bits.
static int is_narrow(const FLACPrediction *p, int depth) {
  uint64_t sum = 0;
  for (int j = 0; j < p->order; j++) sum += magnitude(p->factors[j]);
  return sum << (depth - 1) < 1ULL << (p->shift > 1 ? 31 : 30);
}

KERNEL_DISPATCHED
static int residuals(const FLACPrediction *p, const int32_t *s, long frames, int isNarrow,
                     int32_t *out) {
  switch (p->order) {
#define CASE(n)                                                   \
  case n:                                                         \
    return isNarrow ? narrow_residuals(s, frames, p, out, n)      \
                    : wide_residuals(s, frames, p, out, n);
    CASE(0) CASE(1) CASE(2) CASE(3) CASE(4) CASE(5) CASE(6) CASE(7) CASE(8) CASE(9) CASE(10) CASE(11)
    CASE(12)
#undef CASE
    default: return 0;
  }
}

int flac_residuals(const FLACPrediction *p, const int32_t *samples, long frames, int depth,
                   int32_t *out) {
  return residuals(p, samples, frames, is_narrow(p, depth), out);
}
