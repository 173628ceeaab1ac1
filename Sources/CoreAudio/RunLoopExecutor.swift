// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import CoreFoundation
import Foundation

/// Calls a program's callbacks on a run loop, in one mode. A source of the run loop triggers the
/// calls.
package final class RunLoopExecutor: @unchecked Sendable {
  private let lock = Lock()
  // Guarded by `lock`.
  private var jobs: ArraySlice<@Sendable () -> Void> = []
  private var source: CFRunLoopSource?
  private var addedCount = 0
  private var doneCount = 0
  private let runLoop: CoreFoundation.CFRunLoop

  /// Creates an executor; without a mode, for the common modes.
  package init(_ runLoop: CoreFoundation.CFRunLoop, _ mode: NSString?) {
    self.runLoop = runLoop
    var context = CFRunLoopSourceContext()
    // The source keeps this object alive until `stop`.
    context.info = Unmanaged.passUnretained(self).toOpaque()
    context.retain = { info in
      guard let info else { return nil }
      return UnsafeRawPointer(
        Unmanaged<RunLoopExecutor>.fromOpaque(info).retain().toOpaque())
    }
    context.release = { info in
      if let info { Unmanaged<RunLoopExecutor>.fromOpaque(info).release() }
    }
    context.perform = { info in
      if let info { Unmanaged<RunLoopExecutor>.fromOpaque(info).takeUnretainedValue().run() }
    }
    let source = CFRunLoopSourceCreate(nil, 0, &context)
    self.source = source
    CFRunLoopAddSource(
      runLoop, source,
      mode.map { unsafeBitCast($0, to: CoreFoundation.CFString.self) } ?? kCFRunLoopCommonModes)
  }

  /// Creates an executor for the main thread's run loop and the default mode, where these are nil.
  package static func orMain(_ runLoop: CoreFoundation.CFRunLoop?, _ mode: NSString?)
    -> RunLoopExecutor
  {
    RunLoopExecutor(
      runLoop ?? CoreFoundation.CFRunLoopGetMain(),
      mode ?? unsafeBitCast(kCFRunLoopDefaultMode, to: NSString.self))
  }

  /// [any thread but a render thread] Runs `job` later on the run loop, after all earlier jobs.
  package func perform(_ job: @escaping @Sendable () -> Void) {
    let source = lock.withLock {
      if self.source != nil {
        jobs.append(job)
        addedCount += 1
      }
      return self.source
    }
    guard let source else { return }
    CFRunLoopSourceSignal(source)
    CFRunLoopWakeUp(runLoop)
  }

  /// [control thread] Waits until all jobs so far are done. On the run loop's own thread, it runs
  /// them itself. It does not wait for a run loop that no thread runs.
  package func waitForJobs(until deadline: UInt64) {
    guard CoreFoundation.CFRunLoopGetCurrent() !== runLoop else { return run() }
    let added = lock.withLock { addedCount }
    waitPolling(every: 500, until: deadline) {
      CFRunLoopCopyCurrentMode(runLoop) != nil
        && lock.withLock { source != nil && doneCount < added }
    }
  }

  /// [control thread] Starts no more jobs.
  package func stop() {
    let source = lock.withLock {
      defer { self.source = nil }
      jobs.removeAll()
      return self.source
    }
    if let source { CFRunLoopSourceInvalidate(source) }
  }

  /// Runs the jobs added so far. A job that these add runs in the next turn of the run loop.
  private func run() {
    var dueCount = lock.withLock { jobs.count }
    while dueCount > 0, !rt_is_throwing() {
      let next = lock.withLock { jobs.popFirst() }
      guard let job = next else { return }
      dueCount -= 1
      // An exception of the program leaves this loop: the others then run in the next turn.
      if dueCount > 0, let source = lock.withLock({ source }) { CFRunLoopSourceSignal(source) }
      border {
        job()
        lock.withLock { doneCount += 1 }
      }
    }
  }
}
