// SPDX-License-Identifier: Apache-2.0
//
// The signposts of C, which have the formats of Log.c.

#include "include/os/signpost.h"

os_signpost_id_t os_signpost_id_generate(os_log_t log) {
  return log == OS_LOG_DISABLED ? OS_SIGNPOST_ID_NULL : system_log_identifier();
}

os_signpost_id_t os_signpost_id_make_with_pointer(os_log_t log, const void *pointer) {
  return log == OS_LOG_DISABLED ? OS_SIGNPOST_ID_NULL : (os_signpost_id_t)(uintptr_t)pointer;
}

bool os_signpost_enabled(os_log_t log) { return os_log_type_enabled(log, OS_LOG_TYPE_DEBUG); }

void os_signpost_write(os_log_t log, int kind, os_signpost_id_t identifier, const char *name,
                       const char *format, ...) {
  if (!os_signpost_enabled(log)) return;
  Text text = {.length = 0};
  Arguments arguments = {.error = errno};
  const char *words[] = {"event ", "begin ", "end "};
  append(&text, words[kind], strlen(words[kind]));
  append(&text, name, strlen(name));
  if (kind == 1) system_log_begin(name, identifier);
  if (kind == 2) {
    const double milliseconds = system_log_end(name, identifier);
    char after[48];
    const int length = snprintf(after, sizeof after, " after %.3f ms", milliseconds);
    if (milliseconds >= 0) append(&text, after, (size_t)length);
  }
  if (*format) {
    append(&text, ": ", 2);
    va_start(arguments.values, format);
    append_format(&text, format, &arguments);
    va_end(arguments.values);
  }
  text.text[text.length] = 0;
  system_log_write(log ? log->subsystem : NULL, log ? log->category : NULL, OS_LOG_TYPE_DEBUG,
                   text.text);
  errno = arguments.error;
}
