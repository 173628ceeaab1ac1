// SPDX-License-Identifier: Apache-2.0
// Preloaded into a program: logs the language data files that it searches for, which it does if
// something is missing in the installed data.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef FILE *(*Open)(const char *, const char *);

static FILE *open_really(const char *path, const char *mode) {
  return ((Open)dlsym(RTLD_NEXT, "fopen"))(path, mode);
}

static void look(const char *path) {
  const char *report = getenv("LANGUAGE_PROBE");
  if (!path || !report || !strstr(path, "icudt")) return;
  FILE *file = open_really(report, "a");
  if (!file) return;
  fprintf(file, "%s\n", path);
  fclose(file);
}

FILE *fopen(const char *path, const char *mode) {
  look(path);
  return open_really(path, mode);
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  look(path);
  return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open"))(path, flags, mode);
}

int stat(const char *path, struct stat *status) {
  look(path);
  return ((int (*)(const char *, struct stat *))dlsym(RTLD_NEXT, "stat"))(path, status);
}
