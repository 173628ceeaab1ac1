// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "JACK.h"

#include <errno.h>
#include <stdio.h>

#include "Loader.h"

#if __has_include(<jack/jack.h>)
// Its structures are renamed, so that only the types of its functions are compared.
#define _jack_latency_range _jack_latency_range_of_header
#include <jack/jack.h>
// Its structure is renamed for the same reason.
#define _jack_midi_event _jack_midi_event_of_header
#include <jack/midiport.h>
#undef _jack_midi_event
#undef _jack_latency_range
_Static_assert(sizeof(jack_latency_range_t) == sizeof(JACKLatencyRange), "latency range");
_Static_assert(sizeof(jack_midi_event_t) == sizeof(JACKMIDIEvent), "event");
_Static_assert(offsetof(jack_midi_event_t, buffer) == offsetof(JACKMIDIEvent, buffer), "event");
_Static_assert(JackPortIsInput == (int)JACKPortIsInput, "flags");
_Static_assert(JackPortIsPhysical == (int)JACKPortIsPhysical, "flags");
_Static_assert(JackPlaybackLatency == (int)JACKPlaybackLatency && JackNoStartServer == 1, "modes");
_Static_assert(JackServerError == (int)JACKServerError, "codes");
#define SAME(f) _Static_assert( \
  __builtin_types_compatible_p(__typeof__(f) *, __typeof__(((JACKFunctions *)0)->f)), #f);
SAME(jack_client_close) SAME(jack_activate) SAME(jack_get_sample_rate) SAME(jack_get_ports)
SAME(jack_set_process_callback) SAME(jack_set_buffer_size_callback) SAME(jack_set_buffer_size) SAME(jack_set_xrun_callback)
SAME(jack_set_port_registration_callback) SAME(jack_port_register) SAME(jack_port_get_buffer)
SAME(jack_get_client_pid) SAME(jack_set_port_connect_callback) SAME(jack_port_get_all_connections)
SAME(jack_port_name) SAME(jack_port_by_name) SAME(jack_port_by_id) SAME(jack_connect) SAME(jack_get_cycle_times)
SAME(jack_port_unregister) SAME(jack_port_flags) SAME(jack_port_is_mine) SAME(jack_get_version_string)
SAME(jack_midi_get_event_count) SAME(jack_midi_clear_buffer) SAME(jack_midi_event_reserve)
SAME(jack_on_shutdown) SAME(jack_get_time) SAME(jack_cpu_load) SAME(jack_free) SAME(jack_set_error_function)
#endif

typedef jack_client_t *ClientOpen(const char *, int, int *, ...);

static struct {
  JACKFunctions functions;
  ClientOpen *jack_client_open;
} jack;

#define JACK_SYMBOL(type, name, parameters) {#name},
static const LibrarySymbol symbols[] = {JACK_FUNCTIONS(JACK_SYMBOL){"jack_client_open"}};
static Library library = {.files = {"libjack.so.0"}, .package = "libjack-jackd2-0",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &jack};

// The library also prints to standard error what its calls return.
static void drop(const char *message) { (void)message; }

const JACKFunctions *jack_functions(const char **reason) {
  if (!library_load(&library)) {
    *reason = library.reason;
    return NULL;
  }
  jack.functions.jack_set_error_function(drop);
  jack.functions.jack_set_info_function(drop);
  return &jack.functions;
}

jack_client_t *jack_open(const char *name, char *reason, uint32_t size, _Bool *is_gone) {
  enum { NoStartServer = 1, Failure = 1, ServerFailed = 0x10, VersionError = 0x400 };
  int status = 0;
  char short_name[41];
  // The server refuses longer names, and a colon separates the name of a client from that of a
  // port.
  snprintf(short_name, sizeof short_name, "%s", name ? name : program_invocation_short_name);
  for (char *at = short_name; *at; at++) *at = *at == ':' ? ' ' : *at;
  jack_client_t *client = jack.jack_client_open(short_name, NoStartServer, &status);
  *is_gone = !client && status & ServerFailed;
  if (client) return client;
  snprintf(reason, size, "%s (status 0x%x)",
           status & VersionError    ? "the JACK server is of another version"
           : status & ServerFailed ? "no JACK server is running"
                                   : "the JACK server refused the client",
           (unsigned)status);
  return NULL;
}
