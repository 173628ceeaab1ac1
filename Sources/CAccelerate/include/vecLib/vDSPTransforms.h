// SPDX-License-Identifier: Apache-2.0
//
// Fourier and cosine transforms. A transform needs memory for intermediate results: a setup has
// enough for one call at a time. Several threads may use one setup at once, but only one of them
// gets that memory, and the others allocate. Render threads therefore have a setup each.
//
// A real transform of N numbers has them in a split complex vector of N / 2: the even ones in
// realp, the odd ones in imagp. Its spectrum has the same size: realp[0] is that of zero, imagp[0]
// that of the Nyquist frequency, and both are real. A forward real transform gives twice the sums.

#ifndef VECLIB_VDSP_TRANSFORMS_H
#define VECLIB_VDSP_TRANSFORMS_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: Powers of two

/// The factors of all transforms up to a length.
typedef struct OpaqueFFTSetup *FFTSetup;
/// The same for doubles.
typedef struct OpaqueFFTSetupD *FFTSetupD;

/// kFFTDirection_Forward or kFFTDirection_Inverse.
typedef int FFTDirection;
/// kFFTRadix2, kFFTRadix3 or kFFTRadix5.
typedef int FFTRadix;

/// Forward: the sum of x[n] e^(-2πikn/N). Inverse: that of x[k] e^(2πikn/N), not divided by N.
enum {
  kFFTDirection_Forward = +1,           ///< From time to frequency.
  kFFTDirection_Inverse = -1,           ///< From frequency to time.
  FFT_FORWARD = kFFTDirection_Forward,  ///< Another name of kFFTDirection_Forward.
  FFT_INVERSE = kFFTDirection_Inverse   ///< Another name of kFFTDirection_Inverse.
};

/// The radix of `vDSP_create_fftsetup`. Each setup transforms powers of two. Multiples of three and
/// five have the functions of `vDSP_DFT_Setup`.
enum {
  kFFTRadix2 = 0,           ///< Powers of two.
  kFFTRadix3 = 1,           ///< Powers of two, as well.
  kFFTRadix5 = 2,           ///< Powers of two, as well.
  FFT_RADIX2 = kFFTRadix2,  ///< Another name of kFFTRadix2.
  FFT_RADIX3 = kFFTRadix3,  ///< Another name of kFFTRadix3.
  FFT_RADIX5 = kFFTRadix5   ///< Another name of kFFTRadix5.
};

/// Creates a setup for powers of two up to 2^Log2n, at most 2^24, with any of the three radices;
/// null if an argument is not possible or the memory is missing. [control thread]
FFTSetup _Nullable vDSP_create_fftsetup(vDSP_Length __Log2n, FFTRadix __Radix);
FFTSetupD _Nullable vDSP_create_fftsetupD(vDSP_Length __Log2n, FFTRadix __Radix);

/// Frees a setup, unless it is null. [control thread]
void vDSP_destroy_fftsetup(FFTSetup _Nullable __Setup);
void vDSP_destroy_fftsetupD(FFTSetupD _Nullable __Setup);

/// Transforms 2^Log2N complex numbers in place. A setup for fewer numbers, or an unknown direction,
/// ends the program. [any thread]
VDSP_FUNCTION void vDSP_fft_zip(FFTSetup __Setup, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                vDSP_Length __Log2N, FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zipD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__C,
                                 vDSP_Stride __IC, vDSP_Length __Log2N, FFTDirection __Direction);

/// Transforms 2^Log2N complex numbers from A to C. [any thread]
VDSP_FUNCTION void vDSP_fft_zop(FFTSetup __Setup, const DSPSplitComplex *__A, vDSP_Stride __IA,
                                const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __Log2N,
                                FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zopD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__A,
                                 vDSP_Stride __IA, const DSPDoubleSplitComplex *__C,
                                 vDSP_Stride __IC, vDSP_Length __Log2N, FFTDirection __Direction);

/// Transforms 2^Log2N real numbers in place. [any thread]
VDSP_FUNCTION void vDSP_fft_zrip(FFTSetup __Setup, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                 vDSP_Length __Log2N, FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zripD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__C,
                                  vDSP_Stride __IC, vDSP_Length __Log2N, FFTDirection __Direction);

/// Transforms 2^Log2N real numbers from A to C. [any thread]
VDSP_FUNCTION void vDSP_fft_zrop(FFTSetup __Setup, const DSPSplitComplex *__A, vDSP_Stride __IA,
                                 const DSPSplitComplex *__C, vDSP_Stride __IC, vDSP_Length __Log2N,
                                 FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zropD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__A,
                                  vDSP_Stride __IA, const DSPDoubleSplitComplex *__C,
                                  vDSP_Stride __IC, vDSP_Length __Log2N, FFTDirection __Direction);

