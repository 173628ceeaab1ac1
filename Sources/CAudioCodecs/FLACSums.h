// SPDX-License-Identifier: Apache-2.0
// The check sums of FLAC (RFC 9639, section 9).
#pragma once
#include <stdint.h>

/// Check sums of each byte, followed by 0 to 15 zeros: CRC-16 with the polynomial
/// x^16 + x^15 + x^2 + 1.
typedef struct {
  uint16_t of[16][256];
} FLACSums;

static inline void flac_make_sums(FLACSums *sums) {
  for (unsigned byte = 0; byte < 256; byte++) {
    unsigned sum = byte << 8;
    for (int bit = 0; bit < 8; bit++) sum = sum & 0x8000 ? (sum << 1 ^ 0x8005) & 0xffff : sum << 1;
    sums->of[0][byte] = (uint16_t)sum;
  }
  for (int zeros = 1; zeros < 16; zeros++)
    for (unsigned byte = 0; byte < 256; byte++) {
      const unsigned sum = sums->of[zeros - 1][byte];
      sums->of[zeros][byte] = (uint16_t)(sum << 8 ^ sums->of[0][sum >> 8]);
    }
}

/// The check sum of bytes; 0 over a frame with its check sum.
static inline unsigned flac_sum(const FLACSums *sums, const uint8_t *p, long size) {
  unsigned sum = 0;
  for (; size >= 16; size -= 16, p += 16) {
    unsigned rest = 0;
#pragma clang loop unroll(full)
    for (int i = 2; i < 16; i++) rest ^= sums->of[15 - i][p[i]];
    sum = sums->of[15][p[0] ^ sum >> 8] ^ sums->of[14][p[1] ^ (sum & 255)] ^ rest;
  }
  for (; size > 0; size--, p++) sum = (sum << 8 ^ sums->of[0][(sum >> 8 ^ *p) & 255]) & 0xffff;
  return sum;
}

/// The check sum of a header: CRC-8 with the polynomial x^8 + x^2 + x + 1.
static inline unsigned flac_header_sum(const uint8_t *p, long size) {
  unsigned sum = 0;
  for (long i = 0; i < size; i++) {
    sum ^= p[i];
    for (int bit = 0; bit < 8; bit++) sum = sum & 0x80 ? (sum << 1 ^ 7) & 0xff : sum << 1;
  }
  return sum;
}
