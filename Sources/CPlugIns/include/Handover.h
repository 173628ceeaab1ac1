// SPDX-License-Identifier: Apache-2.0
// Blocks of sound that one process hands over to another in memory that both have: the memory, the words by which
// they wait for each other, and how the memory gets to the other process.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "PlugInGuard.h"

/// The numbers of blocks, each in a cache line of its own.
typedef struct Handover {
  /// The last block that was handed over.
  uint32_t asked;
  uint8_t gap[60];
  /// The last block that was processed.
  uint32_t answered;
  uint8_t end[60];
} Handover;

/// Hands a block over. It does not wait. [render thread]
PLUG_IN_NO_LOCKS void handover_ask(Handover *_Nonnull handover, uint32_t number);
/// Whether a block has been processed. [render thread]
PLUG_IN_NO_LOCKS bool handover_is_answered(const Handover *_Nonnull handover, uint32_t number);
/// Waits until a block has been processed. False: `has_ended` is not zero, or the host clock has reached `deadline`, in
/// nanoseconds. [render thread]
PLUG_IN_NO_LOCKS bool handover_wait(
    Handover *_Nonnull handover, uint32_t number, uint64_t deadline, const uint32_t *_Nonnull has_ended);
/// Makes a wait look at `has_ended`, which was set before. [control thread]
void handover_interrupt(Handover *_Nonnull handover);

/// Waits in the other process for a block after `last`, so many nanoseconds at most; returns the number of the last one.
/// [render thread of the other process]
uint32_t handover_next(Handover *_Nonnull handover, uint32_t last, uint64_t nanoseconds);
/// Says there that a block has been processed. [render thread of the other process]
void handover_answer(Handover *_Nonnull handover, uint32_t number);

/// Adds bits to a word that both processes have, and takes all of them. [any thread]
void shared_bits_add(uint32_t *_Nonnull word, uint32_t bits);
uint32_t shared_bits_take(uint32_t *_Nonnull word);
/// Its bits. [any thread]
PLUG_IN_NO_LOCKS static inline uint32_t shared_bits(const uint32_t *_Nonnull word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

/// Memory for two processes, as a file that no process can make shorter: that would end whoever reads it. Negative: there
/// is none, and `errno` says why. [control thread]
int shared_memory_make(size_t bytes);
/// Maps such a file; NULL: that is impossible. The memory has pages beyond both ends that cannot be used, so that what
/// writes past its end does not reach other memory. [control thread]
void *_Nullable shared_memory_map(int file, size_t bytes);
void shared_memory_unmap(void *_Nonnull memory, size_t bytes);

/// Sends a file with a byte through a socket, and receives one; negative: that failed. [control thread]
int channel_send_file(int channel, int file);
int channel_receive_file(int channel);

/// A pipe that nobody waits for; negative: there is none. [control thread]
int notice_pipe(int *_Nonnull ends);

/// A file that can be read when a process has ended; negative: this kernel has none. [control thread]
int process_file(int process);

/// What a process that runs plug-ins for another one must have: no file after a crash. [main thread]
void plug_in_prepare_process(void);
