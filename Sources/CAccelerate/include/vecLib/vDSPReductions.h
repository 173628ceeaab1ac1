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
VDSP_FUNCTION void vDSP_sve(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_sveD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the sum of |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_svemg(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_svemgD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the sum of A[n]². [any thread]
VDSP_FUNCTION void vDSP_svesq(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_svesqD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// The sum of A[n], and that of A[n]². [any thread]
VDSP_FUNCTION void vDSP_sve_svesq(const float *A, vDSP_Stride IA, float *Sum, float *SumOfSquares,
                                  vDSP_Length N);
VDSP_FUNCTION void vDSP_sve_svesqD(const double *A, vDSP_Stride IA, double *Sum,
                                   double *SumOfSquares, vDSP_Length N);

/// *C is the sum of A[n] * |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_svs(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_svsD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the sum of A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_dotpr(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_dotprD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               double *C, vDSP_Length N);

/// The sums of A0[n] * B[n] and of A1[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_dotpr2(const float *A0, vDSP_Stride IA0, const float *A1, vDSP_Stride IA1,
                               const float *B, vDSP_Stride IB, float *C0, float *C1, vDSP_Length N);
VDSP_FUNCTION void vDSP_dotpr2D(const double *A0, vDSP_Stride IA0, const double *A1,
                                vDSP_Stride IA1, const double *B, vDSP_Stride IB, double *C0,
                                double *C1, vDSP_Length N);

/// *C is the sum of (A[n] - B[n])². [any thread]
VDSP_FUNCTION void vDSP_distancesq(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                                   float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_distancesqD(const double *A, vDSP_Stride IA, const double *B,
                                    vDSP_Stride IB, double *C, vDSP_Length N);

// MARK: Means

/// *C is the mean of A[n]. [any thread]
VDSP_FUNCTION void vDSP_meanv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_meanvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the mean of |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_meamgv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_meamgvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the mean of A[n]². [any thread]
VDSP_FUNCTION void vDSP_measqv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_measqvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the mean of A[n] * |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_mvessq(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_mvessqD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the square root of the mean of A[n]². [any thread]
VDSP_FUNCTION void vDSP_rmsqv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_rmsqvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// The mean m and the standard deviation d (of the population); C[n] = (A[n] - m) / d, unless C is
/// null. [any thread]
VDSP_FUNCTION void vDSP_normalize(const float *A, vDSP_Stride IA, float *_Nullable C,
                                  vDSP_Stride IC, float *Mean, float *StandardDeviation,
                                  vDSP_Length N);
VDSP_FUNCTION void vDSP_normalizeD(const double *A, vDSP_Stride IA, double *_Nullable C,
                                   vDSP_Stride IC, double *Mean, double *StandardDeviation,
                                   vDSP_Length N);

// MARK: Extremes

/// *C is the greatest A[n]. [any thread]
VDSP_FUNCTION void vDSP_maxv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_maxvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the least A[n]. [any thread]
VDSP_FUNCTION void vDSP_minv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_minvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the greatest |A[n]|; of no elements, 0. [any thread]
VDSP_FUNCTION void vDSP_maxmgv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_maxmgvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the least |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_minmgv(const float *A, vDSP_Stride IA, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_minmgvD(const double *A, vDSP_Stride IA, double *C, vDSP_Length N);

/// *C is the greatest A[n], and *Index is n * IA of the first that is so great. [any thread]
VDSP_FUNCTION void vDSP_maxvi(const float *A, vDSP_Stride IA, float *C, vDSP_Length *Index,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_maxviD(const double *A, vDSP_Stride IA, double *C, vDSP_Length *Index,
                               vDSP_Length N);

/// *C is the least A[n], and *Index is n * IA of the first that is so small. [any thread]
VDSP_FUNCTION void vDSP_minvi(const float *A, vDSP_Stride IA, float *C, vDSP_Length *Index,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_minviD(const double *A, vDSP_Stride IA, double *C, vDSP_Length *Index,
                               vDSP_Length N);

/// *C is the greatest |A[n]|, and *Index is n * IA of the first that is so great. [any thread]
VDSP_FUNCTION void vDSP_maxmgvi(const float *A, vDSP_Stride IA, float *C, vDSP_Length *Index,
                                vDSP_Length N);
VDSP_FUNCTION void vDSP_maxmgviD(const double *A, vDSP_Stride IA, double *C, vDSP_Length *Index,
                                 vDSP_Length N);

/// *C is the least |A[n]|, and *Index is n * IA of the first that is so small. [any thread]
VDSP_FUNCTION void vDSP_minmgvi(const float *A, vDSP_Stride IA, float *C, vDSP_Length *Index,
                                vDSP_Length N);
VDSP_FUNCTION void vDSP_minmgviD(const double *A, vDSP_Stride IA, double *C, vDSP_Length *Index,
                                 vDSP_Length N);

/// Counts the changes of sign up to the Bth: *D is their number, and *C is n * IA of the Bth, or 0
/// if there are fewer. [any thread]
VDSP_FUNCTION void vDSP_nzcros(const float *A, vDSP_Stride IA, vDSP_Length B, vDSP_Length *C,
                               vDSP_Length *D, vDSP_Length N);
VDSP_FUNCTION void vDSP_nzcrosD(const double *A, vDSP_Stride IA, vDSP_Length B, vDSP_Length *C,
                                vDSP_Length *D, vDSP_Length N);

VDSP_END

#endif
