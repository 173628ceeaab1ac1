// SPDX-License-Identifier: Apache-2.0
// The binary interface of LADSPA plug-ins: what hosts and plug-ins exchange in memory. A plug-in is a shared
// library with a function that returns one type of plug-in after the other, and null at the end:
//
//   const LADSPADescriptor *ladspa_descriptor(unsigned long index);
//
// It has no version, no MIDI and no state. Functions that a foreign plug-in may lack are nullable.
#pragma once
#include <stdint.h>

#if !defined(__clang__) && !defined(_Nullable)
#define _Nullable
#define _Nonnull
#endif

/// What `LADSPADescriptor.properties` consists of.
enum LADSPAProperties {
  LADSPAIsRealTime = 1,
  LADSPAInPlaceBroken = 2,
  LADSPAHardRealTimeCapable = 4,
};

/// What a port descriptor consists of: a direction and a kind.
enum LADSPAPort {
  LADSPAPortInput = 1,
  LADSPAPortOutput = 2,
  LADSPAPortControl = 4,
  LADSPAPortAudio = 8,
};

/// What `LADSPARangeHint.descriptor` consists of.
enum LADSPAHint {
  LADSPAHintBoundedBelow = 1,
  LADSPAHintBoundedAbove = 2,
  /// On above 0, otherwise off.
  LADSPAHintToggled = 4,
  /// The bounds are multiples of the sample rate.
  LADSPAHintSampleRate = 8,
  LADSPAHintLogarithmic = 16,
  LADSPAHintInteger = 32,
  /// The bits of the default, which are one of these values; 0: none. Low, middle and high are a quarter,
  /// a half and three quarters of the way from the lower to the upper bound.
  LADSPAHintDefaultMask = 0x3C0,
  LADSPAHintDefaultMinimum = 0x40,
  LADSPAHintDefaultLow = 0x80,
  LADSPAHintDefaultMiddle = 0xC0,
  LADSPAHintDefaultHigh = 0x100,
  LADSPAHintDefaultMaximum = 0x140,
  LADSPAHintDefault0 = 0x200,
  LADSPAHintDefault1 = 0x240,
  LADSPAHintDefault100 = 0x280,
  LADSPAHintDefault440 = 0x2C0,
};

typedef struct LADSPARangeHint {
  int descriptor;
  float lower_bound, upper_bound;
} LADSPARangeHint;

/// A type of plug-in. Instances are opaque pointers.
typedef struct LADSPADescriptor {
  unsigned long unique_id;
  /// Unique in its library, not elsewhere.
  const char *_Nullable label;
  int properties;
  const char *_Nullable name;
  const char *_Nullable maker;
  const char *_Nullable copyright;
  unsigned long port_count;
  const int *_Nullable port_descriptors;
  const char *_Nullable const *_Nullable port_names;
  const LADSPARangeHint *_Nullable port_range_hints;
  void *_Nullable implementation_data;
  /// Null: it failed. [control thread]
  void *_Nullable (*_Nullable instantiate)(
      const struct LADSPADescriptor *_Nonnull descriptor, unsigned long sample_rate);
  /// Every port must be connected before `activate`. [render thread, or control thread while nothing renders]
  void (*_Nullable connect_port)(void *_Nonnull instance, unsigned long port, float *_Nonnull data);
  void (*_Nullable activate)(void *_Nonnull instance);
  /// [render thread]
  void (*_Nullable run)(void *_Nonnull instance, unsigned long frame_count);
  void (*_Nullable run_adding)(void *_Nonnull instance, unsigned long frame_count);
  void (*_Nullable set_run_adding_gain)(void *_Nonnull instance, float gain);
  void (*_Nullable deactivate)(void *_Nonnull instance);
  /// [control thread]
  void (*_Nullable cleanup)(void *_Nonnull instance);
} LADSPADescriptor;

typedef const LADSPADescriptor *_Nullable (*LADSPADescriptorFunction)(unsigned long index);

// Calls of a plug-in that Swift code makes while it renders. Functions that are absent are not called.

static inline void ladspa_connect(
    const LADSPADescriptor *_Nonnull type, void *_Nonnull instance, unsigned long port, float *_Nonnull data) {
  if (type->connect_port) type->connect_port(instance, port, data);
}

static inline void ladspa_run(
    const LADSPADescriptor *_Nonnull type, void *_Nonnull instance, unsigned long frame_count) {
  if (type->run) type->run(instance, frame_count);
}

static inline void ladspa_reset(const LADSPADescriptor *_Nonnull type, void *_Nonnull instance) {
  if (type->deactivate) type->deactivate(instance);
  if (type->activate) type->activate(instance);
}
