// SPDX-License-Identifier: Apache-2.0
#include "ALSA.h"

#include "Loader.h"

#if __has_include(<alsa/asoundlib.h>)
#include <alsa/asoundlib.h>
_Static_assert(sizeof(ALSAArea) == sizeof(snd_pcm_channel_area_t), "area");
_Static_assert(offsetof(ALSAArea, first) == offsetof(snd_pcm_channel_area_t, first), "first");
_Static_assert(offsetof(ALSAArea, step) == offsetof(snd_pcm_channel_area_t, step), "step");
#define SAME_VALUE(ours, theirs) _Static_assert((int)ours == (int)theirs, #theirs)
SAME_VALUE(ALSAPlayback, SND_PCM_STREAM_PLAYBACK);
SAME_VALUE(ALSACapture, SND_PCM_STREAM_CAPTURE);
SAME_VALUE(ALSANonblock, SND_PCM_NONBLOCK);
SAME_VALUE(ALSAMapped, SND_PCM_ACCESS_MMAP_INTERLEAVED);
SAME_VALUE(ALSAReadWrite, SND_PCM_ACCESS_RW_INTERLEAVED);
SAME_VALUE(ALSAInteger16, SND_PCM_FORMAT_S16_LE);
SAME_VALUE(ALSAInteger24In32, SND_PCM_FORMAT_S24_LE);
SAME_VALUE(ALSAInteger32, SND_PCM_FORMAT_S32_LE);
SAME_VALUE(ALSAFloat32, SND_PCM_FORMAT_FLOAT_LE);
SAME_VALUE(ALSAInteger24, SND_PCM_FORMAT_S24_3LE);
SAME_VALUE(ALSATypeHardware, SND_PCM_TYPE_HW);
// Compares the types of functions that use none of the library's structures and enumerations.
#define SAME(f) \
  _Static_assert( \
      __builtin_types_compatible_p(__typeof__(f) *, __typeof__(((ALSAFunctions *)0)->f)), #f)
SAME(snd_pcm_close);
SAME(snd_pcm_link);
SAME(snd_pcm_prepare);
SAME(snd_pcm_start);
SAME(snd_pcm_drop);
SAME(snd_pcm_wait);
SAME(snd_pcm_avail);
SAME(snd_pcm_delay);
SAME(snd_pcm_recover);
SAME(snd_pcm_readi);
SAME(snd_pcm_writei);
SAME(snd_pcm_mmap_commit);
SAME(snd_pcm_hw_params_malloc);
SAME(snd_pcm_hw_params_any);
SAME(snd_pcm_hw_params);
SAME(snd_pcm_hw_params_set_channels);
SAME(snd_pcm_hw_params_set_rate_near);
SAME(snd_pcm_hw_params_set_period_size_near);
SAME(snd_pcm_hw_params_set_buffer_size_near);
SAME(snd_pcm_hw_params_get_period_size);
SAME(snd_pcm_hw_params_get_buffer_size);
SAME(snd_pcm_hw_params_get_channels_max);
SAME(snd_pcm_hw_params_get_rate_max);
SAME(snd_pcm_hw_params_get_period_size_max);
SAME(snd_pcm_sw_params);
SAME(snd_pcm_sw_params_set_avail_min);
SAME(snd_pcm_sw_params_set_start_threshold);
SAME(snd_device_name_hint);
SAME(snd_device_name_free_hint);
SAME(snd_device_name_get_hint);
SAME(snd_strerror);
#endif

typedef void ErrorHandler(const char *, int, const char *, int, const char *, ...);

static struct {
  ALSAFunctions functions;
  int (*snd_lib_error_set_handler)(ErrorHandler *);
} alsa;

#define ALSA_SYMBOL(type, name, parameters) {#name},
static const LibrarySymbol symbols[] = {ALSA_FUNCTIONS(ALSA_SYMBOL){"snd_lib_error_set_handler"}};
static Library library = {.files = {"libasound.so.2"}, .package = "libasound2",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &alsa};

// The library also prints to standard error what its calls return.
static void drop(const char *file, int line, const char *function, int error, const char *format,
                 ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

const ALSAFunctions *alsa_functions(const char **reason) {
  if (!library_load(&library)) {
    *reason = library.reason;
    return NULL;
  }
  alsa.snd_lib_error_set_handler(drop);
  return &alsa.functions;
}
