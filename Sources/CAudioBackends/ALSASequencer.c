// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "ALSASequencer.h"

#include <errno.h>
#include <string.h>

#include "ALSA.h"
#include "Loader.h"

#if __has_include(<alsa/asoundlib.h>)
#include <alsa/asoundlib.h>
_Static_assert(sizeof(ALSAEvent) == sizeof(snd_seq_event_t), "event");
_Static_assert(offsetof(ALSAEvent, source) == offsetof(snd_seq_event_t, source), "source");
_Static_assert(offsetof(ALSAEvent, dest) == offsetof(snd_seq_event_t, dest), "dest");
_Static_assert(offsetof(ALSAEvent, data) == offsetof(snd_seq_event_t, data), "data");
#define SAME_VALUE(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #theirs)
SAME_VALUE(ALSASequencerDuplex, SND_SEQ_OPEN_DUPLEX);
SAME_VALUE(ALSASequencerNonblock, SND_SEQ_NONBLOCK);
SAME_VALUE(ALSACanRead | ALSACanSubscribeRead, SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ);
SAME_VALUE(ALSACanWrite | ALSACanSubscribeWrite,
           SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE);
SAME_VALUE(ALSAHidden, SND_SEQ_PORT_CAP_NO_EXPORT);
SAME_VALUE(ALSAGenericMIDI, SND_SEQ_PORT_TYPE_MIDI_GENERIC);
SAME_VALUE(ALSAHardware, SND_SEQ_PORT_TYPE_HARDWARE);
SAME_VALUE(ALSASoftware, SND_SEQ_PORT_TYPE_SOFTWARE);
SAME_VALUE(ALSAApplication, SND_SEQ_PORT_TYPE_APPLICATION);
SAME_VALUE(ALSAKernelClient, SND_SEQ_KERNEL_CLIENT);
SAME_VALUE(ALSAClientStart, SND_SEQ_EVENT_CLIENT_START);
SAME_VALUE(ALSAPortChange, SND_SEQ_EVENT_PORT_CHANGE);
SAME_VALUE(ALSASystemExclusive, SND_SEQ_EVENT_SYSEX);
SAME_VALUE(ALSADirectQueue, SND_SEQ_QUEUE_DIRECT);
SAME_VALUE(ALSAAnnouncePort, SND_SEQ_PORT_SYSTEM_ANNOUNCE);
// Compares the types of functions that use none of the library's structures and enumerations.
#define SAME(f) \
  _Static_assert(__builtin_types_compatible_p( \
                     __typeof__(f) *, __typeof__(((ALSASequencerFunctions *)0)->f)), #f)
SAME(snd_seq_open);
SAME(snd_seq_close);
SAME(snd_seq_set_client_name);
SAME(snd_seq_client_id);
SAME(snd_seq_set_client_pool_output);
SAME(snd_seq_set_output_buffer_size);
SAME(snd_seq_create_simple_port);
SAME(snd_seq_delete_simple_port);
SAME(snd_seq_connect_from);
SAME(snd_seq_connect_to);
SAME(snd_seq_poll_descriptors);
SAME(snd_seq_client_info_malloc);
SAME(snd_seq_client_info_get_name);
SAME(snd_seq_query_next_client);
SAME(snd_seq_port_info_malloc);
SAME(snd_seq_port_info_get_name);
SAME(snd_seq_port_info_get_capability);
SAME(snd_seq_port_info_get_type);
SAME(snd_seq_query_next_port);
SAME(snd_midi_event_new);
SAME(snd_midi_event_free);
SAME(snd_midi_event_no_status);
#endif

static ALSASequencerFunctions alsa;

#define ALSA_SYMBOL(type, name, parameters) {#name},
static const LibrarySymbol symbols[] = {ALSA_SEQUENCER_FUNCTIONS(ALSA_SYMBOL)};
static Library library = {.files = {"libasound.so.2"}, .package = "libasound2",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &alsa};

const ALSASequencerFunctions *alsa_sequencer_functions(const char **reason) {
  // This silences the library, too.
  if (!alsa_functions(reason)) return NULL;
  if (library_load(&library)) return &alsa;
  *reason = library.reason;
  return NULL;
}

snd_seq_t *alsa_sequencer_open(int *error) {
  snd_seq_t *sequencer = NULL;
  *error = alsa.snd_seq_open(&sequencer, "default", ALSASequencerDuplex, ALSASequencerNonblock);
  if (*error < 0) return NULL;
  alsa.snd_seq_set_client_name(sequencer, program_invocation_short_name);
  return sequencer;
}

// The length and the address of the bytes of an event of variable length, which are packed.
typedef struct __attribute__((packed)) {
  uint32_t count;
  const unsigned char *bytes;
} External;
_Static_assert(sizeof(External) <= sizeof(((ALSAEvent *)0)->data), "external data");

int alsa_sequencer_encode(snd_midi_event_t *encoder, const unsigned char *bytes, long count,
                          ALSAEvent *event) {
  enum { VariableLength = 1 << 2 };
  memset(event, 0, sizeof *event);
  // Parts of system exclusive messages begin with data, which the encoder does not accept.
  if (count > 0 && (bytes[0] == 0xf0 || bytes[0] < 0x80 || bytes[0] == 0xf7)) {
    const External external = {(uint32_t)count, bytes};
    event->type = ALSASystemExclusive;
    event->flags = VariableLength;
    memcpy(&event->data, &external, sizeof external);
    return 1;
  }
  alsa.snd_midi_event_reset_encode(encoder);
  return alsa.snd_midi_event_encode(encoder, bytes, count, event) == count && event->type != 255;
}

const unsigned char *alsa_sequencer_sysex(const ALSAEvent *event, uint32_t *count) {
  if (event->type != ALSASystemExclusive) return NULL;
  External external;
  memcpy(&external, &event->data, sizeof external);
  *count = external.count;
  return external.bytes;
}
