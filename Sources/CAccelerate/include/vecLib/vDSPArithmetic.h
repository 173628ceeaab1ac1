// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic of vectors. Each function has a form for float and one for double, whose name ends
// with D. Pointers are followed by strides in elements; N is the number of results. Input and
// output may be the same memory at the same stride.

#ifndef VECLIB_VDSP_ARITHMETIC_H
#define VECLIB_VDSP_ARITHMETIC_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: Two vectors

/// C[n] = A[n] + B[n]. [any thread]
VDSP_FUNCTION void vDSP_vadd(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vaddD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] - B[n]. The subtrahend B is the first argument. [any thread]
VDSP_FUNCTION void vDSP_vsub(const float *B, vDSP_Stride IB, const float *A, vDSP_Stride IA,
                             float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsubD(const double *B, vDSP_Stride IB, const double *A, vDSP_Stride IA,
                              double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmul(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vmulD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] / B[n]. The divisor B is the first argument. [any thread]
VDSP_FUNCTION void vDSP_vdiv(const float *B, vDSP_Stride IB, const float *A, vDSP_Stride IA,
                             float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vdivD(const double *B, vDSP_Stride IB, const double *A, vDSP_Stride IA,
                              double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] is the greater of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmax(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vmaxD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] is the lesser of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmin(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vminD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] is the greater magnitude of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmaxmg(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vmaxmgD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] is the lesser magnitude of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vminmg(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vminmgD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] is the square root of A[n]² + B[n]². [any thread]
VDSP_FUNCTION void vDSP_vdist(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vdistD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               double *C, vDSP_Stride IC, vDSP_Length N);

/// S[n] = Q[n] + P[n] and T[n] = Q[n] - P[n]. [any thread]
VDSP_FUNCTION void vDSP_vaddsub(const float *P, vDSP_Stride IP, const float *Q, vDSP_Stride IQ,
                                float *S, vDSP_Stride IS, float *T, vDSP_Stride IT, vDSP_Length N);
VDSP_FUNCTION void vDSP_vaddsubD(const double *P, vDSP_Stride IP, const double *Q, vDSP_Stride IQ,
                                 double *S, vDSP_Stride IS, double *T, vDSP_Stride IT,
                                 vDSP_Length N);

// MARK: A vector and a number

/// C[n] = A[n] + *B. [any thread]
VDSP_FUNCTION void vDSP_vsadd(const float *A, vDSP_Stride IA, const float *B, float *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsaddD(const double *A, vDSP_Stride IA, const double *B, double *C,
                               vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] * *B. [any thread]
VDSP_FUNCTION void vDSP_vsmul(const float *A, vDSP_Stride IA, const float *B, float *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsmulD(const double *A, vDSP_Stride IA, const double *B, double *C,
                               vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] / *B. [any thread]
VDSP_FUNCTION void vDSP_vsdiv(const float *A, vDSP_Stride IA, const float *B, float *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsdivD(const double *A, vDSP_Stride IA, const double *B, double *C,
                               vDSP_Stride IC, vDSP_Length N);

/// C[n] = *A / B[n]. [any thread]
VDSP_FUNCTION void vDSP_svdiv(const float *A, const float *B, vDSP_Stride IB, float *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_svdivD(const double *A, const double *B, vDSP_Stride IB, double *C,
                               vDSP_Stride IC, vDSP_Length N);

// MARK: Three vectors

/// D[n] = (A[n] + B[n]) * C[n]. [any thread]
VDSP_FUNCTION void vDSP_vam(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                            const float *C, vDSP_Stride IC, float *D, vDSP_Stride ID,
                            vDSP_Length N);
VDSP_FUNCTION void vDSP_vamD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                             const double *C, vDSP_Stride IC, double *D, vDSP_Stride ID,
                             vDSP_Length N);

/// D[n] = (A[n] - B[n]) * C[n]. [any thread]
VDSP_FUNCTION void vDSP_vsbm(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             const float *C, vDSP_Stride IC, float *D, vDSP_Stride ID,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_vsbmD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              const double *C, vDSP_Stride IC, double *D, vDSP_Stride ID,
                              vDSP_Length N);

/// D[n] = A[n] * B[n] + C[n]. [any thread]
VDSP_FUNCTION void vDSP_vma(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                            const float *C, vDSP_Stride IC, float *D, vDSP_Stride ID,
                            vDSP_Length N);
VDSP_FUNCTION void vDSP_vmaD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                             const double *C, vDSP_Stride IC, double *D, vDSP_Stride ID,
                             vDSP_Length N);

/// D[n] = A[n] * B[n] - C[n]. [any thread]
VDSP_FUNCTION void vDSP_vmsb(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             const float *C, vDSP_Stride IC, float *D, vDSP_Stride ID,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_vmsbD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              const double *C, vDSP_Stride IC, double *D, vDSP_Stride ID,
                              vDSP_Length N);

/// D[n] = (A[n] + B[n]) * *C. [any thread]
VDSP_FUNCTION void vDSP_vasm(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             const float *C, float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vasmD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              const double *C, double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = (A[n] - B[n]) * *C. [any thread]
VDSP_FUNCTION void vDSP_vsbsm(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              const float *C, float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsbsmD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               const double *C, double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = A[n] * B[n] + *C. [any thread]
VDSP_FUNCTION void vDSP_vmsa(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             const float *C, float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vmsaD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              const double *C, double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = A[n] * *B + C[n]. [any thread]
VDSP_FUNCTION void vDSP_vsma(const float *A, vDSP_Stride IA, const float *B, const float *C,
                             vDSP_Stride IC, float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsmaD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                              vDSP_Stride IC, double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = A[n] * *B + *C. [any thread]
VDSP_FUNCTION void vDSP_vsmsa(const float *A, vDSP_Stride IA, const float *B, const float *C,
                              float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsmsaD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                               double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = A[n] * *B - C[n]. [any thread]
VDSP_FUNCTION void vDSP_vsmsb(const float *A, vDSP_Stride IA, const float *B, const float *C,
                              vDSP_Stride IC, float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsmsbD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                               vDSP_Stride IC, double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = A[n] + *C * (B[n] - A[n]). [any thread]
VDSP_FUNCTION void vDSP_vintb(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              const float *C, float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vintbD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               const double *C, double *D, vDSP_Stride ID, vDSP_Length N);

// MARK: Four vectors

/// E[n] = (A[n] + B[n]) * (C[n] + D[n]). [any thread]
VDSP_FUNCTION void vDSP_vaam(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             const float *C, vDSP_Stride IC, const float *D, vDSP_Stride ID,
                             float *E, vDSP_Stride IE, vDSP_Length N);
VDSP_FUNCTION void vDSP_vaamD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              const double *C, vDSP_Stride IC, const double *D, vDSP_Stride ID,
                              double *E, vDSP_Stride IE, vDSP_Length N);

/// E[n] = (A[n] - B[n]) * (C[n] - D[n]). [any thread]
VDSP_FUNCTION void vDSP_vsbsbm(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               const float *C, vDSP_Stride IC, const float *D, vDSP_Stride ID,
                               float *E, vDSP_Stride IE, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsbsbmD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                const double *C, vDSP_Stride IC, const double *D, vDSP_Stride ID,
                                double *E, vDSP_Stride IE, vDSP_Length N);

/// E[n] = (A[n] + B[n]) * (C[n] - D[n]). [any thread]
VDSP_FUNCTION void vDSP_vasbm(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              const float *C, vDSP_Stride IC, const float *D, vDSP_Stride ID,
                              float *E, vDSP_Stride IE, vDSP_Length N);
VDSP_FUNCTION void vDSP_vasbmD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               const double *C, vDSP_Stride IC, const double *D, vDSP_Stride ID,
                               double *E, vDSP_Stride IE, vDSP_Length N);

/// E[n] = A[n] * B[n] + C[n] * D[n]. [any thread]
VDSP_FUNCTION void vDSP_vmma(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             const float *C, vDSP_Stride IC, const float *D, vDSP_Stride ID,
                             float *E, vDSP_Stride IE, vDSP_Length N);
VDSP_FUNCTION void vDSP_vmmaD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              const double *C, vDSP_Stride IC, const double *D, vDSP_Stride ID,
                              double *E, vDSP_Stride IE, vDSP_Length N);

/// E[n] = A[n] * B[n] - C[n] * D[n]. [any thread]
VDSP_FUNCTION void vDSP_vmmsb(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              const float *C, vDSP_Stride IC, const float *D, vDSP_Stride ID,
                              float *E, vDSP_Stride IE, vDSP_Length N);
VDSP_FUNCTION void vDSP_vmmsbD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               const double *C, vDSP_Stride IC, const double *D, vDSP_Stride ID,
                               double *E, vDSP_Stride IE, vDSP_Length N);

/// E[n] = A[n] * *B + C[n] * *D. [any thread]
VDSP_FUNCTION void vDSP_vsmsma(const float *A, vDSP_Stride IA, const float *B, const float *C,
                               vDSP_Stride IC, const float *D, float *E, vDSP_Stride IE,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_vsmsmaD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                                vDSP_Stride IC, const double *D, double *E, vDSP_Stride IE,
                                vDSP_Length N);

/// E[n] is the distance of the points (A[n], B[n]) and (C[n], D[n]). [any thread]
VDSP_FUNCTION void vDSP_vpythg(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               const float *C, vDSP_Stride IC, const float *D, vDSP_Stride ID,
                               float *E, vDSP_Stride IE, vDSP_Length N);
VDSP_FUNCTION void vDSP_vpythgD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                const double *C, vDSP_Stride IC, const double *D, vDSP_Stride ID,
                                double *E, vDSP_Stride IE, vDSP_Length N);

// MARK: One vector

/// C[n] = -A[n]. [any thread]
VDSP_FUNCTION void vDSP_vneg(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_vnegD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                              vDSP_Length N);

/// C[n] = |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_vabs(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_vabsD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                              vDSP_Length N);

/// C[n] = -|A[n]|. [any thread]
VDSP_FUNCTION void vDSP_vnabs(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_vnabsD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                               vDSP_Length N);

/// C[n] = A[n]². [any thread]
VDSP_FUNCTION void vDSP_vsq(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                            vDSP_Length N);
VDSP_FUNCTION void vDSP_vsqD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                             vDSP_Length N);

/// C[n] = A[n] * |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_vssq(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_vssqD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                              vDSP_Length N);

/// C[n] is A[n] without its integer part; it has the sign of A[n]. [any thread]
VDSP_FUNCTION void vDSP_vfrac(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_vfracD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                               vDSP_Length N);

/// Decibels: C[n] = a * log10(A[n] / *B), where a is 20 for amplitudes (F is 1) and 10 for powers
/// (F is 0). [any thread]
VDSP_FUNCTION void vDSP_vdbcon(const float *A, vDSP_Stride IA, const float *B, float *C,
                               vDSP_Stride IC, vDSP_Length N, int F);
VDSP_FUNCTION void vDSP_vdbconD(const double *A, vDSP_Stride IA, const double *B, double *C,
                                vDSP_Stride IC, vDSP_Length N, int F);

// MARK: Integers

/// C[n] = A[n] + B[n], modulo 2^32. [any thread]
VDSP_FUNCTION void vDSP_vaddi(const int *A, vDSP_Stride IA, const int *B, vDSP_Stride IB, int *C,
                              vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] + *B, modulo 2^32. [any thread]
VDSP_FUNCTION void vDSP_vsaddi(const int *A, vDSP_Stride IA, const int *B, int *C, vDSP_Stride IC,
                               vDSP_Length N);

/// C[n] = |A[n]|; the least number stays. [any thread]
VDSP_FUNCTION void vDSP_vabsi(const int *A, vDSP_Stride IA, int *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = *A. [any thread]
VDSP_FUNCTION void vDSP_vfilli(const int *A, int *C, vDSP_Stride IC, vDSP_Length N);

/// The bits of C[n] are set where those of A[n] and B[n] are equal. [any thread]
VDSP_FUNCTION void vDSP_veqvi(const int *A, vDSP_Stride IA, const int *B, vDSP_Stride IB, int *C,
                              vDSP_Stride IC, vDSP_Length N);

VDSP_END

#endif