/// `vDSP_fft_zip`. Setups have memory of their own, so that Buffer has no effect. [any thread]
VDSP_FUNCTION void vDSP_fft_zipt(FFTSetup __Setup, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                 const DSPSplitComplex *__Buffer, vDSP_Length __Log2N,
                                 FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_ziptD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__C,
                                  vDSP_Stride __IC, const DSPDoubleSplitComplex *__Buffer,
                                  vDSP_Length __Log2N, FFTDirection __Direction);

/// `vDSP_fft_zop`. Setups have memory of their own, so that Buffer has no effect. [any thread]
VDSP_FUNCTION void vDSP_fft_zopt(FFTSetup __Setup, const DSPSplitComplex *__A, vDSP_Stride __IA,
                                 const DSPSplitComplex *__C, vDSP_Stride __IC,
                                 const DSPSplitComplex *__Buffer, vDSP_Length __Log2N,
                                 FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zoptD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__A,
                                  vDSP_Stride __IA, const DSPDoubleSplitComplex *__C,
                                  vDSP_Stride __IC, const DSPDoubleSplitComplex *__Buffer,
                                  vDSP_Length __Log2N, FFTDirection __Direction);

/// `vDSP_fft_zrip`. Setups have memory of their own, so that Buffer has no effect. [any thread]
VDSP_FUNCTION void vDSP_fft_zript(FFTSetup __Setup, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                  const DSPSplitComplex *__Buffer, vDSP_Length __Log2N,
                                  FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zriptD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__C,
                                   vDSP_Stride __IC, const DSPDoubleSplitComplex *__Buffer,
                                   vDSP_Length __Log2N, FFTDirection __Direction);

/// `vDSP_fft_zrop`. Setups have memory of their own, so that Buffer has no effect. [any thread]
VDSP_FUNCTION void vDSP_fft_zropt(FFTSetup __Setup, const DSPSplitComplex *__A, vDSP_Stride __IA,
                                  const DSPSplitComplex *__C, vDSP_Stride __IC,
                                  const DSPSplitComplex *__Buffer, vDSP_Length __Log2N,
                                  FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fft_zroptD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__A,
                                   vDSP_Stride __IA, const DSPDoubleSplitComplex *__C,
                                   vDSP_Stride __IC, const DSPDoubleSplitComplex *__Buffer,
                                   vDSP_Length __Log2N, FFTDirection __Direction);

/// `vDSP_fft_zip` of M vectors, each IM elements after the one before. [any thread]
VDSP_FUNCTION void vDSP_fftm_zip(FFTSetup __Setup, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                 vDSP_Stride __IM, vDSP_Length __Log2N, vDSP_Length __M,
                                 FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fftm_zipD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__C,
                                  vDSP_Stride __IC, vDSP_Stride __IM, vDSP_Length __Log2N,
                                  vDSP_Length __M, FFTDirection __Direction);

/// `vDSP_fft_zop` of M vectors, IMA and IMC elements apart. [any thread]
VDSP_FUNCTION void vDSP_fftm_zop(FFTSetup __Setup, const DSPSplitComplex *__A, vDSP_Stride __IA,
                                 vDSP_Stride __IMA, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                 vDSP_Stride __IMC, vDSP_Length __Log2N, vDSP_Length __M,
                                 FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fftm_zopD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__A,
                                  vDSP_Stride __IA, vDSP_Stride __IMA,
                                  const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                  vDSP_Stride __IMC, vDSP_Length __Log2N, vDSP_Length __M,
                                  FFTDirection __Direction);

/// `vDSP_fft_zrip` of M vectors, each IM elements after the one before. [any thread]
VDSP_FUNCTION void vDSP_fftm_zrip(FFTSetup __Setup, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                  vDSP_Stride __IM, vDSP_Length __Log2N, vDSP_Length __M,
                                  FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fftm_zripD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__C,
                                   vDSP_Stride __IC, vDSP_Stride __IM, vDSP_Length __Log2N,
                                   vDSP_Length __M, FFTDirection __Direction);

/// `vDSP_fft_zrop` of M vectors, IMA and IMC elements apart. [any thread]
VDSP_FUNCTION void vDSP_fftm_zrop(FFTSetup __Setup, const DSPSplitComplex *__A, vDSP_Stride __IA,
                                  vDSP_Stride __IMA, const DSPSplitComplex *__C, vDSP_Stride __IC,
                                  vDSP_Stride __IMC, vDSP_Length __Log2N, vDSP_Length __M,
                                  FFTDirection __Direction);
