// SPDX-License-Identifier: Apache-2.0
//
// Convolution, decimation and products of matrices. Each function has a form for float and one
// for double, whose name ends with D. Pointers are followed by strides in elements; N is the
// number of results.

#ifndef VECLIB_VDSP_FILTERS_H
#define VECLIB_VDSP_FILTERS_H

#include "vDSPTypes.h"

VDSP_BEGIN

/// Correlation: C[n] = A[n] F[0] + … + A[n + P - 1] F[P - 1]. Convolution: F points to the last
/// coefficient and its stride is negative. A has N + P - 1 elements. [any thread]
VDSP_FUNCTION void vDSP_conv(const float *A, vDSP_Stride IA, const float *F, vDSP_Stride IF,
                             float *C, vDSP_Stride IC, vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_convD(const double *A, vDSP_Stride IA, const double *F, vDSP_Stride IF,
                              double *C, vDSP_Stride IC, vDSP_Length N, vDSP_Length P);

/// vDSP_conv of complex vectors. [any thread]
VDSP_FUNCTION void vDSP_zconv(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *F,
                              vDSP_Stride IF, const DSPSplitComplex *C, vDSP_Stride IC,
                              vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_zconvD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *F, vDSP_Stride IF,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N,
                               vDSP_Length P);

/// Filters and decimates by DF: C[n] = A[n DF] F[0] + … + A[n DF + P - 1] F[P - 1]. [any thread]
VDSP_FUNCTION void vDSP_desamp(const float *A, vDSP_Stride DF, const float *F, float *C,
                               vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_desampD(const double *A, vDSP_Stride DF, const double *F, double *C,
                                vDSP_Length N, vDSP_Length P);

/// vDSP_desamp of a complex vector with real coefficients. [any thread]
VDSP_FUNCTION void vDSP_zrdesamp(const DSPSplitComplex *A, vDSP_Stride DF, const float *F,
                                 const DSPSplitComplex *C, vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_zrdesampD(const DSPDoubleSplitComplex *A, vDSP_Stride DF, const double *F,
                                  const DSPDoubleSplitComplex *C, vDSP_Length N, vDSP_Length P);

/// A section with two poles and two zeros: for n from 2 to N + 1, C[n] = A[n] B[0] + A[n - 1] B[1]
/// + A[n - 2] B[2] - C[n - 1] B[3] - C[n - 2] B[4]. C[0] and C[1] are given. [any thread]
VDSP_FUNCTION void vDSP_deq22(const float *A, vDSP_Stride IA, const float *B, float *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_deq22D(const double *A, vDSP_Stride IA, const double *B, double *C,
                               vDSP_Stride IC, vDSP_Length N);

/// C = A B, where A has M rows and P columns, and B has P rows and N columns. [any thread]
VDSP_FUNCTION void vDSP_mmul(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                             float *C, vDSP_Stride IC, vDSP_Length M, vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_mmulD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                              double *C, vDSP_Stride IC, vDSP_Length M, vDSP_Length N,
                              vDSP_Length P);

/// C = A B of complex matrices: A has M rows and P columns, B has P rows and N columns. [any
/// thread]
VDSP_FUNCTION void vDSP_zmmul(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                              vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                              vDSP_Length M, vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_zmmulD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length M,
                               vDSP_Length N, vDSP_Length P);

/// C is the transpose of A; C has M rows and N columns. They do not overlap. [any thread]
VDSP_FUNCTION void vDSP_mtrans(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                               vDSP_Length M, vDSP_Length N);
VDSP_FUNCTION void vDSP_mtransD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                                vDSP_Length M, vDSP_Length N);

VDSP_END

#endif
