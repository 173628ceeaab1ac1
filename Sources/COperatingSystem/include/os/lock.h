// SPDX-License-Identifier: Apache-2.0

#ifndef OS_LOCK_H
#define OS_LOCK_H

// A lock of one word: the number of the thread that has it, or 0. Waiting threads sleep in the
// kernel, which lends their priority to the owner (futexes with priority inheritance). A mistake
// ends the program with a sentence: locking twice on one thread, unlocking on another.

// As all installed headers, so that strict standards do not hide names. A Swift build has no such
// file.
#if defined(__has_include)
#if __has_include(<CoreFoundation/CFSystemNames.h>)
#include <CoreFoundation/CFSystemNames.h>
#endif
#endif

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A lock; it must be initialised, and must not be copied or moved.
typedef struct os_unfair_lock_s {
  uint32_t _os_unfair_lock_opaque;
} os_unfair_lock, *os_unfair_lock_t;

#ifdef __cplusplus
#define OS_UNFAIR_LOCK_INIT (os_unfair_lock{0})
#else
/// A lock that is free.
#define OS_UNFAIR_LOCK_INIT ((os_unfair_lock){0})
#endif

// For Swift only: in C, nullability is an extension, of which strict standards warn.
#ifdef __swift__
#define OS_LOCK_ARGUMENT _Nonnull
#else
/// Marks an argument that is not null, for Swift.
#define OS_LOCK_ARGUMENT
#endif

/// Locks if the lock is free. [any thread]
bool os_unfair_lock_trylock(os_unfair_lock_t OS_LOCK_ARGUMENT lock);

/// Locks; waits if necessary. [any thread that may wait]
void os_unfair_lock_lock(os_unfair_lock_t OS_LOCK_ARGUMENT lock);

/// Unlocks; a thread that waits gets the lock. [the thread that has the lock]
void os_unfair_lock_unlock(os_unfair_lock_t OS_LOCK_ARGUMENT lock);

/// Ends the program unless this thread has the lock. [any thread]
void os_unfair_lock_assert_owner(const os_unfair_lock *OS_LOCK_ARGUMENT lock);

/// Ends the program if this thread has the lock. [any thread]
void os_unfair_lock_assert_not_owner(const os_unfair_lock *OS_LOCK_ARGUMENT lock);

#ifdef __cplusplus
}
#endif

#endif
