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
VDSP_FUNCTION void vDSP_vclip(const float *A, vDSP_Stride IA, const float *B, const float *C,
                              float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vclipD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                               double *D, vDSP_Stride ID, vDSP_Length N);

/// As vDSP_vclip, and counts the numbers below *B and above *C. [any thread]
VDSP_FUNCTION void vDSP_vclipc(const float *A, vDSP_Stride IA, const float *B, const float *C,
                               float *D, vDSP_Stride ID, vDSP_Length N, vDSP_Length *NLow,
                               vDSP_Length *NHigh);
VDSP_FUNCTION void vDSP_vclipcD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                                double *D, vDSP_Stride ID, vDSP_Length N, vDSP_Length *NLow,
                                vDSP_Length *NHigh);

/// D[n] is A[n] outside of *B and *C; between them, *B if A[n] is negative, otherwise *C. [any
/// thread]
VDSP_FUNCTION void vDSP_viclip(const float *A, vDSP_Stride IA, const float *B, const float *C,
                               float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_viclipD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                                double *D, vDSP_Stride ID, vDSP_Length N);

/// C[n] is A[n], at least *B. [any thread]
VDSP_FUNCTION void vDSP_vthr(const float *A, vDSP_Stride IA, const float *B, float *C,
                             vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vthrD(const double *A, vDSP_Stride IA, const double *B, double *C,
                              vDSP_Stride IC, vDSP_Length N);

/// C[n] is A[n] if it is at least *B, otherwise zero. [any thread]
VDSP_FUNCTION void vDSP_vthres(const float *A, vDSP_Stride IA, const float *B, float *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vthresD(const double *A, vDSP_Stride IA, const double *B, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// D[n] is *C if A[n] is at least *B, otherwise -*C. [any thread]
VDSP_FUNCTION void vDSP_vthrsc(const float *A, vDSP_Stride IA, const float *B, const float *C,
                               float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vthrscD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                                double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] is *C if A[n] is at least *B, otherwise -*C. [any thread]
VDSP_FUNCTION void vDSP_vlim(const float *A, vDSP_Stride IA, const float *B, const float *C,
                             float *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_vlimD(const double *A, vDSP_Stride IA, const double *B, const double *C,
                              double *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] is C[n] where it is above A[n] or below B[n], otherwise zero. [any thread]
VDSP_FUNCTION void vDSP_venvlp(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               const float *C, vDSP_Stride IC, float *D, vDSP_Stride ID,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_venvlpD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                const double *C, vDSP_Stride IC, double *D, vDSP_Stride ID,
                                vDSP_Length N);

/// Copies those A[n] whose B[n] is not zero to successive elements of C. [any thread]
VDSP_FUNCTION void vDSP_vcmprs(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vcmprsD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[B[n] - 1]: the indices count from one. [any thread]
VDSP_FUNCTION void vDSP_vgathr(const float *A, const vDSP_Length *B, vDSP_Stride IB, float *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vgathrD(const double *A, const vDSP_Length *B, vDSP_Stride IB, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[i], where i is B[n] without its fraction. [any thread]
VDSP_FUNCTION void vDSP_vindex(const float *A, const float *B, vDSP_Stride IB, float *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vindexD(const double *A, const double *B, vDSP_Stride IB, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// Reverses the order of C in place. [any thread]
VDSP_FUNCTION void vDSP_vrvrs(float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vrvrsD(double *C, vDSP_Stride IC, vDSP_Length N);

/// Exchanges A[n] and B[n]. [any thread]
VDSP_FUNCTION void vDSP_vswap(float *A, vDSP_Stride IA, float *B, vDSP_Stride IB, vDSP_Length N);
VDSP_FUNCTION void vDSP_vswapD(double *A, vDSP_Stride IA, double *B, vDSP_Stride IB, vDSP_Length N);

/// Sorts C: ascending if Order is 1, descending if it is -1. Numbers that are not comparable (NaN)
/// come last. [any thread]
VDSP_FUNCTION void vDSP_vsort(float *C, vDSP_Length N, int Order);
VDSP_FUNCTION void vDSP_vsortD(double *C, vDSP_Length N, int Order);

/// Sorts the indices in Index so that C[Index[n]] is in order; C stays. Reserved is null. [any
/// thread]
VDSP_FUNCTION void vDSP_vsorti(const float *C, vDSP_Length *Index, vDSP_Length *_Nullable Reserved,
                               vDSP_Length N, int Order);
VDSP_FUNCTION void vDSP_vsortiD(const double *C, vDSP_Length *Index,
                                vDSP_Length *_Nullable Reserved, vDSP_Length N, int Order);

VDSP_END

#endif
