// SPDX-License-Identifier: Apache-2.0
// The binary interface of LV2 plug-ins: what hosts and plug-ins exchange in memory. The ports of a plug-in, and
// everything else that is data, is in the Turtle files of its bundle. A plug-in's library has the function
// `lv2_descriptor`, which returns the plug-ins one by one, then null.
#pragma once
#include <stddef.h>
#include <stdint.h>

#if !defined(__clang__) && !defined(_Nullable)
#define _Nullable
#define _Nonnull
#endif

#define LV2_BUFFER_SIZE_MAX "http://lv2plug.in/ns/ext/buf-size#maxBlockLength"
#define LV2_OPTIONS "http://lv2plug.in/ns/ext/options#options"
#define LV2_URID_MAP "http://lv2plug.in/ns/ext/urid#map"
#define LV2_STATE_INTERFACE "http://lv2plug.in/ns/ext/state#interface"
#define LV2_ATOM_CHUNK "http://lv2plug.in/ns/ext/atom#Chunk"
#define LV2_ATOM_INT "http://lv2plug.in/ns/ext/atom#Int"
#define LV2_ATOM_SEQUENCE "http://lv2plug.in/ns/ext/atom#Sequence"
#define LV2_MIDI_EVENT "http://lv2plug.in/ns/ext/midi#MidiEvent"

/// Something that a host can do.
typedef struct LV2Feature {
  const char *_Nonnull uri;
  void *_Nullable data;
} LV2Feature;

/// One plug-in of a library.
typedef struct LV2Descriptor {
  const char *_Nonnull uri;
  /// The path ends with a slash; the features end with null. Null: it failed. [control thread]
  void *_Nullable (*_Nullable instantiate)(
      const struct LV2Descriptor *_Nonnull descriptor, double rate, const char *_Nonnull bundle_path,
      const LV2Feature *_Nullable const *_Nonnull features);
  /// The memory of a port; null: not connected. [render thread]
  void (*_Nullable connect_port)(void *_Nonnull instance, uint32_t port, void *_Nullable data);
  /// [control thread]
  void (*_Nullable activate)(void *_Nonnull instance);
  /// [render thread]
  void (*_Nullable run)(void *_Nonnull instance, uint32_t frame_count);
  /// [control thread]
  void (*_Nullable deactivate)(void *_Nonnull instance);
  /// [control thread]
  void (*_Nullable cleanup)(void *_Nonnull instance);
  /// A table of functions, such as `LV2StateInterface`; null: the plug-in does not have it. [any thread]
  const void *_Nullable (*_Nullable extension_data)(const char *_Nonnull uri);
} LV2Descriptor;

/// The data of `LV2_URID_MAP`: numbers for URIs, never 0.
typedef struct LV2Map {
  void *_Nullable handle;
  uint32_t (*_Nonnull map)(void *_Nullable handle, const char *_Nonnull uri);
} LV2Map;

/// One of the data of `LV2_OPTIONS`; the last has key 0.
typedef struct LV2Option {
  int32_t context;
  uint32_t subject;
  uint32_t key;
  uint32_t size;
  uint32_t type;
  const void *_Nullable value;
} LV2Option;

/// The head of a value of any type. The bytes follow.
typedef struct LV2Atom {
  uint32_t size;
  uint32_t type;
} LV2Atom;

/// An event of a sequence; the next follows at a multiple of 8 bytes.
typedef struct LV2Event {
  int64_t frame;
  LV2Atom body;
} LV2Event;

/// The memory of a port with events. The size includes the last two members.
typedef struct LV2Sequence {
  LV2Atom atom;
  uint32_t unit;
  uint32_t padding;
} LV2Sequence;

enum LV2StateStatus {
  LV2StateSuccess = 0,
  LV2StateUnknownError = 1,
  LV2StateBadType = 2,
  LV2StateBadFlags = 3,
  LV2StateNoFeature = 4,
  LV2StateNoProperty = 5,
  LV2StateNoSpace = 6,
};

enum LV2StateFlags {
  LV2StateIsPOD = 1 << 0,
  LV2StateIsPortable = 1 << 1,
};

/// Keeps a value of an instance.
typedef int (*LV2StateStore)(
    void *_Nullable handle, uint32_t key, const void *_Nonnull value, size_t size, uint32_t type,
    uint32_t flags);
/// A kept value; null: there is none.
typedef const void *_Nullable (*LV2StateRetrieve)(
    void *_Nullable handle, uint32_t key, size_t *_Nonnull size, uint32_t *_Nonnull type,
    uint32_t *_Nonnull flags);

/// The functions of `LV2_STATE_INTERFACE`. [control thread]
typedef struct LV2StateInterface {
  int (*_Nonnull save)(
      void *_Nonnull instance, LV2StateStore _Nonnull store, void *_Nullable handle, uint32_t flags,
      const LV2Feature *_Nullable const *_Nullable features);
  int (*_Nonnull restore)(
      void *_Nonnull instance, LV2StateRetrieve _Nonnull retrieve, void *_Nullable handle, uint32_t flags,
      const LV2Feature *_Nullable const *_Nullable features);
} LV2StateInterface;
