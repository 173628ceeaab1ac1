// SPDX-License-Identifier: Apache-2.0
//
// Convolution, decimation and products of matrices; Filters.c includes this for float and double.

#define LANES 16
typedef REAL OWN(FilterLanes)
    __attribute__((vector_size(LANES * sizeof(REAL)), aligned(sizeof(REAL))));

// Four vectors of results at once, so that each coefficient is loaded once for all of them.
#define TILE (4 * LANES)

// Adds the products of a number and TILE adjacent elements.
#define ADD_PRODUCTS(number, elements)                                   \
  do {                                                                   \
    const OWN(FilterLanes) *const vectors = (const void *)(elements);    \
    sum0 += (number) * vectors[0];                                       \
    sum1 += (number) * vectors[1];                                       \
    sum2 += (number) * vectors[2];                                       \
    sum3 += (number) * vectors[3];                                       \
  } while (0)
#define STORE_SUMS(results)                                              \
  do {                                                                   \
    OWN(FilterLanes) *const vectors = (void *)(results);                 \
    vectors[0] = sum0;                                                   \
    vectors[1] = sum1;                                                   \
    vectors[2] = sum2;                                                   \
    vectors[3] = sum3;                                                   \
  } while (0)

KERNEL_DISPATCHED
void NAME(conv)(const REAL *A, vDSP_Stride IA, const REAL *F, vDSP_Stride IF, REAL *C,
                vDSP_Stride IC, vDSP_Length N, vDSP_Length P) {
  const long count = (long)N, taps = (long)P;
  long n = 0;
  if (IA == 1 && IC == 1) {
    for (; n + TILE <= count; n += TILE) {
      OWN(FilterLanes) sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};
      for (long p = 0; p < taps; p++) ADD_PRODUCTS(F[p * IF], A + n + p);
      STORE_SUMS(C + n);
    }
  }
  for (; n < count; n++) {
    REAL sum = 0;
    for (long p = 0; p < taps; p++) sum += F[p * IF] * A[(n + p) * IA];
    C[n * IC] = sum;
  }
}

void NAME(zconv)(const SPLIT *A, vDSP_Stride IA, const SPLIT *F, vDSP_Stride IF, const SPLIT *C,
                 vDSP_Stride IC, vDSP_Length N, vDSP_Length P) {
  for (long n = 0; n < (long)N; n++) {
    REAL real = 0, imaginary = 0;
    for (long p = 0; p < (long)P; p++) {
      const REAL ar = A->realp[(n + p) * IA], ai = A->imagp[(n + p) * IA];
      const REAL fr = F->realp[p * IF], fi = F->imagp[p * IF];
      real += ar * fr - ai * fi;
      imaginary += ar * fi + ai * fr;
    }
    C->realp[n * IC] = real;
    C->imagp[n * IC] = imaginary;
  }
}

void NAME(desamp)(const REAL *A, vDSP_Stride DF, const REAL *F, REAL *C, vDSP_Length N,
                  vDSP_Length P) {
  for (long n = 0; n < (long)N; n++) {
    REAL sum;
    NAME(dotpr)(A + n * DF, 1, F, 1, &sum, P);
    C[n] = sum;
  }
}

void NAME(zrdesamp)(const SPLIT *A, vDSP_Stride DF, const REAL *F, const SPLIT *C, vDSP_Length N,
                    vDSP_Length P) {
  NAME(desamp)(A->realp, DF, F, C->realp, N, P);
  NAME(desamp)(A->imagp, DF, F, C->imagp, N, P);
}

void NAME(deq22)(const REAL *A, vDSP_Stride IA, const REAL *B, REAL *C, vDSP_Stride IC,
                 vDSP_Length N) {
  REAL x2 = A[0], x1 = A[IA], y2 = C[0], y1 = C[IC];
  for (long n = 2; n < (long)N + 2; n++) {
    const REAL x = A[n * IA];
    const REAL y = x * B[0] + x1 * B[1] + x2 * B[2] - y1 * B[3] - y2 * B[4];
    C[n * IC] = y;
    x2 = x1;
    x1 = x;
    y2 = y1;
    y1 = y;
  }
}

// MARK: Matrices

// A row of results at a time in tiles: each element of A's row adds a multiple of a row of B.
KERNEL_DISPATCHED
void NAME(mmul)(const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, REAL *C,
                vDSP_Stride IC, vDSP_Length M, vDSP_Length N, vDSP_Length P) {
  const long columns = (long)N, inner = (long)P;
  for (long m = 0; m < (long)M; m++) {
    long n = 0;
    if (IB == 1 && IC == 1) {
      for (; n + TILE <= columns; n += TILE) {
        OWN(FilterLanes) sum0 = {0}, sum1 = {0}, sum2 = {0}, sum3 = {0};
        for (long p = 0; p < inner; p++) {
          ADD_PRODUCTS(A[(m * inner + p) * IA], B + p * columns + n);
        }
        STORE_SUMS(C + m * columns + n);
      }
    }
    for (; n < columns; n++) {
      REAL sum = 0;
      for (long p = 0; p < inner; p++) sum += A[(m * inner + p) * IA] * B[(p * columns + n) * IB];
      C[(m * columns + n) * IC] = sum;
    }
  }
}

void NAME(zmmul)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, vDSP_Stride IB, const SPLIT *C,
                 vDSP_Stride IC, vDSP_Length M, vDSP_Length N, vDSP_Length P) {
  const long columns = (long)N, inner = (long)P;
  for (long m = 0; m < (long)M; m++) {
    for (long n = 0; n < columns; n++) {
      const long row = m * inner * IA, column = n * IB, result = (m * columns + n) * IC;
      const SPLIT a = {A->realp + row, A->imagp + row}, b = {B->realp + column, B->imagp + column};
      const SPLIT c = {C->realp + result, C->imagp + result};
      NAME(zdotpr)(&a, IA, &b, IB * columns, &c, P);
    }
  }
}

void NAME(zrmmul)(const SPLIT *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, const SPLIT *C,
                  vDSP_Stride IC, vDSP_Length M, vDSP_Length N, vDSP_Length P) {
  NAME(mmul)(A->realp, IA, B, IB, C->realp, IC, M, N, P);
  NAME(mmul)(A->imagp, IA, B, IB, C->imagp, IC, M, N, P);
}

void NAME(mtrans)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length M,
                  vDSP_Length N) {
  for (long m = 0; m < (long)M; m++) {
    for (long n = 0; n < (long)N; n++) C[(m * (long)N + n) * IC] = A[(n * (long)M + m) * IA];
  }
}

#undef LANES
#undef TILE
#undef ADD_PRODUCTS
#undef STORE_SUMS
