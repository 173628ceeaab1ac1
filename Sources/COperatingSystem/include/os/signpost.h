// SPDX-License-Identifier: Apache-2.0

#ifndef OS_SIGNPOST_H
#define OS_SIGNPOST_H

// Marks of moments and intervals. They are debug messages of the log: "begin name", "end name after
// 1.234 ms", "event name", with their text. Without AUDIOTOOLBOX_LOG=1, they cost one test. Not for
// render threads.

#include "log.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef __swift__

/// What tells intervals of the same name apart.
typedef uint64_t os_signpost_id_t;

/// The identifier from a log that is disabled.
#define OS_SIGNPOST_ID_NULL ((os_signpost_id_t)0)
/// An identifier that no interval has.
#define OS_SIGNPOST_ID_INVALID (~(os_signpost_id_t)0)
/// For names of which there is one interval at a time.
#define OS_SIGNPOST_ID_EXCLUSIVE ((os_signpost_id_t)0xEEEEB0B5B2B2EEEE)

/// An identifier that differs from all others of the process. [any thread]
os_signpost_id_t os_signpost_id_generate(os_log_t log);

/// The identifier of an address. [any thread]
os_signpost_id_t os_signpost_id_make_with_pointer(os_log_t log, const void *pointer);

/// Whether marks are written. [any thread]
bool os_signpost_enabled(os_log_t log);

/// Writes a mark: 0 is an event, 1 begins and 2 ends an interval of a name and an identifier. The
/// text may be empty; the macros below call it. [control thread]
void os_signpost_write(os_log_t log, int kind, os_signpost_id_t identifier, const char *name,
                       const char *format, ...);

// The text is optional: a literal, which follows an empty one. It and its values are evaluated only
// if the mark is written.
/// What the following macros have in common.
#define os_signpost_mark_(log, kind, identifier, name, ...)                     \
  do {                                                                          \
    const os_log_t os_log_target_ = (log);                                      \
    if (os_signpost_enabled(os_log_target_))                                    \
      os_signpost_write(os_log_target_, kind, identifier, name, __VA_ARGS__);   \
  } while (0)
/// Marks a moment.
#define os_signpost_event_emit(log, identifier, name, ...) \
  os_signpost_mark_(log, 0, identifier, name, "" __VA_ARGS__)
/// Begins an interval.
#define os_signpost_interval_begin(log, identifier, name, ...) \
  os_signpost_mark_(log, 1, identifier, name, "" __VA_ARGS__)
/// Ends an interval, and writes how long it was.
#define os_signpost_interval_end(log, identifier, name, ...) \
  os_signpost_mark_(log, 2, identifier, name, "" __VA_ARGS__)

#endif

#ifdef __cplusplus
}
#endif

#endif
