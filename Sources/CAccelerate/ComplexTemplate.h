// SPDX-License-Identifier: Apache-2.0
//
// Complex vectors; Complex.c includes this for float and double.

// Elements of split vectors: ar and ai are the parts of A's, and so on. TO stores the parts of a
// result; all inputs are read before, because a result may replace them.
#define FROM(x, X, IX) const REAL x##r = X->realp[i * IX], x##i = X->imagp[i * IX]
#define TO(X, IX, real, imaginary)                              \
  do {                                                          \
    const REAL result_real = real, result_imaginary = imaginary; \
    X->realp[i * IX] = result_real;                             \
    X->imagp[i * IX] = result_imaginary;                        \
  } while (0)

#define COMPLEX1(name, real, imaginary)                                                          \
  VECTOR_DISPATCHED void NAME(name)(const SPLIT *A, vDSP_Stride IA, const SPLIT *C,              \
                                    vDSP_Stride IC, vDSP_Length N) {                             \
    EACH2(IA, IC, {                                                                              \
      FROM(a, A, IA);                                                                            \
      TO(C, IC, real, imaginary);                                                                \
    });                                                                                          \
  }
#define COMPLEX2(name, real, imaginary)                                                          \
  VECTOR_DISPATCHED void NAME(name)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B,              \
                                    vDSP_Stride IB, const SPLIT *C, vDSP_Stride IC,              \
                                    vDSP_Length N) {                                             \
    EACH3(IA, IB, IC, {                                                                          \
      FROM(a, A, IA);                                                                            \
      FROM(b, B, IB);                                                                            \
      TO(C, IC, real, imaginary);                                                                \
    });                                                                                          \
  }
#define COMPLEX3(name, real, imaginary)                                                          \
  VECTOR_DISPATCHED void NAME(name)(                                                             \
      const SPLIT *A, vDSP_Stride IA, const SPLIT *B, vDSP_Stride IB, const SPLIT *C,            \
      vDSP_Stride IC, const SPLIT *D, vDSP_Stride ID, vDSP_Length N) {                           \
    EACH4(IA, IB, IC, ID, {                                                                      \
      FROM(a, A, IA);                                                                            \
      FROM(b, B, IB);                                                                            \
      FROM(c, C, IC);                                                                            \
      TO(D, ID, real, imaginary);                                                                \
    });                                                                                          \
  }
#define WITH_REAL(name, real, imaginary)                                                         \
  VECTOR_DISPATCHED void NAME(name)(const SPLIT *A, vDSP_Stride IA, const REAL *B,               \
                                    vDSP_Stride IB, const SPLIT *C, vDSP_Stride IC,              \
                                    vDSP_Length N) {                                             \
    EACH3(IA, IB, IC, {                                                                          \
      FROM(a, A, IA);                                                                            \
      const REAL b = B[i * IB];                                                                  \
      TO(C, IC, real, imaginary);                                                                \
    });                                                                                          \
  }
#define TO_REAL(name, expression)                                                                \
  VECTOR_DISPATCHED void NAME(name)(const SPLIT *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC,     \
                                    vDSP_Length N) {                                             \
    EACH2(IA, IC, {                                                                              \
      FROM(a, A, IA);                                                                            \
      C[i * IC] = expression;                                                                    \
    });                                                                                          \
  }

COMPLEX1(zvmov, ar, ai)
COMPLEX1(zvconj, ar, -ai)
COMPLEX1(zvneg, -ar, -ai)
COMPLEX2(zvadd, ar + br, ai + bi)
COMPLEX2(zvsub, ar - br, ai - bi)
COMPLEX2(zvcmul, ar *br + ai * bi, ar * bi - ai * br)
COMPLEX3(zvma, ar *br - ai * bi + cr, ar * bi + ai * br + ci)
COMPLEX3(zvcma, ar *br + ai * bi + cr, ar * bi - ai * br + ci)
WITH_REAL(zrvadd, ar + b, ai)
WITH_REAL(zrvsub, ar - b, ai)
WITH_REAL(zrvmul, ar *b, ai *b)
WITH_REAL(zrvdiv, ar / b, ai / b)
TO_REAL(zvabs, __builtin_elementwise_sqrt(ar *ar + ai * ai))
TO_REAL(zvmags, ar *ar + ai * ai)

