// SPDX-License-Identifier: Apache-2.0

#ifndef OS_LOG_H
#define OS_LOG_H

// A log. It goes to the journal if standard error is connected to it, as in a service of systemd,
// and otherwise to standard error, a line for each message. Info and debug messages are written
// only if the environment has AUDIOTOOLBOX_LOG=1.
//
// %{private}s and %{sensitive}s are replaced by <private>, as is a plain %s; %{public}s is written.
// From an unknown conversion on, such as %@ and %n, a format is written as it stands. On a terminal, and with AUDIOTOOLBOX_LOG_PRIVATE=1, all are written. %m is the text of
// errno, which no message changes. Not for render threads, because it writes to a file.

// As all installed headers, so that strict standards do not hide names. A Swift build has no such
// file.
#if defined(__has_include)
#if __has_include(<CoreFoundation/CFSystemNames.h>)
#include <CoreFoundation/CFSystemNames.h>
#endif
#endif

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Swift has its own types of these names.
#ifndef __swift__

/// The source of messages: their subsystem and category.
typedef struct os_log_s *os_log_t;

/// The importance of a message.
typedef uint8_t os_log_type_t;
enum {
  OS_LOG_TYPE_DEFAULT = 0x00,  ///< A usual message.
  OS_LOG_TYPE_INFO = 0x01,     ///< Helpful, not essential; only with AUDIOTOOLBOX_LOG=1.
  OS_LOG_TYPE_DEBUG = 0x02,    ///< For developers; only with AUDIOTOOLBOX_LOG=1.
  OS_LOG_TYPE_ERROR = 0x10,    ///< An error of the program.
  OS_LOG_TYPE_FAULT = 0x11     ///< An error that more than the program has to do with.
};

/// The log without a subsystem and a category.
#define OS_LOG_DEFAULT ((os_log_t)0)
/// A log whose messages are discarded.
#define OS_LOG_DISABLED ((os_log_t)1)

/// Creates a log with its own names; it lives as long as the process. Null, which is the default
/// log, if the memory is missing. [control thread]
os_log_t os_log_create(const char *subsystem, const char *category);

/// Whether messages of a type are written. [any thread]
bool os_log_type_enabled(os_log_t log, os_log_type_t type);

/// Writes a message; the macros below call it. [control thread]
void os_log_write(os_log_t log, os_log_type_t type, const char *format, ...);

/// Whether info messages are written.
#define os_log_info_enabled(log) os_log_type_enabled(log, OS_LOG_TYPE_INFO)
/// Whether debug messages are written.
#define os_log_debug_enabled(log) os_log_type_enabled(log, OS_LOG_TYPE_DEBUG)

// The values are evaluated only if the message is written.
/// Writes a message of a type.
#define os_log_with_type(log, type, ...)                         \
  do {                                                           \
    const os_log_t os_log_target_ = (log);                       \
    const os_log_type_t os_log_type_ = (type);                   \
    if (os_log_type_enabled(os_log_target_, os_log_type_))       \
      os_log_write(os_log_target_, os_log_type_, __VA_ARGS__);   \
  } while (0)
/// Writes a usual message.
#define os_log(log, ...) os_log_with_type(log, OS_LOG_TYPE_DEFAULT, __VA_ARGS__)
/// Writes an info message.
#define os_log_info(log, ...) os_log_with_type(log, OS_LOG_TYPE_INFO, __VA_ARGS__)
/// Writes a debug message.
#define os_log_debug(log, ...) os_log_with_type(log, OS_LOG_TYPE_DEBUG, __VA_ARGS__)
/// Writes an error.
#define os_log_error(log, ...) os_log_with_type(log, OS_LOG_TYPE_ERROR, __VA_ARGS__)
/// Writes a fault.
#define os_log_fault(log, ...) os_log_with_type(log, OS_LOG_TYPE_FAULT, __VA_ARGS__)

#endif

#ifdef __cplusplus
}
#endif

#endif
