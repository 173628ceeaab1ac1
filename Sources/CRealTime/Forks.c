// SPDX-License-Identifier: Apache-2.0
// Forks of the process.
//
// A forked child has one thread: what other threads were doing at that moment stays half done, and the locks
// that they held stay locked. So a fork waits until no thread is inside the library's control code
// (`rt_work_enter`), and threads that come later wait for the end of the fork. Then the child finds every
// lock free and every table whole, and offline work continues there.
//
// A call that takes long must not delay the fork for ever, and may even wait for the thread that forks. After
// half a second the fork continues without it. In the child, each lock is renewed before its first use, so that
// nothing waits for a thread that does not exist; and an object that another thread was using is refused
// (HandleSlots.swift).
//
// Render threads are not waited for: they hold no lock and allocate nothing.
#include "CRealTime.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// How long a fork waits for other threads, and how often it checks: nanoseconds, microseconds.
enum { patience = 500000000, pause_between_checks = 20, pause_of_others = 50 };

// The number of threads that are inside, distributed so that threads do not compete for one cache line.
enum { stripe_count = 64 };
typedef struct { _Alignas(64) _Atomic int32_t count; } stripe;
static stripe stripes[stripe_count];

// The context of the thread that is forking.
static _Atomic(rt_context *) forker;
static pthread_mutex_t one_fork = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t renewals = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool is_used;

uint32_t rt_forks = 0;
bool rt_forked = false;

static _Atomic(rt_child_handler *) child_handlers;

static _Atomic int32_t *own_stripe(void) {
  const uintptr_t address = (uintptr_t)&rt_thread_context;
  // Thread-local memory of threads lies whole pages apart.
  return &stripes[(address >> 12 ^ address >> 18) % stripe_count].count;
}

void rt_work_begin(void) {
  rt_context *me = rt_current();
  for (;;) {
    atomic_fetch_add(own_stripe(), 1);
    rt_context *other = atomic_load(&forker);
    if (!other || other == me) break;
    atomic_fetch_sub(own_stripe(), 1);
    while (atomic_load(&forker)) usleep(pause_of_others);
  }
  me->is_counted = true;
}

void rt_work_end(void) {
  rt_current()->is_counted = false;
  atomic_fetch_sub(own_stripe(), 1);
}

static int32_t others_inside(void) {
  int32_t count = rt_current()->is_counted ? -1 : 0;
  for (int i = 0; i < stripe_count; i++) count += atomic_load(&stripes[i].count);
  return count;
}

static void before_fork(void) {
  pthread_mutex_lock(&one_fork);
  atomic_store(&forker, rt_current());
  const uint64_t deadline = rt_host_time() + patience;
  while (others_inside() > 0 && rt_host_time() < deadline) usleep(pause_between_checks);
}

static void in_parent(void) {
  atomic_store(&forker, NULL);
  pthread_mutex_unlock(&one_fork);
}

static void in_child(void) {
  pthread_mutex_init(&one_fork, NULL);
  pthread_mutex_init(&renewals, NULL);
  rt_context *me = rt_current();
  for (int i = 0; i < stripe_count; i++) atomic_store(&stripes[i].count, 0);
  if (me->is_counted) atomic_fetch_add(own_stripe(), 1);
  rt_forks++;
  rt_forked |= atomic_load(&is_used);
  const bool was_inside = me->depth > 0 || me->uses > 0 || me->graph_uses > 0;
  atomic_store(&forker, NULL);
  rt_child_handler *handler = atomic_load(&child_handlers);
  for (; handler; handler = handler->next) handler->function(handler->context, was_inside);
}

// When the library is loaded: a fork may come before its first use is complete.
__attribute__((constructor)) static void watch_forks(void) {
  pthread_atfork(before_fork, in_parent, in_child);
}

void rt_begin_use(void) { atomic_store(&is_used, true); }

void rt_add_child_handler(rt_child_handler *handler) {
  handler->next = atomic_load(&child_handlers);
  while (!atomic_compare_exchange_weak(&child_handlers, &handler->next, handler)) {}
}

bool rt_renewal_begin(const uint32_t *forks) {
  pthread_mutex_lock(&renewals);
  if (*forks != rt_forks) return true;
  pthread_mutex_unlock(&renewals);
  return false;
}

void rt_renewal_end(uint32_t *forks) {
  __atomic_store_n(forks, rt_forks, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&renewals);
}