VDSP_FUNCTION void vDSP_fftm_zropD(FFTSetupD __Setup, const DSPDoubleSplitComplex *__A,
                                   vDSP_Stride __IA, vDSP_Stride __IMA,
                                   const DSPDoubleSplitComplex *__C, vDSP_Stride __IC,
                                   vDSP_Stride __IMC, vDSP_Length __Log2N, vDSP_Length __M,
                                   FFTDirection __Direction);

// MARK: Lengths with the factors three and five

/// The factors of a transform of one length.
typedef struct vDSP_DFT_SetupStruct *vDSP_DFT_Setup;
/// The same for doubles.
typedef struct vDSP_DFT_SetupStructD *vDSP_DFT_SetupD;

/// The direction of a transform of `vDSP_DFT_Setup`.
typedef VDSP_ENUM(vDSP_DFT_Direction){
    /// From time to frequency.
    vDSP_DFT_FORWARD = +1,
    /// From frequency to time.
    vDSP_DFT_INVERSE = -1,
} vDSP_DFT_Direction;

/// The kind of a cosine transform.
typedef VDSP_ENUM(vDSP_DCT_Type){
    /// The usual one, whose inverse is the third.
    vDSP_DCT_II = 2,
    /// The inverse of the second.
    vDSP_DCT_III = 3,
    /// Its own inverse, but for a factor.
    vDSP_DCT_IV = 4,
} vDSP_DCT_Type;

/// Creates a setup for Length complex numbers: 1, 3, 5 or 15 times a power of two that is at least
/// 8. Null if the length is another, or the memory is missing. Setups share nothing, so that
/// Previous, a setup or null, has no effect. [control thread]
vDSP_DFT_Setup _Nullable vDSP_DFT_zop_CreateSetup(vDSP_DFT_Setup _Nullable __Previous,
                                                  vDSP_Length __Length,
                                                  vDSP_DFT_Direction __Direction);
vDSP_DFT_SetupD _Nullable vDSP_DFT_zop_CreateSetupD(vDSP_DFT_SetupD _Nullable __Previous,
                                                    vDSP_Length __Length,
                                                    vDSP_DFT_Direction __Direction);

/// As `vDSP_DFT_zop_CreateSetup`, for real numbers in the form of `vDSP_fft_zrop`; the power of two
/// is at least 16. [control thread]
vDSP_DFT_Setup _Nullable vDSP_DFT_zrop_CreateSetup(vDSP_DFT_Setup _Nullable __Previous,
                                                   vDSP_Length __Length,
                                                   vDSP_DFT_Direction __Direction);
vDSP_DFT_SetupD _Nullable vDSP_DFT_zrop_CreateSetupD(vDSP_DFT_SetupD _Nullable __Previous,
                                                     vDSP_Length __Length,
                                                     vDSP_DFT_Direction __Direction);

/// Frees a setup, unless it is null. [control thread]
void vDSP_DFT_DestroySetup(vDSP_DFT_Setup _Nullable __Setup);
void vDSP_DFT_DestroySetupD(vDSP_DFT_SetupD _Nullable __Setup);

/// Transforms the numbers of Ir and Ii to Or and Oi, which may be the same memory. [any thread]
VDSP_FUNCTION void vDSP_DFT_Execute(const struct vDSP_DFT_SetupStruct *__Setup, const float *__Ir,
                                    const float *__Ii, float *__Or, float *__Oi);
VDSP_FUNCTION void vDSP_DFT_ExecuteD(const struct vDSP_DFT_SetupStructD *__Setup,
                                     const double *__Ir, const double *__Ii, double *__Or,
                                     double *__Oi);

/// The factors of a transform of complex numbers in one array.
typedef struct vDSP_DFT_Interleaved_SetupStruct *vDSP_DFT_Interleaved_Setup;
/// The same for doubles.
typedef struct vDSP_DFT_Interleaved_SetupStructD *vDSP_DFT_Interleaved_SetupD;

/// What a setup of `vDSP_DFT_Interleaved_CreateSetup` transforms.
typedef VDSP_ENUM(vDSP_DFT_RealtoComplex){
    /// Complex numbers.
    vDSP_DFT_Interleaved_ComplextoComplex = 0,
    /// Pairs of successive real numbers, to a spectrum in the packing of `vDSP_fft_zrop`, or back.
    vDSP_DFT_Interleaved_RealtoComplex = 1,
} vDSP_DFT_RealtoComplex;

