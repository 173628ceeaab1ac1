// SPDX-License-Identifier: Apache-2.0
//
// Decodes frames of FLAC (RFC 9639).
#pragma once
#include <stdint.h>

/// What the header of a frame states.
typedef struct FLACFrameHeader {
  /// Frames of sound.
  int32_t frames;
  int32_t channels;
  /// Bits of a sample; 0 when only the STREAMINFO block has them.
  int32_t bits;
  /// Hz; 0 when only the STREAMINFO block has it.
  int32_t rate;
  /// How the channels are stored (RFC 9639, section 9.1.3).
  int32_t channelCode;
  /// Bytes of the header.
  int32_t size;
} FLACFrameHeader;

/// The memory of a decoder.
typedef struct FLACDecoder FLACDecoder;

/// Creates a decoder; NULL without memory. [control thread]
FLACDecoder *_Nullable flac_decoder(void);

/// Frees a decoder. [control thread]
void flac_decoder_free(FLACDecoder *_Nonnull decoder);

/// Reads the header with which a packet begins. Returns NULL, or why it is none. [any thread]
const char *_Nullable flac_read_header(const uint8_t *_Nonnull packet, long size,
                                       FLACFrameHeader *_Nonnull header);

/// Decodes the frame with which a packet begins, whose header has been read. Returns NULL, or what
/// is wrong. [control thread]
///
/// `header` must have the bits of a sample. `output` has room for all samples, which are interleaved
/// and occupy the upper bits. What follows the frame is ignored.
const char *_Nullable flac_decode(FLACDecoder *_Nonnull decoder, const uint8_t *_Nonnull packet,
                                  long size, const FLACFrameHeader *_Nonnull header,
                                  int32_t *_Nonnull output);
