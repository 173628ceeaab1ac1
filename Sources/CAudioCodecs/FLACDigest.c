// SPDX-License-Identifier: Apache-2.0
// The check sum of the samples of a stream, as the header of FLAC has it: MD5 (RFC 1321).

#include <string.h>

#include "FLACEncoder.h"
#include "Rounding.h"

// Bytes that are added at once.
enum { BLOCK = 64 };

// The samples that are turned to bytes at once.
enum { SAMPLES_AT_ONCE = 1024 };

// The upper 32 bits of the sines of 1 to 64.
static const uint32_t sines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

#define ROTATED(value, count) ((value) << (count) | (value) >> (32 - (count)))

// One step, of which each waits for the one before: in G the parts that do not wait come first.
#define STEP(mixed, word, index, count)             \
  do {                                              \
    const uint32_t sum = a + sines[index] + (word); \
    a = d, d = c, c = b;                            \
    b += ROTATED(sum + (mixed), count);             \
  } while (0)

static void add_block(FLACDigest *digest, const uint8_t *block) {
  static const int counts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  uint32_t words[16];
  for (int i = 0; i < 16; i++)
    words[i] = (uint32_t)block[4 * i] | (uint32_t)block[4 * i + 1] << 8 |
               (uint32_t)block[4 * i + 2] << 16 | (uint32_t)block[4 * i + 3] << 24;
  uint32_t a = digest->state[0], b = digest->state[1], c = digest->state[2], d = digest->state[3];
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) {
    const uint32_t mixed = d ^ (b & (c ^ d));
    STEP(mixed, words[i], i, counts[0][i & 3]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) {
    const uint32_t still = ~d & c, mixed = (d & b) + still;
    STEP(mixed, words[(5 * i + 1) & 15], 16 + i, counts[1][i & 3]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) {
    const uint32_t mixed = b ^ (c ^ d);
    STEP(mixed, words[(3 * i + 5) & 15], 32 + i, counts[2][i & 3]);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) {
    const uint32_t mixed = c ^ (b | ~d);
    STEP(mixed, words[(7 * i) & 15], 48 + i, counts[3][i & 3]);
  }
  digest->state[0] += a;
  digest->state[1] += b;
  digest->state[2] += c;
  digest->state[3] += d;
}

static void add(FLACDigest *digest, const uint8_t *bytes, size_t size) {
  size_t held = digest->count % BLOCK;
  digest->count += size;
  if (held > 0) {
    const size_t part = size < BLOCK - held ? size : BLOCK - held;
    memcpy(digest->rest + held, bytes, part);
    bytes += part;
    size -= part;
    if (held + part < BLOCK) return;
    add_block(digest, digest->rest);
  }
  for (; size >= BLOCK; bytes += BLOCK, size -= BLOCK) add_block(digest, bytes);
  memcpy(digest->rest, bytes, size);
}

FLACDigest flac_digest(void) {
  return (FLACDigest){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476}};
}

void flac_digest_add(FLACDigest *digest, const int32_t *samples, long count, int bits) {
  uint8_t bytes[4 * SAMPLES_AT_ONCE];
  const int width = (bits + 7) / 8;
  while (count > 0) {
    const long part = count < SAMPLES_AT_ONCE ? count : SAMPLES_AT_ONCE;
    if (width == 2) {
      for (long i = 0; i < part; i++) {
        const int32_t sample = rounded(samples[i], bits) >> (32 - bits);
        bytes[2 * i] = (uint8_t)sample;
        bytes[2 * i + 1] = (uint8_t)(sample >> 8);
      }
    } else {
      uint8_t *next = bytes;
      for (long i = 0; i < part; i++) {
        const int32_t sample = rounded(samples[i], bits) >> (32 - bits);
        for (int byte = 0; byte < width; byte++) *next++ = (uint8_t)(sample >> (8 * byte));
      }
    }
    add(digest, bytes, (size_t)(part * width));
    samples += part;
    count -= part;
  }
}

void flac_digest_finish(FLACDigest *digest, uint8_t *bytes) {
  const uint64_t bits = digest->count * 8;
  const uint8_t end[BLOCK] = {0x80};
  const size_t held = digest->count % BLOCK;
  add(digest, end, held < 56 ? 56 - held : 120 - held);
  uint8_t size[8];
  for (int i = 0; i < 8; i++) size[i] = (uint8_t)(bits >> (8 * i));
  add(digest, size, sizeof size);
  for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(digest->state[i / 4] >> (8 * (i % 4)));
}
