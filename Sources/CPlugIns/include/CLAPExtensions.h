// SPDX-License-Identifier: Apache-2.0
// The tables of functions that `get_extension` of a CLAP plug-in or host returns, by their identifiers.
#pragma once
#include "CLAPEvents.h"

#define CLAP_PARAMS "clap.params"
#define CLAP_STATE "clap.state"
#define CLAP_LATENCY "clap.latency"
#define CLAP_TAIL "clap.tail"
#define CLAP_RENDER "clap.render"
#define CLAP_AUDIO_PORTS "clap.audio-ports"
#define CLAP_AUDIO_PORTS_CONFIG "clap.audio-ports-config"
#define CLAP_CONFIGURABLE_AUDIO_PORTS "clap.configurable-audio-ports/1"
#define CLAP_NOTE_PORTS "clap.note-ports"
#define CLAP_PRESET_LOAD "clap.preset-load/2"
#define CLAP_VOICE_INFO "clap.voice-info"
#define CLAP_THREAD_CHECK "clap.thread-check"
#define CLAP_THREAD_POOL "clap.thread-pool"
#define CLAP_LOG "clap.log"
#define CLAP_TIMERS "clap.timer-support"
/// A factory, not an extension: the codes that a plug-in has as an audio unit.
#define CLAP_AUDIO_UNIT_INFO "clap.plugin-factory-info-as-auv2.draft0"

#define CLAP_NAME_SIZE 256
#define CLAP_PATH_SIZE 1024
/// No port, parameter or other thing with an identifier.
#define CLAP_INVALID_ID UINT32_MAX

// Parameters

enum CLAPParamFlags {
  CLAPParamIsStepped = 1 << 0,
  CLAPParamIsPeriodic = 1 << 1,
  CLAPParamIsHidden = 1 << 2,
  CLAPParamIsReadOnly = 1 << 3,
  CLAPParamIsBypass = 1 << 4,
  CLAPParamIsAutomatable = 1 << 5,
  CLAPParamIsModulatable = 1 << 10,
  CLAPParamRequiresProcess = 1 << 15,
  CLAPParamIsEnum = 1 << 16,
};

typedef struct CLAPParamInfo {
  uint32_t id;
  uint32_t flags;
  void *_Nullable cookie;
  char name[CLAP_NAME_SIZE];
  /// The group, such as "Filter/Envelope".
  char module[CLAP_PATH_SIZE];
  double min_value, max_value, default_value;
} CLAPParamInfo;

typedef struct CLAPParams {
  /// [main thread], as the others without a word.
  uint32_t (*_Nullable count)(const CLAPPlugIn *_Nonnull plug_in);
  bool (*_Nullable get_info)(const CLAPPlugIn *_Nonnull plug_in, uint32_t index, CLAPParamInfo *_Nonnull info);
  bool (*_Nullable get_value)(const CLAPPlugIn *_Nonnull plug_in, uint32_t id, double *_Nonnull value);
  bool (*_Nullable value_to_text)(
      const CLAPPlugIn *_Nonnull plug_in, uint32_t id, double value, char *_Nonnull text, uint32_t size);
  bool (*_Nullable text_to_value)(
      const CLAPPlugIn *_Nonnull plug_in, uint32_t id, const char *_Nonnull text, double *_Nonnull value);
  /// Exchanges parameter events while `process` does not run. [render thread if active, otherwise main thread]
  void (*_Nullable flush)(
      const CLAPPlugIn *_Nonnull plug_in, const CLAPInputEvents *_Nonnull in,
      const CLAPOutputEvents *_Nonnull out);
} CLAPParams;

enum CLAPParamRescanFlags {
  CLAPParamRescanValues = 1 << 0,
  CLAPParamRescanText = 1 << 1,
  CLAPParamRescanInfo = 1 << 2,
  CLAPParamRescanAll = 1 << 3,
};

typedef struct CLAPHostParams {
  void (*_Nullable rescan)(const CLAPHost *_Nonnull host, uint32_t flags);
  void (*_Nullable clear)(const CLAPHost *_Nonnull host, uint32_t param_id, uint32_t flags);
  /// Requests a call of `flush` or `process`. [any thread but the render thread]
  void (*_Nullable request_flush)(const CLAPHost *_Nonnull host);
} CLAPHostParams;

// State

/// A stream may return fewer bytes than requested; 0: the end, -1: an error.
typedef struct CLAPInputStream {
  void *_Nullable context;
  int64_t (*_Nullable read)(
      const struct CLAPInputStream *_Nonnull stream, void *_Nonnull bytes, uint64_t count);
} CLAPInputStream;

typedef struct CLAPOutputStream {
  void *_Nullable context;
  int64_t (*_Nullable write)(
      const struct CLAPOutputStream *_Nonnull stream, const void *_Nonnull bytes, uint64_t count);
} CLAPOutputStream;

typedef struct CLAPState {
  bool (*_Nullable save)(const CLAPPlugIn *_Nonnull plug_in, const CLAPOutputStream *_Nonnull stream);
  bool (*_Nullable load)(const CLAPPlugIn *_Nonnull plug_in, const CLAPInputStream *_Nonnull stream);
} CLAPState;

