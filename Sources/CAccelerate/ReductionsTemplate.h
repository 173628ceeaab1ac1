// SPDX-License-Identifier: Apache-2.0
//
// Sums, means and extremes; Reductions.c includes this for float and double.
//
// Sixteen partial results, whatever the processor, so that all give the same bits. They also make
// the sums more exact than one after the other.

#define LANES 16
typedef REAL OWN(Lanes) __attribute__((vector_size(LANES * sizeof(REAL))));

INLINE REAL OWN(total)(const OWN(Lanes) * lanes) {
  REAL sums[LANES];
  memcpy(sums, lanes, sizeof sums);
  for (int width = LANES / 2; width > 0; width /= 2) {
    for (int k = 0; k < width; k++) sums[k] += sums[k + width];
  }
  return sums[0];
}

// The sum of TERM, an expression of a. With other strides than one, the same lanes add the same
// elements.
#define SUM(result, TERM)                                                                        \
  do {                                                                                           \
    const long element_count = (long)N;                                                          \
    long i = 0;                                                                                  \
    OWN(Lanes) lanes = {0};                                                                      \
    if (IA == 1) {                                                                               \
      for (; i + LANES <= element_count; i += LANES) {                                           \
        OWN(Lanes) a;                                                                            \
        memcpy(&a, A + i, sizeof a);                                                             \
        lanes += TERM;                                                                           \
      }                                                                                          \
    }                                                                                            \
    for (; i < element_count; i++) {                                                             \
      const REAL a = A[i * IA];                                                                  \
      lanes[i % LANES] += TERM;                                                                  \
    }                                                                                            \
    result = OWN(total)(&lanes);                                                                 \
  } while (0)

// As SUM, with b of a second vector.
#define SUM_OF_TWO(result, TERM)                                                                 \
  do {                                                                                           \
    const long element_count = (long)N;                                                          \
    long i = 0;                                                                                  \
    OWN(Lanes) lanes = {0};                                                                      \
    if (IA == 1 && IB == 1) {                                                                    \
      for (; i + LANES <= element_count; i += LANES) {                                           \
        OWN(Lanes) a, b;                                                                         \
        memcpy(&a, A + i, sizeof a);                                                             \
        memcpy(&b, B + i, sizeof b);                                                             \
        lanes += TERM;                                                                           \
      }                                                                                          \
    }                                                                                            \
    for (; i < element_count; i++) {                                                             \
      const REAL a = A[i * IA], b = B[i * IB];                                                   \
      lanes[i % LANES] += TERM;                                                                  \
    }                                                                                            \
    result = OWN(total)(&lanes);                                                                 \
  } while (0)

#define ABSOLUTE(a) __builtin_elementwise_abs(a)

#define SUMMING(name, TERM, RESULT)                                                              \
  KERNEL_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Length N) {     \
    REAL sum;                                                                                    \
    SUM(sum, TERM);                                                                              \
    *C = RESULT;                                                                                 \
  }

SUMMING(sve, a, sum)
SUMMING(svemg, ABSOLUTE(a), sum)
SUMMING(svesq, a *a, sum)
SUMMING(svs, a *ABSOLUTE(a), sum)
SUMMING(meanv, a, sum / (REAL)N)
SUMMING(meamgv, ABSOLUTE(a), sum / (REAL)N)
SUMMING(measqv, a *a, sum / (REAL)N)
SUMMING(mvessq, a *ABSOLUTE(a), sum / (REAL)N)
SUMMING(rmsqv, a *a, MATH(sqrt)(sum / (REAL)N))
#undef SUMMING

KERNEL_DISPATCHED void NAME(sve_svesq)(const REAL *A, vDSP_Stride IA, REAL *Sum,
                                       REAL *SumOfSquares, vDSP_Length N) {
  REAL sum, squares;
  SUM(sum, a);
  SUM(squares, a * a);
  *Sum = sum;
  *SumOfSquares = squares;
}

KERNEL_DISPATCHED void NAME(dotpr)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB,
                                   REAL *C, vDSP_Length N) {
  REAL sum;
  SUM_OF_TWO(sum, a * b);
  *C = sum;
}

