// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime
import Glibc

// The thread on which a queue decodes or encodes.
extension AudioQueue {
  /// [inside the monitor] Starts the thread, unless it runs.
  func startThread() throws(AudioError) {
    guard thread == nil, !isDisposing else { return }
    let me = Unmanaged.passRetained(self)
    do throws(AudioError) {
      thread = try startPlainThread(
        { context in
          guard let context else { return nil }
          rt_name_thread("audio-queue")
          let queue = Unmanaged<AudioQueue>.fromOpaque(context).takeRetainedValue()
          queue.monitor.withLock { queue.threadID = rt_thread_id() }
          queue.run()
          return nil
        }, me.toOpaque())
    } catch {
      me.release()
      throw error
    }
  }

  /// How long others wait for the callback of a tap, in nanoseconds.
  private static let patience: UInt64 = 3_000_000_000

  /// [control thread] Runs `body` while the thread is halted.
  func whileHalted<Result>(_ body: () -> Result) throws(AudioError) -> Result {
    let mayRun = monitor.withLock { () -> Bool in
      // It would wait for itself.
      guard !isBusy || busyThread != rt_thread_id() else { return false }
      while isHalted { monitor.wait() }
      isHalted = true
      let deadline = rt_host_time() + Self.patience
      while isBusy {
        // The callback of a tap may wait for this thread.
        guard tap?.isCalled != true || rt_host_time() < deadline else {
          isHalted = false
          monitor.signal()
          return false
        }
        monitor.wait(until: tap == nil ? nil : rt_host_time() + 10_000_000)
      }
      return true
    }
    guard mayRun else {
      throw .queueRunState.because(
        "this is not possible from a tap's callback, or while that callback waits")
    }
    defer {
      monitor.withLock {
        isHalted = false
        monitor.signal()
      }
    }
    return body()
  }

  /// [control thread, last of all] Ends the device's cycles, the thread and the device link.
  func endThread() {
    control.withLock {
      monitor.withLock { isStartingOrStopping = true }
      stopDevice()
    }
    let thread = monitor.withLock { () -> pthread_t? in
      isDisposing = true
      monitor.signal()
      defer { self.thread = nil }
      return self.thread
    }
    if let thread { pthread_join(thread, nil) }
    control.withLock {
      link?.close()
      link = nil
    }
  }
}
