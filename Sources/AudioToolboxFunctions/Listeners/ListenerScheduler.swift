// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CoreAudio
import CoreFoundation
import Foundation

/// Schedules the calls of a listener, on a run loop or a dispatch queue.
protocol ListenerScheduler: Sendable {
  /// Whether the listener may also be called on the thread that makes a change.
  var allowsAnyThread: Bool { get }
  /// [any thread but a render thread] Calls `deliverPending` after this many seconds.
  func schedule(after seconds: Double)
  /// [control thread] Ends scheduling.
  func cancel()
}

/// Calls a listener on a run loop, in one mode. A timer of the run loop is set when there is an
/// event to report.
struct RunLoopScheduler: ListenerScheduler, @unchecked Sendable {  // any thread may set a timer
  private let timer: CFRunLoopTimer

  /// Creates a timer on the run loop; nil: the current thread's run loop, the default mode.
  init(_ runLoop: CFRunLoop?, _ mode: NSString?, listener: OpaquePointer) {
    // The timer stores the handle of the listener. If it fires too late, the handle is invalid.
    var context = CFRunLoopTimerContext()
    context.info = UnsafeMutableRawPointer(listener)
    let (never, seldom) = (4e9, 5e8)
    timer = CFRunLoopTimerCreate(
      nil, never, seldom, 0, 0,
      { _, info in
        OpaquePointer(info).flatMap { Listeners.shared.liveListener($0) }?.deliverPending()
      }, &context)
    CFRunLoopAddTimer(
      runLoop ?? CoreFoundation.CFRunLoopGetCurrent(), timer,
      mode.map { unsafeBitCast($0, to: CoreFoundation.CFString.self) } ?? kCFRunLoopDefaultMode)
  }

  var allowsAnyThread: Bool { true }

  func schedule(after seconds: Double) {
    CFRunLoopTimerSetNextFireDate(timer, CFAbsoluteTimeGetCurrent() + seconds)
  }

  func cancel() { CFRunLoopTimerInvalidate(timer) }
}

/// Calls a listener on a dispatch queue.
struct DispatchQueueScheduler: ListenerScheduler {
  let queue: BlockQueue
  /// The listener's handle.
  let listener: UInt

  var allowsAnyThread: Bool { false }

  func schedule(after seconds: Double) {
    let listener = listener
    queue.async(after: seconds) {
      OpaquePointer(bitPattern: listener).flatMap { Listeners.shared.liveListener($0) }?
        .deliverPending()
    }
  }

  func cancel() { queue.release() }
}
