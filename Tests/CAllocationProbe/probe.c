// SPDX-License-Identifier: Apache-2.0
// Stands before the C library's allocator and counts, for each thread, how often it is used.
#define _GNU_SOURCE
#include "allocation_probe.h"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// A sanitizer stands there itself: in its builds nothing is counted. Nor without optimisation, which is
// what removes the allocations of array literals and closures, in the tests' own callbacks, too.
#if defined(DEBUG) || __has_feature(thread_sanitizer) || __has_feature(address_sanitizer) \
    || __has_feature(realtime_sanitizer)
#define COUNTED false
#else
#define COUNTED true
#endif

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static _Thread_local __attribute__((tls_model("initial-exec"))) int64_t operations;
static _Thread_local __attribute__((tls_model("initial-exec"))) int64_t own_operations;

bool heap_is_counted(void) { return COUNTED; }
int64_t heap_operations(void) { return operations; }
int64_t heap_operations_of_program(void) { return own_operations; }

static _Atomic int64_t live_bytes;

int64_t heap_live_bytes(void) { return atomic_load_explicit(&live_bytes, memory_order_relaxed); }

// Where the code of the program and of Swift's libraries lies.
enum { MaximumRanges = 64 };
static struct { uintptr_t begin, end; } ranges[MaximumRanges];
static int range_count;

static int note_object(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size, (void)context;
  // The program comes first, and has no name.
  const bool is_own = !*info->dlpi_name || strstr(info->dlpi_name, "/libswift");
  for (int i = 0; is_own && i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || range_count == MaximumRanges) continue;
    ranges[range_count].begin = info->dlpi_addr + segment->p_vaddr;
    ranges[range_count++].end = info->dlpi_addr + segment->p_vaddr + segment->p_memsz;
  }
  return 0;
}

__attribute__((constructor)) static void note_objects(void) { dl_iterate_phdr(note_object, NULL); }

static inline void count(uintptr_t caller) {
  operations++;
  for (int i = 0; i < range_count; i++) {
    if (caller >= ranges[i].begin && caller < ranges[i].end) {
      own_operations++;
      return;
    }
  }
}
#define COUNT() count((uintptr_t)__builtin_return_address(0))

#if COUNTED
static inline void add_bytes(int64_t bytes) {
  atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed);
}

// Counts new memory, unless there was none.
static inline void *allocated(void *memory) {
  add_bytes(malloc_usable_size(memory));
  return memory;
}

void *malloc(size_t size) {
  COUNT();
  return allocated(__libc_malloc(size));
}

void *calloc(size_t number, size_t size) {
  COUNT();
  return allocated(__libc_calloc(number, size));
}

void *realloc(void *memory, size_t size) {
  COUNT();
  const int64_t before = malloc_usable_size(memory);
  void *const moved = __libc_realloc(memory, size);
  // Without room for it, the memory stays as it is.
  if (moved || !size) add_bytes((int64_t)malloc_usable_size(moved) - before);
  return moved;
}

void *aligned_alloc(size_t alignment, size_t size) {
  COUNT();
  return allocated(__libc_memalign(alignment, size));
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  COUNT();
  *memory = allocated(__libc_memalign(alignment, size));
  return *memory ? 0 : ENOMEM;
}

void free(void *memory) {
  COUNT();
  add_bytes(-(int64_t)malloc_usable_size(memory));
  __libc_free(memory);
}
#endif