/// Creates a setup for a transform of complex numbers in one array. [control thread]
///
/// - Parameters:
///   - __Previous: a setup or null; it has no effect.
///   - __Length: how many complex numbers, or pairs of real ones: 2, 3, 5, 9, 15 or 25 times a power of two
///     that is at least 4.
///   - __Direction: `vDSP_DFT_FORWARD` or `vDSP_DFT_INVERSE`.
///   - __RealtoComplex: whether the numbers are complex, or pairs of real ones.
/// - Returns: the setup; null if the length is another, or the memory is missing.
vDSP_DFT_Interleaved_Setup _Nullable vDSP_DFT_Interleaved_CreateSetup(
    vDSP_DFT_Interleaved_Setup _Nullable __Previous, vDSP_Length __Length,
    vDSP_DFT_Direction __Direction, vDSP_DFT_RealtoComplex __RealtoComplex);

/// Creates a setup for a transform of complex numbers in one array, of doubles. [control thread]
///
/// - Parameters:
///   - __Previous: a setup or null; it has no effect.
///   - __Length: how many complex numbers, or pairs of real ones: 2, 3, 5, 9, 15 or 25 times a power of two
///     that is at least 4.
///   - __Direction: `vDSP_DFT_FORWARD` or `vDSP_DFT_INVERSE`.
///   - __RealtoComplex: whether the numbers are complex, or pairs of real ones.
/// - Returns: the setup; null if the length is another, or the memory is missing.
vDSP_DFT_Interleaved_SetupD _Nullable vDSP_DFT_Interleaved_CreateSetupD(
    vDSP_DFT_Interleaved_SetupD _Nullable __Previous, vDSP_Length __Length,
    vDSP_DFT_Direction __Direction, vDSP_DFT_RealtoComplex __RealtoComplex);

/// Frees a setup. [control thread]
///
/// - Parameter __Setup: the setup; null has no effect.
void vDSP_DFT_Interleaved_DestroySetup(vDSP_DFT_Interleaved_Setup _Nullable __Setup);

/// Frees a setup, of doubles. [control thread]
///
/// - Parameter __Setup: the setup; null has no effect.
void vDSP_DFT_Interleaved_DestroySetupD(vDSP_DFT_Interleaved_SetupD _Nullable __Setup);

/// Transforms complex numbers in one array, without scaling; from real numbers it gives twice the sums.
/// [any thread]
///
/// - Parameters:
///   - __Setup: the setup.
///   - __Iri: the numbers, as many as the setup says.
///   - __Ori: where the result goes; it may be the same memory.
VDSP_FUNCTION void vDSP_DFT_Interleaved_Execute(
    const struct vDSP_DFT_Interleaved_SetupStruct *__Setup, const DSPComplex *__Iri,
    DSPComplex *__Ori);

/// Transforms complex numbers in one array, of doubles, without scaling; from real numbers it gives twice the sums.
/// [any thread]
///
/// - Parameters:
///   - __Setup: the setup.
///   - __Iri: the numbers, as many as the setup says.
///   - __Ori: where the result goes; it may be the same memory.
VDSP_FUNCTION void vDSP_DFT_Interleaved_ExecuteD(
    const struct vDSP_DFT_Interleaved_SetupStructD *__Setup, const DSPDoubleComplex *__Iri,
    DSPDoubleComplex *__Ori);

/// Creates a setup for a cosine transform of Length real numbers: 1, 3, 5 or 15 times a power of
/// two that is at least 16. It is freed by `vDSP_DFT_DestroySetup`. [control thread]
vDSP_DFT_Setup _Nullable vDSP_DCT_CreateSetup(vDSP_DFT_Setup _Nullable __Previous,
                                              vDSP_Length __Length, vDSP_DCT_Type __Type);

/// Cosine transform, not scaled. [any thread]
///
/// Type II: the sum of x[n] cos(πk(n + 1/2)/N). Type III: x[0]/2 + the sum from n = 1 of x[n]
/// cos(πn(k + 1/2)/N). Type IV: the sum of x[n] cos(π(n + 1/2)(k + 1/2)/N). After Makhoul, "A fast
/// cosine transform in one and two dimensions" (1980). Input and output may be the same memory.
VDSP_FUNCTION void vDSP_DCT_Execute(const struct vDSP_DFT_SetupStruct *__Setup,
                                    const float *__Input, float *__Output);

VDSP_END

#endif
