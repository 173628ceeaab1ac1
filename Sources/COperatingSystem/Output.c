// SPDX-License-Identifier: Apache-2.0
//
// Where messages go. systemd connects the standard error of a service to the journal, and tells its
// number in JOURNAL_STREAM: then messages go to the journal by its own protocol, with their
// priority and names (systemd, "Native Journal Protocol"). Otherwise each is a line of standard
// error.

#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "include/SystemLog.h"
#include "include/os/log.h"

// A variable that is 1. It is read each time, because programs set it while they run.
static bool is_on(const char *variable) {
  const char *value = getenv(variable);
  return value && strcmp(value, "1") == 0;
}

bool system_log_writes(uint8_t type) {
  if (type != OS_LOG_TYPE_INFO && type != OS_LOG_TYPE_DEBUG) return true;
  return is_on("AUDIOTOOLBOX_LOG");
}

bool system_log_shows_private(void) {
  const int error = errno;
  const bool shows = is_on("AUDIOTOOLBOX_LOG_PRIVATE") || isatty(STDERR_FILENO);
  errno = error;
  return shows;
}

// MARK: The journal

static bool is_standard_error_the_journal(void) {
  const char *stream = getenv("JOURNAL_STREAM");
  unsigned long device, inode;
  struct stat file;
  if (!stream || sscanf(stream, "%lu:%lu", &device, &inode) != 2) return false;
  return fstat(STDERR_FILENO, &file) == 0 && file.st_dev == device && file.st_ino == inode;
}

// The priorities of syslog.
static char priority(uint8_t type) {
  switch (type) {
    case OS_LOG_TYPE_DEBUG: return '7';
    case OS_LOG_TYPE_INFO: return '6';
    case OS_LOG_TYPE_ERROR: return '3';
    case OS_LOG_TYPE_FAULT: return '2';
    default: return '5';
  }
}

// A field of a message. Its length comes before its bytes, because a text may have several lines.
static size_t put_field(char *message, size_t used, size_t size, const char *name,
                        const char *text) {
  const size_t name_length = strlen(name), length = strlen(text);
  if (used + name_length + length + 10 > size) return used;
  memcpy(message + used, name, name_length);
  used += name_length;
  message[used++] = '\n';
  for (int k = 0; k < 8; k++) message[used++] = (char)((uint64_t)length >> (8 * k));
  memcpy(message + used, text, length);
  used += length;
  message[used++] = '\n';
  return used;
}

static bool send_to_journal(const char *subsystem, const char *category, uint8_t type,
                            const char *text) {
  const char *path = getenv("AUDIOTOOLBOX_JOURNAL_SOCKET");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  snprintf(address.sun_path, sizeof address.sun_path, "%s",
           path ? path : "/run/systemd/journal/socket");
  char message[4096];
  const char level[2] = {priority(type), 0};
  size_t used = put_field(message, 0, sizeof message, "PRIORITY", level);
  used = put_field(message, used, sizeof message, "SYSLOG_IDENTIFIER",
                   program_invocation_short_name);
  if (subsystem) used = put_field(message, used, sizeof message, "SUBSYSTEM", subsystem);
  if (category) used = put_field(message, used, sizeof message, "CATEGORY", category);
  const size_t before = used;
  used = put_field(message, used, sizeof message, "MESSAGE", text);
  if (used == before) return false;
  const int journal = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (journal < 0) return false;
  const ssize_t sent =
      sendto(journal, message, used, MSG_NOSIGNAL, (struct sockaddr *)&address, sizeof address);
  close(journal);
  return sent == (ssize_t)used;
}

static void write_message(const char *subsystem, const char *category, uint8_t type,
                          const char *text) {
  if (is_standard_error_the_journal() && send_to_journal(subsystem, category, type, text)) return;
  // One call, so that the lines of threads do not mix.
  if (subsystem) {
    fprintf(stderr, "[%s:%s] %s\n", subsystem, category ? category : "", text);
  } else {
    fprintf(stderr, "%s\n", text);
  }
}

void system_log_write(const char *subsystem, const char *category, uint8_t type, const char *text) {
  const int error = errno;
  write_message(subsystem, category, type, text);
  errno = error;
}

// MARK: Intervals

uint64_t system_log_identifier(void) {
  static uint64_t last = 0;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

// The intervals that have begun. Of more than these, the oldest is forgotten.
enum { MOST_INTERVALS = 256 };
static struct {
  char name[64];
  uint64_t identifier;
  struct timespec begin;
} intervals[MOST_INTERVALS];
static size_t next_interval;
static pthread_mutex_t interval_lock = PTHREAD_MUTEX_INITIALIZER;

void system_log_begin(const char *name, uint64_t identifier) {
  pthread_mutex_lock(&interval_lock);
  const size_t place = next_interval++ % MOST_INTERVALS;
  snprintf(intervals[place].name, sizeof intervals[place].name, "%s", name);
  intervals[place].identifier = identifier;
  clock_gettime(CLOCK_MONOTONIC, &intervals[place].begin);
  pthread_mutex_unlock(&interval_lock);
}

double system_log_end(const char *name, uint64_t identifier) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  double milliseconds = -1;
  pthread_mutex_lock(&interval_lock);
  // The one that began last.
  for (size_t k = 0; k < MOST_INTERVALS && milliseconds < 0; k++) {
    const size_t place = (next_interval + MOST_INTERVALS - 1 - k) % MOST_INTERVALS;
    if (intervals[place].name[0] == 0 || intervals[place].identifier != identifier ||
        strncmp(intervals[place].name, name, sizeof intervals[place].name - 1) != 0) {
      continue;
    }
    intervals[place].name[0] = 0;
    milliseconds = (double)(now.tv_sec - intervals[place].begin.tv_sec) * 1e3 +
                   (double)(now.tv_nsec - intervals[place].begin.tv_nsec) / 1e6;
  }
  pthread_mutex_unlock(&interval_lock);
  return milliseconds;
}
