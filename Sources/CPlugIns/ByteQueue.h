// SPDX-License-Identifier: Apache-2.0
// Messages of bytes from one thread to another. Neither waits.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { BYTE_QUEUE_SIZE = 1 << 16 };

typedef struct ByteQueue {
  _Atomic uint32_t head, tail;
  uint8_t bytes[BYTE_QUEUE_SIZE];
} ByteQueue;

static inline void byte_queue_copy_in(ByteQueue *queue, uint32_t at, const void *bytes, uint32_t count) {
  uint32_t start = at % BYTE_QUEUE_SIZE;
  uint32_t first = count < BYTE_QUEUE_SIZE - start ? count : BYTE_QUEUE_SIZE - start;
  memcpy(queue->bytes + start, bytes, first);
  memcpy(queue->bytes, (const uint8_t *)bytes + first, count - first);
}

static inline void byte_queue_copy_out(const ByteQueue *queue, uint32_t at, void *bytes, uint32_t count) {
  uint32_t start = at % BYTE_QUEUE_SIZE;
  uint32_t first = count < BYTE_QUEUE_SIZE - start ? count : BYTE_QUEUE_SIZE - start;
  memcpy(bytes, queue->bytes + start, first);
  memcpy((uint8_t *)bytes + first, queue->bytes, count - first);
}

/// Appends a message; false: no room.
static inline bool byte_queue_push(ByteQueue *queue, const void *bytes, uint32_t count) {
  uint32_t head = atomic_load_explicit(&queue->head, memory_order_relaxed);
  uint32_t used = head - atomic_load_explicit(&queue->tail, memory_order_acquire);
  if (count > BYTE_QUEUE_SIZE - sizeof count || used > BYTE_QUEUE_SIZE - sizeof count - count) return false;
  byte_queue_copy_in(queue, head, &count, sizeof count);
  byte_queue_copy_in(queue, head + sizeof count, bytes, count);
  atomic_store_explicit(&queue->head, head + (uint32_t)sizeof count + count, memory_order_release);
  return true;
}

/// Removes the next message, of at most `BYTE_QUEUE_SIZE` bytes; false: there is none.
static inline bool byte_queue_pop(ByteQueue *queue, void *bytes, uint32_t *count) {
  uint32_t tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
  if (tail == atomic_load_explicit(&queue->head, memory_order_acquire)) return false;
  byte_queue_copy_out(queue, tail, count, sizeof *count);
  byte_queue_copy_out(queue, tail + sizeof *count, bytes, *count);
  atomic_store_explicit(&queue->tail, tail + (uint32_t)sizeof *count + *count, memory_order_release);
  return true;
}

/// Removes all messages. [the reader]
static inline void byte_queue_clear(ByteQueue *queue) {
  atomic_store_explicit(
      &queue->tail, atomic_load_explicit(&queue->head, memory_order_acquire), memory_order_release);
}
