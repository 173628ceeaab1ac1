// SPDX-License-Identifier: Apache-2.0

#ifndef OS_LOG_H
#define OS_LOG_H

// A log on standard error. Info and debug messages are written only if the environment has
// AUDIOTOOLBOX_LOG=1. Privacy marks such as %{public}s have no effect. Not for render threads,
// because it writes to a file.

#include <CoreFoundation/CFSystemNames.h>

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The source of messages: the text that precedes each.
typedef struct os_log_s *os_log_t;
struct os_log_s {
  char title[128];
};

typedef uint8_t os_log_type_t;
enum {
  OS_LOG_TYPE_DEFAULT = 0x00,
  OS_LOG_TYPE_INFO = 0x01,
  OS_LOG_TYPE_DEBUG = 0x02,
  OS_LOG_TYPE_ERROR = 0x10,
  OS_LOG_TYPE_FAULT = 0x11
};

#define OS_LOG_DEFAULT ((os_log_t)0)
#define OS_LOG_DISABLED ((os_log_t)1)

/// Creates a log with its own name; it lives as long as the process. [control thread]
static __inline__ os_log_t os_log_create(const char *subsystem, const char *category) {
  os_log_t log = (os_log_t)malloc(sizeof *log);
  if (log) snprintf(log->title, sizeof log->title, "[%s:%s] ", subsystem, category);
  return log;
}

/// Whether messages of a type are written. [any thread]
static __inline__ bool os_log_type_enabled(os_log_t log, os_log_type_t type) {
  if (log == OS_LOG_DISABLED) return false;
  if (type != OS_LOG_TYPE_INFO && type != OS_LOG_TYPE_DEBUG) return true;
  const char *value = getenv("AUDIOTOOLBOX_LOG");
  return value && strcmp(value, "1") == 0;
}

/// Writes a message; the functions below call it. [control thread]
static __inline__ void os_log_write(os_log_t log, os_log_type_t type, const char *format, ...) {
  char plain[1024];
  size_t length = 0;
  va_list arguments;
  if (!os_log_type_enabled(log, type)) return;
  while (*format && length < sizeof plain - 1) {
    plain[length++] = *format++;
    if (plain[length - 1] == '%' && *format == '{') {
      const char *end = strchr(format, '}');
      if (end) format = end + 1;
    } else if (plain[length - 1] == '%' && *format == '%' && length < sizeof plain - 1) {
      plain[length++] = *format++;
    }
  }
  plain[length] = 0;
  fputs(log ? log->title : "", stderr);
  va_start(arguments, format);
  vfprintf(stderr, plain, arguments);
  va_end(arguments);
  fputc('\n', stderr);
}

#define os_log_with_type(log, type, ...) os_log_write(log, type, __VA_ARGS__)
#define os_log(log, ...) os_log_write(log, OS_LOG_TYPE_DEFAULT, __VA_ARGS__)
#define os_log_info(log, ...) os_log_write(log, OS_LOG_TYPE_INFO, __VA_ARGS__)
#define os_log_debug(log, ...) os_log_write(log, OS_LOG_TYPE_DEBUG, __VA_ARGS__)
#define os_log_error(log, ...) os_log_write(log, OS_LOG_TYPE_ERROR, __VA_ARGS__)
#define os_log_fault(log, ...) os_log_write(log, OS_LOG_TYPE_FAULT, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
