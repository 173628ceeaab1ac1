// SPDX-License-Identifier: Apache-2.0
// The binary interface of CLAP plug-ins, version 1: what hosts and plug-ins exchange in memory. A plug-in is
// a shared library with the variable `clap_entry`:
//
//   const CLAPEntry *entry = dlsym(library, "clap_entry");
//   entry->init(path);
//   const CLAPFactory *factory = entry->get_factory(CLAP_FACTORY_ID);
//   const CLAPPlugIn *plug_in = factory->create(factory, &host, factory->get_descriptor(factory, 0)->id);
//
// Functions that a foreign plug-in or host may lack are nullable.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#if !defined(__clang__) && !defined(_Nullable)
#define _Nullable
#define _Nonnull
#endif

#define CLAP_FACTORY_ID "clap.plugin-factory"

typedef struct CLAPPlugIn CLAPPlugIn;
typedef struct CLAPHost CLAPHost;
typedef struct CLAPFactory CLAPFactory;
typedef struct CLAPProcess CLAPProcess;

/// The version of the interface that a plug-in or host was built with. Versions are compatible if `major` is at
/// least 1.
typedef struct CLAPVersion {
  uint32_t major, minor, revision;
} CLAPVersion;

/// The type of the variable `clap_entry`.
typedef struct CLAPEntry {
  CLAPVersion version;
  /// Prepares the library; the path is that of the .clap file. Calls are counted. [control thread]
  bool (*_Nullable init)(const char *_Nonnull path);
  void (*_Nullable deinit)(void);
  /// A factory by its identifier, such as a `CLAPFactory`; null: unknown. [any thread]
  const void *_Nullable (*_Nullable get_factory)(const char *_Nonnull id);
} CLAPEntry;

/// What a plug-in is. Texts are UTF-8; all but `id` and `name` may be null or empty.
typedef struct CLAPDescriptor {
  CLAPVersion version;
  const char *_Nullable id;
  const char *_Nullable name;
  const char *_Nullable vendor;
  const char *_Nullable url;
  const char *_Nullable manual_url;
  const char *_Nullable support_url;
  const char *_Nullable plug_in_version;
  const char *_Nullable description;
  /// Words such as "instrument", "audio-effect", "note-effect", "analyzer", "stereo"; ends with null.
  const char *_Nullable const *_Nullable features;
} CLAPDescriptor;

/// The plug-ins of a library.
struct CLAPFactory {
  uint32_t (*_Nullable count)(const CLAPFactory *_Nonnull factory);
  const CLAPDescriptor *_Nullable (*_Nullable get_descriptor)(
      const CLAPFactory *_Nonnull factory, uint32_t index);
  const CLAPPlugIn *_Nullable (*_Nullable create)(
      const CLAPFactory *_Nonnull factory, const CLAPHost *_Nonnull host, const char *_Nonnull id);
};

/// What a host offers to a plug-in.
struct CLAPHost {
  CLAPVersion version;
  void *_Nullable host_data;
  const char *_Nullable name;
  const char *_Nullable vendor;
  const char *_Nullable url;
  const char *_Nullable host_version;
  /// A table of functions, such as `CLAPHostParams`; null: the host does not have it. [any thread]
  const void *_Nullable (*_Nullable get_extension)(const CLAPHost *_Nonnull host, const char *_Nonnull id);
  /// Requests that the host deactivates and activates the plug-in. [any thread]
  void (*_Nullable request_restart)(const CLAPHost *_Nonnull host);
  /// Requests that the host activates the plug-in and processes. [any thread]
  void (*_Nullable request_process)(const CLAPHost *_Nonnull host);
  /// Requests a call of `on_main_thread`. [any thread]
  void (*_Nullable request_callback)(const CLAPHost *_Nonnull host);
};

/// One instance of a plug-in. The main thread is a host's control thread, always the same.
struct CLAPPlugIn {
  const CLAPDescriptor *_Nullable descriptor;
  void *_Nullable plug_in_data;
  /// [main thread] Before all other functions. False: the instance can only be destroyed.
  bool (*_Nullable init)(const CLAPPlugIn *_Nonnull plug_in);
  /// [main thread, not active]
  void (*_Nullable destroy)(const CLAPPlugIn *_Nonnull plug_in);
  /// [main thread, not active] Frames per second, and frames per `process`.
  bool (*_Nullable activate)(
      const CLAPPlugIn *_Nonnull plug_in, double rate, uint32_t min_frames, uint32_t max_frames);
  /// [main thread, active]
  void (*_Nullable deactivate)(const CLAPPlugIn *_Nonnull plug_in);
  /// [render thread, active]
  bool (*_Nullable start_processing)(const CLAPPlugIn *_Nonnull plug_in);
  /// [render thread, active]
  void (*_Nullable stop_processing)(const CLAPPlugIn *_Nonnull plug_in);
  /// [render thread, active] Forgets the history of the signal.
  void (*_Nullable reset)(const CLAPPlugIn *_Nonnull plug_in);
  /// [render thread, processing] The result is a `CLAPStatus`.
  int32_t (*_Nullable process)(const CLAPPlugIn *_Nonnull plug_in, const CLAPProcess *_Nonnull process);
  /// A table of functions, such as `CLAPParams`; null: the plug-in does not have it. [any thread]
  const void *_Nullable (*_Nullable get_extension)(
      const CLAPPlugIn *_Nonnull plug_in, const char *_Nonnull id);
  /// [main thread] The answer to `request_callback`.
  void (*_Nullable on_main_thread)(const CLAPPlugIn *_Nonnull plug_in);
};

/// The samples of one port. Exactly one of `data32` and `data64` is not null.
typedef struct CLAPAudioBuffer {
  float *_Nullable *_Nullable data32;
  double *_Nullable *_Nullable data64;
  uint32_t channel_count;
  /// Frames between this port and the device.
  uint32_t latency;
  /// A bit for each channel whose samples are all equal.
  uint64_t constant_mask;
} CLAPAudioBuffer;

/// What `process` returns.
enum CLAPStatus {
  CLAPStatusError = 0,
  CLAPStatusContinue = 1,
  CLAPStatusContinueIfNotQuiet = 2,
  CLAPStatusTail = 3,
  CLAPStatusSleep = 4,
};

struct CLAPTransportEvent;
struct CLAPInputEvents;
struct CLAPOutputEvents;

/// The arguments of `process`.
struct CLAPProcess {
  /// Frames since an arbitrary start, without jumps; -1: unknown.
  int64_t steady_time;
  uint32_t frame_count;
  /// Null: there is no transport.
  const struct CLAPTransportEvent *_Nullable transport;
  const CLAPAudioBuffer *_Nullable inputs;
  CLAPAudioBuffer *_Nullable outputs;
  uint32_t input_count;
  uint32_t output_count;
  const struct CLAPInputEvents *_Nullable in_events;
  const struct CLAPOutputEvents *_Nullable out_events;
};
