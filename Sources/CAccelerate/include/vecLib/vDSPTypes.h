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
/// What every function here is declared with.
#define VDSP_FUNCTION __attribute__((swift_attr("@_noLocks")))
// Nullability is an extension, of which strict standards warn.
/// Begins a part in which pointers are not null.
#define VDSP_NONNULL_BEGIN                                          \
  _Pragma("clang diagnostic push")                                  \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"")   \
  _Pragma("clang assume_nonnull begin")
/// Ends a part in which pointers are not null.
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
/// An enumeration that Swift imports as a type.
#define VDSP_ENUM(name) enum name
#endif

#ifdef __cplusplus
#define VDSP_BEGIN extern "C" { VDSP_NONNULL_BEGIN
#define VDSP_END VDSP_NONNULL_END }
#else
/// Before the declarations of a header.
#define VDSP_BEGIN VDSP_NONNULL_BEGIN
/// After the declarations of a header.
#define VDSP_END VDSP_NONNULL_END
#endif

VDSP_BEGIN

/// A number of elements.
typedef unsigned long vDSP_Length;
/// The distance of successive elements, in elements; may be zero or negative.
typedef long vDSP_Stride;

/// A complex number.
typedef struct DSPComplex {
  float real;  ///< The real part.
  float imag;  ///< The imaginary part.
} DSPComplex;

/// A complex number in double precision.
typedef struct DSPDoubleComplex {
  /// The real part.
  double real;
  /// The imaginary part.
  double imag;
} DSPDoubleComplex;

/// Complex numbers whose real and imaginary parts are in two arrays.
typedef struct DSPSplitComplex {
  float *realp;  ///< The real parts.
  float *imagp;  ///< The imaginary parts.
} DSPSplitComplex;

/// The same in double precision.
typedef struct DSPDoubleSplitComplex {
  /// The real parts.
  double *realp;
  /// The imaginary parts.
  double *imagp;
} DSPDoubleSplitComplex;

/// An integer of 24 bits in the order of bytes of the machine.
typedef struct vDSP_int24 {
  uint8_t bytes[3];  ///< The number in two's complement.
} vDSP_int24;

/// An unsigned integer of 24 bits in the order of bytes of the machine.
typedef struct vDSP_uint24 {
  /// The number.
  uint8_t bytes[3];
} vDSP_uint24;

/// Options of the window functions.
enum {
  vDSP_HANN_DENORM = 0,  ///< A Hann window whose peak is 1.
  vDSP_HALF_WINDOW = 1,  ///< Only the first (N + 1) / 2 values.
  vDSP_HANN_NORM = 2     ///< A Hann window that keeps the power of white noise.
};

VDSP_END

#endif
