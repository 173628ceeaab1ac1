// SPDX-License-Identifier: Apache-2.0

#define TEMPLATE "ConversionTemplate.h"
#include "EachReal.h"

// Integers of 24 bits are three bytes in the order of the machine; here the least comes first.
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "vDSP_int24 is implemented for little-endian machines"
#endif

INLINE uint32_t bits_of(const uint8_t *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
}

INLINE float signed24(vDSP_int24 a) { return (float)((int32_t)(bits_of(a.bytes) << 8) >> 8); }
INLINE float unsigned24(vDSP_uint24 a) { return (float)bits_of(a.bytes); }

// The integer part within limits; NaN is 0.
INLINE uint32_t limited(float a, float minimum, float maximum) {
  if (a != a) return 0;
  return (uint32_t)(int32_t)(a < minimum ? minimum : a > maximum ? maximum : a);
}

INLINE void store24(uint8_t *bytes, uint32_t bits) {
  for (int k = 0; k < 3; k++) bytes[k] = (uint8_t)(bits >> (8 * k));
}

void vDSP_vflt24(const vDSP_int24 *A, vDSP_Stride IA, float *C, vDSP_Stride IC, vDSP_Length N) {
  EACH2(IA, IC, { C[i * IC] = signed24(A[i * IA]); });
}

void vDSP_vfltu24(const vDSP_uint24 *A, vDSP_Stride IA, float *C, vDSP_Stride IC, vDSP_Length N) {
  EACH2(IA, IC, { C[i * IC] = unsigned24(A[i * IA]); });
}

void vDSP_vfltsm24(const vDSP_int24 *A, vDSP_Stride IA, const float *B, float *C, vDSP_Stride IC,
                   vDSP_Length N) {
  const float b = *B;
  EACH2(IA, IC, { C[i * IC] = b * signed24(A[i * IA]); });
}

void vDSP_vfltsmu24(const vDSP_uint24 *A, vDSP_Stride IA, const float *B, float *C, vDSP_Stride IC,
                    vDSP_Length N) {
  const float b = *B;
  EACH2(IA, IC, { C[i * IC] = b * unsigned24(A[i * IA]); });
}

void vDSP_vsmfix24(const float *A, vDSP_Stride IA, const float *B, vDSP_int24 *C, vDSP_Stride IC,
                   vDSP_Length N) {
  const float b = *B;
  for (long i = 0; i < (long)N; i++) {
    store24(C[i * IC].bytes, limited(A[i * IA] * b, -8388608, 8388607));
  }
}

void vDSP_vsmfixu24(const float *A, vDSP_Stride IA, const float *B, vDSP_uint24 *C, vDSP_Stride IC,
                    vDSP_Length N) {
  const float b = *B;
  for (long i = 0; i < (long)N; i++) {
    store24(C[i * IC].bytes, limited(A[i * IA] * b, 0, 16777215));
  }
}
