// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import AudioValues

/// Writes buffers to a file in their order, on a thread of its own: a disk that stalls delays nobody
/// until the buffers of many seconds wait for it.
final class BacklogWriter: @unchecked Sendable {  // what changes is guarded by `lock`
  private let file: AVAudioFile
  private let mostFrames: Int
  private let lock = ConditionLock()
  private var waiting: [AVAudioPCMBuffer] = []
  private var waitingFrames = 0
  private var frames: Int64 = 0
  private var failure: NSError?
  private var isUnlimited = false
  private var isClosing = false
  private var stalled = false
  private var thread: WorkerThread?

  /// Writes to a file. `seconds` of sound may wait for the disk.
  init(_ file: AVAudioFile, seconds: Double = 10) {
    self.file = file
    mostFrames = Int(min(max(seconds * file.processingFormat.sampleRate, 1), 1e8))
  }

  /// [control thread, once] Starts the thread. `onFailure` is called there if a write fails; what
  /// comes later is dropped.
  func start(onFailure: @escaping @Sendable (NSError) -> Void) throws {
    let thread = WorkerThread(name: "audio recorder") { [self] _ in run(onFailure) }
    do throws(AudioError) { try thread.start() } catch { throw NSError(error) }
    lock.withLock { self.thread = thread }
  }

  /// [any thread] The number of frames in the file.
  var framesInFile: Int64 { lock.withLock { frames } }

  /// [any thread] Whether a buffer had to wait for the disk.
  var hasStalled: Bool { lock.withLock { stalled } }

  /// [any thread but a render thread] Adds a buffer. Waits while too much waits for the disk.
  func append(_ buffer: AVAudioPCMBuffer) {
    lock.withLock {
      while waitingFrames > mostFrames, failure == nil, !isUnlimited {
        stalled = true
        lock.wait()
      }
      guard failure == nil, !isClosing else { return }
      waiting.append(buffer)
      waitingFrames += Int(buffer.frameLength)
      lock.signal()
    }
  }

  /// [any thread] No buffer waits from now on: what still comes is the last.
  func liftLimit() {
    lock.withLock {
      isUnlimited = true
      lock.signal()
    }
  }

  /// [control thread] Writes everything, however long that takes, and closes the file. The error
  /// with which writing failed, if it did.
  func close() -> NSError? {
    let thread = lock.withLock {
      isClosing = true
      lock.signal()
      return self.thread
    }
    thread?.stop()
    file.close()
    return lock.withLock { failure }
  }

  private func run(_ onFailure: @Sendable (NSError) -> Void) {
    while let buffer = next() {
      do {
        try file.write(from: buffer)
        lock.withLock {
          frames += Int64(buffer.frameLength)
          waitingFrames -= Int(buffer.frameLength)
          lock.signal()
        }
      } catch {
        let error = error as NSError
        lock.withLock {
          failure = error
          waiting = []
          lock.signal()
        }
        return onFailure(error)
      }
    }
  }

  private func next() -> AVAudioPCMBuffer? {
    lock.withLock {
      while waiting.isEmpty, !isClosing { lock.wait() }
      return waiting.isEmpty ? nil : waiting.removeFirst()
    }
  }
}
