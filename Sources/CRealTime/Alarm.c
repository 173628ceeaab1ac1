// SPDX-License-Identifier: Apache-2.0
#include "CRealTime.h"

#include <errno.h>
#include <sys/timerfd.h>
#include <unistd.h>

int32_t rt_alarm_open(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }

void rt_alarm_set(int32_t alarm, uint64_t host_time) {
  // The time 0 would turn the timer off.
  const uint64_t time = host_time ? host_time : 1;
  const struct itimerspec when = {
      .it_value = {(time_t)(time / 1000000000), (long)(time % 1000000000)}};
  timerfd_settime(alarm, TFD_TIMER_ABSTIME, &when, NULL);
}

void rt_alarm_wait(int32_t alarm) {
  uint64_t count;
  while (read(alarm, &count, sizeof count) < 0 && errno == EINTR) {}
}

void rt_alarm_close(int32_t alarm) { close(alarm); }
