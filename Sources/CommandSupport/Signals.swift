// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Delivers signals as events that a program reads, instead of ending the process.
///
/// The first signal that asks the program to end is an event, so that the program can end cleanly.
/// A second one ends it immediately.
public final class Signals: Sendable {
  /// Signals that ask a program to end.
  public static let ending = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Becomes readable when there is a signal; for `poll`.
  public let descriptor: Int32

  /// [control thread] Begins to catch signals; there may be one object at a time.
  ///
  /// - Parameters:
  ///   - signals: The signals to catch.
  ///   - lastResort: Called on the second such signal, within the signal handler: only
  ///     async-signal-safe functions are allowed.
  public init(_ signals: [Int32], lastResort: @escaping @convention(c) () -> Void = {}) {
    var ends: [Int32] = [-1, -1]
    pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    descriptor = ends[0]
    SignalHandler.isEnding.store(false, ordering: .relaxed)
    SignalHandler.descriptor.store(ends[1], ordering: .relaxed)
    SignalHandler.lastResort.store(
      UInt(bitPattern: unsafeBitCast(lastResort, to: OpaquePointer.self)), ordering: .releasing)
    var caught = sigset_t()
    sigemptyset(&caught)
    for signal in signals {
      Self.handle(signal, SignalHandler.handle)
      sigaddset(&caught, signal)
    }
    // The parent process may have blocked them, as threads of a pool do.
    pthread_sigmask(SIG_UNBLOCK, &caught, nil)
  }

  /// The next signal that arrived, if any.
  public func next() -> Int32? {
    var byte: UInt8 = 0
    return read(descriptor, &byte, 1) == 1 ? Int32(byte) : nil
  }

  /// Ends the process as the signal would have, so that the parent process sees the signal.
  public static func endProcess(by signal: Int32) -> Never {
    handle(signal, SIG_DFL)
    raise(signal)
    exit(128 + signal)
  }

  private static func handle(_ signal: Int32, _ handler: __sighandler_t?) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }
}

/// The signal handler, in which almost nothing is allowed.
private enum SignalHandler {
  static let descriptor = Atomic<Int32>(-1)
  static let isEnding = Atomic(false)
  static let lastResort = Atomic<UInt>(0)

  static let handle: @convention(c) (Int32) -> Void = { signal in
    let savedError = errno
    let endsProgram =
      signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGQUIT
    if endsProgram, isEnding.exchange(true, ordering: .relaxed) {
      let function = OpaquePointer(bitPattern: lastResort.load(ordering: .acquiring))
      unsafeBitCast(function, to: (@convention(c) () -> Void)?.self)?()
      _exit(128 + signal)
    }
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(descriptor.load(ordering: .relaxed), &byte, 1)
    errno = savedError
  }
}
