// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "include/os/lock.h"

static _Thread_local uint32_t own_number;

// After fork, the thread has another number.
static void forget_number(void) { own_number = 0; }
__attribute__((constructor)) static void observe_forks(void) {
  pthread_atfork(NULL, NULL, forget_number);
}

static uint32_t thread_number(void) {
  if (own_number == 0) own_number = (uint32_t)syscall(SYS_gettid);
  return own_number;
}

static uint32_t owner(const os_unfair_lock *lock) {
  return __atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED) & FUTEX_TID_MASK;
}

static _Noreturn void stop(const char *mistake) {
  fprintf(stderr, "os_unfair_lock: %s\n", mistake);
  abort();
}

static long futex(os_unfair_lock_t lock, int operation) {
  return syscall(SYS_futex, &lock->_os_unfair_lock_opaque, operation, 0, NULL, NULL, 0);
}

bool os_unfair_lock_trylock(os_unfair_lock_t lock) {
  uint32_t expected = 0;
  return __atomic_compare_exchange_n(&lock->_os_unfair_lock_opaque, &expected, thread_number(),
                                     false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

void os_unfair_lock_lock(os_unfair_lock_t lock) {
  if (os_unfair_lock_trylock(lock)) return;
  if (owner(lock) == thread_number()) stop("this thread has the lock already");
  while (futex(lock, FUTEX_LOCK_PI_PRIVATE) != 0) {
    // The owner is ending, or a signal came.
    if (errno == EAGAIN || errno == EINTR) continue;
    if (errno == ESRCH) stop("the thread that had the lock has ended");
    fprintf(stderr, "os_unfair_lock: the kernel refuses to wait: %s\n", strerror(errno));
    abort();
  }
  // The kernel has ordered the memory of both threads; this tells the thread sanitizer so.
  (void)__atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_ACQUIRE);
}

void os_unfair_lock_unlock(os_unfair_lock_t lock) {
  uint32_t expected = thread_number();
  if (__atomic_compare_exchange_n(&lock->_os_unfair_lock_opaque, &expected, 0, false,
                                  __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
    return;
  }
  if (owner(lock) != thread_number()) stop("this thread does not have the lock");
  // The other half of the load in os_unfair_lock_lock.
  __atomic_fetch_or(&lock->_os_unfair_lock_opaque, 0, __ATOMIC_RELEASE);
  // Others wait: the kernel gives the lock to one of them.
  if (futex(lock, FUTEX_UNLOCK_PI_PRIVATE) != 0) stop("the kernel refuses to unlock");
}

void os_unfair_lock_assert_owner(const os_unfair_lock *lock) {
  if (owner(lock) != thread_number()) stop("this thread does not have the lock");
}

void os_unfair_lock_assert_not_owner(const os_unfair_lock *lock) {
  if (owner(lock) == thread_number()) stop("this thread has the lock");
}
