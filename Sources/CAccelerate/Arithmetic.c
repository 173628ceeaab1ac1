// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "ArithmeticTemplate.h"
#include "EachReal.h"

VECTOR_DISPATCHED
void vDSP_vaddi(const int *A, vDSP_Stride IA, const int *B, vDSP_Stride IB, int *C, vDSP_Stride IC,
                vDSP_Length N) {
  EACH3(IA, IB, IC, { C[i * IC] = (int)((unsigned)A[i * IA] + (unsigned)B[i * IB]); });
}

VECTOR_DISPATCHED
void vDSP_vsaddi(const int *A, vDSP_Stride IA, const int *B, int *C, vDSP_Stride IC,
                 vDSP_Length N) {
  const unsigned b = (unsigned)*B;
  EACH2(IA, IC, { C[i * IC] = (int)((unsigned)A[i * IA] + b); });
}

VECTOR_DISPATCHED
void vDSP_vabsi(const int *A, vDSP_Stride IA, int *C, vDSP_Stride IC, vDSP_Length N) {
  EACH2(IA, IC, {
    const int a = A[i * IA];
    C[i * IC] = a < 0 ? (int)(0u - (unsigned)a) : a;
  });
}

VECTOR_DISPATCHED
void vDSP_vfilli(const int *A, int *C, vDSP_Stride IC, vDSP_Length N) {
  const int a = *A;
  EACH1(IC, { C[i * IC] = a; });
}

void vDSP_vdivi(const int *B, vDSP_Stride IB, const int *A, vDSP_Stride IA, int *C, vDSP_Stride IC,
                vDSP_Length N) {
  for (long i = 0; i < (long)N; i++) {
    const int a = A[i * IA], b = B[i * IB];
    // The quotient of -2^31 and -1 does not fit; it wraps as the other functions of integers do.
    C[i * IC] = b == 0 ? 0 : b == -1 ? (int)(0u - (unsigned)a) : a / b;
  }
}

VECTOR_DISPATCHED
void vDSP_veqvi(const int *A, vDSP_Stride IA, const int *B, vDSP_Stride IB, int *C, vDSP_Stride IC,
                vDSP_Length N) {
  EACH3(IA, IB, IC, { C[i * IC] = ~(A[i * IA] ^ B[i * IB]); });
}
