// SPDX-License-Identifier: Apache-2.0
//
// Fills, copies, ramps, windows, interpolation and running sums. Each function has a form for
// float and one for double, whose name ends with D. Pointers are followed by strides in elements;
// N is the number of results.

#ifndef VECLIB_VDSP_GENERATION_H
#define VECLIB_VDSP_GENERATION_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: Fills and copies

/// C[n] = 0. [any thread]
VDSP_FUNCTION void vDSP_vclr(float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vclrD(double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = *A. [any thread]
VDSP_FUNCTION void vDSP_vfill(const float *A, float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vfillD(const double *A, double *C, vDSP_Stride IC, vDSP_Length N);

/// Copies N rows of M columns. Rows of A are TA elements apart, those of C, TC. [any thread]
VDSP_FUNCTION void vDSP_mmov(const float *A, float *C, vDSP_Length M, vDSP_Length N,
                             vDSP_Length TA, vDSP_Length TC);
VDSP_FUNCTION void vDSP_mmovD(const double *A, double *C, vDSP_Length M, vDSP_Length N,
                              vDSP_Length TA, vDSP_Length TC);

/// C[n] = A[n], from float to double. [any thread]
VDSP_FUNCTION void vDSP_vspdp(const float *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                              vDSP_Length N);

/// C[n] = A[n], from double to float. [any thread]
VDSP_FUNCTION void vDSP_vdpsp(const double *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                              vDSP_Length N);

// MARK: Ramps

/// C[n] = *A + n * *B. [any thread]
VDSP_FUNCTION void vDSP_vramp(const float *A, const float *B, float *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_vrampD(const double *A, const double *B, double *C, vDSP_Stride IC,
                               vDSP_Length N);

/// A line from *A to *B, both included: C[n] = *A + n * (*B - *A) / (N - 1). [any thread]
VDSP_FUNCTION void vDSP_vgen(const float *A, const float *B, float *C, vDSP_Stride IC,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_vgenD(const double *A, const double *B, double *C, vDSP_Stride IC,
                              vDSP_Length N);

/// Connects M points by lines: C[n] is the value at n, where A[m] is the value at the place B[m].
/// The places ascend. Outside, the first or last value continues. [any thread]
VDSP_FUNCTION void vDSP_vgenp(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              float *C, vDSP_Stride IC, vDSP_Length N, vDSP_Length M);
VDSP_FUNCTION void vDSP_vgenpD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               double *C, vDSP_Stride IC, vDSP_Length N, vDSP_Length M);

/// O[n] = I[n] * *Start; after each, *Start increases by *Step. [any thread]
VDSP_FUNCTION void vDSP_vrampmul(const float *I, vDSP_Stride II, float *Start, const float *Step,
                                 float *O, vDSP_Stride IO, vDSP_Length N);
VDSP_FUNCTION void vDSP_vrampmulD(const double *I, vDSP_Stride II, double *Start,
                                  const double *Step, double *O, vDSP_Stride IO, vDSP_Length N);

/// vDSP_vrampmul of two channels with one ramp. [any thread]
VDSP_FUNCTION void vDSP_vrampmul2(const float *I0, const float *I1, vDSP_Stride IS, float *Start,
                                  const float *Step, float *O0, float *O1, vDSP_Stride OS,
                                  vDSP_Length N);
VDSP_FUNCTION void vDSP_vrampmul2D(const double *I0, const double *I1, vDSP_Stride IS,
                                   double *Start, const double *Step, double *O0, double *O1,
                                   vDSP_Stride OS, vDSP_Length N);

/// O[n] += I[n] * *Start; after each, *Start increases by *Step. [any thread]
VDSP_FUNCTION void vDSP_vrampmuladd(const float *I, vDSP_Stride II, float *Start,
                                    const float *Step, float *O, vDSP_Stride IO, vDSP_Length N);
VDSP_FUNCTION void vDSP_vrampmuladdD(const double *I, vDSP_Stride II, double *Start,
                                     const double *Step, double *O, vDSP_Stride IO, vDSP_Length N);

/// Crossfade: C[n] = A[n] + (B[n] - A[n]) * n / (N - 1). [any thread]
VDSP_FUNCTION void vDSP_vtmerg(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                               float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vtmergD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                                double *C, vDSP_Stride IC, vDSP_Length N);

// MARK: Windows

/// Hann window: C[n] = w * (1 - cos(2πn/N)), where w is 1/2, or √(2/3) with vDSP_HANN_NORM. With
/// vDSP_HALF_WINDOW, only the first (N + 1) / 2. [any thread]
VDSP_FUNCTION void vDSP_hann_window(float *C, vDSP_Length N, int Flag);
VDSP_FUNCTION void vDSP_hann_windowD(double *C, vDSP_Length N, int Flag);

/// Hamming window: C[n] = 0.54 - 0.46 cos(2πn/N). With vDSP_HALF_WINDOW, only the first (N + 1) /
/// 2. [any thread]
VDSP_FUNCTION void vDSP_hamm_window(float *C, vDSP_Length N, int Flag);
VDSP_FUNCTION void vDSP_hamm_windowD(double *C, vDSP_Length N, int Flag);

/// Blackman window: C[n] = 0.42 - 0.5 cos(2πn/N) + 0.08 cos(4πn/N). With vDSP_HALF_WINDOW, only the
/// first (N + 1) / 2. [any thread]
VDSP_FUNCTION void vDSP_blkman_window(float *C, vDSP_Length N, int Flag);
VDSP_FUNCTION void vDSP_blkman_windowD(double *C, vDSP_Length N, int Flag);

// MARK: Interpolation

/// Linear interpolation in a table of M numbers: C[n] = A[b] + (A[b + 1] - A[b]) f, where b and f
/// are the integer and the fraction of B[n], which is at least 0 and below M - 1. [any thread]
VDSP_FUNCTION void vDSP_vlint(const float *A, const float *B, vDSP_Stride IB, float *C,
                              vDSP_Stride IC, vDSP_Length N, vDSP_Length M);
VDSP_FUNCTION void vDSP_vlintD(const double *A, const double *B, vDSP_Stride IB, double *C,
                               vDSP_Stride IC, vDSP_Length N, vDSP_Length M);

/// Quadratic interpolation through A[b - 1], A[b] and A[b + 1], where b is the integer part of B[n]
/// and at least 1. The table has M numbers. [any thread]
VDSP_FUNCTION void vDSP_vqint(const float *A, const float *B, vDSP_Stride IB, float *C,
                              vDSP_Stride IC, vDSP_Length N, vDSP_Length M);
VDSP_FUNCTION void vDSP_vqintD(const double *A, const double *B, vDSP_Stride IB, double *C,
                               vDSP_Stride IC, vDSP_Length N, vDSP_Length M);

/// Looks up the place A[n] * *S1 + *S2 in a table of M numbers, with linear interpolation; places
/// outside are moved to its ends. [any thread]
VDSP_FUNCTION void vDSP_vtabi(const float *A, vDSP_Stride IA, const float *S1, const float *S2,
                              const float *C, vDSP_Length M, float *D, vDSP_Stride ID,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_vtabiD(const double *A, vDSP_Stride IA, const double *S1, const double *S2,
                               const double *C, vDSP_Length M, double *D, vDSP_Stride ID,
                               vDSP_Length N);

/// A polynomial of degree P: C[n] = A[0] B[n]^P + … + A[P]. [any thread]
VDSP_FUNCTION void vDSP_vpoly(const float *A, vDSP_Stride IA, const float *B, vDSP_Stride IB,
                              float *C, vDSP_Stride IC, vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_vpolyD(const double *A, vDSP_Stride IA, const double *B, vDSP_Stride IB,
                               double *C, vDSP_Stride IC, vDSP_Length N, vDSP_Length P);

// MARK: Sums

/// Running sum: C[0] = 0, C[n] = C[n - 1] + *S * A[n]. [any thread]
VDSP_FUNCTION void vDSP_vrsum(const float *A, vDSP_Stride IA, const float *S, float *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vrsumD(const double *A, vDSP_Stride IA, const double *S, double *C,
                               vDSP_Stride IC, vDSP_Length N);

/// Integral by trapezoids of the width *S: C[0] = 0, C[n] = C[n - 1] + *S * (A[n - 1] + A[n]) / 2.
/// [any thread]
VDSP_FUNCTION void vDSP_vtrapz(const float *A, vDSP_Stride IA, const float *S, float *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vtrapzD(const double *A, vDSP_Stride IA, const double *S, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// Integral by Simpson's rule with steps of *S: C[0] = 0, C[1] by a trapezoid, C[n] = C[n - 2] + *S
/// * (A[n - 2] + 4 A[n - 1] + A[n]) / 3. [any thread]
VDSP_FUNCTION void vDSP_vsimps(const float *A, vDSP_Stride IA, const float *S, float *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vsimpsD(const double *A, vDSP_Stride IA, const double *S, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// Sums of a sliding window: C[n] = A[n] + … + A[n + P - 1]. [any thread]
VDSP_FUNCTION void vDSP_vswsum(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                               vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_vswsumD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                                vDSP_Length N, vDSP_Length P);

/// The maximum of a sliding window: of A[n] to A[n + P - 1]. [any thread]
VDSP_FUNCTION void vDSP_vswmax(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                               vDSP_Length N, vDSP_Length P);
VDSP_FUNCTION void vDSP_vswmaxD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                                vDSP_Length N, vDSP_Length P);

/// Updates averages of *B earlier vectors: C[n] = (C[n] * *B + A[n]) / (*B + 1). [any thread]
VDSP_FUNCTION void vDSP_vavlin(const float *A, vDSP_Stride IA, const float *B, float *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_vavlinD(const double *A, vDSP_Stride IA, const double *B, double *C,
                                vDSP_Stride IC, vDSP_Length N);

VDSP_END

#endif
