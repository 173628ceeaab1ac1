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
#define CF_ASSUME_NONNULL_BEGIN \
  _Pragma("clang diagnostic push") \
  _Pragma("clang diagnostic ignored \"-Wnullability-extension\"") \
  _Pragma("clang assume_nonnull begin")
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
#define CF_EXTERN_C_BEGIN
#define CF_EXTERN_C_END
#endif

#define CF_EXPORT extern
#define CF_INLINE static __inline__
#define CF_RETURNS_RETAINED
#define CF_RETURNS_NOT_RETAINED
#define CF_IMPLICIT_BRIDGING_ENABLED
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
#define CF_ENUM_NAMED(_type, _name) \
  _type _name; \
  __extension__ enum
#define CF_ENUM_UNNAMED(_type) __extension__ enum
#define CF_OPTIONS(_type, _name) CF_ENUM_NAMED(_type, _name)
#endif
#define CF_ENUM_CHOOSE(_1, _2, _macro, ...) _macro
#define CF_ENUM(...) CF_ENUM_CHOOSE(__VA_ARGS__, CF_ENUM_NAMED, CF_ENUM_UNNAMED, )(__VA_ARGS__)

// Everything that is declared is available.
#define CF_AVAILABLE(_mac, _ios)
#define CF_AVAILABLE_MAC(_mac)
#define CF_AVAILABLE_IOS(_ios)
#define CF_DEPRECATED(...)
#define CF_DEPRECATED_MAC(...)
#define CF_DEPRECATED_IOS(...)
#define CF_ENUM_AVAILABLE(_mac, _ios)
#define CF_ENUM_DEPRECATED(...)
#define CF_SWIFT_NAME(_name)
#define CF_REFINED_FOR_SWIFT
#define CF_NOESCAPE
#define CF_RELEASES_ARGUMENT
#define CF_CONSUMED
#define CF_FORMAT_FUNCTION(_format, _arguments)

#endif