void NAME(zvphas)(const SPLIT *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) {
    C[i * IC] = MATH(atan2)(A->imagp[i * IA], A->realp[i * IA]);
  }
}

VECTOR_DISPATCHED
void NAME(zvmul)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, vDSP_Stride IB, const SPLIT *C,
                 vDSP_Stride IC, vDSP_Length N, int Conjugate) {
  const REAL sign = Conjugate < 0 ? -1 : 1;
  EACH3(IA, IB, IC, {
    FROM(a, A, IA);
    FROM(b, B, IB);
    const REAL si = sign * ai;
    TO(C, IC, ar * br - si * bi, ar * bi + si * br);
  });
}

// The divisor is the first argument.
VECTOR_DISPATCHED
void NAME(zvdiv)(const SPLIT *B, vDSP_Stride IB, const SPLIT *A, vDSP_Stride IA, const SPLIT *C,
                 vDSP_Stride IC, vDSP_Length N) {
  EACH3(IA, IB, IC, {
    FROM(a, A, IA);
    FROM(b, B, IB);
    const REAL square = br * br + bi * bi;
    TO(C, IC, (ar * br + ai * bi) / square, (ai * br - ar * bi) / square);
  });
}

VECTOR_DISPATCHED
void NAME(zvzsml)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, const SPLIT *C, vDSP_Stride IC,
                  vDSP_Length N) {
  const REAL br = *B->realp, bi = *B->imagp;
  EACH2(IA, IC, {
    FROM(a, A, IA);
    TO(C, IC, ar * br - ai * bi, ar * bi + ai * br);
  });
}

VECTOR_DISPATCHED
void NAME(zvsma)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, const SPLIT *C, vDSP_Stride IC,
                 const SPLIT *D, vDSP_Stride ID, vDSP_Length N) {
  const REAL br = *B->realp, bi = *B->imagp;
  EACH3(IA, IC, ID, {
    FROM(a, A, IA);
    FROM(c, C, IC);
    TO(D, ID, ar * br - ai * bi + cr, ar * bi + ai * br + ci);
  });
}

VECTOR_DISPATCHED
void NAME(zvmgsa)(const SPLIT *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, REAL *C,
                  vDSP_Stride IC, vDSP_Length N) {
  EACH3(IA, IB, IC, {
    FROM(a, A, IA);
    C[i * IC] = ar * ar + ai * ai + B[i * IB];
  });
}

void NAME(zvfill)(const SPLIT *A, const SPLIT *C, vDSP_Stride IC, vDSP_Length N) {
  NAME(vfill)(A->realp, C->realp, IC, N);
  NAME(vfill)(A->imagp, C->imagp, IC, N);
}

// MARK: Layout

// Strides of interleaved numbers count real numbers.
VECTOR_DISPATCHED
void NAME(ctoz)(const COMPLEX *C, vDSP_Stride IC, const SPLIT *Z, vDSP_Stride IZ, vDSP_Length N) {
  const REAL *numbers = &C->real;
  REAL *reals = Z->realp, *imaginaries = Z->imagp;
  if (IC == 2 && IZ == 1) {
    VECTORISE for (long i = 0; i < (long)N; i++) {
      reals[i] = numbers[2 * i];
      imaginaries[i] = numbers[2 * i + 1];
    }
  } else {
    for (long i = 0; i < (long)N; i++) {
      reals[i * IZ] = numbers[i * IC];
      imaginaries[i * IZ] = numbers[i * IC + 1];
    }
  }
}

