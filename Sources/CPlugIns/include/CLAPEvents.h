// SPDX-License-Identifier: Apache-2.0
// Events of CLAP: notes, parameters, transport and MIDI. Each starts with a header that has its size, and
// lists are sorted by time.
#pragma once
#include "CLAP.h"

typedef struct CLAPEventHeader {
  /// Bytes of the whole event.
  uint32_t size;
  /// The frame within the call of `process`.
  uint32_t time;
  /// 0: the types below. Events of other spaces are ignored.
  uint16_t space;
  uint16_t type;
  uint32_t flags;
} CLAPEventHeader;

enum CLAPEventFlags {
  CLAPEventIsLive = 1 << 0,
  CLAPEventDoNotRecord = 1 << 1,
};

enum CLAPEventType {
  CLAPEventNoteOn = 0,
  CLAPEventNoteOff = 1,
  /// Ends a note without release.
  CLAPEventNoteChoke = 2,
  /// The plug-in has ended a note.
  CLAPEventNoteEnd = 3,
  CLAPEventNoteExpression = 4,
  CLAPEventParamValue = 5,
  CLAPEventParamModulation = 6,
  CLAPEventGestureBegin = 7,
  CLAPEventGestureEnd = 8,
  CLAPEventTransport = 9,
  CLAPEventMIDI = 10,
  CLAPEventSysEx = 11,
  CLAPEventMIDI2 = 12,
};

/// Note on, off, choke and end. In port, channel, key and note -1 means any.
typedef struct CLAPNoteEvent {
  CLAPEventHeader header;
  int32_t note_id;
  int16_t port, channel, key;
  /// 0 to 1.
  double velocity;
} CLAPNoteEvent;

enum CLAPExpression {
  /// A factor from 0 to 4.
  CLAPExpressionVolume = 0,
  /// 0 (left) to 1 (right).
  CLAPExpressionPan = 1,
  /// Semitones, -120 to 120.
  CLAPExpressionTuning = 2,
  /// The others are 0 to 1.
  CLAPExpressionVibrato = 3,
  CLAPExpressionExpression = 4,
  CLAPExpressionBrightness = 5,
  CLAPExpressionPressure = 6,
};

typedef struct CLAPExpressionEvent {
  CLAPEventHeader header;
  int32_t expression;
  int32_t note_id;
  int16_t port, channel, key;
  double value;
} CLAPExpressionEvent;

/// A new value of a parameter, or with `CLAPEventParamModulation` an offset to it. Note, port, channel and key
/// are -1 if it is for the whole plug-in.
typedef struct CLAPParamEvent {
  CLAPEventHeader header;
  uint32_t param_id;
  /// What the plug-in has set in its `CLAPParamInfo`, or null.
  void *_Nullable cookie;
  int32_t note_id;
  int16_t port, channel, key;
  double value;
} CLAPParamEvent;

/// The user starts or ends to move a control.
typedef struct CLAPGestureEvent {
  CLAPEventHeader header;
  uint32_t param_id;
} CLAPGestureEvent;

enum CLAPTransportFlags {
  CLAPTransportHasTempo = 1 << 0,
  CLAPTransportHasBeats = 1 << 1,
  CLAPTransportHasSeconds = 1 << 2,
  CLAPTransportHasTimeSignature = 1 << 3,
  CLAPTransportIsPlaying = 1 << 4,
  CLAPTransportIsRecording = 1 << 5,
  CLAPTransportIsLooping = 1 << 6,
  CLAPTransportIsInPreRoll = 1 << 7,
};

/// One beat, or one second, in the members below.
#define CLAP_TIME_UNIT (INT64_C(1) << 31)

typedef struct CLAPTransportEvent {
  CLAPEventHeader header;
  uint32_t flags;
  int64_t position_beats;
  int64_t position_seconds;
  /// Beats per minute, and its change per frame.
  double tempo;
  double tempo_increment;
  int64_t loop_start_beats, loop_end_beats;
  int64_t loop_start_seconds, loop_end_seconds;
  /// The position of the current bar, in beats. The first bar is number 0.
  int64_t bar_start;
  int32_t bar_number;
  uint16_t signature_numerator, signature_denominator;
} CLAPTransportEvent;

typedef struct CLAPMIDIEvent {
  CLAPEventHeader header;
  uint16_t port;
  uint8_t data[3];
} CLAPMIDIEvent;

/// The bytes are valid only during the call.
typedef struct CLAPSysExEvent {
  CLAPEventHeader header;
  uint16_t port;
  const uint8_t *_Nullable bytes;
  uint32_t count;
} CLAPSysExEvent;

typedef struct CLAPMIDI2Event {
  CLAPEventHeader header;
  uint16_t port;
  uint32_t words[4];
} CLAPMIDI2Event;

typedef struct CLAPInputEvents {
  void *_Nullable context;
  uint32_t (*_Nullable size)(const struct CLAPInputEvents *_Nonnull list);
  const CLAPEventHeader *_Nullable (*_Nullable get)(
      const struct CLAPInputEvents *_Nonnull list, uint32_t index);
} CLAPInputEvents;

typedef struct CLAPOutputEvents {
  void *_Nullable context;
  /// Copies the event; false: the list is full.
  bool (*_Nullable try_push)(
      const struct CLAPOutputEvents *_Nonnull list, const CLAPEventHeader *_Nonnull event);
} CLAPOutputEvents;
