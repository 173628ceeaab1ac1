// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "GenerationTemplate.h"
#include "EachReal.h"

VECTOR_DISPATCHED
void vDSP_vspdp(const float *A, vDSP_Stride IA, double *C, vDSP_Stride IC, vDSP_Length N) {
  EACH2(IA, IC, { C[i * IC] = A[i * IA]; });
}

VECTOR_DISPATCHED
void vDSP_vdpsp(const double *A, vDSP_Stride IA, float *C, vDSP_Stride IC, vDSP_Length N) {
  EACH2(IA, IC, { C[i * IC] = (float)A[i * IA]; });
}