VECTOR_DISPATCHED
void NAME(ztoc)(const SPLIT *Z, vDSP_Stride IZ, COMPLEX *C, vDSP_Stride IC, vDSP_Length N) {
  REAL *numbers = &C->real;
  const REAL *reals = Z->realp, *imaginaries = Z->imagp;
  if (IC == 2 && IZ == 1) {
    VECTORISE for (long i = 0; i < (long)N; i++) {
      numbers[2 * i] = reals[i];
      numbers[2 * i + 1] = imaginaries[i];
    }
  } else {
    for (long i = 0; i < (long)N; i++) {
      numbers[i * IC] = reals[i * IZ];
      numbers[i * IC + 1] = imaginaries[i * IZ];
    }
  }
}

void NAME(polar)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) {
    const REAL x = A[i * IA], y = A[i * IA + 1];
    C[i * IC] = MATH(sqrt)(x * x + y * y);
    C[i * IC + 1] = MATH(atan2)(y, x);
  }
}

void NAME(rect)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC, vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) {
    const REAL magnitude = A[i * IA], angle = A[i * IA + 1];
    C[i * IC] = magnitude * MATH(cos)(angle);
    C[i * IC + 1] = magnitude * MATH(sin)(angle);
  }
}

// MARK: Spectra, whose elements are adjacent

#define ADJACENT(...) VECTORISE for (long i = 0; i < (long)N; i++) __VA_ARGS__

VECTOR_DISPATCHED void NAME(zaspec)(const SPLIT *A, REAL *C, vDSP_Length N) {
  ADJACENT({
    FROM(a, A, 1);
    C[i] += ar * ar + ai * ai;
  })
}

VECTOR_DISPATCHED
void NAME(zcspec)(const SPLIT *A, const SPLIT *B, const SPLIT *C, vDSP_Length N) {
  ADJACENT({
    FROM(a, A, 1);
    FROM(b, B, 1);
    FROM(c, C, 1);
    TO(C, 1, cr + (ar * br + ai * bi), ci + (ar * bi - ai * br));
  })
}

VECTOR_DISPATCHED
void NAME(zcoher)(const REAL *A, const REAL *B, const SPLIT *C, REAL *D, vDSP_Length N) {
  ADJACENT({
    FROM(c, C, 1);
    D[i] = (cr * cr + ci * ci) / (A[i] * B[i]);
  })
}

VECTOR_DISPATCHED
void NAME(ztrans)(const REAL *A, const SPLIT *B, const SPLIT *C, vDSP_Length N) {
  ADJACENT({
    FROM(b, B, 1);
    const REAL a = A[i];
    TO(C, 1, br / a, bi / a);
  })
}
#undef ADJACENT

// MARK: Sums

// Real parts and imaginary parts are summed by the real functions.
INLINE void OWN(complex_sum)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, vDSP_Stride IB,
                             const SPLIT *C, vDSP_Length N, REAL sign) {
  REAL rr, ii, ri, ir;
  NAME(dotpr)(A->realp, IA, B->realp, IB, &rr, N);
  NAME(dotpr)(A->imagp, IA, B->imagp, IB, &ii, N);
  NAME(dotpr)(A->realp, IA, B->imagp, IB, &ri, N);
  NAME(dotpr)(A->imagp, IA, B->realp, IB, &ir, N);
  *C->realp = rr - sign * ii;
  *C->imagp = ri + sign * ir;
}

void NAME(zdotpr)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, vDSP_Stride IB, const SPLIT *C,
                  vDSP_Length N) {
  OWN(complex_sum)(A, IA, B, IB, C, N, 1);
}

void NAME(zidotpr)(const SPLIT *A, vDSP_Stride IA, const SPLIT *B, vDSP_Stride IB, const SPLIT *C,
                   vDSP_Length N) {
  OWN(complex_sum)(A, IA, B, IB, C, N, -1);
}

void NAME(zrdotpr)(const SPLIT *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, const SPLIT *C,
                   vDSP_Length N) {
  REAL real, imaginary;
  NAME(dotpr)(A->realp, IA, B, IB, &real, N);
  NAME(dotpr)(A->imagp, IA, B, IB, &imaginary, N);
  *C->realp = real;
  *C->imagp = imaginary;
}

#undef FROM
#undef TO
#undef COMPLEX1
#undef COMPLEX2
#undef COMPLEX3
#undef WITH_REAL
#undef TO_REAL
