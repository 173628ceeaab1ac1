// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "include/SystemLog.h"
#include "include/os/log.h"

struct os_log_s {
  char *subsystem;
  char *category;
};

os_log_t os_log_create(const char *subsystem, const char *category) {
  os_log_t log = malloc(sizeof *log);
  if (!log) return OS_LOG_DEFAULT;
  log->subsystem = strdup(subsystem ? subsystem : "");
  log->category = strdup(category ? category : "");
  return log;
}

bool os_log_type_enabled(os_log_t log, os_log_type_t type) {
  return log != OS_LOG_DISABLED && system_log_writes(type);
}

// MARK: Texts of formats

// A text of limited length; what does not fit is left out.
typedef struct {
  char text[1024];
  size_t length;
} Text;

static void append(Text *text, const char *more, size_t length) {
  const size_t room = sizeof text->text - 1 - text->length;
  if (length > room) length = room;
  memcpy(text->text + text->length, more, length);
  text->length += length;
}

// The arguments of a format, which change as they are read, and the error of the caller.
typedef struct {
  va_list values;
  int error;
} Arguments;

// Appends one value by its own format, such as "%5.2f". `size` is the length modifier.
static void append_value(Text *text, const char *specification, const char *size, char conversion,
                         Arguments *arguments) {
  char value[512];
  int length = -1;
#define AS(type) \
  length = snprintf(value, sizeof value, specification, va_arg(arguments->values, type))
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  if (strchr("di", conversion)) {
    if (!strcmp(size, "ll") || !strcmp(size, "q")) AS(long long);
    else if (!strcmp(size, "l")) AS(long);
    else if (!strcmp(size, "z")) AS(ssize_t);
    else if (!strcmp(size, "t")) AS(ptrdiff_t);
    else if (!strcmp(size, "j")) AS(intmax_t);
    else AS(int);
  } else if (strchr("uxXo", conversion)) {
    if (!strcmp(size, "ll") || !strcmp(size, "q")) AS(unsigned long long);
    else if (!strcmp(size, "l")) AS(unsigned long);
    else if (!strcmp(size, "z")) AS(size_t);
    else if (!strcmp(size, "t")) AS(ptrdiff_t);
    else if (!strcmp(size, "j")) AS(uintmax_t);
    else AS(unsigned);
  } else if (strchr("fFeEgGaA", conversion)) {
    if (!strcmp(size, "L")) AS(long double);
    else AS(double);
  } else if (conversion == 'c') {
    AS(int);
  } else if (conversion == 'p') {
    AS(void *);
  } else if (conversion == 's') {
    const char *string = va_arg(arguments->values, const char *);
    // "(null)" in the characters that the format has.
    if (!string) string = strcmp(size, "l") == 0 ? (const char *)L"(null)" : "(null)";
    length = snprintf(value, sizeof value, specification, string);
  } else if (conversion == 'm') {
    errno = arguments->error;
    length = snprintf(value, sizeof value, specification);
  }
#pragma clang diagnostic pop
#undef AS
  if (length <= 0) return;
  append(text, value, (size_t)length < sizeof value ? (size_t)length : sizeof value - 1);
}

// Whether a value is private: by its mark, otherwise if it is a text.
static bool is_private(const char *mark, size_t length, char conversion) {
  if (memmem(mark, length, "public", 6)) return false;
  if (memmem(mark, length, "private", 7) || memmem(mark, length, "sensitive", 9)) return true;
  return conversion == 's';
}

// Appends a format whose values are in `arguments`. From a conversion that is unknown, or has no end,
// the rest is appended as it stands.
static void append_format(Text *text, const char *format, Arguments *arguments) {
  const bool shows_private = system_log_shows_private();
  while (*format) {
    const char *percent = strchrnul(format, '%');
    append(text, format, (size_t)(percent - format));
    if (!*percent) return;
    format = percent + 1;
    if (*format == '%') {
      append(text, format++, 1);
      continue;
    }
    const char *mark = format;
    size_t mark_length = 0;
    if (*format == '{') {
      const char *end = strchr(format, '}');
      if (!end) {
        append(text, percent, strlen(percent));
        return;
      }
      mark_length = (size_t)(end - mark);
      format = end + 1;
    }
    // Flags, width, precision, length modifier, conversion. A star is a width among the arguments.
    char specification[64] = "%";
    size_t used = 1;
    for (; *format && strchr("-+ #0123456789.*", *format) && used < 40; format++) {
      if (*format == '*') {
        const int number = va_arg(arguments->values, int);
        // A negative precision is none.
        if (number < 0 && specification[used - 1] == '.') {
          used--;
        } else {
          used += (size_t)snprintf(specification + used, 12, "%d", number);
        }
      } else {
        specification[used++] = *format;
      }
    }
    char size[4] = "";
    for (size_t k = 0; *format && strchr("hlqLzjt", *format) && k < 3; k++) size[k] = *format++;
    const char conversion = *format;
    if (!conversion || !strchr("diuxXofFeEgGaAcpsm", conversion)) {
      append(text, percent, strlen(percent));
      return;
    }
    format++;
    // glibc has no q.
    snprintf(specification + used, sizeof specification - used, "%s%c",
             size[0] == 'q' ? "ll" : size, conversion);
    Text value = {.length = 0};
    append_value(&value, specification, size, conversion, arguments);
    if (!shows_private && is_private(mark, mark_length, conversion)) {
      append(text, "<private>", 9);
    } else {
      append(text, value.text, value.length);
    }
  }
}

void os_log_write(os_log_t log, os_log_type_t type, const char *format, ...) {
  if (!os_log_type_enabled(log, type)) return;
  Text text = {.length = 0};
  Arguments arguments = {.error = errno};
  va_start(arguments.values, format);
  append_format(&text, format, &arguments);
  va_end(arguments.values);
  text.text[text.length] = 0;
  system_log_write(log ? log->subsystem : NULL, log ? log->category : NULL, type, text.text);
  errno = arguments.error;
}

// MARK: Signposts

#include "Signposts.h"