void NAME(dotpr2)(const REAL *A0, vDSP_Stride IA0, const REAL *A1, vDSP_Stride IA1, const REAL *B,
                  vDSP_Stride IB, REAL *C0, REAL *C1, vDSP_Length N) {
  NAME(dotpr)(A0, IA0, B, IB, C0, N);
  NAME(dotpr)(A1, IA1, B, IB, C1, N);
}

KERNEL_DISPATCHED void NAME(distancesq)(const REAL *A, vDSP_Stride IA, const REAL *B,
                                        vDSP_Stride IB, REAL *C, vDSP_Length N) {
  REAL sum;
  SUM_OF_TWO(sum, (a - b) * (a - b));
  *C = sum;
}

// The mean first, then the deviations from it, because the difference of two large sums is inexact.
KERNEL_DISPATCHED void NAME(normalize)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC,
                                       REAL *Mean, REAL *StandardDeviation, vDSP_Length N) {
  REAL sum, squares;
  SUM(sum, a);
  const REAL mean = sum / (REAL)N;
  SUM(squares, (a - mean) * (a - mean));
  const REAL deviation = MATH(sqrt)(squares / (REAL)N);
  *Mean = mean;
  *StandardDeviation = deviation;
  if (!C) return;
  EACH2(IA, IC, { C[i * IC] = (A[i * IA] - mean) / deviation; });
}

// MARK: Extremes

// BETTER compares value with best; the lanes start with the worst.
#define EXTREME(name, WORST, VALUE, CHOOSE)                                                      \
  KERNEL_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Length N) {     \
    const long element_count = (long)N;                                                          \
    long i = 0;                                                                                  \
    REAL best = WORST;                                                                           \
    if (IA == 1 && element_count >= LANES) {                                                     \
      OWN(Lanes) lanes = best - (OWN(Lanes)){0};                                                 \
      for (; i + LANES <= element_count; i += LANES) {                                           \
        OWN(Lanes) a;                                                                            \
        memcpy(&a, A + i, sizeof a);                                                             \
        lanes = CHOOSE(lanes, VALUE);                                                            \
      }                                                                                          \
      for (int k = 0; k < LANES; k++) best = CHOOSE(best, lanes[k]);                             \
    }                                                                                            \
    for (; i < element_count; i++) {                                                             \
      const REAL a = A[i * IA];                                                                  \
      best = CHOOSE(best, VALUE);                                                                \
    }                                                                                            \
    *C = best;                                                                                   \
  }                                                                                              \
  void NAME(name##i)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Length *Index,                 \
                     vDSP_Length N) {                                                            \
    NAME(name)(A, IA, C, N);                                                                     \
    *Index = 0;                                                                                  \
    for (long i = 0; i < (long)N; i++) {                                                         \
      const REAL a = A[i * IA];                                                                  \
      if (VALUE == *C) {                                                                         \
        *Index = (vDSP_Length)(i * IA);                                                          \
        return;                                                                                  \
      }                                                                                          \
    }                                                                                            \
  }

EXTREME(maxv, -INFINITY, a, __builtin_elementwise_max)
EXTREME(minv, INFINITY, a, __builtin_elementwise_min)
EXTREME(maxmgv, 0, ABSOLUTE(a), __builtin_elementwise_max)
EXTREME(minmgv, INFINITY, ABSOLUTE(a), __builtin_elementwise_min)
#undef EXTREME

void NAME(nzcros)(const REAL *A, vDSP_Stride IA, vDSP_Length B, vDSP_Length *C, vDSP_Length *D,
                  vDSP_Length N) {
  *C = 0;
  *D = 0;
  for (long i = 1; i < (long)N && *D < B; i++) {
    if (signbit(A[i * IA]) == signbit(A[(i - 1) * IA])) continue;
    *D += 1;
    if (*D == B) *C = (vDSP_Length)(i * IA);
  }
}

#undef LANES
#undef SUM
#undef SUM_OF_TWO
#undef ABSOLUTE
