// SPDX-License-Identifier: Apache-2.0
// Stands before the C library's allocator and counts, for each thread, how often it is used.
#include "allocation_probe.h"

#include <errno.h>
#include <stddef.h>

// A sanitizer stands there itself: in its builds nothing is counted.
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) \
    || __has_feature(realtime_sanitizer)
#define SANITIZED 1
#endif

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local __attribute__((tls_model("initial-exec"))) int64_t operations;

int64_t heap_operations(void) { return operations; }

#ifndef SANITIZED
void *malloc(size_t size) {
  operations++;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  operations++;
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  operations++;
  return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  operations++;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  operations++;
  *memory = __libc_memalign(alignment, size);
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  operations++;
  __libc_free(memory);
}
#endif
