// SPDX-License-Identifier: Apache-2.0
//
// Limits, thresholds, order and selection; Limits.c includes this for float and double.

// A function of a vector and one number, b, and of a vector and two numbers, b and c.
#define LIMIT(name, expression)                                                                   \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B, REAL *C,        \
                                    vDSP_Stride IC, vDSP_Length N) {                              \
    const REAL b = *B;                                                                            \
    EACH2(IA, IC, {                                                                               \
      const REAL a = A[i * IA];                                                                   \
      C[i * IC] = expression;                                                                     \
    });                                                                                           \
  }
#define LIMITS(name, expression)                                                                  \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B, const REAL *C,  \
                                    REAL *D, vDSP_Stride ID, vDSP_Length N) {                     \
    const REAL b = *B, c = *C;                                                                    \
    EACH2(IA, ID, {                                                                               \
      const REAL a = A[i * IA];                                                                   \
      D[i * ID] = expression;                                                                     \
    });                                                                                           \
  }

LIMIT(vthr, a >= b ? a : b)
LIMIT(vthres, a >= b ? a : 0)
LIMITS(vclip, a < b ? b : a > c ? c : a)
LIMITS(viclip, a <= b || a >= c ? a : a < 0 ? b : c)
LIMITS(vthrsc, a >= b ? c : -c)
LIMITS(vlim, a >= b ? c : -c)
#undef LIMIT
#undef LIMITS

void NAME(vclipc)(const REAL *A, vDSP_Stride IA, const REAL *B, const REAL *C, REAL *D,
                  vDSP_Stride ID, vDSP_Length N, vDSP_Length *NLow, vDSP_Length *NHigh) {
  const REAL low = *B, high = *C;
  vDSP_Length below = 0, above = 0;
  for (long i = 0; i < (long)N; i++) {
    const REAL a = A[i * IA];
    below += a < low;
    above += a > high;
    D[i * ID] = a < low ? low : a > high ? high : a;
  }
  *NLow = below;
  *NHigh = above;
}

VECTOR_DISPATCHED
void NAME(venvlp)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, const REAL *C,
                  vDSP_Stride IC, REAL *D, vDSP_Stride ID, vDSP_Length N) {
  EACH4(IA, IB, IC, ID, {
    const REAL c = C[i * IC];
    D[i * ID] = c > A[i * IA] || c < B[i * IB] ? c : 0;
  });
}

void NAME(vcmprs)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, REAL *C,
                  vDSP_Stride IC, vDSP_Length N) {
  long kept = 0;
  for (long i = 0; i < (long)N; i++) {
    if (B[i * IB] != 0) C[kept++ * IC] = A[i * IA];
  }
}

void NAME(vgathr)(const REAL *A, const vDSP_Length *B, vDSP_Stride IB, REAL *C, vDSP_Stride IC,
                  vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) C[i * IC] = A[B[i * IB] - 1];
}

void NAME(vgathra)(const REAL *const *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) C[i * IC] = *A[i * IA];
}

void NAME(vindex)(const REAL *A, const REAL *B, vDSP_Stride IB, REAL *C, vDSP_Stride IC,
                  vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) C[i * IC] = A[(long)B[i * IB]];
}

void NAME(vrvrs)(REAL *C, vDSP_Stride IC, vDSP_Length N) {
  for (long i = 0, j = (long)N - 1; i < j; i++, j--) {
    const REAL kept = C[i * IC];
    C[i * IC] = C[j * IC];
    C[j * IC] = kept;
  }
}

VECTOR_DISPATCHED
void NAME(vswap)(REAL *A, vDSP_Stride IA, REAL *B, vDSP_Stride IB, vDSP_Length N) {
  EACH2(IA, IB, {
    const REAL kept = A[i * IA];
    A[i * IA] = B[i * IB];
    B[i * IB] = kept;
  });
}

// Whether a number comes before another; NaN comes after all numbers.
INLINE bool OWN(precedes)(REAL a, REAL b, int order) {
  if (a != a) return false;
  if (b != b) return true;
  return order < 0 ? a > b : a < b;
}

// Heapsort, which needs no memory: J. W. J. Williams, "Algorithm 232" (1964). With indices, they
// are sorted by the numbers that they refer to.
static void OWN(sink)(REAL *numbers, vDSP_Length *indices, const REAL *by, vDSP_Length root,
                      vDSP_Length count, int order) {
#define AT(place) (indices ? by[indices[place]] : numbers[place])
  while (2 * root + 1 < count) {
    vDSP_Length child = 2 * root + 1;
    if (child + 1 < count && OWN(precedes)(AT(child), AT(child + 1), order)) child++;
    if (!OWN(precedes)(AT(root), AT(child), order)) return;
    if (indices) {
      const vDSP_Length kept = indices[root];
      indices[root] = indices[child];
      indices[child] = kept;
    } else {
      const REAL kept = numbers[root];
      numbers[root] = numbers[child];
      numbers[child] = kept;
    }
    root = child;
  }
#undef AT
}

static void OWN(sort)(REAL *numbers, vDSP_Length *indices, const REAL *by, vDSP_Length count,
                      int order) {
  for (vDSP_Length root = count / 2; root-- > 0;) {
    OWN(sink)(numbers, indices, by, root, count, order);
  }
  for (vDSP_Length last = count; last-- > 1;) {
    if (indices) {
      const vDSP_Length kept = indices[0];
      indices[0] = indices[last];
      indices[last] = kept;
    } else {
      const REAL kept = numbers[0];
      numbers[0] = numbers[last];
      numbers[last] = kept;
    }
    OWN(sink)(numbers, indices, by, 0, last, order);
  }
}

void NAME(vsort)(REAL *C, vDSP_Length N, int Order) { OWN(sort)(C, NULL, NULL, N, Order); }

void NAME(vsorti)(const REAL *C, vDSP_Length *Index, vDSP_Length *Reserved, vDSP_Length N,
                  int Order) {
  (void)Reserved;
  OWN(sort)(NULL, Index, C, N, Order);
}
