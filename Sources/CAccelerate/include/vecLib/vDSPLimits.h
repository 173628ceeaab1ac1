// SPDX-License-Identifier: Apache-2.0
//
// Limits, thresholds, order and selection. Each function has a form for float and one for double,
// whose name ends with D. Pointers are followed by strides in elements; N is the number of
// results.

#ifndef VECLIB_VDSP_LIMITS_H
#define VECLIB_VDSP_LIMITS_H

#include "vDSPTypes.h"

VDSP_BEGIN

/// D[n] is A[n], at least *B and at most *C. [any thread]
VDSP_FUNCTION void vDSP_vclip(const float *__A, vDSP_Stride __IA, const float *__B,
                              const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vclipD(const double *__A, vDSP_Stride __IA, const double *__B,
                               const double *__C, double *__D, vDSP_Stride __ID, vDSP_Length __N);

/// As vDSP_vclip, and counts the numbers below *B and above *C. [any thread]
VDSP_FUNCTION void vDSP_vclipc(const float *__A, vDSP_Stride __IA, const float *__B,
                               const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N,
                               vDSP_Length *__NLow, vDSP_Length *__NHigh);
VDSP_FUNCTION void vDSP_vclipcD(const double *__A, vDSP_Stride __IA, const double *__B,
                                const double *__C, double *__D, vDSP_Stride __ID, vDSP_Length __N,
                                vDSP_Length *__NLow, vDSP_Length *__NHigh);

/// D[n] is A[n] outside of *B and *C; between them, *B if A[n] is negative, otherwise *C. [any
/// thread]
VDSP_FUNCTION void vDSP_viclip(const float *__A, vDSP_Stride __IA, const float *__B,
                               const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_viclipD(const double *__A, vDSP_Stride __IA, const double *__B,
                                const double *__C, double *__D, vDSP_Stride __ID, vDSP_Length __N);

/// C[n] is A[n], at least *B. [any thread]
VDSP_FUNCTION void vDSP_vthr(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                             vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vthrD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                              vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is A[n] if it is at least *B, otherwise zero. [any thread]
VDSP_FUNCTION void vDSP_vthres(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vthresD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// D[n] is *C if A[n] is at least *B, otherwise -*C. [any thread]
VDSP_FUNCTION void vDSP_vthrsc(const float *__A, vDSP_Stride __IA, const float *__B,
                               const float *__C, float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vthrscD(const double *__A, vDSP_Stride __IA, const double *__B,
                                const double *__C, double *__D, vDSP_Stride __ID, vDSP_Length __N);

/// D[n] is *C if A[n] is at least *B, otherwise -*C. [any thread]
VDSP_FUNCTION void vDSP_vlim(const float *__A, vDSP_Stride __IA, const float *__B, const float *__C,
                             float *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vlimD(const double *__A, vDSP_Stride __IA, const double *__B,
                              const double *__C, double *__D, vDSP_Stride __ID, vDSP_Length __N);

/// D[n] is C[n] where it is above A[n] or below B[n], otherwise zero. [any thread]
VDSP_FUNCTION void vDSP_venvlp(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const float *__C, vDSP_Stride __IC, float *__D,
                               vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_venvlpD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, const double *__C, vDSP_Stride __IC, double *__D,
                                vDSP_Stride __ID, vDSP_Length __N);

/// Copies those A[n] whose B[n] is not zero to successive elements of C. [any thread]
VDSP_FUNCTION void vDSP_vcmprs(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vcmprsD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[B[n] - 1]: the indices count from one. [any thread]
VDSP_FUNCTION void vDSP_vgathr(const float *__A, const vDSP_Length *__B, vDSP_Stride __IB,
                               float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vgathrD(const double *__A, const vDSP_Length *__B, vDSP_Stride __IB,
                                double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = *A[n]. [any thread]
VDSP_FUNCTION void vDSP_vgathra(const float *_Nonnull const *_Nonnull __A, vDSP_Stride __IA,
                                float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vgathraD(const double *_Nonnull const *_Nonnull __A, vDSP_Stride __IA,
                                 double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[i], where i is B[n] without its fraction. [any thread]
VDSP_FUNCTION void vDSP_vindex(const float *__A, const float *__B, vDSP_Stride __IB, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vindexD(const double *__A, const double *__B, vDSP_Stride __IB, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// Reverses the order of C in place. [any thread]
VDSP_FUNCTION void vDSP_vrvrs(float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrvrsD(double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// Exchanges A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vswap(float *__A, vDSP_Stride __IA, float *__B, vDSP_Stride __IB,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vswapD(double *__A, vDSP_Stride __IA, double *__B, vDSP_Stride __IB,
                               vDSP_Length __N);

/// Sorts C: ascending if Order is 1, descending if it is -1. Numbers that are not comparable (NaN)
/// come last. [any thread]
VDSP_FUNCTION void vDSP_vsort(float *__C, vDSP_Length __N, int __Order);
VDSP_FUNCTION void vDSP_vsortD(double *__C, vDSP_Length __N, int __Order);

/// Sorts the indices in Index so that C[Index[n]] is in order; C stays. Reserved is null. [any
/// thread]
VDSP_FUNCTION void vDSP_vsorti(const float *__C, vDSP_Length *__Index,
                               vDSP_Length *_Nullable __Reserved, vDSP_Length __N, int __Order);
VDSP_FUNCTION void vDSP_vsortiD(const double *__C, vDSP_Length *__Index,
                                vDSP_Length *_Nullable __Reserved, vDSP_Length __N, int __Order);

VDSP_END

#endif
