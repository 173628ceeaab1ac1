// SPDX-License-Identifier: Apache-2.0
// What rendering needs of the machine: a context per thread, denormals off, the clock, the sanitizer's marks.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define RT_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// What a thread knows of the rendering that it does. Lives in thread-local memory.
typedef struct rt_context {
  /// How many render calls are nested on this thread; 0 outside.
  int32_t depth;
  /// How many cycles of devices are under way on this thread: above 0 a device waits for what is rendered.
  int32_t cycles;
  /// How many calls on handles, and of the program's listeners, are under way on this thread; above 0
  /// inside a host's callback.
  int32_t uses;
  /// The same for handles of graphs, which hold units but do not keep them from ending.
  int32_t graph_uses;
  /// How many locks of ours this thread holds, each as often as it was taken.
  int32_t locks;
  /// What is to be done when it holds none any more; null: nothing.
  void *_Nullable after_locks;
  /// One of these locks that others may have while a function of the program is called, and how often this
  /// thread has taken it; null: none.
  void *_Nullable lendable;
  int32_t lendable_count;
  /// The processor's floating-point control word from before the outermost call.
  uint64_t control_word;
  /// The last outermost render call that failed, for whoever asks later: no text is composed on a
  /// render thread. Zero status: none, or something else has failed since.
  int32_t failed_status;
  uint32_t failed_bus;
  uint32_t failed_frames;
  uint64_t failed_unit;
  const void *_Nullable failed_call;
  /// When the system was last asked about this thread, in host time; 0: never. What it said: whether the
  /// thread has real-time priority, how often it has waited for something, and whether it has not done so
  /// since it was asked before.
  uint64_t looked_at;
  /// When the clock was last read to see whether it is to be asked again, in ticks.
  uint64_t clock_read_at;
  int64_t wait_count;
  bool is_real_time;
  bool never_waits;
} rt_context;

// Initial-exec: the general model may allocate on a thread's first access.
extern _Thread_local __attribute__((tls_model("initial-exec"))) rt_context rt_thread_context;

/// The calling thread's context. [any thread]
RT_NO_LOCKS static inline rt_context *_Nonnull rt_current(void) { return &rt_thread_context; }

/// Enters a render call: counts it, and around the outermost one turns denormals off and tells the
/// real-time sanitizer, where it is linked. [render thread]
RT_NO_LOCKS void rt_enter(void);

/// Leaves a render call. [render thread]
RT_NO_LOCKS void rt_leave(void);

// Present only in a build with the real-time sanitizer.
__attribute__((weak)) void __rtsan_disable(void);
__attribute__((weak)) void __rtsan_enable(void);

/// Tells the sanitizer that a host's callback, whose code is not ours to judge, begins and ends.
RT_NO_LOCKS static inline void rt_host_enter(void) {
  if (__rtsan_disable) __rtsan_disable();
}
RT_NO_LOCKS static inline void rt_host_leave(void) {
  if (__rtsan_enable) __rtsan_enable();
}

/// Calls a host's render callback, an `AURenderCallback`. A null context is what the host gave.
/// [render thread]
RT_NO_LOCKS static inline int32_t rt_call_host(
    const void *_Nonnull function, void *_Nullable context, void *_Nonnull flags,
    const void *_Nonnull time, uint32_t bus, uint32_t frame_count, void *_Nullable data) {
  typedef int32_t (*callback)(void *, void *, const void *, uint32_t, uint32_t, void *);
  rt_host_enter();
  int32_t status = ((callback)function)(context, flags, time, bus, frame_count, data);
  rt_host_leave();
  return status;
}

/// A function that renders a bus into a buffer of the caller's, or says where its samples lie. The answer
/// has the status in its lower half.
typedef uint64_t (*rt_pull_function)(
    void *_Nonnull context, uint32_t bus, void *_Nullable flags, const void *_Nonnull time,
    uint32_t frame_count, void *_Nonnull buffer);

/// Calls such a function; it keeps the rules of the render thread. [render thread]
RT_NO_LOCKS static inline uint64_t rt_pull(
    rt_pull_function _Nonnull function, void *_Nonnull context, uint32_t bus, void *_Nullable flags,
    const void *_Nonnull time, uint32_t frame_count, void *_Nonnull buffer) {
  return function(context, bus, flags, time, frame_count, buffer);
}

/// A number that no other living thread has. [any thread]
RT_NO_LOCKS static inline uint64_t rt_thread_id(void) {
  return (uint64_t)(uintptr_t)&rt_thread_context;
}

/// Nanoseconds of the monotonic clock: the host time of time stamps. [any thread]
RT_NO_LOCKS uint64_t rt_host_time(void);

/// Whether the processor has a counter that runs evenly, whatever it does.
extern bool rt_counter_is_even;

/// A clock for durations, the cheapest there is; `rt_ticks_per_second` says how fast it runs. [any thread]
RT_NO_LOCKS static inline uint64_t rt_ticks(void) {
#if defined(__x86_64__)
  if (rt_counter_is_even) return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#endif
  return rt_host_time();
}

/// How fast `rt_ticks` runs, to a ten-thousandth: found out once, at the earliest two milliseconds after
/// the library was loaded. [control thread]
double rt_ticks_per_second(void);

/// Names the calling thread, for debuggers and lists of threads. [any thread]
void rt_name_thread(const char *_Nonnull name);

/// Tells the processor that a spin loop waits. [any thread]
RT_NO_LOCKS void rt_pause(void);

/// Sleeps while `*word` is `value`; may also return without a reason. [worker thread]
void rt_sleep(const uint32_t *_Nonnull word, uint32_t value);

/// Wakes as many as `count` threads that sleep on `word`: the one system call that a render thread
/// makes, and only in graphs that are rendered by several threads. It waits for nobody. [render thread]
RT_NO_LOCKS void rt_wake(const uint32_t *_Nonnull word, int32_t count);

/// Lets other threads run for a moment: while another thread has what this one cannot go on without.
/// [render thread]
RT_NO_LOCKS void rt_yield(void);

/// Whether the calling thread has real-time priority, as it was a tenth of a second ago at most.
/// [render thread]
RT_NO_LOCKS bool rt_is_real_time(void);

/// Lets a thread of real-time priority that has not waited for anything for a tenth of a second sleep for
/// a millisecond: the kernel ends a process whose real-time thread never waits, and other programs need
/// the processor. A thread that keeps up waits for each cycle and never sleeps here. [render thread,
/// between two cycles]
RT_NO_LOCKS void rt_rest_if_due(void);

/// How many processors the process may use. [any thread]
uint32_t rt_processor_count(void);

/// Writes out what is printed to C's standard output, which Swift does not let one name.
/// [control thread]
void rt_flush_output(void);

/// Says that the library has state from now on, which a child that is forked must not use. [any thread]
void rt_begin_use(void);

extern bool rt_forked;

/// Whether this process was forked from one that used the library: the threads that worked for it, and
/// whoever holds its locks, stayed there. [any thread]
RT_NO_LOCKS static inline bool rt_is_forked(void) { return rt_forked; }