typedef struct CLAPHostState {
  void (*_Nullable mark_dirty)(const CLAPHost *_Nonnull host);
} CLAPHostState;

enum CLAPPresetLocation {
  CLAPPresetInFile = 0,
  CLAPPresetInPlugIn = 1,
};

typedef struct CLAPPresetLoad {
  bool (*_Nullable from_location)(
      const CLAPPlugIn *_Nonnull plug_in, uint32_t kind, const char *_Nullable location,
      const char *_Nullable load_key);
} CLAPPresetLoad;

typedef struct CLAPHostPresetLoad {
  void (*_Nullable on_error)(
      const CLAPHost *_Nonnull host, uint32_t kind, const char *_Nullable location,
      const char *_Nullable load_key, int32_t os_error, const char *_Nullable message);
  void (*_Nullable loaded)(
      const CLAPHost *_Nonnull host, uint32_t kind, const char *_Nullable location,
      const char *_Nullable load_key);
} CLAPHostPresetLoad;

// Time

typedef struct CLAPLatency {
  /// Frames. [main thread, active]
  uint32_t (*_Nullable get)(const CLAPPlugIn *_Nonnull plug_in);
} CLAPLatency;

typedef struct CLAPHostLatency {
  /// Only within `activate`. [main thread]
  void (*_Nullable changed)(const CLAPHost *_Nonnull host);
} CLAPHostLatency;

typedef struct CLAPTail {
  /// Frames; from `INT32_MAX` up: infinite. [main or render thread]
  uint32_t (*_Nullable get)(const CLAPPlugIn *_Nonnull plug_in);
} CLAPTail;

typedef struct CLAPHostTail {
  /// [render thread]
  void (*_Nullable changed)(const CLAPHost *_Nonnull host);
} CLAPHostTail;

enum CLAPRenderMode {
  CLAPRenderRealTime = 0,
  CLAPRenderOffline = 1,
};

typedef struct CLAPRender {
  bool (*_Nullable has_hard_realtime_requirement)(const CLAPPlugIn *_Nonnull plug_in);
  bool (*_Nullable set)(const CLAPPlugIn *_Nonnull plug_in, int32_t mode);
} CLAPRender;

// Ports

enum CLAPAudioPortFlags {
  CLAPAudioPortIsMain = 1 << 0,
  CLAPAudioPortSupports64Bits = 1 << 1,
  CLAPAudioPortPrefers64Bits = 1 << 2,
  CLAPAudioPortRequiresCommonSampleSize = 1 << 3,
};

#define CLAP_PORT_MONO "mono"
#define CLAP_PORT_STEREO "stereo"

typedef struct CLAPAudioPortInfo {
  uint32_t id;
  char name[CLAP_NAME_SIZE];
  uint32_t flags;
  uint32_t channel_count;
  /// `CLAP_PORT_MONO`, `CLAP_PORT_STEREO`, null (unspecified) or another name.
  const char *_Nullable port_type;
  /// The port of the other direction that may have the same memory, or `CLAP_INVALID_ID`.
  uint32_t in_place_pair;
} CLAPAudioPortInfo;

typedef struct CLAPAudioPorts {
  uint32_t (*_Nullable count)(const CLAPPlugIn *_Nonnull plug_in, bool is_input);
  bool (*_Nullable get)(
      const CLAPPlugIn *_Nonnull plug_in, uint32_t index, bool is_input, CLAPAudioPortInfo *_Nonnull info);
} CLAPAudioPorts;

typedef struct CLAPHostAudioPorts {
  bool (*_Nullable is_rescan_flag_supported)(const CLAPHost *_Nonnull host, uint32_t flag);
  void (*_Nullable rescan)(const CLAPHost *_Nonnull host, uint32_t flags);
} CLAPHostAudioPorts;

/// A choice of ports that a plug-in offers.
typedef struct CLAPAudioPortsConfig {
  uint32_t id;
  char name[CLAP_NAME_SIZE];
  uint32_t input_port_count, output_port_count;
  bool has_main_input;
  uint32_t main_input_channel_count;
  const char *_Nullable main_input_port_type;
  bool has_main_output;
  uint32_t main_output_channel_count;
  const char *_Nullable main_output_port_type;
} CLAPAudioPortsConfig;

typedef struct CLAPAudioPortsConfigs {
  uint32_t (*_Nullable count)(const CLAPPlugIn *_Nonnull plug_in);
  bool (*_Nullable get)(
      const CLAPPlugIn *_Nonnull plug_in, uint32_t index, CLAPAudioPortsConfig *_Nonnull config);
  /// [main thread, not active]
  bool (*_Nullable select)(const CLAPPlugIn *_Nonnull plug_in, uint32_t config_id);
} CLAPAudioPortsConfigs;

typedef struct CLAPHostAudioPortsConfigs {
  void (*_Nullable rescan)(const CLAPHost *_Nonnull host);
} CLAPHostAudioPortsConfigs;

