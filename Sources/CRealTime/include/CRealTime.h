// SPDX-License-Identifier: Apache-2.0
// The system functions that rendering needs: a context per thread, denormals off, clocks, the sanitizer's
// marks.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RT_NO_LOCKS __attribute__((swift_attr("@_noLocks")))

/// The state of rendering on one thread, in thread-local memory.
typedef struct rt_context {
  /// How many render calls are nested on this thread; 0 outside a render call.
  int32_t depth;
  /// How many device cycles run on this thread: above 0, a device waits for the output.
  int32_t cycles;
  /// How many calls through handles, and how many calls to the program's listeners, run on this thread;
  /// above 0 inside a host's callback.
  int32_t uses;
  /// As above, for handles of graphs, which hold units but do not prevent their disposal.
  int32_t graph_uses;
  /// How many of our locks this thread holds, counting repeated ones.
  int32_t locks;
  /// The jobs to run when it holds no lock any more; null: none.
  void *_Nullable after_locks;
  /// The lock that other threads may have while this one calls a function of the program, and how often
  /// this thread has locked it; null: none.
  void *_Nullable yielding;
  int32_t yielding_count;
  /// The processor's floating-point control word from before the outermost call.
  uint64_t control_word;
  /// The last outermost render call that failed. Its explanation is composed later, on request, because a
  /// render thread must not compose text. Zero status: none, or another call has failed since.
  int32_t failed_status;
  uint32_t failed_bus;
  uint32_t failed_frames;
  uint64_t failed_unit;
  const void *_Nullable failed_call;
  /// When the thread's scheduling was last checked, in host time; 0: never. The members below hold the
  /// result: how often the thread has waited for something, whether it has real-time priority, and whether
  /// it has not waited since the check before.
  uint64_t checked_at;
  /// When the clock was last read to find out whether the next check is due, in ticks.
  uint64_t clock_read_at;
  int64_t wait_count;
  bool is_real_time;
  bool never_waits;
  /// How many functions that the program called are running, since the library last called the program.
  int32_t borders;
  /// An exception of the program on its way to the outermost of these functions; null: none.
  void *_Nullable exception;
  /// How often this thread has entered code that a fork of the process waits for, and whether the fork
  /// counts it.
  int32_t works;
  bool is_counted;
} rt_context;

// Not initial-exec: a host's plug-ins share few bytes of such memory, and a library that needs some that are
// gone cannot be opened. Install/ThreadMemory.c explains where the memory is.
extern _Thread_local rt_context rt_thread_context;

/// The calling thread's context. [any thread]
RT_NO_LOCKS static inline rt_context *_Nonnull rt_current(void) { return &rt_thread_context; }

/// Enters a render call: counts it. The outermost call also turns denormals off and notifies the real-time
/// sanitizer, if it is linked. [render thread]
RT_NO_LOCKS void rt_enter(void);

/// Leaves a render call. [render thread]
RT_NO_LOCKS void rt_leave(void);

// Present only in a build with the real-time sanitizer.
__attribute__((weak)) void __rtsan_disable(void);
__attribute__((weak)) void __rtsan_enable(void);

/// Switches the sanitizer off and on again around a host's callback, for whose code we are not responsible.
RT_NO_LOCKS static inline void rt_host_enter(void) {
  if (__rtsan_disable) __rtsan_disable();
}
RT_NO_LOCKS static inline void rt_host_leave(void) {
  if (__rtsan_enable) __rtsan_enable();
}

/// Enters a function that the program called, and leaves it: an exception of a callback continues there.
/// Exceptions.cpp explains it. [any thread]
RT_NO_LOCKS static inline void rt_border_enter(void) { rt_thread_context.borders++; }
RT_NO_LOCKS void rt_throw_again(void);
RT_NO_LOCKS static inline void rt_border_leave(void) {
  if (--rt_thread_context.borders == 0 && rt_thread_context.exception) rt_throw_again();
}

/// Whether an exception of the program waits for the border. [any thread]
RT_NO_LOCKS static inline bool rt_is_throwing(void) { return rt_thread_context.exception; }

/// Calls a host's render callback, an `AURenderCallback`, or the render function of a plug-in. The context
/// may be null, if the host set it so. [render thread]
RT_NO_LOCKS int32_t rt_call_host(
    const void *_Nonnull function, void *_Nullable context, void *_Nonnull flags,
    const void *_Nonnull time, uint32_t bus, uint32_t frame_count, void *_Nullable data);

