// SPDX-License-Identifier: Apache-2.0

#ifndef LIBKERN_OS_ATOMIC_H
#define LIBKERN_OS_ATOMIC_H

// Atomic operations, implemented with the compiler's. All of them are full barriers, also those
// without "Barrier" in their name. Results are the new values; functions with "Orig" return the old
// ones.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Orders all earlier reads and writes before all later ones. [any thread]
static __inline__ void OSMemoryBarrier(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// MARK: Sums, bits and exchanges

// Each function has two names.
/// Defines a function with its two names: the plain one, and the one with "Barrier". For this
/// header only.
#define OS_ATOMIC_PAIR(_result, _name, _arguments, _expression) \
  static __inline__ _result _name _arguments { return _expression; } \
  static __inline__ _result _name##Barrier _arguments { return _expression; }

/// Defines the functions that add to a number of 32 or 64 bits. For this header only.
#define OS_ATOMIC_NUMBERS(_bits, _type, _pointer, _value) \
  OS_ATOMIC_PAIR(_type, OSAtomicAdd##_bits, (_type amount, _pointer value), \
                 __atomic_add_fetch(_value, amount, __ATOMIC_SEQ_CST)) \
  OS_ATOMIC_PAIR(_type, OSAtomicIncrement##_bits, (_pointer value), \
                 __atomic_add_fetch(_value, 1, __ATOMIC_SEQ_CST)) \
  OS_ATOMIC_PAIR(_type, OSAtomicDecrement##_bits, (_pointer value), \
                 __atomic_sub_fetch(_value, 1, __ATOMIC_SEQ_CST))

/// Adds an amount, 1 or -1 to a number of 32 bits, which wraps; returns the new value. [any
/// thread]
OS_ATOMIC_NUMBERS(32, int32_t, volatile int32_t *, value)

/// Defines the functions that combine a number with a mask. For this header only.
#define OS_ATOMIC_BITS(_name, _operation) \
  OS_ATOMIC_PAIR(int32_t, OSAtomic##_name##32, (uint32_t mask, volatile uint32_t *value), \
                 (int32_t)__atomic_##_operation##_fetch(value, mask, __ATOMIC_SEQ_CST)) \
  OS_ATOMIC_PAIR(int32_t, OSAtomic##_name##32Orig, (uint32_t mask, volatile uint32_t *value), \
                 (int32_t)__atomic_fetch_##_operation(value, mask, __ATOMIC_SEQ_CST))

/// Clears the bits that a mask lacks; returns the new value, or with "Orig" the old one. [any
/// thread]
OS_ATOMIC_BITS(And, and)
/// Sets the bits of a mask; returns the new value, or with "Orig" the old one. [any thread]
OS_ATOMIC_BITS(Or, or)
/// Inverts the bits of a mask; returns the new value, or with "Orig" the old one. [any thread]
OS_ATOMIC_BITS(Xor, xor)

/// Defines the functions that exchange a value of a type if it is the expected one. For this
/// header only.
#define OS_ATOMIC_EXCHANGE(_name, _type, _pointer, _value) \
  OS_ATOMIC_PAIR(bool, OSAtomicCompareAndSwap##_name, \
                 (_type expected, _type desired, _pointer value), \
                 __atomic_compare_exchange_n(_value, &expected, desired, false, \
                                             __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))

/// Sets a number of 32 bits if it is the expected one; returns whether it was. [any thread]
OS_ATOMIC_EXCHANGE(32, int32_t, volatile int32_t *, value)
/// Sets an int if it is the expected one; returns whether it was. [any thread]
OS_ATOMIC_EXCHANGE(Int, int, volatile int *, value)
/// Sets a long if it is the expected one; returns whether it was. [any thread]
OS_ATOMIC_EXCHANGE(Long, long, volatile long *, value)
/// Sets a pointer if it is the expected one; returns whether it was. [any thread]
OS_ATOMIC_EXCHANGE(Ptr, void *, void *volatile *, value)

// A number of 64 bits may be an int64_t or an SInt64. Where these are two types ("long" and "long
// long"), the functions accept pointers to both.
/// Defines the functions for numbers of 64 bits of a type. For this header only.
#define OS_ATOMIC_64(_type, _pointer, _value) \
  OS_ATOMIC_NUMBERS(64, _type, _pointer, _value) \
  OS_ATOMIC_EXCHANGE(64, _type, _pointer, _value)

#ifdef __cplusplus
}
OS_ATOMIC_64(long long, volatile long long *, value)
#ifdef __LP64__
OS_ATOMIC_64(long, volatile long *, value)
#endif
extern "C" {
#else
/// A number of 64 bits, whatever its type is called.
typedef long long __attribute__((__may_alias__)) OSAtomicNumber64;
/// A pointer to a number of 64 bits of any type, so that the functions accept all of them.
typedef union {
  /// The pointer as the functions use it.
  volatile OSAtomicNumber64 *number;
  /// A pointer to an int64_t.
  volatile int64_t *fixed;
  /// A pointer to a long long.
  volatile long long *wide;
  /// A pointer to a uint64_t.
  volatile uint64_t *unsigned_fixed;
  /// A pointer to an unsigned long long.
  volatile unsigned long long *unsigned_wide;
} OSAtomicPointer64 __attribute__((__transparent_union__));
/// Adds to a number of 64 bits, which wraps, and returns the new value; or sets it if it is the
/// expected one, and returns whether it was. [any thread]
OS_ATOMIC_64(long long, OSAtomicPointer64, value.number)
#endif

/// Sets a bit; returns whether it was set before. Bits are counted from the top of each byte. [any
/// thread]
static __inline__ bool OSAtomicTestAndSetBarrier(uint32_t bit, volatile void *bytes) {
  const uint8_t mask = (uint8_t)(0x80u >> (bit & 7));
  return (__atomic_fetch_or((volatile uint8_t *)bytes + (bit >> 3), mask, __ATOMIC_SEQ_CST) & mask)
         != 0;
}

/// Clears a bit; returns whether it was set before. [any thread]
static __inline__ bool OSAtomicTestAndClearBarrier(uint32_t bit, volatile void *bytes) {
  const uint8_t mask = (uint8_t)(0x80u >> (bit & 7));
  const uint8_t rest = (uint8_t)~mask;
  return (__atomic_fetch_and((volatile uint8_t *)bytes + (bit >> 3), rest, __ATOMIC_SEQ_CST) & mask)
         != 0;
}

/// Sets a bit; returns whether it was set before. Bits are counted from the top of each byte.
/// [any thread]
static __inline__ bool OSAtomicTestAndSet(uint32_t bit, volatile void *bytes) {
  return OSAtomicTestAndSetBarrier(bit, bytes);
}
/// Clears a bit; returns whether it was set before. Bits are counted from the top of each byte.
/// [any thread]
static __inline__ bool OSAtomicTestAndClear(uint32_t bit, volatile void *bytes) {
  return OSAtomicTestAndClearBarrier(bit, bytes);
}

// MARK: Spin locks

/// A lock whose waiting threads do not sleep: 0 is free, 1 is locked.
typedef int32_t OSSpinLock;
/// A lock that is free.
#define OS_SPINLOCK_INIT 0

/// Locks if the lock is free. [any thread]
static __inline__ bool OSSpinLockTry(volatile OSSpinLock *lock) {
  return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0;
}

/// Locks; waits without sleeping. [any thread]
static __inline__ void OSSpinLockLock(volatile OSSpinLock *lock) {
  while (!OSSpinLockTry(lock)) {
    while (__atomic_load_n(lock, __ATOMIC_RELAXED) != 0) {
    }
  }
}

/// Unlocks. [any thread]
static __inline__ void OSSpinLockUnlock(volatile OSSpinLock *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

// MARK: Stacks

/// A stack of blocks; each has room for a pointer at a fixed offset.
typedef struct OSQueueHead {
  /// The block at the top; null if the stack is empty.
  void *opaque1;
  /// 1 while a thread changes the stack, otherwise 0.
  long opaque2;
} OSQueueHead;
/// A stack without blocks.
#define OS_ATOMIC_QUEUE_INIT {NULL, 0}

// The second word is a lock, which is held for only a few instructions.
/// Waits until no other thread changes the stack. For this header only. [any thread]
static __inline__ void OSQueueEnter(OSQueueHead *queue) {
  while (__atomic_exchange_n(&queue->opaque2, 1, __ATOMIC_ACQUIRE) != 0) {
  }
}
/// Ends the change of the stack. For this header only. [any thread]
static __inline__ void OSQueueLeave(OSQueueHead *queue) {
  __atomic_store_n(&queue->opaque2, 0, __ATOMIC_RELEASE);
}

/// Pushes a block. [any thread]
static __inline__ void OSAtomicEnqueue(OSQueueHead *queue, void *block, size_t offset) {
  OSQueueEnter(queue);
  *(void **)((char *)block + offset) = queue->opaque1;
  queue->opaque1 = block;
  OSQueueLeave(queue);
}

/// Pops a block; null when there is none. [any thread]
static __inline__ void *OSAtomicDequeue(OSQueueHead *queue, size_t offset) {
  OSQueueEnter(queue);
  void *block = queue->opaque1;
  if (block) queue->opaque1 = *(void **)((char *)block + offset);
  OSQueueLeave(queue);
  return block;
}

#ifdef __cplusplus
}
#endif

#endif
