// SPDX-License-Identifier: Apache-2.0

#ifndef HEADER_TESTS_CHECK_H
#define HEADER_TESTS_CHECK_H

#ifdef __cplusplus
#define CHECK(condition) static_assert(condition, #condition)
#else
#define CHECK(condition) _Static_assert(condition, #condition)
#endif

/// Checks that a constant equals a number; their types may differ.
#define CHECK_VALUE(name, value) CHECK((long long)(name) == (long long)(value))

/// Checks that a constant is a four-character code.
#define CHECK_CODE(name, a, b, c, d) \
  CHECK_VALUE(name, (UInt32)(a) << 24 | (UInt32)(b) << 16 | (UInt32)(c) << 8 | (UInt32)(d))

#endif
