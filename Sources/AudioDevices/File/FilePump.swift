// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Synchronization

/// Moves samples between rings and files, on its own thread.
///
/// The files, the handler and the failure belong to the pump's thread while it runs, and to its
/// owner before and after. The rings and the atomics are shared.
final class FilePump: @unchecked Sendable {
  /// Each has no channels if there is no file for it.
  let outputRing: Ring<Float>
  let inputRing: Ring<Float>

  private var recording: Recording?
  private var input: SoundFileReader?
  private var handler: CycleHandler?
  private let loops: Bool
  private var failure: AudioError?

  private let work = WakeUp()
  private let progress = WakeUp()
  private let isAwaited = Atomic(false)
  private let isFinishing = Atomic(false)
  private let isFailed = Atomic(false)
  private let isInputOver = Atomic(false)
  private let isInputEndSignalled = Atomic(false)
  private var isInputEndReported = false

  init(
    _ recording: consuming Recording?, _ input: consuming SoundFileReader?,
    _ environment: DeviceEnvironment
  ) throws(AudioError) {
    func ring(_ channelCount: Int) throws(AudioError) -> Ring<Float> {
      // Two seconds, but at most 64 MB and at least four cycles.
      let frames = min(Int(environment.sampleRate) * 2, 16_000_000 / max(channelCount, 1))
      return try Ring(
        channelCount: channelCount, reserving: max(frames, environment.cycleFrames * 4))
    }
    outputRing = try ring(recording.claim?.channelCount ?? 0)
    inputRing = try ring(input.format?.channelCount ?? 0)
    loops = environment.inputEnd == .loop
    self.recording = recording
    self.input = input
  }

  // MARK: Called by the stream's thread

  /// Whether a file could not be read or written.
  var hasFailed: Bool { isFailed.load(ordering: .acquiring) }

  /// Whether the input file has ended. The ring holds all remaining frames.
  var inputIsOver: Bool { isInputOver.load(ordering: .acquiring) }

  /// Sets the handler to notify. Called before the thread starts.
  func setHandler(_ handler: CycleHandler) { self.handler = handler }

  /// Wakes the pump.
  func signalWork() { work.raise() }

  /// Notes that the input has ended and that cycles read silence now.
  func signalInputEnd() {
    if !isInputEndSignalled.exchange(true, ordering: .acquiringAndReleasing) { work.raise() }
  }

  /// Waits for the pump while `isStuck` is true. False if the pump has failed.
  func wait(while isStuck: () -> Bool) -> Bool {
    work.raise()
    while !hasFailed {
      isAwaited.store(true, ordering: .sequentiallyConsistent)
      guard isStuck(), !hasFailed else { break }
      progress.wait()
    }
    return !hasFailed
  }

  /// Tells the pump to write the remaining frames and to end.
  func finish() {
    isFinishing.store(true, ordering: .releasing)
    work.raise()
  }

  // MARK: On the pump's thread

  /// Moves samples until `finish` is called.
  func run() {
    var (canWrite, canRead) = (true, true)
    while true {
      // Read before draining, so that the ring already holds the last frames.
      let isLast = isFinishing.load(ordering: .acquiring)
      canWrite = canWrite && succeeds(drain)
      canRead = canRead && !isLast && succeeds(fill)
      if isAwaited.exchange(false, ordering: .sequentiallyConsistent) { progress.raise() }
      notifyHandler()
      if isLast { break }
      work.wait()
    }
    close()
    if let failure {
      handler?.streamChanged(.ended(reason: failure.explanation))
    }
  }

  /// Ends the recording and completes the file.
  func close() {
    if let recording = recording.take() { recording.close() }
    input = nil
  }

  // A failure ends the stream, but the frames rendered before it are still written.
  private func succeeds(_ work: () throws(AudioError) -> Void) -> Bool {
    do throws(AudioError) {
      try work()
      return true
    } catch {
      failure = failure ?? error
      isFailed.store(true, ordering: .releasing)
      return false
    }
  }

  private func drain() throws(AudioError) {
    guard recording != nil else { return }
    // Two parts cover the whole ring. Without the limit, a stream faster than the disk would keep
    // the header from being updated.
    for _ in 0..<2 {
      let part = outputRing.readable
      if part.isEmpty { break }
      try recording?.writer.write(
        outputRing.channels, offset: part.lowerBound, frameCount: part.count)
      outputRing.release(upTo: outputRing.read + part.count)
    }
    try recording?.writer.flush()
  }

  private func fill() throws(AudioError) {
    guard input != nil, !inputIsOver else { return }
    while true {
      let part = inputRing.writable
      if part.isEmpty { return }
      let count =
        try input?.read(
          into: inputRing.channels, offset: part.lowerBound, frameCount: part.count) ?? 0
      inputRing.publish(upTo: inputRing.written + count)
      if count == part.count { continue }
      guard loops, let frameCount = input?.frameCount, frameCount > 0 else {
        return isInputOver.store(true, ordering: .releasing)
      }
      input?.seek(to: 0)
    }
  }

  private func notifyHandler() {
    guard isInputEndSignalled.load(ordering: .acquiring), !isInputEndReported else { return }
    isInputEndReported = true
    handler?.streamChanged(.inputEnded(reason: "the input file ended"))
  }
}
