// SPDX-License-Identifier: Apache-2.0
// libjack, either from a JACK server or from PipeWire. Its interface is frozen, and its types are
// numbers and opaque pointers. They are declared here, and compared with the library's own header
// where that is installed.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct _jack_client jack_client_t;
typedef struct _jack_port jack_port_t;

/// The latency between a port and the analog signal, in frames: minimum and maximum.
typedef struct _jack_latency_range {
  uint32_t min;
  uint32_t max;
} __attribute__((packed, aligned(4))) JACKLatencyRange;

/// An event of a MIDI port in a cycle: its frame, and its bytes.
typedef struct JACKMIDIEvent {
  uint32_t time;
  size_t size;
  unsigned char *buffer;
} JACKMIDIEvent;

#define JACK_FUNCTIONS(F) \
  F(int, jack_client_close, (jack_client_t *)) \
  F(int, jack_activate, (jack_client_t *)) \
  F(int, jack_deactivate, (jack_client_t *)) \
  F(uint32_t, jack_get_sample_rate, (jack_client_t *)) \
  F(uint32_t, jack_get_buffer_size, (jack_client_t *)) \
  F(int, jack_set_buffer_size, (jack_client_t *, uint32_t)) \
  F(int, jack_is_realtime, (jack_client_t *)) \
  F(int, jack_client_real_time_priority, (jack_client_t *)) \
  F(float, jack_cpu_load, (jack_client_t *)) \
  F(char *, jack_get_client_name, (jack_client_t *)) \
  F(int, jack_get_client_pid, (const char *)) \
  F(int, jack_set_process_callback, (jack_client_t *, int (*)(uint32_t, void *), void *)) \
  F(int, jack_set_buffer_size_callback, (jack_client_t *, int (*)(uint32_t, void *), void *)) \
  F(int, jack_set_sample_rate_callback, (jack_client_t *, int (*)(uint32_t, void *), void *)) \
  F(int, jack_set_xrun_callback, (jack_client_t *, int (*)(void *), void *)) \
  F(int, jack_set_latency_callback, (jack_client_t *, void (*)(uint32_t, void *), void *)) \
  F(int, jack_set_port_registration_callback, \
    (jack_client_t *, void (*)(uint32_t, int, void *), void *)) \
  F(int, jack_set_port_connect_callback, \
    (jack_client_t *, void (*)(uint32_t, uint32_t, int, void *), void *)) \
  F(void, jack_on_shutdown, (jack_client_t *, void (*)(void *), void *)) \
  F(void, jack_on_info_shutdown, \
    (jack_client_t *, void (*)(uint32_t, const char *, void *), void *)) \
  F(jack_port_t *, jack_port_register, \
    (jack_client_t *, const char *, const char *, unsigned long, unsigned long)) \
  F(int, jack_port_unregister, (jack_client_t *, jack_port_t *)) \
  F(void *, jack_port_get_buffer, (jack_port_t *, uint32_t)) \
  F(int, jack_port_flags, (const jack_port_t *)) \
  F(int, jack_port_is_mine, (const jack_client_t *, const jack_port_t *)) \
  F(const char *, jack_port_name, (const jack_port_t *)) \
  F(jack_port_t *, jack_port_by_name, (jack_client_t *, const char *)) \
  F(jack_port_t *, jack_port_by_id, (jack_client_t *, uint32_t)) \
  F(const char * *, jack_port_get_all_connections, (const jack_client_t *, const jack_port_t *)) \
  F(void, jack_port_get_latency_range, (jack_port_t *, uint32_t, JACKLatencyRange *)) \
  F(int, jack_connect, (jack_client_t *, const char *, const char *)) \
  F(const char * *, jack_get_ports, \
    (jack_client_t *, const char *, const char *, unsigned long)) \
  F(void, jack_free, (void *)) \
  F(int, jack_get_cycle_times, \
    (const jack_client_t *, uint32_t *, uint64_t *, uint64_t *, float *)) \
  F(uint64_t, jack_get_time, (void)) \
  F(const char *, jack_get_version_string, (void)) \
  F(uint32_t, jack_midi_get_event_count, (void *)) \
  F(int, jack_midi_event_get, (JACKMIDIEvent *, void *, uint32_t)) \
  F(void, jack_midi_clear_buffer, (void *)) \
  F(unsigned char *, jack_midi_event_reserve, (void *, uint32_t, size_t)) \
  F(void, jack_set_error_function, (void (*)(const char *))) \
  F(void, jack_set_info_function, (void (*)(const char *)))

#define JACK_MEMBER(type, name, parameters) type (*name) parameters;

/// The functions of libjack, under their own names.
typedef struct JACKFunctions {
  JACK_FUNCTIONS(JACK_MEMBER)
} JACKFunctions;

/// Flags of ports.
enum JACKPortFlags { JACKPortIsInput = 1, JACKPortIsOutput = 2, JACKPortIsPhysical = 4 };

/// Bits of the shutdown code of a client. `JACKServerError`: the server itself has ended.
enum JACKShutdownCode { JACKServerError = 0x20 };

/// Modes of latency callbacks and ranges.
enum JACKLatencyMode { JACKCaptureLatency, JACKPlaybackLatency };

/// The library, opened at first use. Null, with the reason, if it cannot be opened. [control
/// thread]
const JACKFunctions *jack_functions(const char **reason);

/// Opens a client of the running server, by default with the program's name. Does not start a
/// server. Returns null and writes the reason if that fails, and whether there is no server. May wait for
/// a server that hangs. [control thread]
jack_client_t *jack_open(const char *name, char *reason, uint32_t size, _Bool *is_gone);

