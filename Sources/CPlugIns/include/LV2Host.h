// SPDX-License-Identifier: Apache-2.0
// The host's side of LV2: the numbers of URIs, the features of an instance, its worker and its events.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "Lilv.h"
#include "PlugInGuard.h"

/// Whether this build has it: it needs the headers of package lv2-dev.
bool lv2_is_built(void);

/// The number of a URI in this process: never 0, and the same for ever. Without a lock for known URIs. 0: no
/// memory. [any thread]
uint32_t lv2_map(const char *uri);

/// The URI of a number; null if there is none. [any thread]
const char *lv2_unmap(uint32_t number);

/// `LV2_URID_Map` and `LV2_URID_Unmap` for lilv.
const void *lv2_map_feature(void);
const void *lv2_unmap_feature(void);

/// Whether an instance gets a feature.
bool lv2_has_feature(const char *uri);

/// For what an instance is made.
typedef struct LV2Setup {
  double rate;
  uint32_t maximum_frames;
  /// Bytes of each buffer of events.
  uint32_t event_bytes;
  /// The ports with events that the host uses; -1: none.
  int32_t events_in, events_out;
} LV2Setup;

/// Whether the plug-in that a library's function `lv2_descriptor` returns for a URI has all functions without
/// which lilv or a host would crash; also if it is not found there. [control thread]
bool lv2_is_complete(void *function, const char *uri);

typedef struct LV2Host LV2Host;

/// An instance of a plug-in; null: it refused, for the reason that it has logged, if any. [control thread]
LV2Host *lv2_make(const LilvPlugin *plugin, const LV2Setup *setup, char *reason, size_t reason_size);
/// [control thread]
void lv2_free(LV2Host *host);

/// The instance for lilv.
LilvInstance *lv2_instance(LV2Host *host);

PLUG_IN_NO_LOCKS void lv2_connect(LV2Host *host, uint32_t port, void *data);
/// [control thread]
void lv2_activate(LV2Host *host);
/// Waits for the current work of the worker, if any. [control thread]
void lv2_deactivate(LV2Host *host);
/// Between these two calls the worker does not work. [control thread]
void lv2_lock_work(LV2Host *host);
void lv2_unlock_work(LV2Host *host);
/// Deactivates and activates, and drops the responses of the worker. [render thread]
PLUG_IN_NO_LOCKS void lv2_reset(LV2Host *host);

/// Begins a block: there are no events. [render thread]
PLUG_IN_NO_LOCKS void lv2_begin(LV2Host *host);
/// Adds a MIDI message; frames must not decrease. False: no room. [render thread]
PLUG_IN_NO_LOCKS bool lv2_add_midi(LV2Host *host, uint32_t frame, const uint8_t *bytes, uint32_t count);

/// A position in musical time.
typedef struct LV2Position {
  int64_t frame;
  float speed;
  double beat;
  float beats_per_minute;
  bool has_bar;
  int64_t bar;
  float bar_beat;
  float beats_per_bar;
  int32_t beat_unit;
} LV2Position;

/// Adds a position for the first frame. False: no room. [render thread]
PLUG_IN_NO_LOCKS bool lv2_add_position(LV2Host *host, const LV2Position *position);
/// Runs a block, and passes finished work to the plug-in. Offline, its work is done here. [render thread]
PLUG_IN_NO_LOCKS void lv2_run(LV2Host *host, uint32_t frames, bool is_offline);
/// The next MIDI message after `position` (0: the first) that the last block has sent: sets frame and bytes and
/// moves the position. False: there is none. [render thread]
PLUG_IN_NO_LOCKS bool lv2_next_midi(
    LV2Host *host, uint32_t *position, uint32_t *frame, const uint8_t **bytes, uint32_t *count);
