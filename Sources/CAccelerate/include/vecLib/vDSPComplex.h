// SPDX-License-Identifier: Apache-2.0
//
// Complex vectors. Each function has a form for float and one for double, whose name ends with D.
// Pointers are followed by strides in elements; N is the number of results. A split complex
// vector has its real and imaginary parts in two arrays. conj is the conjugate.

#ifndef VECLIB_VDSP_COMPLEX_H
#define VECLIB_VDSP_COMPLEX_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: Layout

/// Splits interleaved numbers: Z[n] = C[n]. IC counts real numbers: 2 for adjacent elements. [any
/// thread]
VDSP_FUNCTION void vDSP_ctoz(const DSPComplex *__C, vDSP_Stride __IC, const DSPSplitComplex *__Z,
                             vDSP_Stride __IZ, vDSP_Length __N);
VDSP_FUNCTION void vDSP_ctozD(const DSPDoubleComplex *__C, vDSP_Stride __IC,
                              const DSPDoubleSplitComplex *__Z, vDSP_Stride __IZ, vDSP_Length __N);

/// Interleaves split numbers: C[n] = Z[n]. IC counts real numbers: 2 for adjacent elements. [any
/// thread]
VDSP_FUNCTION void vDSP_ztoc(const DSPSplitComplex *__Z, vDSP_Stride __IZ, DSPComplex *__C,
                             vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_ztocD(const DSPDoubleSplitComplex *__Z, vDSP_Stride __IZ,
                              DSPDoubleComplex *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n]. [any thread]
VDSP_FUNCTION void vDSP_zvmov(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvmovD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = *A. [any thread]
VDSP_FUNCTION void vDSP_zvfill(const DSPSplitComplex *__A, const DSPSplitComplex *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvfillD(const DSPDoubleSplitComplex *__A, const DSPDoubleSplitComplex *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

// MARK: Complex vectors

/// C[n] = A[n] + B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvadd(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__B, vDSP_Stride __IB,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvaddD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] - B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvsub(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__B, vDSP_Stride __IB,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvsubD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] * B[n] if Conjugate is 1, and conj(A[n]) * B[n] if it is -1. [any thread]
VDSP_FUNCTION void vDSP_zvmul(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__B, vDSP_Stride __IB,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N,
                              int __Conjugate);
VDSP_FUNCTION void vDSP_zvmulD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N,
                               int __Conjugate);

/// C[n] = A[n] / B[n]. The divisor B is the first argument. [any thread]
VDSP_FUNCTION void vDSP_zvdiv(const DSPSplitComplex *__B, vDSP_Stride __IB,
                              const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvdivD(const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                               const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = conj(A[n]) * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvcmul(const DSPSplitComplex *__A, vDSP_Stride __IA,
                               const DSPSplitComplex *__B, vDSP_Stride __IB,
                               const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvcmulD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// D[n] = A[n] * B[n] + C[n]. [any thread]
VDSP_FUNCTION void vDSP_zvma(const DSPSplitComplex *__A, vDSP_Stride __IA,
                             const DSPSplitComplex *__B, vDSP_Stride __IB,
                             const DSPSplitComplex *__C, vDSP_Stride __IC,
                             const DSPSplitComplex *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvmaD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                              const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                              const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                              const DSPDoubleSplitComplex *__D, vDSP_Stride __ID, vDSP_Length __N);

/// D[n] = conj(A[n]) * B[n] + C[n]. [any thread]
VDSP_FUNCTION void vDSP_zvcma(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__B, vDSP_Stride __IB,
                              const DSPSplitComplex *__C, vDSP_Stride __IC,
                              const DSPSplitComplex *__D, vDSP_Stride __ID, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvcmaD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                               const DSPDoubleSplitComplex *__D, vDSP_Stride __ID, vDSP_Length __N);

/// C[n] = conj(A[n]). [any thread]
VDSP_FUNCTION void vDSP_zvconj(const DSPSplitComplex *__A, vDSP_Stride __IA,
                               const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvconjD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = -A[n]. [any thread]
VDSP_FUNCTION void vDSP_zvneg(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvnegD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] * *B. [any thread]
VDSP_FUNCTION void vDSP_zvzsml(const DSPSplitComplex *__A, vDSP_Stride __IA,
                               const DSPSplitComplex *__B, const DSPSplitComplex *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvzsmlD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const DSPDoubleSplitComplex *__B, const DSPDoubleSplitComplex *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// D[n] = A[n] * *B + C[n]. [any thread]
VDSP_FUNCTION void vDSP_zvsma(const DSPSplitComplex *__A, vDSP_Stride __IA,
                              const DSPSplitComplex *__B, const DSPSplitComplex *__C,
                              vDSP_Stride __IC, const DSPSplitComplex *__D, vDSP_Stride __ID,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvsmaD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                               const DSPDoubleSplitComplex *__B, const DSPDoubleSplitComplex *__C,
                               vDSP_Stride __IC, const DSPDoubleSplitComplex *__D, vDSP_Stride __ID,
                               vDSP_Length __N);

// MARK: Complex and real vectors

/// C[n] = A[n] + B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvadd(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const DSPSplitComplex *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_zrvaddD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const double *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = A[n] - B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvsub(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const DSPSplitComplex *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_zrvsubD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const double *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvmul(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const DSPSplitComplex *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_zrvmulD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const double *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = A[n] / B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvdiv(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, const DSPSplitComplex *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_zrvdivD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const double *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_zvabs(const DSPSplitComplex *__A, vDSP_Stride __IA, float *__C,
                              vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvabsD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA, double *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = |A[n]|². [any thread]
VDSP_FUNCTION void vDSP_zvmags(const DSPSplitComplex *__A, vDSP_Stride __IA, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvmagsD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = |A[n]|² + B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvmgsa(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                               vDSP_Stride __IB, float *__C, vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvmgsaD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const double *__B, vDSP_Stride __IB, double *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] is the angle of A[n], from -π to π. [any thread]
VDSP_FUNCTION void vDSP_zvphas(const DSPSplitComplex *__A, vDSP_Stride __IA, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zvphasD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// Interleaved pairs of coordinates to magnitude and angle. Strides count real numbers: 2 for
/// adjacent pairs. [any thread]
VDSP_FUNCTION void vDSP_polar(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_polarD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                               vDSP_Length __N);

/// Interleaved pairs of magnitude and angle to coordinates. Strides count real numbers: 2 for
/// adjacent pairs. [any thread]
VDSP_FUNCTION void vDSP_rect(const float *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                             vDSP_Length __N);
VDSP_FUNCTION void vDSP_rectD(const double *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                              vDSP_Length __N);

// MARK: Spectra

/// C[n] += |A[n]|². [any thread]
VDSP_FUNCTION void vDSP_zaspec(const DSPSplitComplex *__A, float *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zaspecD(const DSPDoubleSplitComplex *__A, double *__C, vDSP_Length __N);

/// C[n] += conj(A[n]) * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zcspec(const DSPSplitComplex *__A, const DSPSplitComplex *__B,
                               const DSPSplitComplex *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zcspecD(const DSPDoubleSplitComplex *__A, const DSPDoubleSplitComplex *__B,
                                const DSPDoubleSplitComplex *__C, vDSP_Length __N);

/// Coherence: D[n] = |C[n]|² / (A[n] * B[n]). [any thread]
VDSP_FUNCTION void vDSP_zcoher(const float *__A, const float *__B, const DSPSplitComplex *__C,
                               float *__D, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zcoherD(const double *__A, const double *__B,
                                const DSPDoubleSplitComplex *__C, double *__D, vDSP_Length __N);

/// Transfer function: C[n] = B[n] / A[n]. [any thread]
VDSP_FUNCTION void vDSP_ztrans(const float *__A, const DSPSplitComplex *__B,
                               const DSPSplitComplex *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_ztransD(const double *__A, const DSPDoubleSplitComplex *__B,
                                const DSPDoubleSplitComplex *__C, vDSP_Length __N);

// MARK: Sums

/// *C is the sum of A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zdotpr(const DSPSplitComplex *__A, vDSP_Stride __IA,
                               const DSPSplitComplex *__B, vDSP_Stride __IB,
                               const DSPSplitComplex *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zdotprD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                                const DSPDoubleSplitComplex *__C, vDSP_Length __N);

/// *C is the sum of conj(A[n]) * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zidotpr(const DSPSplitComplex *__A, vDSP_Stride __IA,
                                const DSPSplitComplex *__B, vDSP_Stride __IB,
                                const DSPSplitComplex *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zidotprD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                 const DSPDoubleSplitComplex *__B, vDSP_Stride __IB,
                                 const DSPDoubleSplitComplex *__C, vDSP_Length __N);

/// *C is the sum of A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrdotpr(const DSPSplitComplex *__A, vDSP_Stride __IA, const float *__B,
                                vDSP_Stride __IB, const DSPSplitComplex *__C, vDSP_Length __N);
VDSP_FUNCTION void vDSP_zrdotprD(const DSPDoubleSplitComplex *__A, vDSP_Stride __IA,
                                 const double *__B, vDSP_Stride __IB,
                                 const DSPDoubleSplitComplex *__C, vDSP_Length __N);

VDSP_END

#endif
