// SPDX-License-Identifier: Apache-2.0

#ifndef OS_LOCK_H
#define OS_LOCK_H

// A lock of one word that waits in the kernel: 0 is free, 1 is locked, 2 is locked with waiting
// threads.

#include <CoreFoundation/CFSystemNames.h>

#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct os_unfair_lock_s {
  uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

#ifdef __cplusplus
#define OS_UNFAIR_LOCK_INIT (os_unfair_lock{0})
#else
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
#endif

/// Locks if the lock is free. [any thread]
static __inline__ bool os_unfair_lock_trylock(os_unfair_lock_t lock) {
  uint32_t free_word = 0;
  return __atomic_compare_exchange_n(&lock->_os_unfair_lock_opaque, &free_word, 1, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/// Locks; waits if necessary. [any thread that may wait]
static __inline__ void os_unfair_lock_lock(os_unfair_lock_t lock) {
  if (os_unfair_lock_trylock(lock)) return;
  while (__atomic_exchange_n(&lock->_os_unfair_lock_opaque, 2, __ATOMIC_ACQUIRE) != 0) {
    syscall(SYS_futex, &lock->_os_unfair_lock_opaque, FUTEX_WAIT_PRIVATE, 2, NULL, NULL, 0);
  }
}

/// Unlocks. [any thread]
static __inline__ void os_unfair_lock_unlock(os_unfair_lock_t lock) {
  if (__atomic_exchange_n(&lock->_os_unfair_lock_opaque, 0, __ATOMIC_RELEASE) == 2) {
    syscall(SYS_futex, &lock->_os_unfair_lock_opaque, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
  }
}

/// Aborts the program unless the lock is locked; the owner is not checked.
static __inline__ void os_unfair_lock_assert_owner(const os_unfair_lock *lock) {
  if (__atomic_load_n(&lock->_os_unfair_lock_opaque, __ATOMIC_RELAXED) == 0) abort();
}

#ifdef __cplusplus
}
#endif

#endif
