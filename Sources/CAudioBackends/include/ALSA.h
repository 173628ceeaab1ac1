// SPDX-License-Identifier: Apache-2.0
// libasound, the library for the kernel's sound devices and their plug-ins. Its interface is
// stable: the used part is declared here, and compared with the library's own header where that is
// installed.
#pragma once
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct _snd_pcm snd_pcm_t;
typedef struct _snd_pcm_hw_params snd_pcm_hw_params_t;
typedef struct _snd_pcm_sw_params snd_pcm_sw_params_t;

/// The place of the samples of one channel, in bits: the first one after `addr`, and the step from
/// one to the next.
typedef struct ALSAArea {
  void *_Nullable addr;
  unsigned first;
  unsigned step;
} ALSAArea;

enum ALSADirection { ALSAPlayback = 0, ALSACapture = 1 };
enum { ALSANonblock = 1 };
enum ALSAAccess { ALSAMapped = 0, ALSAReadWrite = 3 };
enum ALSAFormat {
  ALSAInteger16 = 2,
  ALSAInteger24In32 = 6,
  ALSAInteger32 = 10,
  ALSAFloat32 = 14,
  ALSAInteger24 = 32,
};
enum { ALSATypeHardware = 0 };

#define ALSA_FUNCTIONS(F) \
  F(int, snd_pcm_open, (snd_pcm_t *_Nullable *_Nonnull, const char *, int, int)) \
  F(int, snd_pcm_close, (snd_pcm_t *)) \
  F(int, snd_pcm_type, (snd_pcm_t *)) \
  F(int, snd_pcm_link, (snd_pcm_t *, snd_pcm_t *)) \
  F(int, snd_pcm_prepare, (snd_pcm_t *)) \
  F(int, snd_pcm_start, (snd_pcm_t *)) \
  F(int, snd_pcm_drop, (snd_pcm_t *)) \
  F(int, snd_pcm_wait, (snd_pcm_t *, int)) \
  F(long, snd_pcm_avail, (snd_pcm_t *)) \
  F(int, snd_pcm_delay, (snd_pcm_t *, long *)) \
  F(int, snd_pcm_recover, (snd_pcm_t *, int, int)) \
  F(long, snd_pcm_readi, (snd_pcm_t *, void *, unsigned long)) \
  F(long, snd_pcm_writei, (snd_pcm_t *, const void *, unsigned long)) \
  F(int, snd_pcm_mmap_begin, \
    (snd_pcm_t *, const ALSAArea *_Nullable *_Nonnull, unsigned long *, unsigned long *)) \
  F(long, snd_pcm_mmap_commit, (snd_pcm_t *, unsigned long, unsigned long)) \
  F(int, snd_pcm_hw_params_malloc, (snd_pcm_hw_params_t *_Nullable *_Nonnull)) \
  F(void, snd_pcm_hw_params_free, (snd_pcm_hw_params_t *)) \
  F(int, snd_pcm_hw_params_any, (snd_pcm_t *, snd_pcm_hw_params_t *)) \
  F(int, snd_pcm_hw_params, (snd_pcm_t *, snd_pcm_hw_params_t *)) \
  F(int, snd_pcm_hw_params_set_access, (snd_pcm_t *, snd_pcm_hw_params_t *, int)) \
  F(int, snd_pcm_hw_params_set_format, (snd_pcm_t *, snd_pcm_hw_params_t *, int)) \
  F(int, snd_pcm_hw_params_set_channels, (snd_pcm_t *, snd_pcm_hw_params_t *, unsigned)) \
  F(int, snd_pcm_hw_params_set_rate_near, \
    (snd_pcm_t *, snd_pcm_hw_params_t *, unsigned *, int *_Nullable)) \
  F(int, snd_pcm_hw_params_set_period_size_near, \
    (snd_pcm_t *, snd_pcm_hw_params_t *, unsigned long *, int *_Nullable)) \
  F(int, snd_pcm_hw_params_set_buffer_size_near, \
    (snd_pcm_t *, snd_pcm_hw_params_t *, unsigned long *)) \
  F(int, snd_pcm_hw_params_get_period_size, \
    (const snd_pcm_hw_params_t *, unsigned long *, int *_Nullable)) \
  F(int, snd_pcm_hw_params_get_buffer_size, (const snd_pcm_hw_params_t *, unsigned long *)) \
  F(int, snd_pcm_hw_params_get_channels_min, (const snd_pcm_hw_params_t *, unsigned *)) \
  F(int, snd_pcm_hw_params_get_channels_max, (const snd_pcm_hw_params_t *, unsigned *)) \
  F(int, snd_pcm_hw_params_get_rate_min, \
    (const snd_pcm_hw_params_t *, unsigned *, int *_Nullable)) \
  F(int, snd_pcm_hw_params_get_rate_max, \
    (const snd_pcm_hw_params_t *, unsigned *, int *_Nullable)) \
  F(int, snd_pcm_hw_params_get_period_size_min, \
    (const snd_pcm_hw_params_t *, unsigned long *, int *_Nullable)) \
  F(int, snd_pcm_hw_params_get_period_size_max, \
    (const snd_pcm_hw_params_t *, unsigned long *, int *_Nullable)) \
  F(int, snd_pcm_sw_params_malloc, (snd_pcm_sw_params_t *_Nullable *_Nonnull)) \
  F(void, snd_pcm_sw_params_free, (snd_pcm_sw_params_t *)) \
  F(int, snd_pcm_sw_params_current, (snd_pcm_t *, snd_pcm_sw_params_t *)) \
  F(int, snd_pcm_sw_params, (snd_pcm_t *, snd_pcm_sw_params_t *)) \
  F(int, snd_pcm_sw_params_set_avail_min, \
    (snd_pcm_t *, snd_pcm_sw_params_t *, unsigned long)) \
  F(int, snd_pcm_sw_params_set_start_threshold, \
    (snd_pcm_t *, snd_pcm_sw_params_t *, unsigned long)) \
  F(int, snd_device_name_hint, (int, const char *, void *_Nullable *_Nullable *_Nonnull)) \
  F(int, snd_device_name_free_hint, (void *_Nullable *_Nonnull)) \
  F(char *_Nullable, snd_device_name_get_hint, (const void *, const char *)) \
  F(const char *_Nullable, snd_strerror, (int))

#define ALSA_MEMBER(type, name, parameters) type (*_Nonnull name) parameters;

/// The functions of libasound, under their own names.
typedef struct ALSAFunctions {
  ALSA_FUNCTIONS(ALSA_MEMBER)
} ALSAFunctions;

/// The library, opened at first use. Null, with the reason, if it cannot be opened. [control
/// thread]
const ALSAFunctions *_Nullable alsa_functions(const char *_Nullable *_Nonnull reason);

#pragma clang assume_nonnull end
