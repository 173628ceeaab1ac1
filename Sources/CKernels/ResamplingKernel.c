// SPDX-License-Identifier: Apache-2.0

#include "ResamplingKernel.h"

#include <string.h>

#include "Dispatch.h"

// All that takes or returns vectors is inlined.
#pragma clang diagnostic ignored "-Wpsabi"

#define LANES 8

typedef float Quarter __attribute__((vector_size(LANES * 2)));
typedef float Floats __attribute__((vector_size(LANES * 4)));
typedef double HalfDoubles __attribute__((vector_size(LANES * 4)));
typedef double Doubles __attribute__((vector_size(LANES * 8)));

#define INLINE static inline __attribute__((always_inline))
#define SHUFFLE __builtin_shufflevector
#define CONVERT __builtin_convertvector

#define LOAD(type, name, source) \
  type name;                     \
  memcpy(&name, source, sizeof name)

// Four vectors of eight lanes to the vector of their sums. The order of the additions is fixed, so that
// all processors agree to the bit.
#define FOUR_SUMS(Four, result, a0, a1, a2, a3)                         \
  do {                                                                  \
    __typeof__(a0) u = SHUFFLE(a0, a2, 0, 1, 2, 3, 8, 9, 10, 11) +      \
                       SHUFFLE(a0, a2, 4, 5, 6, 7, 12, 13, 14, 15);     \
    __typeof__(a0) v = SHUFFLE(a1, a3, 0, 1, 2, 3, 8, 9, 10, 11) +      \
                       SHUFFLE(a1, a3, 4, 5, 6, 7, 12, 13, 14, 15);     \
    __typeof__(a0) w = SHUFFLE(u, v, 0, 1, 8, 9, 4, 5, 12, 13) +        \
                       SHUFFLE(u, v, 2, 3, 10, 11, 6, 7, 14, 15);       \
    Four low = SHUFFLE(w, w, 0, 1, 2, 3), high = SHUFFLE(w, w, 4, 5, 6, 7); \
    result = SHUFFLE(low, high, 0, 2, 4, 6) + SHUFFLE(low, high, 1, 3, 5, 7); \
  } while (0)

// --- Rows for every phase ---------------------------------------------------------------------

// A vector of the window, which is loaded once, times one of each row.
INLINE void add(const int group, const int is_first, Floats *sums, const float *window,
                const float *row) {
  LOAD(Floats, x, window);
  for (int r = 0; r < group; r++) {
    LOAD(Floats, c, row + r * LANES);
    sums[r] = is_first ? x * c : sums[r] + x * c;
  }
}

INLINE void add_fine(const int rows, Doubles *sums, const double *window, const double *row) {
  LOAD(Doubles, x, window);
  for (int r = 0; r < rows; r++) {
    LOAD(Doubles, c, row + r * LANES);
    sums[r] += x * c;
  }
}

// Small products come first, so that large sums are rounded seldom; in two sets of sums where the
// registers allow it.
INLINE void resample(const int group, const int is_fine, float *out, long count, const float *input,
                     const double *fine, const ResamplingRows *rows, long first) {
  const int sets = group <= 4 ? 2 : 1;
  // Read once: the compiler cannot know that no output lies among them.
  const long pairs = rows->pairs, rest = rows->rest, second = rows->second;
  const long first_step = rows->firstStep, second_step = rows->secondStep;
  const long inner_count = rows->innerCount, inner_start = rows->innerStart;
  const float *row = rows->outer + first * (2 * pairs + (rest >= 0)) * group * LANES;
  const double *inner = rows->inner + first * inner_count * group * LANES;
  const int32_t *starts = rows->starts + first;
  const long base = *starts;
  for (long i = 0; i < count; i += group) {
    const long start = *starts++ - base;
    const float *window = input + start, *other = window + second;
    Floats sums[8] = {{0}}, others[4] = {{0}};
    add(group, 1, sums, window, row);
    add(group, sets == 2, sets == 2 ? others : sums, other, row + group * LANES);
    row += 2 * group * LANES;
    for (long p = 1; p < pairs; p++) {
      window += first_step;
      other += second_step;
      add(group, 0, sums, window, row);
      add(group, 0, sets == 2 ? others : sums, other, row + group * LANES);
      row += 2 * group * LANES;
    }
    if (sets == 2)
      for (int r = 0; r < 4; r++) sums[r] += others[r];
    if (rest >= 0) {
      add(group, 0, sums, input + start + rest, row);
      row += group * LANES;
    }
    for (int r = 0; r < group; r += 4) {
      Quarter results;
      if (is_fine) {
        Doubles wide[4];
        for (int j = 0; j < 4; j++) wide[j] = CONVERT(sums[r + j], Doubles);
        for (long k = 0; k < inner_count; k++)
          add_fine(group - r < 4 ? group - r : 4, wide,
                   fine + start + inner_start + k * LANES,
                   inner + (k * group + r) * LANES);
        HalfDoubles four;
        FOUR_SUMS(HalfDoubles, four, wide[0], wide[1], wide[2], wide[3]);
        results = CONVERT(four, Quarter);
      } else {
        FOUR_SUMS(Quarter, results, sums[r], sums[r + 1], sums[r + 2], sums[r + 3]);
      }
      // Of a group that is not a multiple of four, the next one writes over what is too much.
      const long left = count - i - r;
      if (group % 4 == 0 || left >= 4)
        memcpy(out + i + r, &results, sizeof results);
      else
        memcpy(out + i + r, &results, 3 * sizeof(float));
    }
    inner += inner_count * group * LANES;
  }
}