/// Calls a plug-in's function for AudioUnitProcess. [render thread]
RT_NO_LOCKS int32_t rt_call_process(
    const void *_Nonnull function, void *_Nullable context, void *_Nonnull flags,
    const void *_Nonnull time, uint32_t frame_count, void *_Nullable data);

/// Calls a plug-in's function for AudioUnitProcessMultiple. [render thread]
RT_NO_LOCKS int32_t rt_call_process_multiple(
    const void *_Nonnull function, void *_Nullable context, void *_Nonnull flags,
    const void *_Nonnull time, uint32_t frame_count, uint32_t input_count, void *_Nonnull inputs,
    uint32_t output_count, void *_Nonnull outputs);

/// Calls a converter's input function, an `AudioConverterComplexInputDataProc`. [any thread]
RT_NO_LOCKS int32_t rt_call_packet_input(
    const void *_Nonnull function, void *_Nonnull converter, uint32_t *_Nonnull packets,
    void *_Nonnull list, void *_Nonnull descriptions, void *_Nullable context);

/// Call functions of a plug-in for its parameters, notes and MIDI. [any thread]
RT_NO_LOCKS int32_t rt_call_get_parameter(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t id, uint32_t scope, uint32_t element,
    float *_Nonnull value);
RT_NO_LOCKS int32_t rt_call_set_parameter(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t id, uint32_t scope, uint32_t element,
    float value, uint32_t offset);
RT_NO_LOCKS int32_t rt_call_schedule(
    const void *_Nonnull function, void *_Nonnull plug_in, const void *_Nonnull events, uint32_t count);
RT_NO_LOCKS int32_t rt_call_midi_event(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t status, uint32_t data1, uint32_t data2,
    uint32_t offset);
RT_NO_LOCKS int32_t rt_call_sysex(
    const void *_Nonnull function, void *_Nonnull plug_in, const uint8_t *_Nonnull bytes, uint32_t count);
RT_NO_LOCKS int32_t rt_call_event_list(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t offset, const void *_Nonnull list);
RT_NO_LOCKS int32_t rt_call_start_note(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t instrument, uint32_t group,
    uint32_t *_Nonnull note, uint32_t offset, const void *_Nonnull parameters);
RT_NO_LOCKS int32_t rt_call_stop_note(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t group, uint32_t note, uint32_t offset);
RT_NO_LOCKS int32_t rt_call_instrument(
    const void *_Nonnull function, void *_Nonnull plug_in, uint32_t instrument);

/// Calls a function that calls the program. The result is not zero if that threw. [any thread]
int32_t rt_call_program(void (*_Nonnull body)(void *_Nonnull), void *_Nonnull context);

/// A function that renders a bus into the caller's buffer, or points the buffer at the samples. The result
/// has the status in its lower half.
typedef uint64_t (*rt_pull_function)(
    void *_Nonnull context, uint32_t bus, void *_Nullable flags, const void *_Nonnull time,
    uint32_t frame_count, void *_Nonnull buffer);

/// Calls such a function, which must be real-time safe. [render thread]
RT_NO_LOCKS static inline uint64_t rt_pull(
    rt_pull_function _Nonnull function, void *_Nonnull context, uint32_t bus, void *_Nullable flags,
    const void *_Nonnull time, uint32_t frame_count, void *_Nonnull buffer) {
  return function(context, bus, flags, time, frame_count, buffer);
}

/// How often the process and its ancestors were forked since they loaded the library.
extern uint32_t rt_forks;

/// A number that no other living thread has; nor had a thread of the process from which this one was forked.
/// [any thread]
RT_NO_LOCKS static inline uint64_t rt_thread_id(void) {
  return (uint64_t)(rt_forks & 0xFFFF) << 48 | (uint64_t)(uintptr_t)&rt_thread_context;
}

/// Nanoseconds of the monotonic clock: the host time of time stamps. [any thread]
RT_NO_LOCKS uint64_t rt_host_time(void);

/// A timer for which one thread waits, and whose time others set meanwhile: a descriptor, or -1 if there is no
/// more. [any thread but a render thread]
int32_t rt_alarm_open(void);
void rt_alarm_close(int32_t alarm);
/// Lets it ring at a host time, instead of the time before; at once if that is over. [any thread]
void rt_alarm_set(int32_t alarm, uint64_t host_time);
/// Returns when it rings, or has rung since the last call. [one thread, no render thread]
void rt_alarm_wait(int32_t alarm);

/// Whether the processor has a counter with a constant rate.
extern bool rt_counter_is_even;

/// The cheapest clock for durations; its rate is `rt_ticks_per_second`. [any thread]
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

