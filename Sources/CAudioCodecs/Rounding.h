// SPDX-License-Identifier: Apache-2.0
// How samples of 32 bits lose bits before they are encoded.
#pragma once
#include <stdint.h>

/// Rounds to the nearest number of `bits` bits, in the upper bits of 32. The caller cuts off the
/// lower bits.
static inline int32_t rounded(int32_t sample, int bits) {
  if (bits <= 0 || bits >= 32) return sample;
  const int32_t half = 1 << (31 - bits);
  return sample > INT32_MAX - half ? INT32_MAX : sample + half;
}
