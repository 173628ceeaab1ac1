// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_SEMAPHORE_H
#define MACH_SEMAPHORE_H

// Semaphores of one process, implemented with POSIX semaphores.

#include <CoreFoundation/CFSystemNames.h>

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

#include "clock_types.h"
#include "mach_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A semaphore of this process; semaphore_create makes it.
typedef sem_t *semaphore_t;

/// Threads are woken in the order in which they began to wait. It has no effect: the system
/// chooses.
#define SYNC_POLICY_FIFO 0

/// Creates a semaphore. [control thread]
static __inline__ kern_return_t semaphore_create(task_t task, semaphore_t *semaphore, int policy,
                                                 int value) {
  (void)task;
  (void)policy;
  *semaphore = (semaphore_t)malloc(sizeof(sem_t));
  if (!*semaphore) return KERN_RESOURCE_SHORTAGE;
  if (value >= 0 && sem_init(*semaphore, 0, (unsigned)value) == 0) return KERN_SUCCESS;
  free(*semaphore);
  *semaphore = NULL;
  return KERN_INVALID_ARGUMENT;
}

/// Destroys a semaphore for which no thread waits. [control thread]
static __inline__ kern_return_t semaphore_destroy(task_t task, semaphore_t semaphore) {
  (void)task;
  if (!semaphore) return KERN_INVALID_ARGUMENT;
  sem_destroy(semaphore);
  free(semaphore);
  return KERN_SUCCESS;
}

/// Wakes one waiting thread. [any thread, also a render thread]
static __inline__ kern_return_t semaphore_signal(semaphore_t semaphore) {
  return sem_post(semaphore) == 0 ? KERN_SUCCESS : KERN_FAILURE;
}

/// Waits for a signal. [any thread that may wait]
static __inline__ kern_return_t semaphore_wait(semaphore_t semaphore) {
  while (sem_wait(semaphore) != 0) {
    if (errno != EINTR) return KERN_FAILURE;
  }
  return KERN_SUCCESS;
}

/// Waits for a signal, at most for a duration. [any thread that may wait]
static __inline__ kern_return_t semaphore_timedwait(semaphore_t semaphore, mach_timespec_t time) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += (time_t)time.tv_sec;
  until.tv_nsec += time.tv_nsec;
  if (until.tv_nsec >= 1000000000) {
    until.tv_nsec -= 1000000000;
    until.tv_sec += 1;
  }
  while (sem_timedwait(semaphore, &until) != 0) {
    if (errno == ETIMEDOUT) return KERN_OPERATION_TIMED_OUT;
    if (errno != EINTR) return KERN_FAILURE;
  }
  return KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
