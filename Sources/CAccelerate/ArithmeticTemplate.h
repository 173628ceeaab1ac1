// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of vectors; Arithmetic.c includes this for float and double.

// The letters of the operands are those of the headers: a, b, c and d are the elements.
#define UNARY(name, expression)                                                                  \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, REAL *C, vDSP_Stride IC,      \
                                    vDSP_Length N) {                                             \
    EACH2(IA, IC, {                                                                              \
      const REAL a = A[i * IA];                                                                  \
      C[i * IC] = expression;                                                                    \
    });                                                                                          \
  }
#define BINARY(name, expression)                                                                 \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B,                \
                                    vDSP_Stride IB, REAL *C, vDSP_Stride IC, vDSP_Length N) {    \
    EACH3(IA, IB, IC, {                                                                          \
      const REAL a = A[i * IA], b = B[i * IB];                                                   \
      C[i * IC] = expression;                                                                    \
    });                                                                                          \
  }
#define WITH_NUMBER(name, expression)                                                            \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B, REAL *C,       \
                                    vDSP_Stride IC, vDSP_Length N) {                             \
    const REAL b = *B;                                                                           \
    EACH2(IA, IC, {                                                                              \
      const REAL a = A[i * IA];                                                                  \
      C[i * IC] = expression;                                                                    \
    });                                                                                          \
  }
#define TERNARY(name, expression)                                                                \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B,                \
                                    vDSP_Stride IB, const REAL *C, vDSP_Stride IC, REAL *D,      \
                                    vDSP_Stride ID, vDSP_Length N) {                             \
    EACH4(IA, IB, IC, ID, {                                                                      \
      const REAL a = A[i * IA], b = B[i * IB], c = C[i * IC];                                    \
      D[i * ID] = expression;                                                                    \
    });                                                                                          \
  }
#define TWO_WITH_NUMBER(name, expression)                                                        \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B,                \
                                    vDSP_Stride IB, const REAL *C, REAL *D, vDSP_Stride ID,      \
                                    vDSP_Length N) {                                             \
    const REAL c = *C;                                                                           \
    EACH3(IA, IB, ID, {                                                                          \
      const REAL a = A[i * IA], b = B[i * IB];                                                   \
      D[i * ID] = expression;                                                                    \
    });                                                                                          \
  }
#define NUMBER_BETWEEN(name, expression)                                                         \
  VECTOR_DISPATCHED void NAME(name)(const REAL *A, vDSP_Stride IA, const REAL *B, const REAL *C, \
                                    vDSP_Stride IC, REAL *D, vDSP_Stride ID, vDSP_Length N) {    \
    const REAL b = *B;                                                                           \
    EACH3(IA, IC, ID, {                                                                          \
      const REAL a = A[i * IA], c = C[i * IC];                                                   \
      D[i * ID] = expression;                                                                    \
    });                                                                                          \
  }
#define FOUR(name, expression)                                                                   \
  VECTOR_DISPATCHED void NAME(name)(                                                             \
      const REAL *A, vDSP_Stride IA, const REAL *B, vDSP_Stride IB, const REAL *C,               \
      vDSP_Stride IC, const REAL *D, vDSP_Stride ID, REAL *E, vDSP_Stride IE, vDSP_Length N) {   \
    EACH5(IA, IB, IC, ID, IE, {                                                                  \
      const REAL a = A[i * IA], b = B[i * IB], c = C[i * IC], d = D[i * ID];                     \
      E[i * IE] = expression;                                                                    \
    });                                                                                          \
  }

#define ABSOLUTE(a) __builtin_elementwise_abs(a)
#define ROOT(a) __builtin_elementwise_sqrt(a)
#define GREATER(a, b) ((a) > (b) ? (a) : (b))
#define LESSER(a, b) ((a) < (b) ? (a) : (b))

