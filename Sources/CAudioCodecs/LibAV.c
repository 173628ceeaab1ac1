// SPDX-License-Identifier: Apache-2.0
#include "LibAV.h"

#include <stdio.h>

#include "LibAVLibrary.h"

#if HAS_LIBAV

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

LibAVFunctions libavcodec;
LibAVUtilities libavutil;
static const LibrarySymbol codecSymbols[] = {CODEC_FUNCTIONS(LIBRARY_SYMBOL)};
static const LibrarySymbol utilitySymbols[] = {UTILITY_FUNCTIONS(LIBRARY_SYMBOL)};
// The layout of its structures depends on the major version, which is in the file's name.
static Library codecs = {.files = {"libavcodec.so." TEXT(LIBAVCODEC_VERSION_MAJOR)},
                         .package = "libavcodec" TEXT(LIBAVCODEC_VERSION_MAJOR),
                         .symbols = codecSymbols, .count = LIBRARY_COUNT(codecSymbols),
                         .table = &libavcodec};
static Library utilities = {.files = {"libavutil.so." TEXT(LIBAVUTIL_VERSION_MAJOR)},
                            .package = "libavutil" TEXT(LIBAVUTIL_VERSION_MAJOR),
                            .symbols = utilitySymbols, .count = LIBRARY_COUNT(utilitySymbols),
                            .table = &libavutil};

bool libav_open(char *reason, size_t reasonSize) {
  Library *libraries[] = {&utilities, &codecs};
  for (int i = 0; i < 2; i++) {
    if (library_load(libraries[i])) continue;
    snprintf(reason, reasonSize, "%s", libraries[i]->reason);
    return false;
  }
  return true;
}

bool libav_has(const char *codec, bool isEncoder) {
  char reason[256];
  if (!libav_open(reason, sizeof reason)) return false;
  return isEncoder ? libavcodec.avcodec_find_encoder_by_name(codec) != NULL
                   : libavcodec.avcodec_find_decoder_by_name(codec) != NULL;
}

#else

bool libav_open(char *reason, size_t reasonSize) {
  snprintf(reason, reasonSize, "this library was built without the headers of libavcodec (package "
           "libavcodec-dev, version 59.24 or newer)");
  return false;
}

bool libav_has(const char *codec, bool isEncoder) {
  (void)codec, (void)isEncoder;
  return false;
}

LibAVDecoder *libav_decoder(const LibAVStream *stream, char *reason, size_t reasonSize) {
  (void)stream;
  libav_open(reason, reasonSize);
  return NULL;
}

long libav_decode(LibAVDecoder *decoder, const uint8_t *data, size_t size, const void **samples,
                  char *reason, size_t reasonSize) {
  (void)decoder, (void)data, (void)size, (void)samples;
  libav_open(reason, reasonSize);
  return -1;
}

int libav_decoded_rate(const LibAVDecoder *decoder) { return (void)decoder, 0; }
int libav_decoded_channels(const LibAVDecoder *decoder) { return (void)decoder, 0; }
void libav_decoder_reset(LibAVDecoder *decoder) { (void)decoder; }
void libav_decoder_free(LibAVDecoder *decoder) { (void)decoder; }

LibAVEncoder *libav_encoder(const LibAVStream *stream, char *reason, size_t reasonSize) {
  (void)stream;
  libav_open(reason, reasonSize);
  return NULL;
}

int libav_encoder_pass(const LibAVEncoder *encoder) { return (void)encoder, 0; }
int libav_encoder_frames(const LibAVEncoder *encoder) { return (void)encoder, 0; }
int libav_encoder_delay(const LibAVEncoder *encoder) { return (void)encoder, 0; }

const uint8_t *libav_encoder_setup(const LibAVEncoder *encoder, size_t *size) {
  (void)encoder;
  *size = 0;
  return NULL;
}

bool libav_encode(LibAVEncoder *encoder, const void *samples, int frames, char *reason,
                  size_t reasonSize) {
  (void)encoder, (void)samples, (void)frames;
  return libav_open(reason, reasonSize);
}

bool libav_packet(LibAVEncoder *encoder, const uint8_t **data, size_t *size, int *frames) {
  (void)encoder, (void)data, (void)size, (void)frames;
  return false;
}

void libav_encoder_free(LibAVEncoder *encoder) { (void)encoder; }

#endif
