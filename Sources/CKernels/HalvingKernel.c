// SPDX-License-Identifier: Apache-2.0

#include "HalvingKernel.h"

#include "Dispatch.h"
#include "Vectors.h"

// Lanes are outputs, so that there are no sums across lanes.

// Maximum number of vectors at a time: several, because each addition waits for the one before, and
// because they share loads.
#define VECTORS 5
// Number of pairs, eight apart, that share their loads, one vector further each.
#define TURNS 3

// The pairs at `first`, eight after it and so on, `steps` of them, the outermost first.
INLINE void halve_pairs(const int vectors, const int steps, Floats *sums, const float *even,
                        const float *coefficients, long first) {
  Floats left[VECTORS + TURNS - 1], right[VECTORS + TURNS - 1];
  for (int j = 0; j < vectors + steps - 1; j++) {
    memcpy(&left[j], even - first + (j - steps + 1) * LANES, sizeof left[j]);
    memcpy(&right[j], even + first + 1 + j * LANES, sizeof right[j]);
  }
  for (int t = steps - 1; t >= 0; t--)
    for (int j = 0; j < vectors; j++)
      sums[j] += coefficients[first + t * LANES] * (left[j + steps - 1 - t] + right[j + t]);
}

// Pairs of equal coefficients are added first; blocks of pairs go from the outermost down to
// `inner`.
INLINE void halve_outer(const int vectors, Floats *sums, const float *even, const float *coefficients,
                        long inner, long pairs) {
  for (long first = inner + (pairs - inner - 1) / (TURNS * LANES) * (TURNS * LANES); first >= inner;
       first -= TURNS * LANES) {
    const long left = pairs - first;
    for (long k = (left < LANES ? left : LANES) - 1; k >= 0; k--) {
      if (left > k + 2 * LANES)
        halve_pairs(vectors, 3, sums, even, coefficients, first + k);
      else if (left > k + LANES)
        halve_pairs(vectors, 2, sums, even, coefficients, first + k);
      else
        halve_pairs(vectors, 1, sums, even, coefficients, first + k);
    }
  }
}

INLINE void halve(const int vectors, float *output, const float *even, const float *odd,
                  const float *coefficients, long pairs) {
  Floats sums[VECTORS] = {{0}};
  halve_outer(vectors, sums, even, coefficients, 0, pairs);
  for (int j = 0; j < vectors; j++) {
    LOAD(Floats, centre, odd + j * LANES);
    sums[j] += 0.5f * centre;
    memcpy(output + j * LANES, &sums[j], sizeof centre);
  }
}

// Number of vectors that divides the remaining ones into equal shares.
INLINE long share(long vectors) {
  return vectors <= VECTORS ? vectors : vectors < 2 * VECTORS ? (vectors + 1) / 2 : VECTORS;
}

KERNEL_DISPATCHED
void kernel_halve(float *output, long count, const float *even, const float *odd,
                  const float *coefficients, long pairs) {
  for (long left = (count + LANES - 1) / LANES; left > 0;) {
    const long vectors = share(left);
    switch (vectors) {
      case 1: halve(1, output, even, odd, coefficients, pairs); break;
      case 2: halve(2, output, even, odd, coefficients, pairs); break;
      case 3: halve(3, output, even, odd, coefficients, pairs); break;
      case 4: halve(4, output, even, odd, coefficients, pairs); break;
      default: halve(5, output, even, odd, coefficients, pairs);
    }
    output += vectors * LANES;
    even += vectors * LANES;
    odd += vectors * LANES;
    left -= vectors;
  }
}

INLINE void halve_fine(const int vectors, double *fine, float *output, const float *even,
                       const float *odd, const float *coefficients, long pairs, const double *inner,
                       long inner_pairs) {
  Floats sums[VECTORS] = {{0}};
  halve_outer(vectors, sums, even, coefficients, inner_pairs, pairs);
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
  for (long left = (count + LANES - 1) / LANES; left > 0;) {
    const long vectors = share(left);
#define HALVE(vectors) \
  halve_fine(vectors, fine, output, even, odd, coefficients, pairs, inner, innerPairs)
    switch (vectors) {
      case 1: HALVE(1); break;
      case 2: HALVE(2); break;
      case 3: HALVE(3); break;
      case 4: HALVE(4); break;
      default: HALVE(5);
    }
#undef HALVE
    fine += vectors * LANES;
    output += vectors * LANES;
    even += vectors * LANES;
    odd += vectors * LANES;
    left -= vectors;
  }
}

KERNEL_DISPATCHED
void kernel_split_pairs(float *first, float *second, const float *input, long pairs) {
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
