// SPDX-License-Identifier: Apache-2.0
#include "LibAV.h"
#include "LibAVLibrary.h"
#include "Rounding.h"

#if HAS_LIBAV

/// The samples that are turned to bytes at once.
enum { samplesAtOnce = 1024 };

LibAVDigest *libav_digest(void) {
  char reason[256];
  if (!libav_open(reason, sizeof reason)) return NULL;
  struct AVMD5 *digest = libavutil.av_md5_alloc();
  if (digest) libavutil.av_md5_init(digest);
  return (LibAVDigest *)digest;
}

void libav_digest_add(LibAVDigest *digest, const int32_t *samples, size_t count, int bits) {
  uint8_t bytes[4 * samplesAtOnce];
  const int width = (bits + 7) / 8;
  while (count > 0) {
    const size_t part = count < samplesAtOnce ? count : samplesAtOnce;
    uint8_t *next = bytes;
    for (size_t i = 0; i < part; i++) {
      const int32_t sample = rounded(samples[i], bits) >> (32 - bits);
      for (int byte = 0; byte < width; byte++) *next++ = (uint8_t)(sample >> (8 * byte));
    }
    libavutil.av_md5_update((struct AVMD5 *)digest, bytes, (size_t)(next - bytes));
    samples += part;
    count -= part;
  }
}

void libav_digest_finish(LibAVDigest *digest, uint8_t *bytes) {
  libavutil.av_md5_final((struct AVMD5 *)digest, bytes);
}

void libav_digest_free(LibAVDigest *digest) {
  if (digest) libavutil.av_free(digest);
}

#else

LibAVDigest *libav_digest(void) { return NULL; }
void libav_digest_add(LibAVDigest *digest, const int32_t *samples, size_t count, int bits) {
  (void)digest, (void)samples, (void)count, (void)bits;
}
void libav_digest_finish(LibAVDigest *digest, uint8_t *bytes) { (void)digest, (void)bytes; }
void libav_digest_free(LibAVDigest *digest) { (void)digest; }

#endif
