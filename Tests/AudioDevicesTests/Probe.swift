// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioFiles
import AudioSupport
import CRealTime
import Foundation
import Synchronization

/// A handler that records its calls and runs the code of a test.
final class Probe: CycleHandler, @unchecked Sendable {
  struct Call: Sendable {
    var sampleTime: Double
    var frameCount: Int
    var hostTime: UInt64
    var now: UInt64
  }

  // Not an array, because arrays detect copies by reference counts, which the thread sanitizer
  // cannot see.
  private static let capacity = 1 << 18
  private let log = UnsafeMutablePointer<Call>.allocate(capacity: capacity)
  private let total = Atomic(0)
  private let received = Guarded<[StreamEvent]>([])
  private let onCycle: @Sendable (Int, DeviceCycle) -> Void
  private let onEvent: @Sendable (StreamEvent) -> Void

  /// - Parameters:
  ///   - onCycle: Called in each cycle with its number, from 0, over all starts.
  ///   - onEvent: Called for each event.
  init(
    onCycle: @escaping @Sendable (Int, DeviceCycle) -> Void = { _, _ in },
    onEvent: @escaping @Sendable (StreamEvent) -> Void = { _ in }
  ) {
    self.onEvent = onEvent
    self.onCycle = onCycle
  }

  deinit { log.deallocate() }

  /// The number of calls.
  var count: Int { total.load(ordering: .acquiring) }

  /// The first calls, at most a quarter of a million.
  var calls: [Call] { (0..<min(count, Self.capacity)).map { log[$0] } }

  var events: [StreamEvent] { received.withLock { $0 } }

  override func render(_ cycle: DeviceCycle) {
    let count = total.load(ordering: .relaxed)
    if count < Self.capacity {
      let call = Call(
        sampleTime: cycle.sampleTime, frameCount: cycle.frameCount, hostTime: cycle.hostTime,
        now: rt_host_time())
      (log + count).initialize(to: call)
    }
    total.store(count + 1, ordering: .releasing)
    onCycle(count, cycle)
  }

  override func streamChanged(_ event: StreamEvent) {
    received.withLock { $0.append(event) }
    onEvent(event)
  }

  /// Waits until `count` cycles have been called. False after half a minute.
  func waitForCalls(_ count: Int) -> Bool { wait { self.count >= count } }

  /// Whether the sample times of the cycles follow one another.
  var isContiguous: Bool {
    let calls = calls
    return zip(calls, calls.dropFirst()).allSatisfy {
      $0.sampleTime + Double($0.frameCount) == $1.sampleTime
    }
  }
}

/// A flag that any thread may raise.
final class Flag: Sendable {
  private let state = Atomic(false)

  var isRaised: Bool { state.load(ordering: .acquiring) }
  func raise() { state.store(true, ordering: .releasing) }
}

/// Waits for a condition to become true. False after half a minute.
func wait(for isTrue: () -> Bool) -> Bool {
  for _ in 0..<30_000 {
    if isTrue() { return true }
    usleep(1_000)
  }
  return false
}

/// A temporary folder for the files of a test.
final class Folder: Sendable {
  let path: String

  init() {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    path = url.path
    try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

  /// All samples of a file, channel by channel.
  func samples(_ name: String) throws -> [[Float]] {
    var reader = try SoundFileReader(path: self(name))
    let (channelCount, frameCount) = (reader.format.channelCount, reader.frameCount)
    let buffers = try CycleBuffers(channelCount: channelCount, frameCount: max(frameCount, 1))
    _ = try reader.read(into: buffers.channels, frameCount: frameCount)
    return (0..<channelCount).map {
      Array(UnsafeBufferPointer(start: buffers.channels[$0], count: frameCount))
    }
  }

  /// Writes a file with these samples.
  func write(_ samples: [[Float]], to name: String, sampleRate: Double = 48_000) throws {
    let frameCount = samples[0].count
    let buffers = try CycleBuffers(channelCount: samples.count, frameCount: max(frameCount, 1))
    for (channel, plane) in samples.enumerated() {
      for (frame, sample) in plane.enumerated() { buffers.channels[channel][frame] = sample }
    }
    var writer = try SoundFileRecorder(
      path: self(name), sampleRate: sampleRate, channelCount: samples.count)
    try writer.write(buffers.channels, frameCount: frameCount)
    try writer.flush()
  }
}

/// An environment on the fast clock, with changes.
func fast(_ device: String, _ change: (inout DeviceEnvironment) -> Void = { _ in })
  -> DeviceEnvironment
{
  var environment = DeviceEnvironment()
  environment.device = DeviceName(device)
  environment.clock = .fast
  change(&environment)
  return environment
}

/// An environment on the paced clock, with changes.
func paced(_ device: String, _ change: (inout DeviceEnvironment) -> Void = { _ in })
  -> DeviceEnvironment
{
  fast(device) {
    $0.clock = .paced
    change(&$0)
  }
}

/// Opens the device that an environment names.
func open(
  _ environment: DeviceEnvironment, _ request: StreamRequest = StreamRequest(),
  _ handler: CycleHandler = Probe()
) throws -> any DeviceStream {
  try environment.use {
    try Backends.current().open(request, handler)
  }
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

/// Writes the number of each frame into all channels.
func writeFrameNumbers(_ cycle: DeviceCycle, from start: Double = 0) {
  guard let output = cycle.output else { return }
  for channel in 0..<cycle.outputChannelCount {
    for frame in 0..<cycle.frameCount {
      output[channel][frame] = Float(start + cycle.sampleTime) + Float(frame)
    }
  }
}

/// 0, 1, 2 …, `count` numbers.
func frameNumbers(_ count: Int) -> [Float] { (0..<count).map { Float($0) } }
