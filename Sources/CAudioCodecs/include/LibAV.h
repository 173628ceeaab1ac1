// SPDX-License-Identifier: Apache-2.0
//
// Packets of compressed sound, decoded and encoded by libavcodec, which is opened at run time.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// What is decoded into, and encoded from: interleaved samples of four bytes.
typedef enum LibAVSample {
  LIBAV_FLOAT,
  /// Signed, in the upper bits: what loses nothing stays as it is.
  LIBAV_INT32
} LibAVSample;

/// A stream, as its decoder or encoder has to know it.
typedef struct LibAVStream {
  /// The library's name of the decoder or encoder.
  const char *codec;
  int rate;
  int channels;
  /// Bits of a sample, where nothing is lost; else 0.
  int bits;
  /// Bits per second, for encoders; 0 leaves it to them.
  long bitRate;
  /// How much work an encoder does, 0 to 127.
  int quality;
  /// How an encoder spends bits, 0 constantly to 3 as they are needed; -1 leaves it to the encoder.
  int rateMode;
  /// How much is kept in mode 3, 0 to 127.
  int variableQuality;
  /// Whether an encoder is to have the smallest delay that it can have.
  bool isShortDelay;
  LibAVSample sample;
  /// What a decoder has to know besides, in the library's own form.
  const uint8_t *setup;
  size_t setupSize;
} LibAVStream;

typedef struct LibAVDecoder LibAVDecoder;
typedef struct LibAVEncoder LibAVEncoder;

/// Opens the library. False leaves the reason. [control thread]
bool libav_open(char *reason, size_t reasonSize);

/// Whether the library has a decoder or an encoder of a name. [control thread]
bool libav_has(const char *codec, bool isEncoder);

/// Makes a decoder; null leaves the reason. [control thread]
LibAVDecoder *libav_decoder(const LibAVStream *stream, char *reason, size_t reasonSize);

/// Decodes a packet; null data ends the stream. [one thread at a time]
///
/// - Returns: how many frames have come out, at `*samples` until the next call; -1 leaves the reason.
long libav_decode(LibAVDecoder *decoder, const uint8_t *data, size_t size, const void **samples,
                  char *reason, size_t reasonSize);

/// The rate of what came out last; 0 before. [one thread at a time]
int libav_decoded_rate(const LibAVDecoder *decoder);

/// Forgets the signal. [one thread at a time]
void libav_decoder_reset(LibAVDecoder *decoder);

void libav_decoder_free(LibAVDecoder *decoder);

/// Makes an encoder; null leaves the reason. [control thread]
LibAVEncoder *libav_encoder(const LibAVStream *stream, char *reason, size_t reasonSize);

/// Frames that are taken at once, all of them but at the end; 0 when any number is.
int libav_encoder_pass(const LibAVEncoder *encoder);

/// Frames of each packet but the last; 0 when they differ.
int libav_encoder_frames(const LibAVEncoder *encoder);

/// Frames that come out before the first that went in.
int libav_encoder_delay(const LibAVEncoder *encoder);

/// What a decoder has to know, in the library's own form.
const uint8_t *libav_encoder_setup(const LibAVEncoder *encoder, size_t *size);

/// Takes at most a packet's frames; null ends the stream. False leaves the reason. [one thread at a time]
bool libav_encode(LibAVEncoder *encoder, const void *samples, int frames, char *reason,
                  size_t reasonSize);

/// The next packet that is ready, until the next call; false when there is none.
bool libav_packet(LibAVEncoder *encoder, const uint8_t **data, size_t *size, int *frames);

void libav_encoder_free(LibAVEncoder *encoder);
