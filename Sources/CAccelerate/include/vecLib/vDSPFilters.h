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
VDSP_FUNCTION void vDSP_conv(const float *__A, vDSP_Stride __IA, const float *__F, vDSP_Stride __IF,
                             float *__C, vDSP_Stride __IC, vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_convD(const double *__A, vDSP_Stride __IA, const double *__F,
                              vDSP_Stride __IF, double *__C, vDSP_Stride __IC, vDSP_Length __N,
                              vDSP_Length __P);

/// vDSP_conv of complex vectors. [any thread]
VDSP_FUNCTION void vDSP_zconv(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__F, vDSP_Stride __IF,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N,
                              vDSP_Length __P);
VDSP_FUNCTION void vDSP_zconvD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__F, vDSP_Stride __IF,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N,
                               vDSP_Length __P);

/// Filters and decimates by DF: C[n] = A[n DF] F[0] + … + A[n DF + P - 1] F[P - 1]. [any thread]
VDSP_FUNCTION void vDSP_desamp(const float *__A, vDSP_Stride __DF, const float *__F, float *__C,
                               vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_desampD(const double *__A, vDSP_Stride __DF, const double *__F, double *__C,
                                vDSP_Length __N, vDSP_Length __P);

/// vDSP_desamp of a complex vector with real coefficients. [any thread]
VDSP_FUNCTION void vDSP_zrdesamp(const DSPSplitComplex *__A, vDSP_Stride __DF, const float *__F,
                                 const DSPSplitComplex *__C, vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_zrdesampD(const DSPDoubleSplitComplex *__A, vDSP_Stride __DF,
                                  const double *__F, const DSPDoubleSplitComplex *__C,
                                  vDSP_Length __N, vDSP_Length __P);

/// A section with two poles and two zeros: for n from 2 to N + 1, C[n] = A[n] B[0] + A[n - 1] B[1]
/// + A[n - 2] B[2] - C[n - 1] B[3] - C[n - 2] B[4]. C[0] and C[1] are given. [any thread]
VDSP_FUNCTION void vDSP_deq22(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_deq22D(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C = A B, where A has M rows and P columns, and B has P rows and N columns. [any thread]
VDSP_FUNCTION void vDSP_mmul(const float *__A, vDSP_Stride __IA, const float *__B, vDSP_Stride __IB,
                             float *__C, vDSP_Stride __IC, vDSP_Length __M, vDSP_Length __N,
                             vDSP_Length __P);
VDSP_FUNCTION void vDSP_mmulD(const double *__A, vDSP_Stride __IA, const double *__B,
                              vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __M,
                              vDSP_Length __N, vDSP_Length __P);

/// C = A B of complex matrices: A has M rows and P columns, B has P rows and N columns. [any
/// thread]
VDSP_FUNCTION void vDSP_zmmul(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__B, vDSP_Stride __IB,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __M,
                              vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_zmmulD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __M,
                               vDSP_Length __N, vDSP_Length __P);

/// C = A B, where A is complex and has M rows and P columns, and B is real and has P rows and N
/// columns. [any thread]
VDSP_FUNCTION void vDSP_zrmmul(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const DSPSplitComplex *__C, vDSP_Stride __IC,
                               vDSP_Length __M, vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_zrmmulD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const double *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __M,
                                vDSP_Length __N, vDSP_Length __P);

/// C is the transpose of A; C has M rows and N columns. They do not overlap. [any thread]
VDSP_FUNCTION void vDSP_mtrans(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                               vDSP_Length __M, vDSP_Length __N);
VDSP_FUNCTION void vDSP_mtransD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                                vDSP_Length __M, vDSP_Length __N);

VDSP_END

#endif