KERNEL_DISPATCHED
void kernel_resample(float *output, long count, const float *input, const double *fine,
                     const ResamplingRows *rows, long first) {
  const int is_fine = rows->innerCount > 0;
  switch (rows->group + 8 * is_fine) {
    case 3: return resample(3, 0, output, count, input, fine, rows, first);
    case 4: return resample(4, 0, output, count, input, fine, rows, first);
    case 11: return resample(3, 1, output, count, input, fine, rows, first);
    case 12: return resample(4, 1, output, count, input, fine, rows, first);
    case 15: return resample(7, 1, output, count, input, fine, rows, first);
    default: return resample(8, 1, output, count, input, fine, rows, first);
  }
}

// --- Rows in between --------------------------------------------------------------------------

#define BATCH 64

// Where each output of a batch lies: first frame, first row, and the weights of four rows.
typedef struct {
  int32_t frame[BATCH], row[BATCH];
  float weight[4][BATCH];
} Places;

// Returns how many frames lie between the first output of this batch and that of the next.
INLINE long find_places(Places *p, long count, ResamplingWalk *walk, long divisions) {
  const double scale = (double)divisions / (double)(int64_t)walk->modulus;
  double place[BATCH];
  uint64_t frame = 0, phase = walk->phase;
  if (walk->steps) {
    for (long i = 0; i < count; i++) {
      p->frame[i] = (int32_t)frame;
      place[i] = (double)(int64_t)phase * scale;
      phase += walk->steps[i];
      frame += phase >> 56;
      phase &= ((uint64_t)1 << 56) - 1;
    }
    walk->steps += count;
  } else for (long i = 0; i < count; i++) {
    p->frame[i] = (int32_t)frame;
    place[i] = (double)(int64_t)phase * scale;
    frame += walk->whole;
    phase += walk->part;
    if (phase >= walk->modulus) phase -= walk->modulus, frame++;
  }
  walk->phase = phase;
  const long frames = (long)frame;
  // A batch is worked on by fours; what is too many repeats the last.
  for (long i = count; i % 4; i++) p->frame[i] = p->frame[count - 1], place[i] = place[count - 1];
  for (long i = 0; i < ((count + 3) & ~3L); i++) {
    // The last phase may round up to the next frame.
    const int32_t whole = (int32_t)place[i];
    const int32_t index = whole < (int32_t)divisions ? whole : (int32_t)divisions - 1;
    const float t = (float)(place[i] - (double)index);
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

// Four rows are multiplied with one window and the sums then weighted: no coefficient is made.
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
  Places places;
  for (long done = 0; done < count; done += BATCH) {
    const long batch = count - done < BATCH ? count - done : BATCH;
    const long frames = find_places(&places, batch, &walk, divisions);
    for (long c = 0; c < channels; c++) {
      float *out = output[c] + offset + done;
      const float *history = input + c * stride;
      for (long i = 0; i < batch; i += 4) {
        Floats a[4];
        for (int j = 0; j < 4; j++)
          four_rows(&a[j], history + places.frame[i + j], table + (long)places.row[i + j] * taps, taps,
                    places.weight[0] + i + j);
        Quarter results;
        FOUR_SUMS(Quarter, results, a[0], a[1], a[2], a[3]);
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

// --- Half the rate ----------------------------------------------------------------------------

// Lanes are outputs, so that nothing is summed across them. Pairs of equal coefficients are added
// first, outermost first.
INLINE void halve(const int vectors, float *output, const float *even, const float *odd,
                  const float *coefficients, long pairs) {
  Floats sums[4] = {{0}};
  for (long k = pairs - 1; k >= 0; k--)
    for (int j = 0; j < vectors; j++) {
      LOAD(Floats, left, even - k + j * LANES);
      LOAD(Floats, right, even + k + 1 + j * LANES);
      sums[j] += coefficients[k] * (left + right);
    }
  for (int j = 0; j < vectors; j++) {
    LOAD(Floats, centre, odd + j * LANES);
    sums[j] += 0.5f * centre;
    memcpy(output + j * LANES, &sums[j], sizeof centre);
  }
}

KERNEL_DISPATCHED
void kernel_halve(float *output, long count, const float *even, const float *odd,
                  const float *coefficients, long pairs) {
  // Several vectors at a time, as each addition waits for the one before.
  for (long i = 0; i < count; i += 4 * LANES) {
    const long left = count - i;
    if (left > 3 * LANES)
      halve(4, output + i, even + i, odd + i, coefficients, pairs);
    else if (left > 2 * LANES)
      halve(3, output + i, even + i, odd + i, coefficients, pairs);
    else if (left > LANES)
      halve(2, output + i, even + i, odd + i, coefficients, pairs);
    else
      halve(1, output + i, even + i, odd + i, coefficients, pairs);
  }
}

INLINE void halve_fine(const int vectors, double *fine, float *output, const float *even,
                       const float *odd, const float *coefficients, long pairs, const double *inner,
                       long inner_pairs) {
  Floats sums[4] = {{0}};
  for (long k = pairs - 1; k >= inner_pairs; k--)
    for (int j = 0; j < vectors; j++) {
      LOAD(Floats, left, even - k + j * LANES);
      LOAD(Floats, right, even + k + 1 + j * LANES);
      sums[j] += coefficients[k] * (left + right);
    }
  for (int j = 0; j < vectors; j++) {
    Doubles wide = CONVERT(sums[j], Doubles);
    for (long k = inner_pairs - 1; k >= 0; k--) {
      LOAD(Floats, left, even - k + j * LANES);
      LOAD(Floats, right, even + k + 1 + j * LANES);
      wide += inner[k] * (CONVERT(left, Doubles) + CONVERT(right, Doubles));
    }
    LOAD(Floats, centre, odd + j * LANES);
    wide += 0.5 * CONVERT(centre, Doubles);
    memcpy(fine + j * LANES, &wide, sizeof wide);
    const Floats narrow = CONVERT(wide, Floats);
    memcpy(output + j * LANES, &narrow, sizeof narrow);
  }
}

KERNEL_DISPATCHED
void kernel_halve_fine(double *fine, float *output, long count, const float *even,
                       const float *odd, const float *coefficients, long pairs,
                       const double *inner, long innerPairs) {
  for (long i = 0; i < count; i += 4 * LANES) {
    const long left = count - i;
    if (left > 3 * LANES)
      halve_fine(4, fine + i, output + i, even + i, odd + i, coefficients, pairs, inner, innerPairs);
    else if (left > 2 * LANES)
      halve_fine(3, fine + i, output + i, even + i, odd + i, coefficients, pairs, inner, innerPairs);
    else if (left > LANES)
      halve_fine(2, fine + i, output + i, even + i, odd + i, coefficients, pairs, inner, innerPairs);
    else
      halve_fine(1, fine + i, output + i, even + i, odd + i, coefficients, pairs, inner, innerPairs);
  }
}

KERNEL_DISPATCHED
void kernel_widen(double *output, const float *input, long count) {
  for (long i = 0; i < count; i++) output[i] = input[i];
}

KERNEL_DISPATCHED
void kernel_part(float *first, float *second, const float *input, long pairs) {
  long i = 0;
  for (; i + LANES <= pairs; i += LANES) {
    LOAD(Floats, a, input + 2 * i);
    LOAD(Floats, b, input + 2 * i + LANES);
    const Floats e = SHUFFLE(a, b, 0, 2, 4, 6, 8, 10, 12, 14);
    const Floats o = SHUFFLE(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
    memcpy(first + i, &e, sizeof e);
    memcpy(second + i, &o, sizeof o);
  }
  for (; i < pairs; i++) first[i] = input[2 * i], second[i] = input[2 * i + 1];
}
