// SPDX-License-Identifier: Apache-2.0

#ifndef HEADER_TESTS_CHECK_H
#define HEADER_TESTS_CHECK_H

#ifdef __cplusplus
#define CHECK(condition) static_assert(condition, #condition)
#else
#define CHECK(condition) _Static_assert(condition, #condition)
#endif

/// A constant equals a number; the two may differ in their types.
#define CHECK_VALUE(name, value) CHECK((long long)(name) == (long long)(value))

/// A constant is a four-character code.
#define CHECK_CODE(name, a, b, c, d) \
  CHECK_VALUE(name, (UInt32)(a) << 24 | (UInt32)(b) << 16 | (UInt32)(c) << 8 | (UInt32)(d))

#endif
