// SPDX-License-Identifier: Apache-2.0
package import AudioDevices
import AudioFiles
import Foundation

/// A temporary sound file that a file device records to or plays; removed at the end.
package final class Tape: Sendable {
  package let path: String

  /// The path of a new file, which does not exist yet.
  package init() {
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("tape-\(UUID().uuidString).wav").path
  }

  /// An existing file.
  package init(path: String) { self.path = path }

  /// A file with samples, channel by channel.
  package convenience init(_ samples: [[Float]], sampleRate: Double = 48_000) throws {
    self.init()
    var writer = try SoundFileRecorder(
      path: path, sampleRate: sampleRate, channelCount: samples.count)
    let frames = samples.first?.count ?? 0
    try withChannels(samples.count, frames) { channels in
      for (channel, plane) in samples.enumerated() {
        for (frame, sample) in plane.enumerated() { channels[channel][frame] = sample }
      }
      try writer.write(channels, frameCount: frames)
    }
    try writer.flush()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The samples of the file, channel by channel.
  package func samples() throws -> [[Float]] {
    var reader = try SoundFileReader(path: path)
    let (count, frames) = (reader.format.channelCount, reader.frameCount)
    return try withChannels(count, frames) { channels in
      _ = try reader.read(into: channels, frameCount: frames)
      return (0..<count).map { Array(UnsafeBufferPointer(start: channels[$0], count: frames)) }
    }
  }

  /// One channel as a signal.
  package func signal(_ channel: Int = 0) throws -> Signal {
    let rate = try SoundFileReader(path: path).format.sampleRate
    return Signal(try samples()[channel], sampleRate: rate)
  }
}

private func withChannels<Result>(
  _ count: Int, _ frames: Int,
  _ body: (UnsafeMutablePointer<UnsafeMutablePointer<Float>>) throws -> Result
) rethrows -> Result {
  let channels = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: count)
  for channel in 0..<count {
    (channels + channel).initialize(to: .allocate(capacity: max(frames, 1)))
    channels[channel].initialize(repeating: 0, count: frames)
  }
  defer {
    for channel in 0..<count { channels[channel].deallocate() }
    channels.deallocate()
  }
  return try body(channels)
}

/// Runs `body` with the device `null`, or with `file` if there are files.
package func onDevice<Result>(
  _ output: Tape? = nil, input: Tape? = nil, rate: Double = 48_000, frames: Int = 512,
  channels: Int = 2, clock: DeviceEnvironment.Clock = .fast,
  inputEnd: DeviceEnvironment.InputEnd = .silence, _ body: () throws -> Result
) rethrows -> Result {
  var environment = DeviceEnvironment()
  environment.device = DeviceName("null")
  if output != nil || input != nil {
    environment.device = DeviceName(
      "file:\(output?.path ?? "")" + (input.map { ",\($0.path)" } ?? ""))
  }
  environment.sampleRate = rate
  environment.cycleFrames = frames
  environment.channelCount = channels
  environment.clock = clock
  environment.inputEnd = inputEnd
  return try environment.use(body)
}

/// Repeatable noise within ±1.
package func noise(_ count: Int, seed: UInt64 = 1) -> [Float] {
  var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Float(Int32(truncatingIfNeeded: state >> 32)) * 0x1p-31
  }
}

/// The device of a test, for use on threads other than the test's.
package struct DeviceSetting: Sendable {
  private let context: DeviceContext

  /// The device of this thread.
  package static var current: DeviceSetting {
    DeviceSetting(context: .current)
  }

  /// Runs `body` with it.
  package func use(_ body: () -> Void) {
    context.use(body)
  }
}
