// SPDX-License-Identifier: Apache-2.0

#ifndef SYSTEM_LOG_H
#define SYSTEM_LOG_H

// A program reads errno in messages and after them: none of these functions changes it.

#include <stdbool.h>
#include <stdint.h>

/// Writes a message that is already a text, to the journal or to standard error. The names may be
/// null. [control thread]
void system_log_write(const char *_Nullable subsystem, const char *_Nullable category, uint8_t type,
                      const char *_Nonnull text);

/// Whether messages of a type are written. [any thread]
bool system_log_writes(uint8_t type);

/// Whether private values are written: on a terminal, or with AUDIOTOOLBOX_LOG_PRIVATE=1.
/// [any thread]
bool system_log_shows_private(void);

/// An identifier that differs from all others of the process. [any thread]
uint64_t system_log_identifier(void);

/// Remembers when an interval began. [any thread but a render thread]
void system_log_begin(const char *_Nonnull name, uint64_t identifier);

/// The milliseconds since an interval began, which is forgotten; negative if it did not begin.
/// [any thread but a render thread]
double system_log_end(const char *_Nonnull name, uint64_t identifier);

#endif
