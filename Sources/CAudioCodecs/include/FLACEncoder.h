// SPDX-License-Identifier: Apache-2.0
//
// Encodes frames of FLAC (RFC 9639).
#pragma once
#include <stdint.h>

/// What an encoder makes frames of.
typedef struct FLACEncoderSetup {
  /// Hz, at most 655,350.
  int32_t rate;
  /// At most 8.
  int32_t channels;
  /// Bits of a sample, 4 to 24.
  int32_t bits;
  /// Samples of a channel in a frame, at most 65,535; only the last frame may have fewer.
  int32_t frames;
  /// How much work it does, 0 to 127: from the fixed predictions to all predictions of up to 12
  /// samples for all ways to store two channels.
  int32_t quality;
} FLACEncoderSetup;

/// The memory of an encoder.
typedef struct FLACEncoder FLACEncoder;

/// Creates an encoder; NULL without memory. [control thread]
FLACEncoder *_Nullable flac_encoder(const FLACEncoderSetup *_Nonnull setup);

/// Frees an encoder. [control thread]
void flac_encoder_free(FLACEncoder *_Nonnull encoder);

/// Encodes interleaved samples, which are rounded to the upper bits, as the frame with a number.
/// Returns the bytes, which are valid until the next call. [control thread]
const uint8_t *_Nonnull flac_encode(FLACEncoder *_Nonnull encoder, const int32_t *_Nonnull samples,
                                    int32_t frames, uint32_t number, long *_Nonnull size);

/// The check sum of a stream's samples: MD5 (RFC 1321).
typedef struct FLACDigest {
  uint32_t state[4];
  uint64_t count;
  uint8_t rest[64];
} FLACDigest;

/// The check sum of no samples. [any thread]
FLACDigest flac_digest(void);

/// Adds samples, which are rounded to the upper bits. [any thread]
void flac_digest_add(FLACDigest *_Nonnull digest, const int32_t *_Nonnull samples, long count,
                     int bits);

/// Writes the 16 bytes of the check sum; nothing may be added afterwards. [any thread]
void flac_digest_finish(FLACDigest *_Nonnull digest, uint8_t *_Nonnull bytes);
