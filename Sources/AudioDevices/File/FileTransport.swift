// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import CRealTime
import Synchronization

/// Moves samples between cycles and files, through rings and a thread of its own.
///
/// The stream's thread uses only the rings. When the output ring is full or the input ring empty,
/// it waits for the thread of `FilePump`, so no sample is ever dropped or repeated.
final class FileTransport: CycleTransport {
  private let pump: FilePump
  private let claim: RecordingClaim?
  private let thread: WorkerThread
  /// Frames after which the pump is woken: few enough to lose little when the process is killed,
  /// enough for the pump to sleep most of the time.
  private let batchFrames: Int
  private let unsignalled = Atomic(0)  // used only by the stream's thread

  init(
    _ recording: consuming Recording?, _ input: consuming SoundFileReader?,
    _ environment: DeviceEnvironment
  ) throws(AudioError) {
    claim = recording.claim
    let pump = try FilePump(recording, input, environment)
    self.pump = pump
    let share = max(pump.outputRing.capacity, pump.inputRing.capacity) / 4
    batchFrames =
      environment.clock == .fast ? share : min(share, Int(environment.sampleRate) / 20)
    thread = WorkerThread(name: "audio file i/o") { _ in pump.run() }
  }

  func begin(_ handler: CycleHandler) throws(AudioError) {
    pump.setHandler(handler)
    try thread.start()
    // Ensures that the first cycle has its input and is not late.
    if pump.inputRing.channelCount > 0 {
      _ = pump.wait(while: { pump.inputRing.fill == 0 && !pump.inputIsOver })
    }
  }

  func fill(_ input: CycleBuffers) -> Bool {
    guard pump.inputRing.channelCount > 0 else { return true }  // the buffers are silent already
    var done = 0
    while done < input.frameCount {
      let isOver = pump.inputIsOver  // read first: all earlier frames are in the ring then
      let part = pump.inputRing.readable.prefix(input.frameCount - done)
      if !part.isEmpty {
        Self.copy(
          pump.inputRing.channels, part.lowerBound, input.channels, done, part.count,
          input.channelCount)
        pump.inputRing.release(upTo: pump.inputRing.read + part.count)
        done += part.count
      } else if isOver {
        for channel in 0..<input.channelCount {
          (input.channels[channel] + done).update(repeating: 0, count: input.frameCount - done)
        }
        pump.signalInputEnd()
        done = input.frameCount
      } else if !pump.wait(while: { pump.inputRing.fill == 0 && !pump.inputIsOver }) {
        return false
      }
    }
    signalPump(input.frameCount)
    return true
  }

  func write(_ output: CycleBuffers) -> Bool {
    guard pump.outputRing.channelCount > 0 else { return true }
    var done = 0
    while done < output.frameCount {
      let part = pump.outputRing.writable.prefix(output.frameCount - done)
      if part.isEmpty {
        guard pump.wait(while: { pump.outputRing.room == 0 }) else { return false }
        continue
      }
      Self.copy(
        output.channels, done, pump.outputRing.channels, part.lowerBound, part.count,
        output.channelCount)
      pump.outputRing.publish(upTo: pump.outputRing.written + part.count)
      done += part.count
    }
    signalPump(output.frameCount)
    return !pump.hasFailed
  }

  func end() {
    pump.finish()
    thread.stop()
    // If the thread never ran, nothing else closes the pump.
    pump.close()
  }

  func willEnd() { claim?.willEnd() }

  var ownsCurrentThread: Bool { thread.isCurrent }

  private func signalPump(_ frameCount: Int) {
    let sum = unsignalled.load(ordering: .relaxed) + frameCount
    let isEnough = sum >= batchFrames
    unsignalled.store(isEnough ? 0 : sum, ordering: .relaxed)
    if isEnough { pump.signalWork() }
  }

  private static func copy(
    _ source: UnsafePointer<UnsafeMutablePointer<Float>>, _ from: Int,
    _ target: UnsafePointer<UnsafeMutablePointer<Float>>, _ to: Int, _ count: Int,
    _ channelCount: Int
  ) {
    for channel in 0..<channelCount {
      (target[channel] + to).update(from: source[channel] + from, count: count)
    }
  }
}
