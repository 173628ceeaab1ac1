// SPDX-License-Identifier: Apache-2.0
// libpulse, the library of PulseAudio, which also works with PipeWire. Its interface is stable: the
// used part is declared here, and compared with the library's own headers where they are installed.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct pa_threaded_mainloop pa_threaded_mainloop;
typedef struct pa_mainloop_api pa_mainloop_api;
typedef struct pa_context pa_context;
typedef struct pa_operation pa_operation;
typedef struct pa_stream pa_stream;

typedef struct PulseSampleSpec {
  int format;
  uint32_t rate;
  uint8_t channels;
} PulseSampleSpec;

typedef struct PulseChannelMap {
  uint8_t channels;
  int map[32];
} PulseChannelMap;

/// Sizes in bytes. `UINT32_MAX` lets the server choose.
typedef struct PulseBufferAttributes {
  uint32_t maxlength, tlength, prebuf, minreq, fragsize;
} PulseBufferAttributes;

typedef struct PulseServerInfo {
  const char *_Nullable user_name, *_Nullable host_name, *_Nullable server_version;
  const char *_Nullable server_name;
  PulseSampleSpec sample_spec;
  const char *_Nullable default_sink_name, *_Nullable default_source_name;
} PulseServerInfo;

/// The volumes of the channels. Mixers show `PulseVolumeNormal` as 100 %.
typedef struct PulseVolumes {
  uint8_t channels;
  uint32_t values[32];
} PulseVolumes;

/// A connector of a sink or source.
typedef struct PulsePort {
  const char *name;
  const char *_Nullable description;
  uint32_t priority;
  /// See `PulseAvailability`.
  int available;
} PulsePort;

typedef struct pa_proplist pa_proplist;

/// A sink or a source, which have the same layout.
typedef struct PulseDeviceInfo {
  const char *name;
  uint32_t index;
  const char *_Nullable description;
  PulseSampleSpec sample_spec;
  PulseChannelMap channel_map;
  uint32_t owner_module;
  PulseVolumes volume;
  int mute;
  /// The monitor of a sink; for a source, the sink that it is the monitor of, or `UINT32_MAX`.
  uint32_t monitor;
  const char *_Nullable monitor_name;
  /// Microseconds.
  uint64_t latency;
  const char *_Nullable driver;
  int flags;
  pa_proplist *_Nullable proplist;
  uint64_t configured_latency;
  uint32_t base_volume;
  int state;
  uint32_t n_volume_steps;
  uint32_t card;
  uint32_t n_ports;
  PulsePort *_Nullable *_Nullable ports;
  PulsePort *_Nullable active_port;
} PulseDeviceInfo;

/// A stream that plays to a sink.
typedef struct PulsePlayerInfo {
  uint32_t index;
  const char *_Nullable name;
  uint32_t owner_module;
  /// `UINT32_MAX`: it belongs to the server.
  uint32_t client;
  uint32_t sink;
  PulseSampleSpec sample_spec;
  PulseChannelMap channel_map;
  PulseVolumes volume;
  uint64_t buffer_latency;
  uint64_t sink_latency;
  const char *_Nullable resample_method;
  const char *_Nullable driver;
  int mute;
  pa_proplist *_Nullable proplist;
  /// Whether it is paused.
  int corked;
} PulsePlayerInfo;

enum { PulseMaximumChannels = 32, PulseVolumeNormal = 0x10000 };
enum PulseAvailability { PulsePortUnknown = 0, PulsePortUnplugged = 1, PulsePortPlugged = 2 };
enum { PulseDeviceRunning = 0 };
enum PulseFormat { PulseFloat32 = 5, PulseFloat32Swapped = 6 };
enum PulseContextState { PulseContextReady = 4, PulseContextFailed = 5, PulseContextTerminated = 6 };
enum PulseStreamState { PulseStreamReady = 2, PulseStreamFailed = 3, PulseStreamTerminated = 4 };
enum { PulseContextNoAutospawn = 1 };
enum PulseStreamFlags {
  PulseInterpolateTiming = 0x2,
  PulseAutoTimingUpdate = 0x8,
  PulseDontMove = 0x200,
  PulseAdjustLatency = 0x2000,
};
enum PulseSubscription { PulseSinks = 1, PulseSources = 2, PulsePlayers = 4, PulseServer = 0x80 };

typedef void PulseContextCallback(pa_context *, void *_Nullable);
typedef void PulseStreamCallback(pa_stream *, void *_Nullable);
typedef void PulseRequestCallback(pa_stream *, size_t, void *_Nullable);
typedef void PulseDeviceCallback(
    pa_context *, const PulseDeviceInfo *_Nullable, int, void *_Nullable);
typedef void PulsePlayerCallback(
    pa_context *, const PulsePlayerInfo *_Nullable, int, void *_Nullable);
typedef void PulseSuccessCallback(pa_context *, int, void *_Nullable);
typedef void PulseServerCallback(pa_context *, const PulseServerInfo *_Nullable, void *_Nullable);

