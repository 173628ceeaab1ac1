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
VDSP_FUNCTION void vDSP_vadd(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vaddD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] - B[n]. The subtrahend B is the first argument. [any thread]
VDSP_FUNCTION void vDSP_vsub(const float *__B, vDSP_Stride __IB, const float *__A, vDSP_Stride __IA,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsubD(const double *__B, vDSP_Stride __IB, const double *__A,
                              vDSP_Stride __IA, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmul(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmulD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] / B[n]. The divisor B is the first argument. [any thread]
VDSP_FUNCTION void vDSP_vdiv(const float *__B, vDSP_Stride __IB, const float *__A, vDSP_Stride __IA,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vdivD(const double *__B, vDSP_Stride __IB, const double *__A,
                              vDSP_Stride __IA, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the greater of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmax(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmaxD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the lesser of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmin(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vminD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the greater magnitude of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vmaxmg(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmaxmgD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the lesser magnitude of A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vminmg(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vminmgD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the square root of A[n]² + B[n]². [any thread]
VDSP_FUNCTION void vDSP_vdist(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vdistD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// S[n] = Q[n] + P[n] and T[n] = Q[n] - P[n]. [any thread]
VDSP_FUNCTION void vDSP_vaddsub(const float *__P, vDSP_Stride __IP, const float *__Q,
                                vDSP_Stride __IQ, float *__S, vDSP_Stride __IS, float *__T,
                                vDSP_Stride __IT, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vaddsubD(const double *__P, vDSP_Stride __IP, const double *__Q,
                                 vDSP_Stride __IQ, double *__S, vDSP_Stride __IS, double *__T,
                                 vDSP_Stride __IT, vDSP_Length __N);

// MARK: A vector and a number

/// C[n] = A[n] + *B. [any thread]
VDSP_FUNCTION void vDSP_vsadd(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsaddD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] * *B. [any thread]
VDSP_FUNCTION void vDSP_vsmul(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsmulD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] / *B. [any thread]
VDSP_FUNCTION void vDSP_vsdiv(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsdivD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = *A / B[n]. [any thread]
VDSP_FUNCTION void vDSP_svdiv(const float *__A, const float *__B, vDSP_Stride __IB, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_svdivD(const double *__A, const double *__B, vDSP_Stride __IB, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

// MARK: Three vectors

/// D[n] = (A[n] + B[n]) * C[n]. [any thread]
VDSP_FUNCTION void vDSP_vam(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                            const float *__C, vDSP_Stride __IC, float *__D, vDSP_Stride __ID,
                            vDSP_Length __N);
VDSP_FUNCTION void vDSP_vamD(const double *__A, vDSP_Stride __IA, const double *__B,
                             vDSP_Stride __IB, const double *__C, vDSP_Stride __IC, double *__D,
                             vDSP_Stride __ID, vDSP_Length __N);

/// D[n] = (A[n] - B[n]) * C[n]. [any thread]
VDSP_FUNCTION void vDSP_vsbm(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             const float *__C, vDSP_Stride __IC, float *__D, vDSP_Stride __ID,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsbmD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, const double *__C, vDSP_Stride __IC, double *__D,
                              vDSP_Stride __ID, vDSP_Length __N);

/// D[n] = A[n] * B[n] + C[n]. [any thread]
VDSP_FUNCTION void vDSP_vma(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                            const float *__C, vDSP_Stride __IC, float *__D, vDSP_Stride __ID,
                            vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmaD(const double *__A, vDSP_Stride __IA, const double *__B,
                             vDSP_Stride __IB, const double *__C, vDSP_Stride __IC, double *__D,
                             vDSP_Stride __ID, vDSP_Length __N);

/// D[n] = A[n] * B[n] - C[n]. [any thread]
VDSP_FUNCTION void vDSP_vmsb(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             const float *__C, vDSP_Stride __IC, float *__D, vDSP_Stride __ID,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmsbD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, const double *__C, vDSP_Stride __IC, double *__D,
                              vDSP_Stride __ID, vDSP_Length __N);

/// D[n] = (A[n] + B[n]) * *C. [any thread]
VDSP_FUNCTION void vDSP_vasm(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vasmD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, const double *__C, double *__D, vDSP_Stride __ID,
                              vDSP_Length __N);

/// D[n] = (A[n] - B[n]) * *C. [any thread]
VDSP_FUNCTION void vDSP_vsbsm(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, const float *__C, float *__D, vDSP_Stride __ID,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsbsmD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, const double *__C, double *__D, vDSP_Stride __ID,
                               vDSP_Length __N);

/// D[n] = A[n] * B[n] + *C. [any thread]
VDSP_FUNCTION void vDSP_vmsa(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmsaD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, const double *__C, double *__D, vDSP_Stride __ID,
                              vDSP_Length __N);

/// D[n] = A[n] * *B + C[n]. [any thread]
VDSP_FUNCTION void vDSP_vsma(const float *__A, vDSP_Stride __IA, const float *__B, const float *__C,
                             vDSP_Stride __IC, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsmaD(const double *__A, vDSP_Stride __IA, const double *__B,
                              const double *__C, vDSP_Stride __IC, double *__D, vDSP_Stride __ID,
                              vDSP_Length __N);

/// D[n] = A[n] * *B + *C. [any thread]
VDSP_FUNCTION void vDSP_vsmsa(const float *__A, vDSP_Stride __IA, const float *__B,
                              const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsmsaD(const double *__A, vDSP_Stride __IA, const double *__B,
                               const double *__C, double *__D, vDSP_Stride __ID, vDSP_Length __N);

/// D[n] = A[n] * *B - C[n]. [any thread]
VDSP_FUNCTION void vDSP_vsmsb(const float *__A, vDSP_Stride __IA, const float *__B,
                              const float *__C, vDSP_Stride __IC, float *__D, vDSP_Stride __ID,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsmsbD(const double *__A, vDSP_Stride __IA, const double *__B,
                               const double *__C, vDSP_Stride __IC, double *__D, vDSP_Stride __ID,
                               vDSP_Length __N);

/// D[n] = A[n] + *C * (B[n] - A[n]). [any thread]
VDSP_FUNCTION void vDSP_vintb(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, const float *__C, float *__D, vDSP_Stride __ID,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vintbD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, const double *__C, double *__D, vDSP_Stride __ID,
                               vDSP_Length __N);

// MARK: Four vectors

/// E[n] = (A[n] + B[n]) * (C[n] + D[n]). [any thread]
VDSP_FUNCTION void vDSP_vaam(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             const float *__C, vDSP_Stride __IC, const float *__D, vDSP_Stride __ID,
                             float *__E, vDSP_Stride __IE, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vaamD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, const double *__C, vDSP_Stride __IC,
                              const double *__D, vDSP_Stride __ID, double *__E, vDSP_Stride __IE,
                              vDSP_Length __N);

/// E[n] = (A[n] - B[n]) * (C[n] - D[n]). [any thread]
VDSP_FUNCTION void vDSP_vsbsbm(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const float *__C, vDSP_Stride __IC,
                               const float *__D, vDSP_Stride __ID, float *__E, vDSP_Stride __IE,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsbsbmD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, const double *__C, vDSP_Stride __IC,
                                const double *__D, vDSP_Stride __ID, double *__E, vDSP_Stride __IE,
                                vDSP_Length __N);

/// E[n] = (A[n] + B[n]) * (C[n] - D[n]). [any thread]
VDSP_FUNCTION void vDSP_vasbm(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, const float *__C, vDSP_Stride __IC,
                              const float *__D, vDSP_Stride __ID, float *__E, vDSP_Stride __IE,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vasbmD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, const double *__C, vDSP_Stride __IC,
                               const double *__D, vDSP_Stride __ID, double *__E, vDSP_Stride __IE,
                               vDSP_Length __N);

/// E[n] = A[n] * B[n] + C[n] * D[n]. [any thread]
VDSP_FUNCTION void vDSP_vmma(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             const float *__C, vDSP_Stride __IC, const float *__D, vDSP_Stride __ID,
                             float *__E, vDSP_Stride __IE, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmmaD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, const double *__C, vDSP_Stride __IC,
                              const double *__D, vDSP_Stride __ID, double *__E, vDSP_Stride __IE,
                              vDSP_Length __N);

/// E[n] = A[n] * B[n] - C[n] * D[n]. [any thread]
VDSP_FUNCTION void vDSP_vmmsb(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, const float *__C, vDSP_Stride __IC,
                              const float *__D, vDSP_Stride __ID, float *__E, vDSP_Stride __IE,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vmmsbD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, const double *__C, vDSP_Stride __IC,
                               const double *__D, vDSP_Stride __ID, double *__E, vDSP_Stride __IE,
                               vDSP_Length __N);

/// E[n] = A[n] * *B + C[n] * *D. [any thread]
VDSP_FUNCTION void vDSP_vsmsma(const float *__A, vDSP_Stride __IA, const float *__B,
                               const float *__C, vDSP_Stride __IC, const float *__D, float *__E,
                               vDSP_Stride __IE, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsmsmaD(const double *__A, vDSP_Stride __IA, const double *__B,
                                const double *__C, vDSP_Stride __IC, const double *__D, double *__E,
                                vDSP_Stride __IE, vDSP_Length __N);

/// E[n] is the distance of the points (A[n], B[n]) and (C[n], D[n]). [any thread]
VDSP_FUNCTION void vDSP_vpythg(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const float *__C, vDSP_Stride __IC,
                               const float *__D, vDSP_Stride __ID, float *__E, vDSP_Stride __IE,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vpythgD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, const double *__C, vDSP_Stride __IC,
                                const double *__D, vDSP_Stride __ID, double *__E, vDSP_Stride __IE,
                                vDSP_Length __N);

// MARK: One vector

/// C[n] = -A[n]. [any thread]
VDSP_FUNCTION void vDSP_vneg(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_vnegD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

/// C[n] = |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_vabs(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_vabsD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

/// C[n] = -|A[n]|. [any thread]
VDSP_FUNCTION void vDSP_vnabs(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vnabsD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                               vDSP_Length __N);

/// C[n] = A[n]². [any thread]
VDSP_FUNCTION void vDSP_vsq(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                            vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsqD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                             vDSP_Length __N);

/// C[n] = A[n] * |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_vssq(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_vssqD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

/// C[n] is A[n] without its integer part; it has the sign of A[n]. [any thread]
VDSP_FUNCTION void vDSP_vfrac(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfracD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                               vDSP_Length __N);

/// Decibels: C[n] = a * log10(A[n] / *B), where a is 20 for amplitudes (F is 1) and 10 for powers
/// (F is 0). [any thread]
VDSP_FUNCTION void vDSP_vdbcon(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N, unsigned int __F);
VDSP_FUNCTION void vDSP_vdbconD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N, unsigned int __F);

// MARK: Integers

/// C[n] = A[n] + B[n], modulo 2^32. [any thread]
VDSP_FUNCTION void vDSP_vaddi(const int *__A, vDSP_Stride __IA, const int *__B, vDSP_Stride __IB,
                              int *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] + *B, modulo 2^32. [any thread]
VDSP_FUNCTION void vDSP_vsaddi(const int *__A, vDSP_Stride __IA, const int *__B, int *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = |A[n]|; the least number stays. [any thread]
VDSP_FUNCTION void vDSP_vabsi(const int *__A, vDSP_Stride __IA, int *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

/// C[n] = *A. [any thread]
VDSP_FUNCTION void vDSP_vfilli(const int *__A, int *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] / B[n] without a fraction; the divisor B is the first argument. C[n] is 0 if B[n] is
/// 0, and -2^31 divided by -1 is itself. [any thread]
VDSP_FUNCTION void vDSP_vdivi(const int *__B, vDSP_Stride __IB, const int *__A, vDSP_Stride __IA,
                              int *__C, vDSP_Stride __IC, vDSP_Length __N);

/// The bits of C[n] are set where those of A[n] and B[n] are equal. [any thread]
VDSP_FUNCTION void vDSP_veqvi(const int *__A, vDSP_Stride __IA, const int *__B, vDSP_Stride __IB,
                              int *__C, vDSP_Stride __IC, vDSP_Length __N);

VDSP_END

#endif
