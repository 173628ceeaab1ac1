// SPDX-License-Identifier: Apache-2.0
// Finds the linear prediction of a channel of FLAC (RFC 9639, section 9.2).
#pragma once
#include <stdint.h>

enum { FLAC_LARGEST_ORDER = 12 };

/// A prediction of each sample from those before it.
typedef struct {
  /// How many samples before it count; a fixed prediction has at most 4.
  int order;
  /// Whether its factors are stated; else it is one of the fixed ones.
  int isLinear;
  /// Bits of a factor, and those that the sum of the products loses.
  int precision, shift;
  /// That of the previous sample first.
  int32_t factors[FLAC_LARGEST_ORDER];
} FLACPrediction;

/// What the analysis of a block needs.
typedef struct {
  /// The window of `frames` samples.
  float *window;
  long frames;
  /// The windowed samples, behind which there is room for zeros.
  double *samples;
  long capacity;
} FLACAnalysis;

/// Prepares the analysis of blocks of so many samples; 0 without memory.
int flac_prepare(FLACAnalysis *analysis, long frames);

void flac_analysis_free(FLACAnalysis *analysis);

/// The best linear prediction of up to `order` samples, by the error that is to be expected; order 0
/// when there is none. The block was prepared for.
FLACPrediction flac_linear_prediction(FLACAnalysis *analysis, const int32_t *samples, int order,
                                      int depth);

/// The fixed prediction with the smallest differences, and their sum.
FLACPrediction flac_fixed_prediction(const int32_t *samples, long frames, uint64_t *sum);

/// The sum of the differences of the fixed prediction of order 2.
uint64_t flac_roughness(const int32_t *samples, long frames);

/// The differences from a prediction, from the sample number `order` on; 0 when one of them needs
/// more than 31 bits.
int flac_residuals(const FLACPrediction *prediction, const int32_t *samples, long frames, int depth,
                   int32_t *residuals);
