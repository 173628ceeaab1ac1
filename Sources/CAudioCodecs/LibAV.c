// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "LibAV.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "LibAVLibrary.h"

#if HAS_LIBAV

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

// The layout of its structures depends on the major version, which is in the files' names.
#define OWN_FILE "libaudiotoolbox-codecs-" TEXT(LIBAVCODEC_VERSION_MAJOR) ".so"

static const LibrarySymbol codecSymbols[] = {CODEC_FUNCTIONS(LIBRARY_SYMBOL)};
static const LibrarySymbol utilitySymbols[] = {UTILITY_FUNCTIONS(LIBRARY_SYMBOL)};
static const LibrarySymbol ownSymbols[] = {CODEC_FUNCTIONS(LIBRARY_SYMBOL)
                                               UTILITY_FUNCTIONS(LIBRARY_SYMBOL)};
static LibAVFunctions ownFunctions, installedFunctions;
static char ownPath[4096];
static Library own = {.files = {ownPath}, .package = "of this library",
                      .symbols = ownSymbols, .count = LIBRARY_COUNT(ownSymbols),
                      .table = &ownFunctions};
static Library codecs = {.files = {"libavcodec.so." TEXT(LIBAVCODEC_VERSION_MAJOR)},
                         .package = "libavcodec" TEXT(LIBAVCODEC_VERSION_MAJOR),
                         .symbols = codecSymbols, .count = LIBRARY_COUNT(codecSymbols),
                         .table = &installedFunctions};
static Library utilities = {.files = {"libavutil.so." TEXT(LIBAVUTIL_VERSION_MAJOR)},
                            .package = "libavutil" TEXT(LIBAVUTIL_VERSION_MAJOR),
                            .symbols = utilitySymbols, .count = LIBRARY_COUNT(utilitySymbols),
                            .table = &installedFunctions.av_frame_alloc};

/// Finds the file in the folder of this library. A program that contains the library may have been started
/// with a relative path, which leads elsewhere by now.
static void find_own(void) {
  Dl_info info;
  if (!dladdr(&ownFunctions, &info) || !info.dli_fname || info.dli_fname[0] != '/') return;
  const int length = (int)(strrchr(info.dli_fname, '/') - info.dli_fname);
  const int needed =
      snprintf(ownPath, sizeof ownPath, "%.*s/" OWN_FILE, length, info.dli_fname);
  if (needed >= (int)sizeof ownPath || access(ownPath, R_OK)) ownPath[0] = 0;
}

static bool open_own(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_own);
  return ownPath[0] && library_load(&own);
}

static bool open_installed(void) { return library_load(&utilities) && library_load(&codecs); }

bool libav_open(char *reason, size_t reasonSize) {
  if (open_own() || open_installed()) return true;
  const Library *failed = utilities.is_loaded ? &codecs : &utilities;
  snprintf(reason, reasonSize, "%s", ownPath[0] ? own.reason : failed->reason);
  return false;
}

static bool has(const LibAVFunctions *av, const char *codec, bool isEncoder) {
  return isEncoder ? av->avcodec_find_encoder_by_name(codec) != NULL
                   : av->avcodec_find_decoder_by_name(codec) != NULL;
}

const LibAVFunctions *libav_with(const char *codec, bool isEncoder) {
  if (open_own() && has(&ownFunctions, codec, isEncoder)) return &ownFunctions;
  if (open_installed() && has(&installedFunctions, codec, isEncoder)) return &installedFunctions;
  return NULL;
}

bool libav_has(const char *codec, bool isEncoder) { return libav_with(codec, isEncoder) != NULL; }

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
