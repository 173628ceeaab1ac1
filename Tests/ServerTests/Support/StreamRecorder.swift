// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioSupport
import Foundation
import Synchronization

/// Records the input of a stream, and can play a tone meanwhile.
final class StreamRecorder: CycleHandler, @unchecked Sendable {
  private static let capacity = 1 << 20
  /// The number of recorded channels, which are stored one after the other.
  private static let recordedChannels = 2
  private let samples = UnsafeMutablePointer<Float>.allocate(capacity: recordedChannels * capacity)
  private let captured = Atomic(0)
  private let played = Atomic(0)
  private let disorder = Atomic(0)
  private let scheduling = Atomic(-1)
  private var nextOutput = 0.0
  private var nextInput = 0.0
  private var lastTimes = (output: UInt64(0), input: UInt64(0))
  private let received = Mutex<[StreamEvent]>([])
  /// The frequency of the played tone. Changed only while no cycle runs.
  var frequency: Double

  /// - Parameter frequency: The frequency of the played tone, at half of full scale and 48,000 Hz.
  init(playing frequency: Double = 440) {
    self.frequency = frequency
    samples.initialize(repeating: 0, count: Self.recordedChannels * Self.capacity)
  }

  deinit { samples.deallocate() }

  override func render(_ cycle: DeviceCycle) {
    if scheduling.load(ordering: .relaxed) < 0 { noteScheduling() }
    if let output = cycle.output {
      if cycle.sampleTime != nextOutput || cycle.hostTime <= lastTimes.output {
        disorder.wrappingAdd(1, ordering: .relaxed)
      }
      nextOutput = cycle.sampleTime + Double(cycle.frameCount)
      lastTimes.output = cycle.hostTime
      for frame in 0..<cycle.frameCount {
        let value = Float(
          0.5 * sin(2 * .pi * frequency * (cycle.sampleTime + Double(frame)) / 48_000))
        for channel in 0..<cycle.outputChannelCount { output[channel][frame] = value }
      }
      played.wrappingAdd(cycle.frameCount, ordering: .releasing)
    }
    if let input = cycle.input {
      if cycle.output == nil {
        if cycle.sampleTime != nextInput || cycle.hostTime <= lastTimes.input {
          disorder.wrappingAdd(1, ordering: .relaxed)
        }
        nextInput = cycle.sampleTime + Double(cycle.frameCount)
        lastTimes.input = cycle.hostTime
      }
      let start = captured.load(ordering: .relaxed)
      let count = min(cycle.frameCount, Self.capacity - start)
      for channel in 0..<min(cycle.inputChannelCount, Self.recordedChannels) where count > 0 {
        let target = samples + channel * Self.capacity + start
        target.update(from: input[channel], count: count)
      }
      captured.wrappingAdd(max(count, 0), ordering: .releasing)
    }
  }

  override func streamChanged(_ event: StreamEvent) { received.withLock { $0.append(event) } }

  private func noteScheduling() { scheduling.store(currentPriority(), ordering: .relaxed) }

  /// The measured real-time priority of its thread, 0 if it has none.
  var priority: Int { scheduling.load(ordering: .relaxed) }

  /// The number of frames so far.
  var capturedFrames: Int { captured.load(ordering: .acquiring) }
  var playedFrames: Int { played.load(ordering: .acquiring) }
  /// The number of cycles whose times did not follow the previous cycle.
  var disorderCount: Int { disorder.load(ordering: .relaxed) }
  var events: [StreamEvent] { received.withLock { $0 } }

  /// The captured signal of the first channel.
  var signal: Signal { signal(ofChannel: 0) }

  /// The captured signals of the first two channels.
  var channels: [Signal] { (0..<Self.recordedChannels).map { signal(ofChannel: $0) } }

  private func signal(ofChannel channel: Int) -> Signal {
    let target = samples + channel * Self.capacity
    return Signal(Array(UnsafeBufferPointer(start: target, count: capturedFrames)))
  }
}

/// Records the sound of a sink within the server's graph, with a stream of ours that counts every
/// missed cycle. The sink's cycles wait for all players, so it also misses their late cycles.
final class SinkRecorder {
  private let recorder = StreamRecorder()
  private let stream: any DeviceStream

  /// Starts to record, with cycles of the server's size.
  init(_ device: String, frames: Int = 1_024) throws {
    let recorder = recorder
    stream = try onDevice(device, frames: frames) {
      let stream = try Backends.named(DeviceName(device).backend).open(
        StreamRequest(
          uid: device, usesInput: true, usesOutput: false, owner: "a recorder", isPinned: true),
        recorder)
      try stream.start()
      return stream
    }
  }

  /// Records the next seconds of both channels.
  func recording(seconds: Double) throws -> Servers.Recording {
    let goal = recorder.capturedFrames + Int(seconds * 48_000)
    guard wait(seconds: 30, until: { recorder.capturedFrames >= goal }) else {
      throw ServerFailure("\(stream.device.uid) gives nothing to record: \(recorder.events)")
    }
    stream.stop()
    let stream = stream
    return Servers.Recording(channels: recorder.channels) { stream.xrunCount }
  }
}

/// Runs `body` with a selected device and long cycles, because a busy machine is not a defect.
func onDevice<Result>(
  _ name: String, frames: Int = 2_048, _ body: () throws -> Result
) rethrows -> Result {
  var environment = DeviceEnvironment()
  environment.device = DeviceName(name)
  environment.cycleFrames = frames
  return try environment.use(body)
}

/// The explanation of the error that `body` throws. Empty if there is none.
func explanation(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return (error as? AudioError)?.explanation ?? "\(error)"
  }
}

extension Signal {
  /// The longest part between silences, without the fades at its ends.
  var sounding: Signal {
    var best = 0..<0
    var start = 0
    var quiet = 0
    for index in 0...samples.count {
      let isSilent = index == samples.count || abs(samples[index]) < 1e-4
      quiet = isSilent ? quiet + 1 : 0
      if quiet > 200 || index == samples.count {
        if index - quiet > best.count + start { best = start..<max(start, index - quiet) }
        start = index + 1
      }
    }
    let edge = 4_800
    return best.count > 3 * edge
      ? self[best.lowerBound + edge..<best.upperBound - edge] : self[0..<0]
  }
}

/// The real-time priority of the calling thread, 0 if it has none.
func currentPriority() -> Int {
  var parameters = sched_param()
  var policy: Int32 = 0
  pthread_getschedparam(pthread_self(), &policy, &parameters)
  policy &= ~0x4000_0000  // SCHED_RESET_ON_FORK
  return policy == SCHED_OTHER ? 0 : Int(parameters.sched_priority)
}
