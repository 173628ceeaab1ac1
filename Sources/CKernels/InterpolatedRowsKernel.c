// SPDX-License-Identifier: Apache-2.0
//
// Resampling with interpolated rows, for any ratio and for changing ratios.

#include "Dispatch.h"
#include "ResamplingKernel.h"
#include "Sums.h"

#define BATCH 64

// Positions of the outputs of a batch: first frame, first row, and the weights of four rows.
typedef struct {
  int32_t frame[BATCH], row[BATCH];
  float weight[4][BATCH];
  // In rows, from the first row of the frame.
  double position[BATCH];
} Positions;

// Returns the number of frames from the first output of this batch to that of the next.
INLINE long find_positions(Positions *p, long count, ResamplingWalk *walk, long divisions) {
  const double scale = (double)divisions / (double)(int64_t)walk->modulus;
  double *const position = p->position;
  uint64_t frame = 0, phase = walk->phase;
  if (walk->steps) {
    for (long i = 0; i < count; i++) {
      p->frame[i] = (int32_t)frame;
      position[i] = (double)(int64_t)phase * scale;
      phase += walk->steps[i];
      frame += phase >> 56;
      phase &= ((uint64_t)1 << 56) - 1;
    }
    walk->steps += count;
  } else for (long i = 0; i < count; i++) {
    p->frame[i] = (int32_t)frame;
    position[i] = (double)(int64_t)phase * scale;
    frame += walk->whole;
    phase += walk->part;
    if (phase >= walk->modulus) phase -= walk->modulus, frame++;
  }
  walk->phase = phase;
  const long frames = (long)frame;
  // A batch is processed in fours; excess entries repeat the last one.
  for (long i = count; i % 4; i++)
    p->frame[i] = p->frame[count - 1], position[i] = position[count - 1];
  for (long i = 0; i < ((count + 3) & ~3L); i++) {
    // The last phase may round up to the next frame.
    const int32_t whole = (int32_t)position[i];
    const int32_t index = whole < (int32_t)divisions ? whole : (int32_t)divisions - 1;
    const float t = (float)(position[i] - (double)index);
    p->row[i] = index;
    // Lagrange's cubic through the rows at -1, 0, 1 and 2.
    const float a = t * (t - 2), b = (t + 1) * (t - 1);
    p->weight[0][i] = (a * (t - 1)) * (-1.0f / 6);
    p->weight[1][i] = (b * (t - 2)) * 0.5f;
    p->weight[2][i] = (a * (t + 1)) * -0.5f;
    p->weight[3][i] = (b * t) * (1.0f / 6);
  }
  return frames;
}

// Multiplies four rows with one window and weights the sums, so that no coefficient is
// interpolated.
INLINE void four_rows(Floats *result, const float *window, const float *row, long taps,
                      const float *weight) {
  Floats a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
  for (long k = 0; k < taps; k += LANES) {
    LOAD(Floats, x, window + k);
    LOAD(Floats, c0, row + k);
    LOAD(Floats, c1, row + k + taps);
    LOAD(Floats, c2, row + k + 2 * taps);
    LOAD(Floats, c3, row + k + 3 * taps);
    a0 += x * c0;
    a1 += x * c1;
    a2 += x * c2;
    a3 += x * c3;
  }
  *result =
      (weight[0] * a0 + weight[3 * BATCH] * a3) + (weight[BATCH] * a1 + weight[2 * BATCH] * a2);
}

KERNEL_DISPATCHED
void kernel_resample_interpolated(float *const *output, long offset, long count,
                                  const float *input, long stride, long channels,
                                  const float *table, long taps, long divisions,
                                  ResamplingWalk walk) {
  Positions positions;
  for (long done = 0; done < count; done += BATCH) {
    const long batch = count - done < BATCH ? count - done : BATCH;
    const long frames = find_positions(&positions, batch, &walk, divisions);
    for (long c = 0; c < channels; c++) {
      float *out = output[c] + offset + done;
      const float *history = input + c * stride;
      for (long i = 0; i < batch; i += 4) {
        Floats a[4];
        for (int j = 0; j < 4; j++)
          four_rows(&a[j], history + positions.frame[i + j],
                    table + (long)positions.row[i + j] * taps, taps, positions.weight[0] + i + j);
        Quarter results;
        four_sums(&results, a);
        const long left = batch - i;
        if (left >= 4)
          memcpy(out + i, &results, sizeof results);
        else
          memcpy(out + i, &results, (size_t)left * sizeof(float));
      }
    }
    input += frames;
  }
}

// The inner taps of four rows in double precision, weighted by Lagrange's cubic.
INLINE double four_inner_rows(const float *window, const double *fine, const double *row, long taps,
                              double t) {
  Doubles a0 = {0}, a1 = {0}, a2 = {0}, a3 = {0};
  for (long k = 0; k < taps; k += LANES) {
    Doubles x;
    if (fine) {
      memcpy(&x, fine + k, sizeof x);
    } else {
      LOAD(Floats, narrow, window + k);
      x = CONVERT(narrow, Doubles);
    }
    LOAD(Doubles, c0, row + k);
    LOAD(Doubles, c1, row + k + taps);
    LOAD(Doubles, c2, row + k + 2 * taps);
    LOAD(Doubles, c3, row + k + 3 * taps);
    a0 += x * c0;
    a1 += x * c1;
    a2 += x * c2;
    a3 += x * c3;
  }
  const double a = t * (t - 2), b = (t + 1) * (t - 1);
  const Doubles s = ((a * (t - 1)) * (-1.0 / 6) * a0 + (b * t) * (1.0 / 6) * a3) +
                    ((b * (t - 2)) * 0.5 * a1 + (a * (t + 1)) * -0.5 * a2);
  return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

KERNEL_DISPATCHED
void kernel_add_interpolated(float *const *output, long offset, long count, const float *input,
                             const double *fine, long stride, long channels, const double *table,
                             long taps, long divisions, ResamplingWalk walk) {
  Positions positions;
  for (long done = 0; done < count; done += BATCH) {
    const long batch = count - done < BATCH ? count - done : BATCH;
    const long frames = find_positions(&positions, batch, &walk, divisions);
    for (long c = 0; c < channels; c++) {
      float *out = output[c] + offset + done;
      for (long i = 0; i < batch; i++) {
        const long frame = c * stride + positions.frame[i];
        const double *row = table + (long)positions.row[i] * taps;
        out[i] = (float)(out[i] + four_inner_rows(input + frame, fine ? fine + frame : 0, row, taps,
                                                  positions.position[i] - positions.row[i]));
      }
    }
    input += frames;
    if (fine) fine += frames;
  }
}
