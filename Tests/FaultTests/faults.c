// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: makes one system call on the files of a folder fail, and counts those calls.
//
//   FAULT_FOLDER   calls on files below this folder are counted, and no others
//   FAULT_CALL     open, read, write, truncate, rename, size or sync; read and write with and without a place
//   FAULT_AT       the number of the call that fails, from 1; 0: none
//   FAULT_ERROR    the errno that it sets; 0: it transfers a single byte
//   FAULT_LASTS    1: the later calls fail too, as on a full disk
//   FAULT_COUNTS   a file to which the counts are appended when the program ends
//   FAULT_LIBRARY  a library that cannot be loaded
//   FAULT_LIBRARIES  a file to which the names of the libraries are appended that are loaded
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN, READ, WRITE, TRUNCATE, RENAME, SIZE, SYNC, KINDS, FILES = 1024 };
static const char *const names[KINDS] = {"open", "read", "write", "truncate", "rename", "size", "sync"};

static atomic_int counts[KINDS];
static atomic_bool is_ours[FILES];
static const char *folder;
static int failing = -1, failing_at, error_to_set;
static bool lasts;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void read_settings(void) {
  const char *call = getenv("FAULT_CALL"), *at = getenv("FAULT_AT"), *error = getenv("FAULT_ERROR");
  folder = getenv("FAULT_FOLDER");
  for (int kind = 0; call && kind < KINDS; kind++) {
    if (strcmp(call, names[kind]) == 0) failing = kind;
  }
  failing_at = at ? atoi(at) : 0;
  error_to_set = error ? atoi(error) : EIO;
  lasts = getenv("FAULT_LASTS") != NULL;
}

__attribute__((destructor)) static void write_counts(void) {
  const char *path = getenv("FAULT_COUNTS");
  FILE *file = path ? fopen(path, "a") : NULL;
  for (int kind = 0; file && kind < KINDS; kind++) fprintf(file, "%s %d\n", names[kind], counts[kind]);
  if (file) fclose(file);
}

// Counts a call; true if it is the one that fails.
static bool fails(int kind) {
  int number = atomic_fetch_add(&counts[kind], 1) + 1;
  if (kind != failing || failing_at == 0) return false;
  return number == failing_at || (lasts && number > failing_at);
}

static bool is_file_of_ours(int file) { return file >= 0 && file < FILES && is_ours[file]; }

// Whether a call on `file` fails with an errno.
static bool is_refused(int kind, int file) {
  if (!is_file_of_ours(file) || !fails(kind)) return false;
  errno = error_to_set;
  return error_to_set != 0;
}

// The number of bytes that a transfer may have; -1: it fails.
static ssize_t permitted(int kind, int file, size_t size) {
  if (!is_file_of_ours(file) || !fails(kind)) return (ssize_t)size;
  errno = error_to_set;
  return error_to_set ? -1 : size > 0;
}

static bool is_below_folder(const char *path) {
  char whole[PATH_MAX];
  if (!folder || !path) return false;
  if (path[0] != '/') {
    if (!getcwd(whole, sizeof whole)) return false;
    path = whole;
  }
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int opened(int file) {
  if (file >= 0 && file < FILES) is_ours[file] = true;
  return file;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  if (!is_below_folder(path)) return REAL(open)(path, flags, mode);
  if (fails(OPEN)) return errno = error_to_set, -1;
  return opened(REAL(open)(path, flags, mode));
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}

int mkstemp(char *path) {
  if (!is_below_folder(path)) return REAL(mkstemp)(path);
  if (fails(OPEN)) return errno = error_to_set, -1;
  return opened(REAL(mkstemp)(path));
}

int close(int file) {
  if (file >= 0 && file < FILES) is_ours[file] = false;
  return REAL(close)(file);
}

ssize_t read(int file, void *bytes, size_t size) {
  ssize_t count = permitted(READ, file, size);
  return count < 0 ? -1 : REAL(read)(file, bytes, (size_t)count);
}

ssize_t pread(int file, void *bytes, size_t size, off_t place) {
  ssize_t count = permitted(READ, file, size);
  return count < 0 ? -1 : REAL(pread)(file, bytes, (size_t)count, place);
}

ssize_t pread64(int file, void *bytes, size_t size, off_t place) { return pread(file, bytes, size, place); }

ssize_t write(int file, const void *bytes, size_t size) {
  ssize_t count = permitted(WRITE, file, size);
  return count < 0 ? -1 : REAL(write)(file, bytes, (size_t)count);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
  ssize_t count = permitted(WRITE, file, size);
  return count < 0 ? -1 : REAL(pwrite)(file, bytes, (size_t)count, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t place) {
  return pwrite(file, bytes, size, place);
}

int ftruncate(int file, off_t size) { return is_refused(TRUNCATE, file) ? -1 : REAL(ftruncate)(file, size); }
int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int fsync(int file) { return is_refused(SYNC, file) ? -1 : REAL(fsync)(file); }
int fstat(int file, struct stat *status) { return is_refused(SIZE, file) ? -1 : REAL(fstat)(file, status); }

int rename(const char *from, const char *to) {
  if (is_below_folder(to) && fails(RENAME)) return errno = error_to_set, -1;
  return REAL(rename)(from, to);
}

void *dlopen(const char *name, int flags) {
  const char *refused = getenv("FAULT_LIBRARY"), *path = getenv("FAULT_LIBRARIES");
  if (refused && name && strcmp(name, refused) == 0) name = "/absent/library.so";
  void *library = REAL(dlopen)(name, flags);
  FILE *log = library && name && path ? fopen(path, "a") : NULL;
  if (log) {
    fprintf(log, "%s\n", name);
    fclose(log);
  }
  return library;
}
