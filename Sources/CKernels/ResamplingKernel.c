// SPDX-License-Identifier: Apache-2.0

#include "ResamplingKernel.h"

#include "Dispatch.h"
#include "Sums.h"

typedef double HalfDoubles __attribute__((vector_size(LANES * 4)));

// Four sums in double precision, to which more is added.
INLINE void four_wide_sums(HalfDoubles *result, const Floats *a) {
  const Doubles a0 = CONVERT(a[0], Doubles), a1 = CONVERT(a[1], Doubles);
  const Doubles a2 = CONVERT(a[2], Doubles), a3 = CONVERT(a[3], Doubles);
  FOUR_SUMS(HalfDoubles, *result, a0, a1, a2, a3);
}

// Windows that are multiplied with the coefficients of a group at once: loads take as long as sums, so that
// one window alone would wait for them.
#define WINDOWS 2

// Two rows, side by side: the widest processors multiply both at once.
typedef float TwoRows __attribute__((vector_size(LANES * 8)));

// The sums of up to eight rows of a group, two by two, and of a row that is left over.
typedef struct RowSums {
  TwoRows two[4];
  Floats last;
} RowSums;

// A vector of the window, loaded once, times one vector of each row.
INLINE void add(const int count, const int is_first, RowSums *sums, const float *window,
                const float *row) {
  LOAD(Floats, x, window);
  const TwoRows both = SHUFFLE(x, x, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
  for (int r = 0; r < count / 2; r++) {
    LOAD(TwoRows, c, row + 2 * r * LANES);
    sums->two[r] = is_first ? both * c : sums->two[r] + both * c;
  }
  if (count % 2 != 0) {
    LOAD(Floats, c, row + (count - 1) * LANES);
    sums->last = is_first ? x * c : sums->last + x * c;
  }
}

// The sums of each row.
INLINE void separate(const int count, Floats *rows, const RowSums *sums) {
  for (int r = 0; r < count / 2; r++) {
    rows[2 * r] = SHUFFLE(sums->two[r], sums->two[r], 0, 1, 2, 3, 4, 5, 6, 7);
    rows[2 * r + 1] = SHUFFLE(sums->two[r], sums->two[r], 8, 9, 10, 11, 12, 13, 14, 15);
  }
  if (count % 2 != 0) rows[count - 1] = sums->last;
}

INLINE void add_sums(const int count, RowSums *sums, const RowSums *others) {
  for (int r = 0; r < count / 2; r++) sums->two[r] += others->two[r];
  if (count % 2 != 0) sums->last += others->last;
}

// The inner frames' contribution to all rows of a group: lanes are rows. Two sums, because each
// addition waits for the one before.
#define SUM_INNER(Vector, lanes)                               \
  do {                                                         \
    Vector even = {0}, odd = {0};                              \
    for (long k = 0; k < count; k += 2) {                      \
      LOAD(Vector, c, coefficients + k * lanes);               \
      LOAD(Vector, d, coefficients + (k + 1) * lanes);         \
      even += window[k] * c;                                   \
      odd += window[k + 1] * d;                                \
    }                                                          \
    even += odd;                                               \
    memcpy(sums, &even, sizeof even);                          \
  } while (0)

INLINE void sum_inner(const int group, double *sums, const double *window, const double *coefficients,
                      long count) {
  if (group > 4)
    SUM_INNER(Doubles, 8);
  else
    SUM_INNER(HalfDoubles, 4);
}

// Multiplies a window with `count` rows of a group. Small products come first, so that large sums
// are rounded rarely; in two sets of sums if there are enough registers.
INLINE void multiply(const int group, const int count, Floats *results, const float *input,
                     const float *row, const ResamplingRows rows) {
  const int sets = group <= 4 ? 2 : 1;
  const float *window = input, *other = input + rows.second;
  RowSums sums, others;
  add(count, 1, &sums, window, row);
  add(count, sets == 2, sets == 2 ? &others : &sums, other, row + group * LANES);
  row += 2 * group * LANES;
  for (long p = 1; p < rows.pairs; p++) {
    window += rows.firstStep;
    other += rows.secondStep;
    add(count, 0, &sums, window, row);
    add(count, 0, sets == 2 ? &others : &sums, other, row + group * LANES);
    row += 2 * group * LANES;
  }
  if (sets == 2) add_sums(count, &sums, &others);
  if (rows.rest >= 0) add(count, 0, &sums, input + rows.rest, row);
  separate(count, results, &sums);
}

// Sums one vector of each pair, for windows that are `apart` frames apart.
INLINE void add_half(const int group, RowSums *sums, const float *window, long apart, long step,
                     const float *row, long pairs) {
  for (int w = 0; w < WINDOWS; w++) add(group, 1, &sums[w], window + w * apart, row);
  for (long p = 1; p < pairs; p++) {
    window += step;
    row += 2 * group * LANES;
    for (int w = 0; w < WINDOWS; w++) add(group, 0, &sums[w], window + w * apart, row);
  }
}

// As `multiply`, for several windows and all rows of a group of at most four, whose coefficients are
// loaded once. Both sets of sums one after the other need fewer registers; the order within each is the same.
INLINE void multiply_windows(const int group, Floats (*results)[8], const float *input, long apart,
                             const float *row, const ResamplingRows rows) {
  RowSums sums[WINDOWS], others[WINDOWS];
  add_half(group, sums, input, apart, rows.firstStep, row, rows.pairs);
  add_half(group, others, input + rows.second, apart, rows.secondStep, row + group * LANES, rows.pairs);
  for (int w = 0; w < WINDOWS; w++) {
    add_sums(group, &sums[w], &others[w]);
    if (rows.rest >= 0)
      add(group, 0, &sums[w], input + rows.rest + w * apart, row + 2 * rows.pairs * group * LANES);
    separate(group, results[w], &sums[w]);
  }
}

// Writes the outputs of `count` rows: their sums plus the inner frames' contribution. There is room
// for `room` outputs.
INLINE void finish(const int count, float *out, long room, const Floats *sums, const double *inner) {
  for (int r = 0; r < count; r += 4) {
    const int four = count - r < 4 ? count - r : 4;
    Quarter results;
    if (inner) {
      HalfDoubles wide;
      four_wide_sums(&wide, sums + r);
      LOAD(HalfDoubles, more, inner + r);
      wide += more;
      results = CONVERT(wide, Quarter);
    } else {
      four_sums(&results, sums + r);
    }
    // The excess of three outputs is overwritten by the next ones.
    if (four == 4 || (four == 3 && room - r >= 4))
      memcpy(out + r, &results, sizeof results);
    else
      memcpy(out + r, &results, (size_t)four * sizeof(float));
  }
}

// A window of three or four vectors, read from both ends inwards. For a short filter, locating the
// rows takes as long as the sums, so here all sizes are constant, and groups are always computed
// whole.
INLINE void short_sums(const int group, const int vectors, Floats *results, const float *window,
                       const float *row) {
  RowSums sums, others;
  add(group, 1, &sums, window, row);
  add(group, 1, &others, window + (vectors - 1) * LANES, row + group * LANES);
  if (vectors == 4) {
    add(group, 0, &sums, window + LANES, row + 2 * group * LANES);
    add(group, 0, &others, window + 2 * LANES, row + 3 * group * LANES);
  }
  add_sums(group, &sums, &others);
  if (vectors == 3) add(group, 0, &sums, window + LANES, row + 2 * group * LANES);
  separate(group, results, &sums);
}

INLINE void short_group(const int group, const int vectors, Quarter *results, const float *window,
                        const float *row) {
  Floats sums[4];
  short_sums(group, vectors, sums, window, row);
  for (int r = group; r < 4; r++) sums[r] = sums[group - 1];
  four_sums(results, sums);
}

INLINE void resample_short(const int group, const int vectors, float *out, long count,
                           const float *input, const ResamplingRows *rows, long first) {
  const long step = vectors * group * LANES, groups = rows->groups, period = rows->period;
  const float *outer = rows->outer;
  const int32_t *starts = rows->starts;
  long next = first / group, index = first % group;
  const float *base = input - starts[next];
  Quarter results;
  while (count > 0) {
    // Three outputs are written as four; the excess is overwritten, except after the last group.
    long whole = index > 0 ? 0 : (count - (group == 3)) / group;
    if (whole > groups - next) whole = groups - next;
    if (whole > 0) {
      const float *row = outer + next * step;
      const int32_t *start = starts + next, *const end = start + whole;
      // Two groups of two are summed together.
      if (group == 2)
        for (; end - start >= 2; start += 2) {
          Floats sums[4];
          short_sums(2, vectors, sums, base + start[0], row);
          short_sums(2, vectors, sums + 2, base + start[1], row + step);
          four_sums(&results, sums);
          memcpy(out, &results, sizeof results);
          row += 2 * step;
          out += 4;
        }
      for (; start < end; start++) {
        short_group(group, vectors, &results, base + *start, row);
        memcpy(out, &results, group == 2 ? sizeof results / 2 : sizeof results);
        row += step;
        out += group;
      }
      count -= whole * group;
      next += whole;
    } else {
      // Outputs that belong to the previous or the next call are dropped.
      float part[8];
      const long produced = group - index < count ? group - index : count;
      short_group(group, vectors, &results, base + starts[next], outer + next * step);
      memcpy(part, &results, sizeof results);
      for (long i = 0; i < produced; i++) out[i] = part[index + i];
      out += produced;
      count -= produced;
      index = 0;
      next++;
    }
    if (next == groups) next = 0, base += period;
  }
}

INLINE void resample(const int group, const int is_fine, float *out, long count, const float *input,
                     const double *fine, const ResamplingRows *table, long first) {
  // A local copy: the compiler cannot know that the outputs do not overlap it.
  const ResamplingRows rows = *table;
  const long outer_step = (2 * rows.pairs + (rows.rest >= 0)) * group * LANES;
  const long inner_step = rows.innerCount * (group > 4 ? 8 : 4);
  long next = first / group, index = first % group, base = -(long)rows.starts[next];
  // Entries after the last row are read but not used.
  double inner_sums[12] = {0};
  while (count > 0) {
    const float *row = rows.outer + next * outer_step;
    const double *inner = rows.inner + next * inner_step;
    const int32_t *starts = rows.starts + next;
    Floats sums[8] = {{0}};
    const long whole = index > 0 ? 0 : count / group;
    if (whole > rows.groups) {
      // For each group, all its outputs of this call together: its rows are loaded from the
      // second-level cache once.
      const float *const end = out + count;
      for (long g = 0; g < rows.groups; g++) {
        long start = base + *starts++;
        float *to = out + g * group;
        // The excess must not overwrite the first group of the next cycle.
        const int is_last = g == rows.groups - 1;
        long left = whole - g;
        for (; group <= 4 && left > (WINDOWS - 1) * rows.groups; left -= WINDOWS * rows.groups) {
          Floats windows[WINDOWS][8];
          multiply_windows(group, windows, input + start, rows.period, row, rows);
          for (int w = 0; w < WINDOWS; w++) {
            if (is_fine)
              sum_inner(group, inner_sums, fine + start + rows.innerStart, inner, rows.innerCount);
            finish(group, to, is_last ? group : end - to, windows[w], is_fine ? inner_sums : 0);
            start += rows.period;
            to += rows.groups * group;
          }
        }
        for (; left > 0; left -= rows.groups) {
          if (is_fine)
            sum_inner(group, inner_sums, fine + start + rows.innerStart, inner, rows.innerCount);
          multiply(group, group, sums, input + start, row, rows);
          finish(group, to, is_last ? group : end - to, sums, is_fine ? inner_sums : 0);
          start += rows.period;
          to += rows.groups * group;
        }
        row += outer_step;
        inner += inner_step;
        if (++next == rows.groups) {
          next = 0;
          base += rows.period;
          row = rows.outer, inner = rows.inner, starts = rows.starts;
        }
      }
      // One pass through all groups is one cycle; the others are added here.
      base += (whole / rows.groups - 1) * rows.period;
      next += whole % rows.groups;
      if (next >= rows.groups) next -= rows.groups, base += rows.period;
      out += whole * group;
      count -= whole * group;
      continue;
    }
    if (whole > 0) {
      // The loop ends after as many iterations as there are groups, which processors can predict.
      do {
        const long start = base + *starts++;
        if (is_fine)
          sum_inner(group, inner_sums, fine + start + rows.innerStart, inner, rows.innerCount);
        multiply(group, group, sums, input + start, row, rows);
        finish(group, out, count, sums, is_fine ? inner_sums : 0);
        row += outer_step;
        inner += inner_step;
        out += group;
        count -= group;
        if (++next == rows.groups) {
          next = 0;
          base += rows.period;
          row = rows.outer, inner = rows.inner, starts = rows.starts;
        }
      } while (count >= group);
      continue;
    }
    // Part of a group: four rows, two and one.
    const long start = base + *starts, end = index + count < group ? index + count : group;
    if (is_fine)
      sum_inner(group, inner_sums, fine + start + rows.innerStart, inner, rows.innerCount);
    count -= end - index;
    while (index < end) {
#define PART(count)                                                         \
  do {                                                                      \
    multiply(group, count, sums, input + start, row + index * LANES, rows); \
    finish(count, out, count, sums, is_fine ? inner_sums + index : 0);      \
    out += count;                                                           \
    index += count;                                                         \
  } while (0)
      if (group > 4 && end - index >= 4)
        PART(4);
      else if (end - index >= 2)
        PART(2);
      else
        PART(1);
#undef PART
    }
    if (index < group) return;
    index = 0;
    if (++next == rows.groups) next = 0, base += rows.period;
  }
}

KERNEL_DISPATCHED
void kernel_resample(float *output, long count, const float *input, const double *fine,
                     const ResamplingRows *rows, long first) {
  const int is_fine = rows->innerCount > 0;
  switch (rows->group + 8 * rows->shortVectors) {
    case 26: return resample_short(2, 3, output, count, input, rows, first);
    case 27: return resample_short(3, 3, output, count, input, rows, first);
    case 28: return resample_short(4, 3, output, count, input, rows, first);
    case 35: return resample_short(3, 4, output, count, input, rows, first);
    case 36: return resample_short(4, 4, output, count, input, rows, first);
  }
  switch (rows->group + 8 * is_fine) {
    case 2: return resample(2, 0, output, count, input, fine, rows, first);
    case 3: return resample(3, 0, output, count, input, fine, rows, first);
    case 4: return resample(4, 0, output, count, input, fine, rows, first);
    case 11: return resample(3, 1, output, count, input, fine, rows, first);
    case 12: return resample(4, 1, output, count, input, fine, rows, first);
    case 15: return resample(7, 1, output, count, input, fine, rows, first);
    default: return resample(8, 1, output, count, input, fine, rows, first);
  }
}

KERNEL_DISPATCHED
void kernel_widen(double *output, const float *input, long count) {
  for (long i = 0; i < count; i++) output[i] = input[i];
}
