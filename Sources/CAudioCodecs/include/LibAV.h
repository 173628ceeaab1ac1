// SPDX-License-Identifier: Apache-2.0
//
// Decodes and encodes packets of compressed sound with libavcodec, which is opened at run time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The type of the PCM samples: interleaved, four bytes each.
typedef enum LibAVSample {
  LIBAV_FLOAT,
  /// Signed, in the upper bits: for lossless formats, whose samples stay exact.
  LIBAV_INT32
} LibAVSample;

/// The parameters of a stream for its decoder or encoder.
typedef struct LibAVStream {
  /// The library's name of the decoder or encoder.
  const char *codec;
  int rate;
  int channels;
  /// Bits of a sample in lossless formats; else 0.
  int bits;
  /// Bits per second, for encoders; 0 for the default.
  long bitRate;
  /// How much work an encoder does, 0 to 127.
  int quality;
  /// The bit rate mode of an encoder, from 0 (constant) to 3 (variable); -1 for the default.
  int rateMode;
  /// The quality in mode 3, 0 to 127.
  int variableQuality;
  /// Whether an encoder uses its shortest delay.
  bool isShortDelay;
  /// Bytes of each packet, when all have one size; else 0.
  int blockBytes;
  LibAVSample sample;
  /// The setup data of a decoder, in the library's own form.
  const uint8_t *setup;
  size_t setupSize;
} LibAVStream;

typedef struct LibAVDecoder LibAVDecoder;
typedef struct LibAVEncoder LibAVEncoder;

/// Opens the library. Writes the reason when it returns false. [control thread]
bool libav_open(char *reason, size_t reasonSize);

/// Whether the library has a decoder or an encoder of a name. [control thread]
bool libav_has(const char *codec, bool isEncoder);

/// Creates a decoder. Writes the reason when it returns null. [control thread]
LibAVDecoder *libav_decoder(const LibAVStream *stream, char *reason, size_t reasonSize);

/// Decodes a packet; null data ends the stream. [one thread at a time]
///
/// - Returns: The number of decoded frames, at `*samples`, valid until the next call; -1 after
///   an error, with its reason.
long libav_decode(LibAVDecoder *decoder, const uint8_t *data, size_t size, const void **samples,
                  char *reason, size_t reasonSize);

/// The sample rate of the last decoded frames; 0 before any. [one thread at a time]
int libav_decoded_rate(const LibAVDecoder *decoder);

/// The number of channels of the last decoded frames, of which the output may have more or fewer; 0
/// before any. [one thread at a time]
int libav_decoded_channels(const LibAVDecoder *decoder);

/// Clears the signal history. [one thread at a time]
void libav_decoder_reset(LibAVDecoder *decoder);

void libav_decoder_free(LibAVDecoder *decoder);

/// Creates an encoder. Writes the reason when it returns null. [control thread]
LibAVEncoder *libav_encoder(const LibAVStream *stream, char *reason, size_t reasonSize);

/// Frames that each call of `libav_encode` must have, except the last; 0 when any number is
/// allowed.
int libav_encoder_pass(const LibAVEncoder *encoder);

/// Frames of each packet except the last; 0 when packets differ.
int libav_encoder_frames(const LibAVEncoder *encoder);

/// Frames that a decoder outputs before the first input frame.
int libav_encoder_delay(const LibAVEncoder *encoder);

/// The setup data for a decoder, in the library's own form.
const uint8_t *libav_encoder_setup(const LibAVEncoder *encoder, size_t *size);

/// Encodes at most the frames of one packet; null ends the stream. Writes the reason when it
/// returns false. [one thread at a time]
bool libav_encode(LibAVEncoder *encoder, const void *samples, int frames, char *reason,
                  size_t reasonSize);

/// Gets the next packet that is ready, valid until the next call; false when there is none.
bool libav_packet(LibAVEncoder *encoder, const uint8_t **data, size_t *size, int *frames);

void libav_encoder_free(LibAVEncoder *encoder);
