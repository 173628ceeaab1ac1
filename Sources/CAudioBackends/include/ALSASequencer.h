// SPDX-License-Identifier: Apache-2.0
// The sequencer of libasound, which connects programs and hardware for MIDI. The used part is
// declared here, and compared with the library's own header where that is installed.
#pragma once
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct _snd_seq snd_seq_t;
typedef struct _snd_seq_client_info snd_seq_client_info_t;
typedef struct _snd_seq_port_info snd_seq_port_info_t;
typedef struct snd_midi_event snd_midi_event_t;
struct pollfd;

/// A port by the numbers of its client and itself.
typedef struct ALSAAddress {
  unsigned char client;
  unsigned char port;
} ALSAAddress;

/// An event of the sequencer.
typedef struct ALSAEvent {
  unsigned char type;
  unsigned char flags;
  unsigned char tag;
  unsigned char queue;
  /// Seconds and nanoseconds, or ticks.
  uint32_t time[2];
  ALSAAddress source;
  ALSAAddress dest;
  union {
    unsigned char bytes[12];
    /// Of announcements.
    ALSAAddress address;
    uint32_t words[3];
  } data;
} ALSAEvent;

enum { ALSASequencerDuplex = 3, ALSASequencerNonblock = 1 };
/// What others may do with a port.
enum ALSACapability {
  ALSACanRead = 0x01,
  ALSACanWrite = 0x02,
  ALSACanSubscribeRead = 0x20,
  ALSACanSubscribeWrite = 0x40,
  ALSAHidden = 0x80,
};
/// Types of ports and clients.
enum {
  ALSAGenericMIDI = 0x2,
  ALSAHardware = 0x10000,
  ALSASoftware = 0x20000,
  ALSAApplication = 0x100000,
  ALSAKernelClient = 2,
};
/// Types of events: the first and the last announcement, and system exclusive messages.
enum {
  ALSAClientStart = 60,
  ALSAPortChange = 65,
  ALSASystemExclusive = 130,
};
enum { ALSADirectQueue = 253, ALSAAnnouncePort = 1 };

#define ALSA_SEQUENCER_FUNCTIONS(F) \
  F(int, snd_seq_open, (snd_seq_t *_Nullable *_Nonnull, const char *, int, int)) \
  F(int, snd_seq_close, (snd_seq_t *)) \
  F(int, snd_seq_set_client_name, (snd_seq_t *, const char *)) \
  F(int, snd_seq_client_id, (snd_seq_t *)) \
  F(int, snd_seq_set_client_pool_output, (snd_seq_t *, size_t)) \
  F(int, snd_seq_set_client_pool_input, (snd_seq_t *, size_t)) \
  F(int, snd_seq_set_output_buffer_size, (snd_seq_t *, size_t)) \
  F(int, snd_seq_set_input_buffer_size, (snd_seq_t *, size_t)) \
  F(int, snd_seq_create_simple_port, (snd_seq_t *, const char *, unsigned, unsigned)) \
  F(int, snd_seq_delete_simple_port, (snd_seq_t *, int)) \
  F(int, snd_seq_connect_from, (snd_seq_t *, int, int, int)) \
  F(int, snd_seq_connect_to, (snd_seq_t *, int, int, int)) \
  F(int, snd_seq_event_input, (snd_seq_t *, ALSAEvent *_Nullable *_Nonnull)) \
  F(int, snd_seq_event_output_direct, (snd_seq_t *, ALSAEvent *)) \
  F(int, snd_seq_poll_descriptors, (snd_seq_t *, struct pollfd *, unsigned, short)) \
  F(int, snd_seq_client_info_malloc, (snd_seq_client_info_t *_Nullable *_Nonnull)) \
  F(void, snd_seq_client_info_free, (snd_seq_client_info_t *)) \
  F(void, snd_seq_client_info_set_client, (snd_seq_client_info_t *, int)) \
  F(int, snd_seq_client_info_get_client, (const snd_seq_client_info_t *)) \
  F(const char *_Nullable, snd_seq_client_info_get_name, (snd_seq_client_info_t *)) \
  F(int, snd_seq_client_info_get_type, (const snd_seq_client_info_t *)) \
  F(int, snd_seq_query_next_client, (snd_seq_t *, snd_seq_client_info_t *)) \
  F(int, snd_seq_port_info_malloc, (snd_seq_port_info_t *_Nullable *_Nonnull)) \
  F(void, snd_seq_port_info_free, (snd_seq_port_info_t *)) \
  F(void, snd_seq_port_info_set_client, (snd_seq_port_info_t *, int)) \
  F(void, snd_seq_port_info_set_port, (snd_seq_port_info_t *, int)) \
  F(int, snd_seq_port_info_get_port, (const snd_seq_port_info_t *)) \
  F(const char *_Nullable, snd_seq_port_info_get_name, (const snd_seq_port_info_t *)) \
  F(unsigned, snd_seq_port_info_get_capability, (const snd_seq_port_info_t *)) \
  F(unsigned, snd_seq_port_info_get_type, (const snd_seq_port_info_t *)) \
  F(int, snd_seq_query_next_port, (snd_seq_t *, snd_seq_port_info_t *)) \
  F(int, snd_midi_event_new, (size_t, snd_midi_event_t *_Nullable *_Nonnull)) \
  F(void, snd_midi_event_free, (snd_midi_event_t *)) \
  F(void, snd_midi_event_no_status, (snd_midi_event_t *, int)) \
  F(void, snd_midi_event_reset_encode, (snd_midi_event_t *)) \
  F(void, snd_midi_event_reset_decode, (snd_midi_event_t *)) \
  F(long, snd_midi_event_encode, (snd_midi_event_t *, const unsigned char *, long, ALSAEvent *)) \
  F(long, snd_midi_event_decode, (snd_midi_event_t *, unsigned char *, long, const ALSAEvent *))

#define ALSA_SEQUENCER_MEMBER(type, name, parameters) type (*_Nonnull name) parameters;

/// The functions of libasound for the sequencer, under their own names.
typedef struct ALSASequencerFunctions {
  ALSA_SEQUENCER_FUNCTIONS(ALSA_SEQUENCER_MEMBER)
} ALSASequencerFunctions;

/// The library, opened at first use. Null, with the reason, if it cannot be opened. [control
/// thread]
const ALSASequencerFunctions *_Nullable alsa_sequencer_functions(
    const char *_Nullable *_Nonnull reason);

/// Opens a client of the kernel's sequencer with the program's name. Returns null and writes the
/// negative error if there is none. [control thread]
snd_seq_t *_Nullable alsa_sequencer_open(int *error);

/// Makes an event of a message: a part of a system exclusive message, which it points to, or another
/// message that the encoder understands. Returns whether it does.
int alsa_sequencer_encode(snd_midi_event_t *encoder, const unsigned char *bytes, long count,
                          ALSAEvent *event);

/// The bytes of a system exclusive event; null for events of other types.
const unsigned char *_Nullable alsa_sequencer_sysex(const ALSAEvent *event, uint32_t *count);

#pragma clang assume_nonnull end
