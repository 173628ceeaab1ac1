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
VDSP_FUNCTION void vDSP_ctoz(const DSPComplex *C, vDSP_Stride IC, const DSPSplitComplex *Z,
                             vDSP_Stride IZ, vDSP_Length N);
VDSP_FUNCTION void vDSP_ctozD(const DSPDoubleComplex *C, vDSP_Stride IC,
                              const DSPDoubleSplitComplex *Z, vDSP_Stride IZ, vDSP_Length N);

/// Interleaves split numbers: C[n] = Z[n]. IC counts real numbers: 2 for adjacent elements. [any
/// thread]
VDSP_FUNCTION void vDSP_ztoc(const DSPSplitComplex *Z, vDSP_Stride IZ, DSPComplex *C,
                             vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_ztocD(const DSPDoubleSplitComplex *Z, vDSP_Stride IZ, DSPDoubleComplex *C,
                              vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n]. [any thread]
VDSP_FUNCTION void vDSP_zvmov(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvmovD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = *A. [any thread]
VDSP_FUNCTION void vDSP_zvfill(const DSPSplitComplex *A, const DSPSplitComplex *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zvfillD(const DSPDoubleSplitComplex *A, const DSPDoubleSplitComplex *C,
                                vDSP_Stride IC, vDSP_Length N);

// MARK: Complex vectors

/// C[n] = A[n] + B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvadd(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                              vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_zvaddD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] - B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvsub(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                              vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_zvsubD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] * B[n] if Conjugate is 1, and conj(A[n]) * B[n] if it is -1. [any thread]
VDSP_FUNCTION void vDSP_zvmul(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                              vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                              vDSP_Length N, int Conjugate);
VDSP_FUNCTION void vDSP_zvmulD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N,
                               int Conjugate);

/// C[n] = A[n] / B[n]. The divisor B is the first argument. [any thread]
VDSP_FUNCTION void vDSP_zvdiv(const DSPSplitComplex *B, vDSP_Stride IB, const DSPSplitComplex *A,
                              vDSP_Stride IA, const DSPSplitComplex *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_zvdivD(const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                               const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = conj(A[n]) * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvcmul(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                               vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zvcmulD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                                const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                                const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// D[n] = A[n] * B[n] + C[n]. [any thread]
VDSP_FUNCTION void vDSP_zvma(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                             vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                             const DSPSplitComplex *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvmaD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                              const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                              const DSPDoubleSplitComplex *C, vDSP_Stride IC,
                              const DSPDoubleSplitComplex *D, vDSP_Stride ID, vDSP_Length N);

/// D[n] = conj(A[n]) * B[n] + C[n]. [any thread]
VDSP_FUNCTION void vDSP_zvcma(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                              vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                              const DSPSplitComplex *D, vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvcmaD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC,
                               const DSPDoubleSplitComplex *D, vDSP_Stride ID, vDSP_Length N);

/// C[n] = conj(A[n]). [any thread]
VDSP_FUNCTION void vDSP_zvconj(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *C,
                               vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvconjD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                                const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = -A[n]. [any thread]
VDSP_FUNCTION void vDSP_zvneg(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *C,
                              vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvnegD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] = A[n] * *B. [any thread]
VDSP_FUNCTION void vDSP_zvzsml(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                               const DSPSplitComplex *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvzsmlD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                                const DSPDoubleSplitComplex *B, const DSPDoubleSplitComplex *C,
                                vDSP_Stride IC, vDSP_Length N);

/// D[n] = A[n] * *B + C[n]. [any thread]
VDSP_FUNCTION void vDSP_zvsma(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                              const DSPSplitComplex *C, vDSP_Stride IC, const DSPSplitComplex *D,
                              vDSP_Stride ID, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvsmaD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                               const DSPDoubleSplitComplex *B, const DSPDoubleSplitComplex *C,
                               vDSP_Stride IC, const DSPDoubleSplitComplex *D, vDSP_Stride ID,
                               vDSP_Length N);

// MARK: Complex and real vectors

/// C[n] = A[n] + B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvadd(const DSPSplitComplex *A, vDSP_Stride IA, const float *B,
                               vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zrvaddD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, const double *B,
                                vDSP_Stride IB, const DSPDoubleSplitComplex *C, vDSP_Stride IC,
                                vDSP_Length N);

/// C[n] = A[n] - B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvsub(const DSPSplitComplex *A, vDSP_Stride IA, const float *B,
                               vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zrvsubD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, const double *B,
                                vDSP_Stride IB, const DSPDoubleSplitComplex *C, vDSP_Stride IC,
                                vDSP_Length N);

/// C[n] = A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvmul(const DSPSplitComplex *A, vDSP_Stride IA, const float *B,
                               vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zrvmulD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, const double *B,
                                vDSP_Stride IB, const DSPDoubleSplitComplex *C, vDSP_Stride IC,
                                vDSP_Length N);

/// C[n] = A[n] / B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrvdiv(const DSPSplitComplex *A, vDSP_Stride IA, const float *B,
                               vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zrvdivD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, const double *B,
                                vDSP_Stride IB, const DSPDoubleSplitComplex *C, vDSP_Stride IC,
                                vDSP_Length N);

/// C[n] = |A[n]|. [any thread]
VDSP_FUNCTION void vDSP_zvabs(const DSPSplitComplex *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_zvabsD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, double *C,
                               vDSP_Stride IC, vDSP_Length N);

/// C[n] = |A[n]|². [any thread]
VDSP_FUNCTION void vDSP_zvmags(const DSPSplitComplex *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zvmagsD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// C[n] = |A[n]|² + B[n]. [any thread]
VDSP_FUNCTION void vDSP_zvmgsa(const DSPSplitComplex *A, vDSP_Stride IA, const float *B,
                               vDSP_Stride IB, float *C, vDSP_Stride IC, vDSP_Length N);
VDSP_FUNCTION void vDSP_zvmgsaD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, const double *B,
                                vDSP_Stride IB, double *C, vDSP_Stride IC, vDSP_Length N);

/// C[n] is the angle of A[n], from -π to π. [any thread]
VDSP_FUNCTION void vDSP_zvphas(const DSPSplitComplex *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zvphasD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, double *C,
                                vDSP_Stride IC, vDSP_Length N);

/// Interleaved pairs of coordinates to magnitude and angle. Strides count real numbers: 2 for
/// adjacent pairs. [any thread]
VDSP_FUNCTION void vDSP_polar(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                              vDSP_Length N);
VDSP_FUNCTION void vDSP_polarD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                               vDSP_Length N);

/// Interleaved pairs of magnitude and angle to coordinates. Strides count real numbers: 2 for
/// adjacent pairs. [any thread]
VDSP_FUNCTION void vDSP_rect(const float *A, vDSP_Stride IA, float *C, vDSP_Stride IC,
                             vDSP_Length N);
VDSP_FUNCTION void vDSP_rectD(const double *A, vDSP_Stride IA, double *C, vDSP_Stride IC,
                              vDSP_Length N);

// MARK: Spectra

/// C[n] += |A[n]|². [any thread]
VDSP_FUNCTION void vDSP_zaspec(const DSPSplitComplex *A, float *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_zaspecD(const DSPDoubleSplitComplex *A, double *C, vDSP_Length N);

/// C[n] += conj(A[n]) * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zcspec(const DSPSplitComplex *A, const DSPSplitComplex *B,
                               const DSPSplitComplex *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_zcspecD(const DSPDoubleSplitComplex *A, const DSPDoubleSplitComplex *B,
                                const DSPDoubleSplitComplex *C, vDSP_Length N);

/// Coherence: D[n] = |C[n]|² / (A[n] * B[n]). [any thread]
VDSP_FUNCTION void vDSP_zcoher(const float *A, const float *B, const DSPSplitComplex *C, float *D,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_zcoherD(const double *A, const double *B, const DSPDoubleSplitComplex *C,
                                double *D, vDSP_Length N);

/// Transfer function: C[n] = B[n] / A[n]. [any thread]
VDSP_FUNCTION void vDSP_ztrans(const float *A, const DSPSplitComplex *B, const DSPSplitComplex *C,
                               vDSP_Length N);
VDSP_FUNCTION void vDSP_ztransD(const double *A, const DSPDoubleSplitComplex *B,
                                const DSPDoubleSplitComplex *C, vDSP_Length N);

// MARK: Sums

/// *C is the sum of A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zdotpr(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                               vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_zdotprD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                                const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                                const DSPDoubleSplitComplex *C, vDSP_Length N);

/// *C is the sum of conj(A[n]) * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zidotpr(const DSPSplitComplex *A, vDSP_Stride IA, const DSPSplitComplex *B,
                                vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_zidotprD(const DSPDoubleSplitComplex *A, vDSP_Stride IA,
                                 const DSPDoubleSplitComplex *B, vDSP_Stride IB,
                                 const DSPDoubleSplitComplex *C, vDSP_Length N);

/// *C is the sum of A[n] * B[n]. [any thread]
VDSP_FUNCTION void vDSP_zrdotpr(const DSPSplitComplex *A, vDSP_Stride IA, const float *B,
                                vDSP_Stride IB, const DSPSplitComplex *C, vDSP_Length N);
VDSP_FUNCTION void vDSP_zrdotprD(const DSPDoubleSplitComplex *A, vDSP_Stride IA, const double *B,
                                 vDSP_Stride IB, const DSPDoubleSplitComplex *C, vDSP_Length N);

VDSP_END

#endif
