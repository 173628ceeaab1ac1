// SPDX-License-Identifier: Apache-2.0
// The host's side of an instance of a CLAP plug-in: what it gets from the host, its events and its ports.
#pragma once
#include <semaphore.h>
#include <stddef.h>

#include "CLAPExtensions.h"
#include "PlugInGuard.h"

typedef struct CLAPInstance CLAPInstance;

/// What a plug-in requests from its host, on any thread: bits of the word of `clap_make`.
enum CLAPRequest {
  /// To be deactivated and activated.
  CLAPRequestRestart = 1 << 0,
  /// A call of `on_main_thread`.
  CLAPRequestCallback = 1 << 1,
  /// That its values are read again.
  CLAPRequestValues = 1 << 2,
  /// A call of `flush`.
  CLAPRequestFlush = 1 << 3,
  /// That its tail is read again.
  CLAPRequestTail = 1 << 4,
};

/// From now on the calling thread is the main thread of all plug-ins.
void clap_set_main_thread(void);

/// Makes an instance; null: the plug-in refused. Requests are added to the word, which another thread empties when
/// `wake` is raised; both outlive the instance. [main thread, as all without another word]
CLAPInstance *_Nullable clap_make(
    const CLAPFactory *_Nonnull factory, const char *_Nonnull id, uint32_t *_Nonnull requests,
    sem_t *_Nonnull wake);
/// Deactivates it if it is active.
void clap_free(CLAPInstance *_Nonnull instance);

/// The last warning or error that it has logged on the main thread; empty: none.
const char *_Nonnull clap_message(const CLAPInstance *_Nonnull instance);
const CLAPPlugIn *_Nonnull clap_plug_in(const CLAPInstance *_Nonnull instance);

/// The ports of its audio in a direction, and one of them; false: it cannot be read.
uint32_t clap_port_count(const CLAPInstance *_Nonnull instance, bool is_input);
bool clap_port(
    const CLAPInstance *_Nonnull instance, uint32_t index, bool is_input, CLAPAudioPortInfo *_Nonnull info);
/// The dialects of its first port for notes, and the preferred one; false: it has none.
bool clap_note_port(const CLAPInstance *_Nonnull instance, bool is_input, CLAPNotePortInfo *_Nonnull info);

/// Its parameters. An index is the place in this order.
uint32_t clap_parameter_count(const CLAPInstance *_Nonnull instance);
bool clap_parameter(const CLAPInstance *_Nonnull instance, uint32_t index, CLAPParamInfo *_Nonnull info);
bool clap_value(const CLAPInstance *_Nonnull instance, uint32_t index, double *_Nonnull value);
bool clap_text(
    const CLAPInstance *_Nonnull instance, uint32_t index, double value, char *_Nonnull text, uint32_t size);
bool clap_value_of_text(
    const CLAPInstance *_Nonnull instance, uint32_t index, const char *_Nonnull text, double *_Nonnull value);

/// Whether it has a table of functions.
bool clap_has(const CLAPInstance *_Nonnull instance, const char *_Nonnull extension);
/// What it saves, to be freed by `free`; null: nothing.
void *_Nullable clap_save(const CLAPInstance *_Nonnull instance, size_t *_Nonnull count);
bool clap_load(const CLAPInstance *_Nonnull instance, const void *_Nonnull bytes, size_t count);
void clap_set_offline(const CLAPInstance *_Nonnull instance, bool is_offline);

/// Whether the ports and parameters are still as `clap_make` has found them.
bool clap_activate(CLAPInstance *_Nonnull instance, double rate, uint32_t max_frames);
void clap_deactivate(CLAPInstance *_Nonnull instance);
/// In frames, while it is active.
uint32_t clap_latency(const CLAPInstance *_Nonnull instance);
/// In frames; infinite from `INT32_MAX` up. Without such a table infinite. [main or render thread]
uint32_t clap_tail(const CLAPInstance *_Nonnull instance);
/// Calls `on_main_thread`.
void clap_call_back(const CLAPInstance *_Nonnull instance);
/// Calls its timers that are due at a host time, in nanoseconds; returns when the next one is, `UINT64_MAX`: there is none.
uint64_t clap_call_timers(CLAPInstance *_Nonnull instance, uint64_t now);
/// Passes the added events to an instance that is not active.
void clap_flush(CLAPInstance *_Nonnull instance);

// [render thread] The events of a block are added in the order of their frames, before it is processed.

/// Adds the value of a parameter. False: no room.
PLUG_IN_NO_LOCKS bool clap_add_value(
    CLAPInstance *_Nonnull instance, uint32_t frame, uint32_t index, double value);
/// Adds a MIDI message of at most 32 bytes: as a note if the plug-in prefers that. False: no room, or no use for it.
PLUG_IN_NO_LOCKS bool clap_add_midi(
    CLAPInstance *_Nonnull instance, uint32_t frame, const uint8_t *_Nonnull bytes, uint32_t count);
/// Processes a block; the channels of all ports follow each other. False: it failed.
PLUG_IN_NO_LOCKS bool clap_process(
    CLAPInstance *_Nonnull instance, uint32_t frames, float *_Nonnull const *_Nonnull inputs,
    float *_Nonnull const *_Nonnull outputs, const CLAPTransportEvent *_Nullable transport);
PLUG_IN_NO_LOCKS void clap_reset(CLAPInstance *_Nonnull instance);

/// What a plug-in has sent.
typedef struct CLAPSent {
  uint32_t frame;
  /// The index of a parameter with a new value; `CLAP_INVALID_ID`: a MIDI message.
  uint32_t parameter;
  double value;
  uint32_t count;
  uint8_t bytes[32];
} CLAPSent;

/// What it has sent during the last block or flush, in the order of its calls.
PLUG_IN_NO_LOCKS const CLAPSent *_Nonnull clap_sent(const CLAPInstance *_Nonnull instance, uint32_t *_Nonnull count);
