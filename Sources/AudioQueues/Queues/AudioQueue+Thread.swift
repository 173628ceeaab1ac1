// SPDX-License-Identifier: Apache-2.0
internal import AudioSupport
import CRealTime
import Glibc

// The thread on which a queue decodes or encodes.
extension AudioQueue {
  /// [holding `lock`] Starts the thread unless it runs.
  func startThread() throws(AudioError) {
    guard thread == nil, !isDisposing else { return }
    let me = Unmanaged.passRetained(self)
    do throws(AudioError) {
      thread = try startPlainThread(
        { context in
          guard let context else { return nil }
          rt_name_thread("audio-queue")
          let queue = Unmanaged<AudioQueue>.fromOpaque(context).takeRetainedValue()
          queue.lock.withLock { queue.threadID = rt_thread_id() }
          queue.run()
          return nil
        }, me.toOpaque())
    } catch {
      me.release()
      throw error
    }
  }

  /// How long other threads wait for the callback of a tap, in nanoseconds.
  private static let tapTimeout: UInt64 = 3_000_000_000

  /// [control thread] Runs `body` while the thread is halted.
  func whileHalted<Result>(_ body: () -> Result) throws(AudioError) -> Result {
    let mayRun = lock.withLock { () -> Bool in
      // The thread would wait for itself.
      guard !isBusy || busyThread != rt_thread_id() else { return false }
      while isHalted { lock.wait() }
      isHalted = true
      let deadline = rt_host_time() + Self.tapTimeout
      while isBusy {
        // The callback of a tap may wait for this thread.
        guard tap?.isInCallback != true || rt_host_time() < deadline else {
          isHalted = false
          lock.signal()
          return false
        }
        lock.wait(until: tap == nil ? nil : rt_host_time() + 10_000_000)
      }
      return true
    }
    guard mayRun else {
      throw .queueRunState.because(
        "this is not possible inside a tap's callback, or while that callback waits")
    }
    defer {
      lock.withLock {
        isHalted = false
        lock.signal()
      }
    }
    return body()
  }

  /// [control thread, during disposal] Ends the device's cycles, the thread and the device link.
  func endThread() {
    control.withLock {
      lock.withLock { isStartingOrStopping = true }
      stopDevice()
    }
    let thread = lock.withLock { () -> pthread_t? in
      isDisposing = true
      lock.signal()
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
