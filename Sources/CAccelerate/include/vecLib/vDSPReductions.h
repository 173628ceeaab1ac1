// SPDX-License-Identifier: Apache-2.0
//
// Sums, means and extremes of a vector. Each function has a form for float and one for double,
// whose name ends with D. Pointers are followed by strides in elements; N is the number of
// elements. Of no elements, sums are 0, means NaN, and extremes the infinity that any number
// exceeds.

#ifndef VECLIB_VDSP_REDUCTIONS_H
#define VECLIB_VDSP_REDUCTIONS_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: Sums

/// *C is the sum of A[n]. [any thread]
VDSP_FUNCTION void vDSP_sve(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_sveD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the sum of |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_svemg(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_svemgD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the sum of A[n]². [any thread]
VDSP_FUNCTION void vDSP_svesq(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_svesqD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// The sum of A[n], and that of A[n]². [any thread]
VDSP_FUNCTION void vDSP_sve_svesq(const float *__A, vDSP_Stride __IA, float *__Sum,
                                  float *__SumOfSquares, vDSP_Length __N);
VDSP_FUNCTION void vDSP_sve_svesqD(const double *__A, vDSP_Stride __IA, double *__Sum,
                                   double *__SumOfSquares, vDSP_Length __N);

/// *C is the sum of A[n] * |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_svs(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_svsD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the sum of A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_dotpr(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_dotprD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, double *__C, vDSP_Length __N);

/// The sums of A0[n] * B[n] and of A1[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_dotpr2(const float *__A0, vDSP_Stride __IA0, const float *__A1,
                               vDSP_Stride __IA1, const float *__B, vDSP_Stride __IB, float *__C0,
                               float *__C1, vDSP_Length __N);
VDSP_FUNCTION void vDSP_dotpr2D(const double *__A0, vDSP_Stride __IA0, const double *__A1,
                                vDSP_Stride __IA1, const double *__B, vDSP_Stride __IB,
                                double *__C0, double *__C1, vDSP_Length __N);

/// *C is the sum of (A[n] - B[n])². [any thread]
VDSP_FUNCTION void vDSP_distancesq(const float *__A, vDSP_Stride __IA, const float *__B,
                                   vDSP_Stride __IB, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_distancesqD(const double *__A, vDSP_Stride __IA, const double *__B,
                                    vDSP_Stride __IB, double *__C, vDSP_Length __N);

// MARK: Means

/// *C is the mean of A[n]. [any thread]
VDSP_FUNCTION void vDSP_meanv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_meanvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the mean of |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_meamgv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_meamgvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the mean of A[n]². [any thread]
VDSP_FUNCTION void vDSP_measqv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_measqvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the mean of A[n] * |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_mvessq(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_mvessqD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the square root of the mean of A[n]². [any thread]
VDSP_FUNCTION void vDSP_rmsqv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_rmsqvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// The mean m and the standard deviation d (of the population); C[n] = (A[n] - m) / d, unless C is
/// null. [any thread]
VDSP_FUNCTION void vDSP_normalize(const float *__A, vDSP_Stride __IA, float *_Nullable __C,
                                  vDSP_Stride __IC, float *__Mean, float *__StandardDeviation,
                                  vDSP_Length __N);
VDSP_FUNCTION void vDSP_normalizeD(const double *__A, vDSP_Stride __IA, double *_Nullable __C,
                                   vDSP_Stride __IC, double *__Mean, double *__StandardDeviation,
                                   vDSP_Length __N);

// MARK: Extremes

/// *C is the greatest A[n]. [any thread]
VDSP_FUNCTION void vDSP_maxv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_maxvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the least A[n]. [any thread]
VDSP_FUNCTION void vDSP_minv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_minvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the greatest |A[n]|; of no elements, 0. [any thread]
VDSP_FUNCTION void vDSP_maxmgv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_maxmgvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the least |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_minmgv(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_minmgvD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Length __N);

/// *C is the greatest A[n], and *Index is n * IA of the first that is so great. [any thread]
VDSP_FUNCTION void vDSP_maxvi(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length *__Index,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_maxviD(const double *__A, vDSP_Stride __IA, double *__C,
                               vDSP_Length *__Index, vDSP_Length __N);

/// *C is the least A[n], and *Index is n * IA of the first that is so small. [any thread]
VDSP_FUNCTION void vDSP_minvi(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Length *__Index,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_minviD(const double *__A, vDSP_Stride __IA, double *__C,
                               vDSP_Length *__Index, vDSP_Length __N);

/// *C is the greatest |A[n]|, and *Index is n * IA of the first that is so great. [any thread]
VDSP_FUNCTION void vDSP_maxmgvi(const float *__A, vDSP_Stride __IA, float *__C,
                                vDSP_Length *__Index, vDSP_Length __N);
VDSP_FUNCTION void vDSP_maxmgviD(const double *__A, vDSP_Stride __IA, double *__C,
                                 vDSP_Length *__Index, vDSP_Length __N);

/// *C is the least |A[n]|, and *Index is n * IA of the first that is so small. [any thread]
VDSP_FUNCTION void vDSP_minmgvi(const float *__A, vDSP_Stride __IA, float *__C,
                                vDSP_Length *__Index, vDSP_Length __N);
VDSP_FUNCTION void vDSP_minmgviD(const double *__A, vDSP_Stride __IA, double *__C,
                                 vDSP_Length *__Index, vDSP_Length __N);

/// Counts the changes of sign up to the Bth: *D is their number, and *C is n * IA of the Bth, or 0
/// if there are fewer. [any thread]
VDSP_FUNCTION void vDSP_nzcros(const float *__A, vDSP_Stride __IA, vDSP_Length __B,
                               vDSP_Length *__C, vDSP_Length *__D, vDSP_Length __N);
VDSP_FUNCTION void vDSP_nzcrosD(const double *__A, vDSP_Stride __IA, vDSP_Length __B,
                                vDSP_Length *__C, vDSP_Length *__D, vDSP_Length __N);

VDSP_END

#endif