/// A format that a host requests for a port.
typedef struct CLAPAudioPortRequest {
  bool is_input;
  uint32_t port_index;
  uint32_t channel_count;
  const char *_Nullable port_type;
  /// What other port types than mono and stereo need; null for these.
  const void *_Nullable port_details;
} CLAPAudioPortRequest;

typedef struct CLAPConfigurableAudioPorts {
  /// [main thread, not active], as `apply`.
  bool (*_Nullable can_apply)(
      const CLAPPlugIn *_Nonnull plug_in, const CLAPAudioPortRequest *_Nonnull requests, uint32_t count);
  bool (*_Nullable apply)(
      const CLAPPlugIn *_Nonnull plug_in, const CLAPAudioPortRequest *_Nonnull requests, uint32_t count);
} CLAPConfigurableAudioPorts;

enum CLAPNoteDialect {
  CLAPNoteDialectCLAP = 1 << 0,
  CLAPNoteDialectMIDI = 1 << 1,
  CLAPNoteDialectMPE = 1 << 2,
  CLAPNoteDialectMIDI2 = 1 << 3,
};

typedef struct CLAPNotePortInfo {
  uint32_t id;
  uint32_t supported_dialects;
  uint32_t preferred_dialect;
  char name[CLAP_NAME_SIZE];
} CLAPNotePortInfo;

typedef struct CLAPNotePorts {
  uint32_t (*_Nullable count)(const CLAPPlugIn *_Nonnull plug_in, bool is_input);
  bool (*_Nullable get)(
      const CLAPPlugIn *_Nonnull plug_in, uint32_t index, bool is_input, CLAPNotePortInfo *_Nonnull info);
} CLAPNotePorts;

typedef struct CLAPHostNotePorts {
  uint32_t (*_Nullable supported_dialects)(const CLAPHost *_Nonnull host);
  void (*_Nullable rescan)(const CLAPHost *_Nonnull host, uint32_t flags);
} CLAPHostNotePorts;

typedef struct CLAPVoiceInfo {
  uint32_t voice_count, voice_capacity;
  /// 1: notes of the same key may overlap.
  uint64_t flags;
} CLAPVoiceInfo;

typedef struct CLAPVoices {
  bool (*_Nullable get)(const CLAPPlugIn *_Nonnull plug_in, CLAPVoiceInfo *_Nonnull info);
} CLAPVoices;

typedef struct CLAPHostVoices {
  void (*_Nullable changed)(const CLAPHost *_Nonnull host);
} CLAPHostVoices;

// Threads and log

typedef struct CLAPHostThreadCheck {
  /// [any thread]
  bool (*_Nullable is_main_thread)(const CLAPHost *_Nonnull host);
  bool (*_Nullable is_audio_thread)(const CLAPHost *_Nonnull host);
} CLAPHostThreadCheck;

typedef struct CLAPThreadPool {
  void (*_Nullable exec)(const CLAPPlugIn *_Nonnull plug_in, uint32_t task);
} CLAPThreadPool;

typedef struct CLAPHostThreadPool {
  /// Calls `exec` for each task, in parallel if the host can; false: it did not. [render thread, in process]
  bool (*_Nullable request_exec)(const CLAPHost *_Nonnull host, uint32_t task_count);
} CLAPHostThreadPool;

enum CLAPLogSeverity {
  CLAPLogDebug = 0,
  CLAPLogInfo = 1,
  CLAPLogWarning = 2,
  CLAPLogError = 3,
  CLAPLogFatal = 4,
  CLAPLogHostMisbehaving = 5,
  CLAPLogPlugInMisbehaving = 6,
};

typedef struct CLAPHostLog {
  /// [any thread]
  void (*_Nullable log)(const CLAPHost *_Nonnull host, int32_t severity, const char *_Nonnull message);
} CLAPHostLog;

// Timers

typedef struct CLAPTimers {
  /// [main thread]
  void (*_Nullable on_timer)(const CLAPPlugIn *_Nonnull plug_in, uint32_t timer_id);
} CLAPTimers;

typedef struct CLAPHostTimers {
  /// Calls `on_timer` again and again. [main thread, as the next]
  bool (*_Nullable register_timer)(
      const CLAPHost *_Nonnull host, uint32_t milliseconds, uint32_t *_Nonnull timer_id);
  bool (*_Nullable unregister_timer)(const CLAPHost *_Nonnull host, uint32_t timer_id);
} CLAPHostTimers;

// Codes as an audio unit

/// Four characters and a zero each; empty: the plug-in has none.
typedef struct CLAPAudioUnitCodes {
  char type[5];
  char subtype[5];
} CLAPAudioUnitCodes;

typedef struct CLAPAudioUnitInfo {
  const char *_Nullable manufacturer_code;
  const char *_Nullable manufacturer_name;
  bool (*_Nullable get_codes)(
      const struct CLAPAudioUnitInfo *_Nonnull factory, uint32_t index, CLAPAudioUnitCodes *_Nonnull codes);
} CLAPAudioUnitInfo;
