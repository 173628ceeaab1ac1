// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_AVAILABILITY_H
#define CORE_FOUNDATION_AVAILABILITY_H

// Macros with which the headers declare functions, constants and types, for every compiler.

// The second is for programs that rely on it.
#include "../Availability.h"
#include "../AvailabilityMacros.h"
#include "../TargetConditionals.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#ifndef __has_extension
#define __has_extension(x) 0
#endif

#if __has_feature(nullability)
/// Begins a part in which pointers are not null.
#define CF_ASSUME_NONNULL_BEGIN \
  _Pragma("clang diagnostic push") \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"") \
  _Pragma("clang assume_nonnull begin")
/// Ends a part in which pointers are not null.
#define CF_ASSUME_NONNULL_END \
  _Pragma("clang assume_nonnull end") \
  _Pragma("clang diagnostic pop")
#else
#define CF_ASSUME_NONNULL_BEGIN
#define CF_ASSUME_NONNULL_END
#define _Nullable
#define _Nonnull
#define _Null_unspecified
#endif

#ifdef __cplusplus
#define CF_EXTERN_C_BEGIN extern "C" {
#define CF_EXTERN_C_END }
#else
/// Before declarations of C in a header for C++ too.
#define CF_EXTERN_C_BEGIN
/// After declarations of C in a header for C++ too.
#define CF_EXTERN_C_END
#endif

/// Declares what another library defines.
#define CF_EXPORT extern
/// Defines a function in a header.
#define CF_INLINE static __inline__
/// The caller releases the result.
#define CF_RETURNS_RETAINED
/// The caller does not release the result.
#define CF_RETURNS_NOT_RETAINED
/// Functions follow the naming rules for ownership from here on.
#define CF_IMPLICIT_BRIDGING_ENABLED
/// The naming rules for ownership end here.
#define CF_IMPLICIT_BRIDGING_DISABLED

// CF_ENUM(type) { ... } declares constants; typedef CF_ENUM(type, name) { ... } a type with them,
// and CF_OPTIONS a type whose constants are bits. A type has the size of `type` in every language.
#if defined(__cplusplus)
#define CF_ENUM_NAMED(_type, _name) \
  int CF_ENUM_##_name##_is_declared; \
  enum _name : _type; \
  typedef enum _name _name; \
  enum _name : _type
#define CF_ENUM_UNNAMED(_type) enum : _type
#define CF_OPTIONS(_type, _name) \
  _type _name; \
  enum : _type
#else
/// An enumeration with a name, for CF_ENUM.
#define CF_ENUM_NAMED(_type, _name) \
  _type _name; \
  __extension__ enum
/// An enumeration without a name, for CF_ENUM.
#define CF_ENUM_UNNAMED(_type) __extension__ enum
/// Begins a type whose constants are bits.
#define CF_OPTIONS(_type, _name) CF_ENUM_NAMED(_type, _name)
#endif
/// Chooses between the forms of CF_ENUM.
#define CF_ENUM_CHOOSE(_1, _2, _macro, ...) _macro
/// Begins an enumeration of a type, with a name or without.
#define CF_ENUM(...) CF_ENUM_CHOOSE(__VA_ARGS__, CF_ENUM_NAMED, CF_ENUM_UNNAMED, )(__VA_ARGS__)

// Everything that is declared is available.
/// Nothing: versions of Apple's systems do not matter here.
#define CF_AVAILABLE(_mac, _ios)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_AVAILABLE_MAC(_mac)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_AVAILABLE_IOS(_ios)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_DEPRECATED(...)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_DEPRECATED_MAC(...)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_DEPRECATED_IOS(...)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_ENUM_AVAILABLE(_mac, _ios)
/// Nothing: versions of Apple's systems do not matter here.
#define CF_ENUM_DEPRECATED(...)
/// The name of a declaration in Swift.
#define CF_SWIFT_NAME(_name)
/// Hides a declaration from Swift, which has a better one.
#define CF_REFINED_FOR_SWIFT
/// The function does not keep its argument.
#define CF_NOESCAPE
/// The function releases its argument.
#define CF_RELEASES_ARGUMENT
/// The function takes its argument over.
#define CF_CONSUMED
/// Lets the compiler check a format and its values.
#define CF_FORMAT_FUNCTION(_format, _arguments)

#endif
