// SPDX-License-Identifier: Apache-2.0
import AudioQueues
import AudioSupport
import CRealTime
import CoreAudio
import CoreFoundation
import Foundation

/// A run loop, in one mode, on which functions of a program are called: a source there keeps it alive.
final class RunLoopExecutor: CallbackExecutor, @unchecked Sendable {
  private let lock = Lock()
  // Guarded by `lock`.
  private var jobs: [@Sendable () -> Void] = []
  private var source: CFRunLoopSource?
  private var addedCount = 0
  private var doneCount = 0
  private let runLoop: CoreFoundation.CFRunLoop

  /// Without a mode: the common modes.
  init(_ runLoop: CoreFoundation.CFRunLoop, _ mode: NSString?) {
    self.runLoop = runLoop
    var context = CFRunLoopSourceContext()
    // The source keeps this object alive until it leaves.
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

  /// Without a run loop: the main thread's; without a mode: the default one.
  static func orMain(_ runLoop: CoreFoundation.CFRunLoop?, _ mode: NSString?) -> RunLoopExecutor {
    RunLoopExecutor(
      runLoop ?? CoreFoundation.CFRunLoopGetMain(),
      mode ?? unsafeBitCast(kCFRunLoopDefaultMode, to: NSString.self))
  }

  /// [any thread but a render thread] Runs `job` there, after earlier jobs.
  func perform(_ job: @escaping @Sendable () -> Void) {
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

  /// [control thread] On the run loop's own thread it runs them now. It does not wait for a loop
  /// that nobody runs.
  func waitForJobs(until deadline: UInt64) {
    guard CoreFoundation.CFRunLoopGetCurrent() !== runLoop else { return run() }
    let added = lock.withLock { addedCount }
    while rt_host_time() < deadline, CFRunLoopCopyCurrentMode(runLoop) != nil,
      lock.withLock({ source != nil && doneCount < added })
    { usleep(500) }
  }

  /// [control thread] Runs no more jobs there.
  func stop() {
    let source = lock.withLock {
      defer { self.source = nil }
      jobs.removeAll()
      return self.source
    }
    if let source { CFRunLoopSourceInvalidate(source) }
  }

  /// Runs the jobs added so far: when a job adds another one, the loop gets a turn in between.
  private func run() {
    let due = lock.withLock {
      defer { jobs.removeAll() }
      return jobs
    }
    for job in due {
      job()
      lock.withLock { doneCount += 1 }
    }
  }
}

/// A dispatch queue on which functions of a program are called.
final class DispatchQueueExecutor: CallbackExecutor {
  private let queue: BlockQueue

  /// Retains the queue, and releases it at the end.
  init(_ queue: BlockQueue) { self.queue = queue }

  deinit { queue.release() }

  /// [any thread but a render thread] Runs `job` there, after earlier jobs.
  func perform(_ job: @escaping @Sendable () -> Void) { queue.async(job) }

  /// [control thread] Does not wait on the queue itself: its jobs come after the calling one.
  func waitForJobs(until deadline: UInt64) {
    guard !queue.isCurrent else { return }
    let isDone = DispatchSemaphore(value: 0)
    queue.async { isDone.signal() }
    _ = isDone.wait(timeout: DispatchTime(uptimeNanoseconds: deadline))
  }

  /// [control thread] A late job finds that calls have ended.
  func stop() {}
}
