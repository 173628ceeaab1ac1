// SPDX-License-Identifier: Apache-2.0

#include "HistoryMemory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Smaller blocks come from the heap, whose pages are mostly there.
enum { SMALLEST_MAPPING = 65536 };

float *history_memory(long count, bool is_offline) {
  const size_t size = (size_t)count * sizeof(float);
  if (size < SMALLEST_MAPPING) {
    float *samples = malloc(size ? size : 1);
    if (!samples) abort();
    return memset(samples, 0, size);
  }
  const int populate = is_offline ? 0 : MAP_POPULATE;
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | populate, -1, 0);
  if (pages == MAP_FAILED) abort();
  return pages;
}

void history_memory_free(float *samples, long count) {
  const size_t size = (size_t)count * sizeof(float);
  if (size < SMALLEST_MAPPING) {
    free(samples);
  } else {
    munmap(samples, size);
  }
}
