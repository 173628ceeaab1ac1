// SPDX-License-Identifier: Apache-2.0
// Each watched function is replaced by one of the same type that counts the call and calls the real function.
#define _GNU_SOURCE
#include "CRealTimeProbe.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static _Thread_local bool is_watched;
static _Thread_local int64_t calls;
static _Thread_local const char *first;

static inline void count_call(const char *name) {
  if (!is_watched) return;
  if (!calls++) first = name;
}

// The real functions are looked up before the tables are rewritten.
#define WATCH(result, name, parameters, arguments) \
  static result (*real_##name) parameters;         \
  static result watched_##name parameters {        \
    count_call(#name);                             \
    return real_##name arguments;                  \
  }
#define WATCH_VOID(name, parameters, arguments) \
  static void (*real_##name) parameters;        \
  static void watched_##name parameters {       \
    count_call(#name);                          \
    real_##name arguments;                      \
  }

WATCH(void *, malloc, (size_t size), (size))
WATCH(void *, calloc, (size_t count, size_t size), (count, size))
WATCH(void *, realloc, (void *memory, size_t size), (memory, size))
WATCH(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size))
WATCH(int, posix_memalign, (void **memory, size_t alignment, size_t size), (memory, alignment, size))
WATCH_VOID(free, (void *memory), (memory))
WATCH(int, pthread_mutex_lock, (pthread_mutex_t *lock), (lock))
WATCH(int, pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
WATCH(int, pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
WATCH(int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *lock), (condition, lock))
WATCH(int, pthread_cond_timedwait,
      (pthread_cond_t *condition, pthread_mutex_t *lock, const struct timespec *end),
      (condition, lock, end))
WATCH(int, pthread_join, (pthread_t thread, void **result), (thread, result))
WATCH(int, pthread_create,
      (pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *context),
      (thread, attributes, function, context))
WATCH(int, sem_wait, (sem_t *semaphore), (semaphore))
WATCH(int, sem_timedwait, (sem_t *semaphore, const struct timespec *time), (semaphore, time))
WATCH(int, sem_post, (sem_t *semaphore), (semaphore))
WATCH(int, nanosleep, (const struct timespec *time, struct timespec *rest), (time, rest))
WATCH(int, clock_nanosleep,
      (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
      (clock, flags, time, rest))
WATCH(int, usleep, (useconds_t time), (time))
WATCH(unsigned, sleep, (unsigned time), (time))
WATCH(ssize_t, read, (int file, void *bytes, size_t count), (file, bytes, count))
WATCH(ssize_t, write, (int file, const void *bytes, size_t count), (file, bytes, count))
WATCH(int, close, (int file), (file))
WATCH(FILE *, fopen, (const char *path, const char *mode), (path, mode))
WATCH(size_t, fwrite, (const void *bytes, size_t size, size_t count, FILE *file),
      (bytes, size, count, file))
WATCH(size_t, fread, (void *bytes, size_t size, size_t count, FILE *file), (bytes, size, count, file))
WATCH(int, fputs, (const char *text, FILE *file), (text, file))
WATCH(int, puts, (const char *text), (text))
WATCH(int, poll, (struct pollfd *files, nfds_t count, int time), (files, count, time))
WATCH(void *, mmap, (void *address, size_t size, int access, int flags, int file, off_t offset),
      (address, size, access, flags, file, offset))
WATCH(int, munmap, (void *address, size_t size), (address, size))

// Functions with a variable number of arguments.
static int (*real_vprintf)(const char *, va_list) = vprintf;
static int (*real_vfprintf)(FILE *, const char *, va_list) = vfprintf;
static int watched_printf(const char *format, ...) {
  count_call("printf");
  va_list list;
  va_start(list, format);
  const int result = real_vprintf(format, list);
  va_end(list);
  return result;
}
static int watched_fprintf(FILE *file, const char *format, ...) {
  count_call("fprintf");
  va_list list;
  va_start(list, format);
  const int result = real_vfprintf(file, format, list);
  va_end(list);
  return result;
}
// The third argument has an effect only when a file is created; otherwise it does no harm.
static int (*real_open)(const char *, int, ...);
static int watched_open(const char *path, int flags, ...) {
  count_call("open");
  va_list list;
  va_start(list, flags);
  const int mode = va_arg(list, int);
  va_end(list);
  return real_open(path, flags, mode);
}

typedef struct {
  const char *name;
  void *replacement;
  void **real;
} Watch;
#define ROW(name) {#name, (void *)watched_##name, (void **)&real_##name}
static void *unused;
static const Watch watches[] = {
    ROW(malloc), ROW(calloc), ROW(realloc), ROW(aligned_alloc), ROW(posix_memalign), ROW(free),
    ROW(pthread_mutex_lock), ROW(pthread_rwlock_rdlock), ROW(pthread_rwlock_wrlock),
    ROW(pthread_cond_wait), ROW(pthread_cond_timedwait), ROW(pthread_join), ROW(pthread_create),
    ROW(sem_wait), ROW(sem_timedwait), ROW(sem_post), ROW(nanosleep), ROW(clock_nanosleep), ROW(usleep), ROW(sleep), ROW(read),
    ROW(write), ROW(close), ROW(fopen), ROW(fwrite), ROW(fread), ROW(fputs), ROW(puts), ROW(poll),
    ROW(mmap), ROW(munmap), ROW(open),
    {"printf", (void *)watched_printf, &unused}, {"fprintf", (void *)watched_fprintf, &unused}};
enum { WatchCount = sizeof watches / sizeof *watches };

#if defined __x86_64__
static bool is_pointer(ElfW(Xword) type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; }
#elif defined __aarch64__
static bool is_pointer(ElfW(Xword) type) { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT; }
#else
static bool is_pointer(ElfW(Xword) type) { return (void)type, false; }
#endif

static int patched;

// Writes to a table entry, which the loader may have made read-only.
static void write_entry(void **entry, void *value) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *begin = (void *)((uintptr_t)entry & ~(page - 1));
  if (mprotect(begin, page, PROT_READ | PROT_WRITE)) return;
  *entry = value;
  patched++;
}

static void patch(const struct dl_phdr_info *object, const ElfW(Rela) *entries, size_t size,
                  const ElfW(Sym) *symbols, const char *texts) {
  for (size_t i = 0; entries && i < size / sizeof *entries; i++) {
    if (!is_pointer(ELF64_R_TYPE(entries[i].r_info))) continue;
    const char *name = texts + symbols[ELF64_R_SYM(entries[i].r_info)].st_name;
    for (int w = 0; w < WatchCount; w++) {
      if (strcmp(name, watches[w].name)) continue;
      void **entry = (void **)(object->dlpi_addr + entries[i].r_offset);
      if (*entry != watches[w].replacement) write_entry(entry, watches[w].replacement);
    }
  }
}

static int patch_object(struct dl_phdr_info *object, size_t size, void *context) {
  (void)size, (void)context;
  // The loader's own calls and the kernel's page are not rewritten.
  if (strstr(object->dlpi_name, "ld-linux") || strstr(object->dlpi_name, "linux-vdso")) return 0;
  const ElfW(Dyn) *dynamic = NULL;
  for (int i = 0; i < object->dlpi_phnum; i++)
    if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dynamic = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
  const ElfW(Rela) *plt = NULL, *data = NULL;
  const ElfW(Sym) *symbols = NULL;
  const char *texts = NULL;
  size_t plt_size = 0, data_size = 0;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    switch (dynamic->d_tag) {
      case DT_JMPREL: plt = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
      case DT_PLTRELSZ: plt_size = dynamic->d_un.d_val; break;
      case DT_RELA: data = (const ElfW(Rela) *)dynamic->d_un.d_ptr; break;
      case DT_RELASZ: data_size = dynamic->d_un.d_val; break;
      case DT_SYMTAB: symbols = (const ElfW(Sym) *)dynamic->d_un.d_ptr; break;
      case DT_STRTAB: texts = (const char *)dynamic->d_un.d_ptr; break;
      default: break;
    }
  }
  if (symbols && texts) {
    patch(object, plt, plt_size, symbols, texts);
    patch(object, data, data_size, symbols, texts);
  }
  return 0;
}

int real_time_probe_install(void) {
  patched = 0;
  for (int w = 0; w < WatchCount; w++)
    if (!*watches[w].real) *watches[w].real = dlsym(RTLD_NEXT, watches[w].name);
  for (int w = 0; w < WatchCount; w++)
    if (!*watches[w].real) *watches[w].real = dlsym(RTLD_DEFAULT, watches[w].name);
  dl_iterate_phdr(patch_object, NULL);
  return patched;
}

void real_time_probe_begin(void) {
  calls = 0;
  first = NULL;
  is_watched = true;
}

int64_t real_time_probe_end(void) {
  is_watched = false;
  return calls;
}

const char *real_time_probe_first(void) { return first; }
