// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CRealTime.h"

#include <pthread.h>
#include <time.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Present only in a build with the real-time sanitizer.
__attribute__((weak)) void __rtsan_realtime_enter(void);
__attribute__((weak)) void __rtsan_realtime_exit(void);
__attribute__((weak)) void __rtsan_disable(void);
__attribute__((weak)) void __rtsan_enable(void);

// Initial-exec: the general model may allocate on a thread's first access.
static _Thread_local __attribute__((tls_model("initial-exec"))) rt_context context;

rt_context *rt_current(void) { return &context; }

static void denormals_off(void) {
#if defined(__x86_64__)
  unsigned word = _mm_getcsr();
  context.control_word = word;
  _mm_setcsr(word | 0x8040);  // flush to zero, denormals are zero
#elif defined(__aarch64__)
  uint64_t word;
  __asm__ volatile("mrs %0, fpcr" : "=r"(word));
  context.control_word = word;
  __asm__ volatile("msr fpcr, %0" : : "r"(word | (1ull << 24)));
#endif
}

static void denormals_restore(void) {
#if defined(__x86_64__)
  _mm_setcsr((unsigned)context.control_word);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(context.control_word));
#endif
}

void rt_enter(void) {
  if (context.depth++ > 0) return;
  denormals_off();
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void rt_leave(void) {
  if (--context.depth > 0) return;
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
  denormals_restore();
}

void rt_host_enter(void) {
  if (__rtsan_disable) __rtsan_disable();
}

void rt_host_leave(void) {
  if (__rtsan_enable) __rtsan_enable();
}

uint64_t rt_thread_id(void) { return (uint64_t)(uintptr_t)pthread_self(); }

void rt_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

uint64_t rt_host_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void rt_pause(void) {
#if defined(__x86_64__)
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}