/// The rate of `rt_ticks`, accurate to a ten-thousandth: measured once, at the earliest two milliseconds
/// after the library was loaded. [control thread]
double rt_ticks_per_second(void);

/// Names the calling thread, which the library has started, for debuggers and lists of threads, and allocates its
/// context before it renders. [any thread]
void rt_prepare_thread(const char *_Nonnull name);

/// Tells the processor that a spin loop waits. [any thread]
RT_NO_LOCKS void rt_pause(void);

/// Sleeps while `*word` is `value`; may return early. [worker thread]
void rt_sleep(const uint32_t *_Nonnull word, uint32_t value);

/// Wakes up to `count` threads that sleep on `word`. A render thread makes this system call only in graphs
/// that are rendered by several threads. It does not wait. [render thread]
RT_NO_LOCKS void rt_wake(const uint32_t *_Nonnull word, int32_t count);

/// Lets other threads run for a moment, when this one cannot continue until another has finished.
/// [render thread]
RT_NO_LOCKS void rt_yield(void);

/// Whether the calling thread has real-time priority; the result is at most a tenth of a second old.
/// [render thread]
RT_NO_LOCKS bool rt_is_real_time(void);

/// Sleeps for a millisecond if this thread has real-time priority and has not waited for anything for a
/// tenth of a second: the kernel ends a process whose real-time thread never waits, and other programs
/// need the processor. A thread that keeps up waits for each cycle, so it never sleeps here.
/// [render thread, between two cycles]
RT_NO_LOCKS void rt_rest_if_due(void);

/// How many processors the process may use. [any thread]
uint32_t rt_processor_count(void);

/// Flushes C's standard output, whose variable Swift code cannot use. [control thread]
void rt_flush_output(void);

// Forks of the process, explained in Forks.c.

/// Marks that the library now has state, so that a forked child cannot use devices. [any thread]
void rt_begin_use(void);

extern bool rt_forked;

/// Whether this process was forked from one that used the library: the library's threads, and their
/// connections to sound servers, exist only in the parent. [any thread]
RT_NO_LOCKS static inline bool rt_is_forked(void) { return rt_forked; }

RT_NO_LOCKS static inline uint32_t rt_fork_count(void) { return rt_forks; }

/// Whether `thread`, a result of `rt_thread_id`, existed only in the process that was forked. [any thread]
RT_NO_LOCKS static inline bool rt_is_lost(uint64_t thread) {
  return thread && thread >> 48 != (rt_forks & 0xFFFF);
}

RT_NO_LOCKS void rt_work_begin(void);
RT_NO_LOCKS void rt_work_end(void);

/// Enters and leaves code that may hold a lock: a fork of the process waits for it, and it waits for a fork
/// that is under way. May be nested. In a render nothing waits. [any thread]
RT_NO_LOCKS static inline void rt_work_enter(void) {
  rt_context *me = rt_current();
  if (me->works++ == 0 && me->depth == 0) rt_work_begin();
}
RT_NO_LOCKS static inline void rt_work_leave(void) {
  rt_context *me = rt_current();
  if (--me->works == 0 && me->is_counted) rt_work_end();
}

/// Leaves such code altogether, before the thread waits or calls the program. The result is the argument of
/// `rt_work_resume`. [any thread]
RT_NO_LOCKS static inline int32_t rt_work_suspend(void) {
  rt_context *me = rt_current();
  const int32_t works = me->works;
  me->works = 0;
  if (me->is_counted) rt_work_end();
  return works;
}
RT_NO_LOCKS static inline void rt_work_resume(int32_t works) {
  rt_context *me = rt_current();
  me->works = works;
  if (works > 0 && me->depth == 0) rt_work_begin();
}

/// A function that is called in a forked child before the fork returns. `was_inside`: the thread that forked
/// was inside a call of the library.
typedef struct rt_child_handler {
  void (*_Nonnull function)(void *_Nonnull context, bool was_inside);
  void *_Nonnull context;
  struct rt_child_handler *_Nullable next;
} rt_child_handler;

/// Adds a handler, which must exist as long as the process. [any thread]
void rt_add_child_handler(rt_child_handler *_Nonnull handler);

/// Whether a lock was made before the last fork, according to the number of forks that it has stored. If so,
/// the caller makes it anew, because a thread that does not exist may hold it, and calls `rt_renewal_end`.
/// [any thread but a render thread]
bool rt_renewal_begin(const uint32_t *_Nonnull forks);
void rt_renewal_end(uint32_t *_Nonnull forks);

#ifdef __cplusplus
}
#endif
