// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Lets another thread run: on few processors, a loop without it would take its whole share of time.
func rest() { sched_yield() }