#define PULSE_FUNCTIONS(F) \
  F(pa_threaded_mainloop *_Nullable, pa_threaded_mainloop_new, (void)) \
  F(void, pa_threaded_mainloop_free, (pa_threaded_mainloop *)) \
  F(int, pa_threaded_mainloop_start, (pa_threaded_mainloop *)) \
  F(void, pa_threaded_mainloop_stop, (pa_threaded_mainloop *)) \
  F(void, pa_threaded_mainloop_lock, (pa_threaded_mainloop *)) \
  F(void, pa_threaded_mainloop_unlock, (pa_threaded_mainloop *)) \
  F(int, pa_threaded_mainloop_in_thread, (pa_threaded_mainloop *)) \
  F(void, pa_threaded_mainloop_set_name, (pa_threaded_mainloop *, const char *)) \
  F(pa_mainloop_api *_Nonnull, pa_threaded_mainloop_get_api, (pa_threaded_mainloop *)) \
  F(void, pa_mainloop_api_once, \
    (pa_mainloop_api *_Nonnull, void (*_Nonnull)(pa_mainloop_api *_Nonnull, void *_Nullable), \
     void *_Nullable)) \
  F(pa_context *_Nullable, pa_context_new, (pa_mainloop_api *, const char *)) \
  F(void, pa_context_unref, (pa_context *)) \
  F(int, pa_context_connect, \
    (pa_context *, const char *_Nullable, int, const void *_Nullable)) \
  F(void, pa_context_disconnect, (pa_context *)) \
  F(int, pa_context_get_state, (const pa_context *)) \
  F(int, pa_context_errno, (const pa_context *)) \
  F(void, pa_context_set_state_callback, \
    (pa_context *, PulseContextCallback *_Nullable, void *_Nullable)) \
  F(void, pa_context_set_subscribe_callback, \
    (pa_context *, void (*_Nullable)(pa_context *_Nonnull, int, uint32_t, void *_Nullable), \
     void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_subscribe, \
    (pa_context *, int, void (*_Nullable)(pa_context *_Nonnull, int, void *_Nullable), void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_get_server_info, \
    (pa_context *, PulseServerCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_get_sink_info_list, \
    (pa_context *, PulseDeviceCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_get_source_info_list, \
    (pa_context *, PulseDeviceCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_get_sink_input_info_list, \
    (pa_context *, PulsePlayerCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_sink_volume_by_name, \
    (pa_context *, const char *, const PulseVolumes *, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_source_volume_by_name, \
    (pa_context *, const char *, const PulseVolumes *, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_sink_mute_by_name, \
    (pa_context *, const char *, int, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_source_mute_by_name, \
    (pa_context *, const char *, int, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_sink_port_by_name, \
    (pa_context *, const char *, const char *, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_source_port_by_name, \
    (pa_context *, const char *, const char *, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_default_sink, \
    (pa_context *, const char *, PulseSuccessCallback *, void *_Nullable)) \
  F(pa_operation *_Nullable, pa_context_set_default_source, \
    (pa_context *, const char *, PulseSuccessCallback *, void *_Nullable)) \
  F(const char *_Nullable, pa_proplist_gets, (const pa_proplist *, const char *)) \
  F(void, pa_operation_unref, (pa_operation *)) \
  F(void, pa_operation_cancel, (pa_operation *)) \
  F(const char *_Nullable, pa_strerror, (int)) \
  F(pa_stream *_Nullable, pa_stream_new, \
    (pa_context *, const char *, const PulseSampleSpec *, const PulseChannelMap *_Nullable)) \
  F(void, pa_stream_unref, (pa_stream *)) \
  F(int, pa_stream_get_state, (const pa_stream *)) \
  F(int, pa_stream_connect_playback, \
    (pa_stream *, const char *_Nullable, const PulseBufferAttributes *_Nullable, int, \
     const void *_Nullable, pa_stream *_Nullable)) \
  F(int, pa_stream_connect_record, \
    (pa_stream *, const char *_Nullable, const PulseBufferAttributes *_Nullable, int)) \
  F(int, pa_stream_disconnect, (pa_stream *)) \
  F(void, pa_stream_set_state_callback, \
    (pa_stream *, PulseStreamCallback *_Nullable, void *_Nullable)) \
  F(void, pa_stream_set_write_callback, \
    (pa_stream *, PulseRequestCallback *_Nullable, void *_Nullable)) \
  F(void, pa_stream_set_read_callback, \
    (pa_stream *, PulseRequestCallback *_Nullable, void *_Nullable)) \
  F(void, pa_stream_set_underflow_callback, \
    (pa_stream *, PulseStreamCallback *_Nullable, void *_Nullable)) \
  F(void, pa_stream_set_moved_callback, \
    (pa_stream *, PulseStreamCallback *_Nullable, void *_Nullable)) \
  F(const char *_Nullable, pa_stream_get_device_name, (const pa_stream *)) \
  F(const PulseBufferAttributes *_Nullable, pa_stream_get_buffer_attr, (pa_stream *)) \
  F(int, pa_stream_get_latency, (pa_stream *, uint64_t *, int *)) \
  F(size_t, pa_stream_writable_size, (const pa_stream *)) \
  F(size_t, pa_stream_readable_size, (const pa_stream *)) \
  F(int, pa_stream_begin_write, (pa_stream *, void *_Nullable *_Nonnull, size_t *)) \
  F(int, pa_stream_write, \
    (pa_stream *, const void *, size_t, void (*_Nullable)(void *_Nullable), int64_t, int)) \
  F(int, pa_stream_peek, (pa_stream *, const void *_Nullable *_Nonnull, size_t *)) \
  F(int, pa_stream_drop, (pa_stream *))

#define PULSE_MEMBER(type, name, parameters) type (*_Nonnull name) parameters;

/// The functions of libpulse, under their own names.
typedef struct PulseFunctions {
  PULSE_FUNCTIONS(PULSE_MEMBER)
} PulseFunctions;

/// The library, opened at first use. Null, with the reason, if it cannot be opened. [control
/// thread]
const PulseFunctions *_Nullable pulse_functions(const char *_Nullable *_Nonnull reason);

#pragma clang assume_nonnull end
