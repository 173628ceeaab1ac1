// SPDX-License-Identifier: Apache-2.0
//
// Sums across the lanes of vectors, four vectors at a time.

#ifndef KERNEL_SUMS_H
#define KERNEL_SUMS_H

#include "Vectors.h"

typedef float Quarter __attribute__((vector_size(LANES * 2)));

// Sums four vectors of eight lanes to one vector. The order of the additions is fixed, so that all
// processors give the same bits; the first of each two shuffles is a blend, which is cheaper.
#define FOUR_SUMS(Four, result, a0, a1, a2, a3)                                                  \
  do {                                                                                           \
    const __typeof__(a0) u = SHUFFLE(a0, a2, 0, 1, 2, 3, 12, 13, 14, 15) +                       \
                             SHUFFLE(a0, a2, 4, 5, 6, 7, 8, 9, 10, 11);                          \
    const __typeof__(a0) v = SHUFFLE(a1, a3, 0, 1, 2, 3, 12, 13, 14, 15) +                       \
                             SHUFFLE(a1, a3, 4, 5, 6, 7, 8, 9, 10, 11);                          \
    const __typeof__(a0) w = SHUFFLE(u, v, 0, 1, 10, 11, 4, 5, 14, 15) +                         \
                             SHUFFLE(u, v, 2, 3, 8, 9, 6, 7, 12, 13);                            \
    const Four low = SHUFFLE(w, w, 0, 1, 2, 3), high = SHUFFLE(w, w, 4, 5, 6, 7);                \
    result = SHUFFLE(low, high, 0, 2, 4, 6) + SHUFFLE(low, high, 1, 3, 5, 7);                    \
  } while (0)

INLINE void four_sums(Quarter *result, const Floats *a) {
  FOUR_SUMS(Quarter, *result, a[0], a[1], a[2], a[3]);
}

#endif
