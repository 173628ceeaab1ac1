// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CoreAudio
import CoreFoundation
import Foundation

/// Where a listener is called.
protocol ListenerScheduler: Sendable {
  /// Whether it may also be called on the thread that makes a change.
  var allowsAnyThread: Bool { get }
  /// [any thread but the render thread] Has `deliverPending` called after this many seconds.
  func schedule(after seconds: Double)
  /// [control thread] Ends scheduling.
  func cancel()
}

/// A run loop, in one mode: a timer there keeps it alive and is set when there is something to
/// report.
struct RunLoopScheduler: ListenerScheduler, @unchecked Sendable {  // a timer may be set from any thread
  private let timer: CFRunLoopTimer

  /// The run loop and the mode may be nil: the current thread's, and the default one.
  init(_ runLoop: CFRunLoop?, _ mode: NSString?, listener: OpaquePointer) {
    // The timer holds the handle, not the listener: one that fires too late finds nothing.
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

/// A dispatch queue.
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
