// SPDX-License-Identifier: Apache-2.0
// A lock that a fork of the process waits for, so that a child finds it free and what it protects whole. For
// locks that only a few lines of C hold, and none of whose holders waits for a thread that may fork.
//
//   FORK_LOCK(lock)                 // static pthread_mutex_t lock
#pragma once
#include <pthread.h>

// The priority puts it before the handlers of CRealTime/Forks.c. Handlers run in the reverse order before a fork:
// the process first waits for its other threads, and new ones stay outside.
#define FORK_LOCK(name)                                                                     \
  static pthread_mutex_t name = PTHREAD_MUTEX_INITIALIZER;                                  \
  static void name##_before_fork(void) { pthread_mutex_lock(&name); }                       \
  static void name##_after_fork(void) { pthread_mutex_unlock(&name); }                      \
  __attribute__((constructor(101))) static void name##_watch_forks(void) {                  \
    pthread_atfork(name##_before_fork, name##_after_fork, name##_after_fork);               \
  }
