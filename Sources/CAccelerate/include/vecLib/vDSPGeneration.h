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
VDSP_FUNCTION void vDSP_vclr(float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vclrD(double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = *A. [any thread]
VDSP_FUNCTION void vDSP_vfill(const float *__A, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfillD(const double *__A, double *__C, vDSP_Stride __IC, vDSP_Length __N);

/// Copies N rows of M columns. Rows of A are TA elements apart, those of C, TC. [any thread]
VDSP_FUNCTION void vDSP_mmov(const float *__A, float *__C, vDSP_Length __M, vDSP_Length __N,
                             vDSP_Length __TA, vDSP_Length __TC);
VDSP_FUNCTION void vDSP_mmovD(const double *__A, double *__C, vDSP_Length __M, vDSP_Length __N,
                              vDSP_Length __TA, vDSP_Length __TC);

/// C[n] = A[n], from float to double. [any thread]
VDSP_FUNCTION void vDSP_vspdp(const float *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

/// C[n] = A[n], from double to float. [any thread]
VDSP_FUNCTION void vDSP_vdpsp(const double *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

// MARK: Ramps

/// C[n] = *A + n * *B. [any thread]
VDSP_FUNCTION void vDSP_vramp(const float *__A, const float *__B, float *__C, vDSP_Stride __IC,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrampD(const double *__A, const double *__B, double *__C, vDSP_Stride __IC,
                               vDSP_Length __N);

/// A line from *A to *B, both included: C[n] = *A + n * (*B - *A) / (N - 1). [any thread]
VDSP_FUNCTION void vDSP_vgen(const float *__A, const float *__B, float *__C, vDSP_Stride __IC,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_vgenD(const double *__A, const double *__B, double *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

/// Connects M points by lines: C[n] is the value at n, where A[m] is the value at the place B[m].
/// The places ascend. Outside, the first or last value continues; without points, C[n] = 0.
/// [any thread]
VDSP_FUNCTION void vDSP_vgenp(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N,
                              vDSP_Length __M);
VDSP_FUNCTION void vDSP_vgenpD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N,
                               vDSP_Length __M);

/// O[n] = I[n] * *Start; after each, *Start increases by *Step. [any thread]
VDSP_FUNCTION void vDSP_vrampmul(const float *__I, vDSP_Stride __II, float *__Start,
                                 const float *__Step, float *__O, vDSP_Stride __IO,
                                 vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrampmulD(const double *__I, vDSP_Stride __II, double *__Start,
                                  const double *__Step, double *__O, vDSP_Stride __IO,
                                  vDSP_Length __N);

/// vDSP_vrampmul of two channels with one ramp. [any thread]
VDSP_FUNCTION void vDSP_vrampmul2(const float *__I0, const float *__I1, vDSP_Stride __IS,
                                  float *__Start, const float *__Step, float *__O0, float *__O1,
                                  vDSP_Stride __OS, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrampmul2D(const double *__I0, const double *__I1, vDSP_Stride __IS,
                                   double *__Start, const double *__Step, double *__O0,
                                   double *__O1, vDSP_Stride __OS, vDSP_Length __N);

/// O[n] += I[n] * *Start; after each, *Start increases by *Step. [any thread]
VDSP_FUNCTION void vDSP_vrampmuladd(const float *__I, vDSP_Stride __II, float *__Start,
                                    const float *__Step, float *__O, vDSP_Stride __IO,
                                    vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrampmuladdD(const double *__I, vDSP_Stride __II, double *__Start,
                                     const double *__Step, double *__O, vDSP_Stride __IO,
                                     vDSP_Length __N);

/// vDSP_vrampmuladd of two channels with one ramp. [any thread]
VDSP_FUNCTION void vDSP_vrampmuladd2(const float *__I0, const float *__I1, vDSP_Stride __IS,
                                     float *__Start, const float *__Step, float *__O0, float *__O1,
                                     vDSP_Stride __OS, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrampmuladd2D(const double *__I0, const double *__I1, vDSP_Stride __IS,
                                      double *__Start, const double *__Step, double *__O0,
                                      double *__O1, vDSP_Stride __OS, vDSP_Length __N);

/// Crossfade: C[n] = A[n] + (B[n] - A[n]) * n / (N - 1). [any thread]
VDSP_FUNCTION void vDSP_vtmerg(const float *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vtmergD(const double *__A, vDSP_Stride __IA, const double *__B,
                                vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N);

// MARK: Windows

/// Hann window: C[n] = w * (1 - cos(2πn/N)), where w is 1/2, or √(2/3) with vDSP_HANN_NORM. With
/// vDSP_HALF_WINDOW, only the first (N + 1) / 2. [any thread]
VDSP_FUNCTION void vDSP_hann_window(float *__C, vDSP_Length __N, int __Flag);
VDSP_FUNCTION void vDSP_hann_windowD(double *__C, vDSP_Length __N, int __Flag);

/// Hamming window: C[n] = 0.54 - 0.46 cos(2πn/N). With vDSP_HALF_WINDOW, only the first (N + 1) /
/// 2. [any thread]
VDSP_FUNCTION void vDSP_hamm_window(float *__C, vDSP_Length __N, int __Flag);
VDSP_FUNCTION void vDSP_hamm_windowD(double *__C, vDSP_Length __N, int __Flag);

/// Blackman window: C[n] = 0.42 - 0.5 cos(2πn/N) + 0.08 cos(4πn/N). With vDSP_HALF_WINDOW, only the
/// first (N + 1) / 2. [any thread]
VDSP_FUNCTION void vDSP_blkman_window(float *__C, vDSP_Length __N, int __Flag);
VDSP_FUNCTION void vDSP_blkman_windowD(double *__C, vDSP_Length __N, int __Flag);

// MARK: Interpolation

/// Linear interpolation in a table of M numbers: C[n] = A[b] + (A[b + 1] - A[b]) f, where b and f
/// are the integer and the fraction of B[n], which is at least 0 and below M - 1. C[n] = A[0] if M
/// is 1, and 0 if M is 0. [any thread]
VDSP_FUNCTION void vDSP_vlint(const float *__A, const float *__B, vDSP_Stride __IB, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N, vDSP_Length __M);
VDSP_FUNCTION void vDSP_vlintD(const double *__A, const double *__B, vDSP_Stride __IB, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N, vDSP_Length __M);

/// Quadratic interpolation through A[b - 1], A[b] and A[b + 1], where b is the integer part of B[n]
/// and at least 1. The table has M numbers. C[n] = A[0] if M is 1 or 2, and 0 if M is 0.
/// [any thread]
VDSP_FUNCTION void vDSP_vqint(const float *__A, const float *__B, vDSP_Stride __IB, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N, vDSP_Length __M);
VDSP_FUNCTION void vDSP_vqintD(const double *__A, const double *__B, vDSP_Stride __IB, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N, vDSP_Length __M);

/// Looks up the place A[n] * *S1 + *S2 in a table of M numbers, with linear interpolation; places
/// outside are moved to its ends. D[n] = 0 if M is 0. [any thread]
VDSP_FUNCTION void vDSP_vtabi(const float *__A, vDSP_Stride __IA, const float *__S1,
                              const float *__S2, const float *__C, vDSP_Length __M, float *__D,
                              vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vtabiD(const double *__A, vDSP_Stride __IA, const double *__S1,
                               const double *__S2, const double *__C, vDSP_Length __M, double *__D,
                               vDSP_Stride __ID, vDSP_Length __N);

/// A polynomial of degree P: C[n] = A[0] B[n]^P + … + A[P]. [any thread]
VDSP_FUNCTION void vDSP_vpoly(const float *__A, vDSP_Stride __IA, const float *__B,
                              vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N,
                              vDSP_Length __P);
VDSP_FUNCTION void vDSP_vpolyD(const double *__A, vDSP_Stride __IA, const double *__B,
                               vDSP_Stride __IB, double *__C, vDSP_Stride __IC, vDSP_Length __N,
                               vDSP_Length __P);

// MARK: Sums

/// Running sum: C[0] = 0, C[n] = C[n - 1] + *S * A[n]. [any thread]
VDSP_FUNCTION void vDSP_vrsum(const float *__A, vDSP_Stride __IA, const float *__S, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vrsumD(const double *__A, vDSP_Stride __IA, const double *__S, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// Integral by trapezoids of the width *S: C[0] = 0, C[n] = C[n - 1] + *S * (A[n - 1] + A[n]) / 2.
/// [any thread]
VDSP_FUNCTION void vDSP_vtrapz(const float *__A, vDSP_Stride __IA, const float *__S, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vtrapzD(const double *__A, vDSP_Stride __IA, const double *__S, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// Integral by Simpson's rule with steps of *S: C[0] = 0, C[1] by a trapezoid, C[n] = C[n - 2] + *S
/// * (A[n - 2] + 4 A[n - 1] + A[n]) / 3. [any thread]
VDSP_FUNCTION void vDSP_vsimps(const float *__A, vDSP_Stride __IA, const float *__S, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vsimpsD(const double *__A, vDSP_Stride __IA, const double *__S, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// Sums of a sliding window: C[n] = A[n] + … + A[n + P - 1]. C may be A at the same stride.
/// [any thread]
VDSP_FUNCTION void vDSP_vswsum(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                               vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_vswsumD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                                vDSP_Length __N, vDSP_Length __P);

/// The maximum of a sliding window: of A[n] to A[n + P - 1], and -∞ if P is 0. C may be A at the
/// same stride. [any thread]
VDSP_FUNCTION void vDSP_vswmax(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                               vDSP_Length __N, vDSP_Length __P);
VDSP_FUNCTION void vDSP_vswmaxD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                                vDSP_Length __N, vDSP_Length __P);

/// Updates averages of *B earlier vectors: C[n] = (C[n] * *B + A[n]) / (*B + 1). [any thread]
VDSP_FUNCTION void vDSP_vavlin(const float *__A, vDSP_Stride __IA, const float *__B, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vavlinD(const double *__A, vDSP_Stride __IA, const double *__B, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

VDSP_END

#endif
