// SPDX-License-Identifier: Apache-2.0
//
// Conversions between integers and numbers. Each function has a form for float and one for
// double, whose name ends with D. Pointers are followed by strides in elements; N is the number
// of results. Numbers outside of the integer's range become its nearest end, and NaN becomes 0.

#ifndef VECLIB_VDSP_CONVERSION_H
#define VECLIB_VDSP_CONVERSION_H

#include "vDSPTypes.h"

VDSP_BEGIN

// MARK: Integers to numbers

/// C[n] = A[n], from char, which is signed here on every processor. [any thread]
VDSP_FUNCTION void vDSP_vflt8(const char *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vflt8D(const char *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                               vDSP_Length __N);

/// C[n] = A[n], from unsigned char. [any thread]
VDSP_FUNCTION void vDSP_vfltu8(const unsigned char *__A, vDSP_Stride __IA, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfltu8D(const unsigned char *__A, vDSP_Stride __IA, double *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n], from short. [any thread]
VDSP_FUNCTION void vDSP_vflt16(const short *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vflt16D(const short *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = A[n], from unsigned short. [any thread]
VDSP_FUNCTION void vDSP_vfltu16(const unsigned short *__A, vDSP_Stride __IA, float *__C,
                                vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfltu16D(const unsigned short *__A, vDSP_Stride __IA, double *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n], from int. [any thread]
VDSP_FUNCTION void vDSP_vflt32(const int *__A, vDSP_Stride __IA, float *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vflt32D(const int *__A, vDSP_Stride __IA, double *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] = A[n], from unsigned int. [any thread]
VDSP_FUNCTION void vDSP_vfltu32(const unsigned int *__A, vDSP_Stride __IA, float *__C,
                                vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfltu32D(const unsigned int *__A, vDSP_Stride __IA, double *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n], from 24 bits. [any thread]
VDSP_FUNCTION void vDSP_vflt24(const vDSP_int24 *__A, vDSP_Stride __IA, float *__C,
                               vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n], from 24 bits without sign. [any thread]
VDSP_FUNCTION void vDSP_vfltu24(const vDSP_uint24 *__A, vDSP_Stride __IA, float *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] * *B, from 24 bits. [any thread]
VDSP_FUNCTION void vDSP_vfltsm24(const vDSP_int24 *__A, vDSP_Stride __IA, const float *__B,
                                 float *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] = A[n] * *B, from 24 bits without sign. [any thread]
VDSP_FUNCTION void vDSP_vfltsmu24(const vDSP_uint24 *__A, vDSP_Stride __IA, const float *__B,
                                  float *__C, vDSP_Stride __IC, vDSP_Length __N);

// MARK: Numbers to integers, towards zero

/// C[n] is A[n] without its fraction, as a signed char. [any thread]
VDSP_FUNCTION void vDSP_vfix8(const float *__A, vDSP_Stride __IA, char *__C, vDSP_Stride __IC,
                              vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfix8D(const double *__A, vDSP_Stride __IA, char *__C, vDSP_Stride __IC,
                               vDSP_Length __N);

/// C[n] is A[n] without its fraction, as unsigned char. [any thread]
VDSP_FUNCTION void vDSP_vfixu8(const float *__A, vDSP_Stride __IA, unsigned char *__C,
                               vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixu8D(const double *__A, vDSP_Stride __IA, unsigned char *__C,
                                vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is A[n] without its fraction, as short. [any thread]
VDSP_FUNCTION void vDSP_vfix16(const float *__A, vDSP_Stride __IA, short *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfix16D(const double *__A, vDSP_Stride __IA, short *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] is A[n] without its fraction, as unsigned short. [any thread]
VDSP_FUNCTION void vDSP_vfixu16(const float *__A, vDSP_Stride __IA, unsigned short *__C,
                                vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixu16D(const double *__A, vDSP_Stride __IA, unsigned short *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is A[n] without its fraction, as int. [any thread]
VDSP_FUNCTION void vDSP_vfix32(const float *__A, vDSP_Stride __IA, int *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfix32D(const double *__A, vDSP_Stride __IA, int *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] is A[n] without its fraction, as unsigned int. [any thread]
VDSP_FUNCTION void vDSP_vfixu32(const float *__A, vDSP_Stride __IA, unsigned int *__C,
                                vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixu32D(const double *__A, vDSP_Stride __IA, unsigned int *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is A[n] * *B without its fraction, as 24 bits. [any thread]
VDSP_FUNCTION void vDSP_vsmfix24(const float *__A, vDSP_Stride __IA, const float *__B,
                                 vDSP_int24 *__C, vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is A[n] * *B without its fraction, as 24 bits without sign. [any thread]
VDSP_FUNCTION void vDSP_vsmfixu24(const float *__A, vDSP_Stride __IA, const float *__B,
                                  vDSP_uint24 *__C, vDSP_Stride __IC, vDSP_Length __N);

// MARK: Numbers to the nearest integers

/// C[n] is the integer nearest to A[n], the even one of two, as a signed char. [any thread]
VDSP_FUNCTION void vDSP_vfixr8(const float *__A, vDSP_Stride __IA, char *__C, vDSP_Stride __IC,
                               vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixr8D(const double *__A, vDSP_Stride __IA, char *__C, vDSP_Stride __IC,
                                vDSP_Length __N);

/// C[n] is the integer nearest to A[n], the even one of two, as unsigned char. [any thread]
VDSP_FUNCTION void vDSP_vfixru8(const float *__A, vDSP_Stride __IA, unsigned char *__C,
                                vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixru8D(const double *__A, vDSP_Stride __IA, unsigned char *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the integer nearest to A[n], the even one of two, as short. [any thread]
VDSP_FUNCTION void vDSP_vfixr16(const float *__A, vDSP_Stride __IA, short *__C, vDSP_Stride __IC,
                                vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixr16D(const double *__A, vDSP_Stride __IA, short *__C, vDSP_Stride __IC,
                                 vDSP_Length __N);

/// C[n] is the integer nearest to A[n], the even one of two, as unsigned short. [any thread]
VDSP_FUNCTION void vDSP_vfixru16(const float *__A, vDSP_Stride __IA, unsigned short *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixru16D(const double *__A, vDSP_Stride __IA, unsigned short *__C,
                                  vDSP_Stride __IC, vDSP_Length __N);

/// C[n] is the integer nearest to A[n], the even one of two, as int. [any thread]
VDSP_FUNCTION void vDSP_vfixr32(const float *__A, vDSP_Stride __IA, int *__C, vDSP_Stride __IC,
                                vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixr32D(const double *__A, vDSP_Stride __IA, int *__C, vDSP_Stride __IC,
                                 vDSP_Length __N);

/// C[n] is the integer nearest to A[n], the even one of two, as unsigned int. [any thread]
VDSP_FUNCTION void vDSP_vfixru32(const float *__A, vDSP_Stride __IA, unsigned int *__C,
                                 vDSP_Stride __IC, vDSP_Length __N);
VDSP_FUNCTION void vDSP_vfixru32D(const double *__A, vDSP_Stride __IA, unsigned int *__C,
                                  vDSP_Stride __IC, vDSP_Length __N);

VDSP_END

#endif