BINARY(vadd, a + b)
BINARY(vmul, a *b)
// The first argument of these two is what the second is reduced by or divided by.
BINARY(vsub, b - a)
BINARY(vdiv, b / a)
BINARY(vmax, GREATER(a, b))
BINARY(vmin, LESSER(a, b))
BINARY(vmaxmg, GREATER(ABSOLUTE(a), ABSOLUTE(b)))
BINARY(vminmg, LESSER(ABSOLUTE(a), ABSOLUTE(b)))
BINARY(vdist, ROOT(a *a + b * b))

WITH_NUMBER(vsadd, a + b)
WITH_NUMBER(vsmul, a *b)
WITH_NUMBER(vsdiv, a / b)

TERNARY(vam, (a + b) * c)
TERNARY(vsbm, (a - b) * c)
TERNARY(vma, a *b + c)
TERNARY(vmsb, a *b - c)

TWO_WITH_NUMBER(vasm, (a + b) * c)
TWO_WITH_NUMBER(vsbsm, (a - b) * c)
TWO_WITH_NUMBER(vmsa, a *b + c)
TWO_WITH_NUMBER(vintb, a + c * (b - a))

NUMBER_BETWEEN(vsma, a *b + c)
NUMBER_BETWEEN(vsmsb, a *b - c)

FOUR(vaam, (a + b) * (c + d))
FOUR(vsbsbm, (a - b) * (c - d))
FOUR(vasbm, (a + b) * (c - d))
FOUR(vmma, a *b + c * d)
FOUR(vmmsb, a *b - c * d)
FOUR(vpythg, ROOT((a - c) * (a - c) + (b - d) * (b - d)))

UNARY(vneg, -a)
UNARY(vabs, ABSOLUTE(a))
UNARY(vnabs, -ABSOLUTE(a))
UNARY(vsq, a *a)
UNARY(vssq, a *ABSOLUTE(a))
UNARY(vfrac, a - __builtin_elementwise_trunc(a))

VECTOR_DISPATCHED void NAME(svdiv)(const REAL *A, const REAL *B, vDSP_Stride IB, REAL *C,
                                   vDSP_Stride IC, vDSP_Length N) {
  const REAL a = *A;
  EACH2(IB, IC, { C[i * IC] = a / B[i * IB]; });
}

VECTOR_DISPATCHED void NAME(vsmsa)(const REAL *A, vDSP_Stride IA, const REAL *B, const REAL *C,
                                   REAL *D, vDSP_Stride ID, vDSP_Length N) {
  const REAL b = *B, c = *C;
  EACH2(IA, ID, { D[i * ID] = A[i * IA] * b + c; });
}

VECTOR_DISPATCHED void NAME(vsmsma)(const REAL *A, vDSP_Stride IA, const REAL *B, const REAL *C,
                                    vDSP_Stride IC, const REAL *D, REAL *E, vDSP_Stride IE,
                                    vDSP_Length N) {
  const REAL b = *B, d = *D;
  EACH3(IA, IC, IE, { E[i * IE] = A[i * IA] * b + C[i * IC] * d; });
}

VECTOR_DISPATCHED void NAME(vaddsub)(const REAL *P, vDSP_Stride IP, const REAL *Q, vDSP_Stride IQ,
                                     REAL *S, vDSP_Stride IS, REAL *T, vDSP_Stride IT,
                                     vDSP_Length N) {
  EACH4(IP, IQ, IS, IT, {
    const REAL p = P[i * IP];
    const REAL q = Q[i * IQ];
    S[i * IS] = q + p;
    T[i * IT] = q - p;
  });
}

void NAME(vdbcon)(const REAL *A, vDSP_Stride IA, const REAL *B, REAL *C, vDSP_Stride IC,
                  vDSP_Length N, unsigned int F) {
  const REAL zero = *B, factor = F == 1 ? 20 : 10;
  for (long i = 0; i < (long)N; i++) C[i * IC] = factor * MATH(log10)(A[i * IA] / zero);
}

#undef UNARY
#undef BINARY
#undef WITH_NUMBER
#undef TERNARY
#undef TWO_WITH_NUMBER
#undef NUMBER_BETWEEN
#undef FOUR
#undef ABSOLUTE
#undef ROOT
#undef GREATER
#undef LESSER
