// SPDX-License-Identifier: Apache-2.0

#ifndef CORE_FOUNDATION_RUN_LOOP_H
#define CORE_FOUNDATION_RUN_LOOP_H

#include "CFBase.h"
#include "CFDate.h"
#include "CFString.h"

CF_EXTERN_C_BEGIN

/// The name of a mode: a set of sources and timers that run together.
typedef CFStringRef CFRunLoopMode;
/// The usual mode.
CF_EXPORT const CFRunLoopMode kCFRunLoopDefaultMode;
/// All modes that are marked as common.
CF_EXPORT const CFRunLoopMode kCFRunLoopCommonModes;

/// Why a run loop has returned.
typedef CF_ENUM(SInt32, CFRunLoopRunResult) {
  /// It has no sources and timers.
  kCFRunLoopRunFinished = 1,
  /// CFRunLoopStop was called.
  kCFRunLoopRunStopped = 2,
  /// The time is over.
  kCFRunLoopRunTimedOut = 3,
  /// One source was handled, as requested.
  kCFRunLoopRunHandledSource = 4
};

/// The type of run loops.
CFTypeID CFRunLoopGetTypeID(void);
/// The run loop of this thread.
CFRunLoopRef CFRunLoopGetCurrent(void);
/// The run loop of the main thread.
CFRunLoopRef CFRunLoopGetMain(void);
/// Runs this thread's loop until it is stopped or has nothing to wait for.
void CFRunLoopRun(void);
/// Runs this thread's loop in a mode for some seconds, or until one source was handled.
CFRunLoopRunResult CFRunLoopRunInMode(CFRunLoopMode mode, CFTimeInterval seconds,
                                      Boolean returnAfterSourceHandled);
/// Makes a run loop return.
void CFRunLoopStop(CFRunLoopRef rl);
/// Makes a run loop look for work.
void CFRunLoopWakeUp(CFRunLoopRef rl);
/// Whether a run loop waits.
Boolean CFRunLoopIsWaiting(CFRunLoopRef rl);

/// The first argument of a timer's function, and how it is kept.
typedef struct {
  /// Always 0.
  CFIndex version;
  /// The argument.
  void *info;
  /// Called when the timer is created; NULL: nothing.
  const void *(*retain)(const void *info);
  /// Called when the timer ends; NULL: nothing.
  void (*release)(const void *info);
  /// Called for the description of the timer.
  CFStringRef (*copyDescription)(const void *info);
} CFRunLoopTimerContext;
/// Called when a timer is due.
typedef void (*CFRunLoopTimerCallBack)(CFRunLoopTimerRef timer, void *info);

/// Creates a timer that is due at a time, and then at intervals of seconds; 0: once.
CFRunLoopTimerRef CFRunLoopTimerCreate(CFAllocatorRef allocator, CFAbsoluteTime fireDate,
                                       CFTimeInterval interval, CFOptionFlags flags, CFIndex order,
                                       CFRunLoopTimerCallBack callout,
                                       CFRunLoopTimerContext *context);
/// Ends a timer.
void CFRunLoopTimerInvalidate(CFRunLoopTimerRef timer);
/// Adds a timer to a mode of a run loop.
void CFRunLoopAddTimer(CFRunLoopRef rl, CFRunLoopTimerRef timer, CFRunLoopMode mode);
/// Removes a timer from a mode of a run loop.
void CFRunLoopRemoveTimer(CFRunLoopRef rl, CFRunLoopTimerRef timer, CFRunLoopMode mode);

CF_EXTERN_C_END

#endif
