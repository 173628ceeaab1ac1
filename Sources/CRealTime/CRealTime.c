// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CRealTime.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

// Present only in a build with the real-time sanitizer.
__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);

_Thread_local rt_context rt_thread_context;

static void denormals_off(void) {
#if defined(__x86_64__)
  unsigned word = _mm_getcsr();
  rt_thread_context.control_word = word;
  _mm_setcsr(word | 0x8040);  // flush to zero, denormals are zero
#elif defined(__aarch64__)
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  rt_thread_context.control_word = word;
  __asm__ volatile("msr fpcr, %0" : : "r"(word | (1ull << 24)));
#endif
}

static void denormals_restore(void) {
#if defined(__x86_64__)
  _mm_setcsr((unsigned)rt_thread_context.control_word);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(rt_thread_context.control_word));
#endif
}

void rt_enter(void) {
  if (rt_thread_context.depth++ > 0) return;
  denormals_off();
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void rt_leave(void) {
  if (--rt_thread_context.depth > 0) return;
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
  denormals_restore();
}

void rt_prepare_thread(const char *name) {
  pthread_setname_np(pthread_self(), name);
  (void)*(volatile int32_t *)&rt_thread_context.depth;
}

uint64_t rt_host_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

bool rt_counter_is_even;

// The values of both clocks when the library was loaded.
static uint64_t first_ticks, first_time;

__attribute__((constructor)) static void start_ticks(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  rt_counter_is_even = __get_cpuid(0x80000007, &a, &b, &c, &d) && (d & 1u << 8);
#endif
  first_ticks = rt_ticks();
  first_time = rt_host_time();
}

static double ticks_per_second;

static void compare_clocks(void) {
  uint64_t time;
  do time = rt_host_time();
  while (time - first_time < 2000000);
  ticks_per_second = (double)(rt_ticks() - first_ticks) * 1e9 / (double)(time - first_time);
}

double rt_ticks_per_second(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, compare_clocks);
  return ticks_per_second;
}

void rt_pause(void) {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

void rt_sleep(const uint32_t *word, uint32_t value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

// These two system calls are intended, so the sanitizer is switched off for them.
void rt_wake(const uint32_t *word, int32_t count) {
  rt_host_enter();
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
  rt_host_leave();
}

void rt_yield(void) {
  rt_host_enter();
  sched_yield();
  rt_host_leave();
}

enum { check_interval = 100000000, rest = 1000000 };  // nanoseconds
// Far shorter than `check_interval` on every processor, and longer than the cycle of a device that plays as
// fast as it can.
enum { clock_interval = 100000 };  // ticks

// Updates what the context says about the scheduling of the calling thread, at most ten times a second: two
// system calls that do not wait. Reading the clock costs as much as a short render, so it is read only after
// some ticks.
static rt_context *check_scheduling(void) {
  rt_context *me = rt_current();
  const uint64_t ticks = rt_ticks();
  if (me->checked_at && ticks - me->clock_read_at < clock_interval) return me;
  me->clock_read_at = ticks;
  const uint64_t now = rt_host_time();
  if (me->checked_at && now - me->checked_at < check_interval) return me;
  struct rusage usage = {0};
  rt_host_enter();
  getrusage(RUSAGE_THREAD, &usage);
  const int policy = sched_getscheduler(0) & ~SCHED_RESET_ON_FORK;
  rt_host_leave();
  me->is_real_time = policy == SCHED_FIFO || policy == SCHED_RR;
  me->never_waits = me->checked_at && me->wait_count == usage.ru_nvcsw;
  me->wait_count = usage.ru_nvcsw;
  me->checked_at = now;
  return me;
}

bool rt_is_real_time(void) { return check_scheduling()->is_real_time; }

void rt_rest_if_due(void) {
  rt_context *me = check_scheduling();
  if (!me->never_waits || !me->is_real_time) return;
  me->never_waits = false;
  const struct timespec time = {0, rest};
  rt_host_enter();
  nanosleep(&time, NULL);
  rt_host_leave();
}

uint32_t rt_processor_count(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  int count = CPU_COUNT(&set);
  return count > 0 ? (uint32_t)count : 1;
}

void rt_flush_output(void) { fflush(stdout); }
