// SPDX-License-Identifier: Apache-2.0

#ifndef VECLIB_VDSP_TYPES_H
#define VECLIB_VDSP_TYPES_H

// As all installed headers, so that strict standards do not hide names. A Swift build has no such
// file.
#if defined(__has_include)
#if __has_include(<CoreFoundation/CFSystemNames.h>)
#include <CoreFoundation/CFSystemNames.h>
#endif
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __clang__
// Also tells Swift's checker that the functions neither lock nor allocate.
#define VDSP_FUNCTION __attribute__((swift_attr("@_noLocks")))
// Nullability is an extension, of which strict standards warn.
#define VDSP_NONNULL_BEGIN                                          \
  _Pragma("clang diagnostic push")                                  \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")   \
  _Pragma("clang assume_nonnull begin")
#define VDSP_NONNULL_END _Pragma("clang assume_nonnull end") _Pragma("clang diagnostic pop")
#else
#define VDSP_FUNCTION
#define VDSP_NONNULL_BEGIN
#define VDSP_NONNULL_END
#ifndef _Nullable
#define _Nullable
#define _Nonnull
#endif
#endif

#ifdef __swift__
#define VDSP_ENUM(name) enum __attribute__((enum_extensibility(open))) name : int
#else
#define VDSP_ENUM(name) enum name
#endif

#ifdef __cplusplus
#define VDSP_BEGIN extern "C" { VDSP_NONNULL_BEGIN
#define VDSP_END VDSP_NONNULL_END }
#else
#define VDSP_BEGIN VDSP_NONNULL_BEGIN
#define VDSP_END VDSP_NONNULL_END
#endif

VDSP_BEGIN

/// A number of elements.
typedef unsigned long vDSP_Length;
/// The distance of successive elements, in elements; may be zero or negative.
typedef long vDSP_Stride;

/// A complex number.
typedef struct DSPComplex {
  float real;
  float imag;
} DSPComplex;

typedef struct DSPDoubleComplex {
  double real;
  double imag;
} DSPDoubleComplex;

/// Complex numbers whose real and imaginary parts are in two arrays.
typedef struct DSPSplitComplex {
  float *realp;
  float *imagp;
} DSPSplitComplex;

typedef struct DSPDoubleSplitComplex {
  double *realp;
  double *imagp;
} DSPDoubleSplitComplex;

/// An integer of 24 bits in the order of bytes of the machine.
typedef struct vDSP_int24 {
  uint8_t bytes[3];
} vDSP_int24;

typedef struct vDSP_uint24 {
  uint8_t bytes[3];
} vDSP_uint24;

/// Shapes of the window functions; the first two are for the Hann window.
enum { vDSP_HANN_DENORM = 0, vDSP_HALF_WINDOW = 1, vDSP_HANN_NORM = 2 };

VDSP_END

#endif
