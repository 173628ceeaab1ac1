// SPDX-License-Identifier: Apache-2.0

#ifndef MACH_THREAD_POLICY_H
#define MACH_THREAD_POLICY_H

// The scheduling of threads. A request for real time requests SCHED_FIFO from Linux. The times of
// the request have no effect, because Linux has no such scheduler for a program's threads.

#include <CoreFoundation/CFSystemNames.h>

#include <sched.h>
#include <sys/resource.h>

#include "mach_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The kind of a policy: one of the constants below.
typedef natural_t thread_policy_flavor_t;
/// A policy as an array of numbers: a pointer to the structure of its kind.
typedef integer_t *thread_policy_t;

/// The usual scheduling, without a structure.
#define THREAD_STANDARD_POLICY 1
/// The usual scheduling, with a thread_extended_policy.
#define THREAD_EXTENDED_POLICY 1
/// Real time, with a thread_time_constraint_policy.
#define THREAD_TIME_CONSTRAINT_POLICY 2
/// The importance within the process, with a thread_precedence_policy.
#define THREAD_PRECEDENCE_POLICY 3

/// The usual scheduling.
struct thread_extended_policy {
  /// Whether other threads may interrupt the thread. It has no effect: they always may.
  boolean_t timeshare;
};
/// The structure by its other name.
typedef struct thread_extended_policy thread_extended_policy_data_t;
/// A pointer to the structure.
typedef struct thread_extended_policy *thread_extended_policy_t;

/// In ticks of host time.
struct thread_time_constraint_policy {
  /// The time from one cycle to the next; 0 if cycles are irregular.
  uint32_t period;
  /// The time that a cycle needs of a processor.
  uint32_t computation;
  /// The time after which a cycle has to be done.
  uint32_t constraint;
  /// Whether other threads may interrupt a cycle.
  boolean_t preemptible;
};
typedef struct thread_time_constraint_policy thread_time_constraint_policy_data_t;
typedef struct thread_time_constraint_policy *thread_time_constraint_policy_t;

/// The importance of a thread.
struct thread_precedence_policy {
  /// Above 0: more important than other threads of the process.
  integer_t importance;
};
/// The structure by its other name.
typedef struct thread_precedence_policy thread_precedence_policy_data_t;
/// A pointer to the structure.
typedef struct thread_precedence_policy *thread_precedence_policy_t;

/// The size of a thread_extended_policy, in numbers.
#define THREAD_EXTENDED_POLICY_COUNT ((mach_msg_type_number_t)1)
/// The size of a thread_time_constraint_policy, in numbers.
#define THREAD_TIME_CONSTRAINT_POLICY_COUNT ((mach_msg_type_number_t)4)
/// The size of a thread_precedence_policy, in numbers.
#define THREAD_PRECEDENCE_POLICY_COUNT ((mach_msg_type_number_t)1)

/// Sets the scheduling of a thread: real time, or an importance. [any thread]
///
/// Returns KERN_PROTECTION_FAILURE if the user has no permission, KERN_NOT_SUPPORTED for other
/// flavors.
static __inline__ kern_return_t thread_policy_set(thread_act_t thread,
                                                  thread_policy_flavor_t flavor,
                                                  thread_policy_t policy,
                                                  mach_msg_type_number_t count) {
  struct sched_param parameters = {0};
  int failed = 0;
  if (!policy || count == 0) return KERN_INVALID_ARGUMENT;
  switch (flavor) {
    case THREAD_TIME_CONSTRAINT_POLICY:
      parameters.sched_priority = sched_get_priority_min(SCHED_FIFO);
      failed = sched_setscheduler((pid_t)thread, SCHED_FIFO, &parameters);
      break;
    case THREAD_EXTENDED_POLICY:
      failed = sched_setscheduler((pid_t)thread, SCHED_OTHER, &parameters);
      break;
    case THREAD_PRECEDENCE_POLICY: {
      const int importance = policy[0] > 20 ? 20 : policy[0] < -19 ? -19 : policy[0];
      failed = setpriority(PRIO_PROCESS, thread, -importance);
      break;
    }
    default:
      return KERN_NOT_SUPPORTED;
  }
  return failed ? KERN_PROTECTION_FAILURE : KERN_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif
