// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Foundation

/// A temporary file, removed at the end.
final class ScratchFile {
  let path: String

  init(_ bytes: [UInt8]? = nil) {
    let name = "wave-\(UUID().uuidString).wav"
    path = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
    if let bytes { replace(with: bytes) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func replace(with bytes: [UInt8]) {
    _ = FileManager.default.createFile(atPath: path, contents: Data(bytes))
  }

  var bytes: [UInt8] { FileManager.default.contents(atPath: path).map { Array($0) } ?? [] }

  /// All samples, channel by channel, as `SoundFileReader` reads them.
  func samples() throws -> [[Float]] {
    var reader = try SoundFileReader(path: path)
    return try reader.readAll()
  }
}

extension SoundFileReader {
  mutating func readAll() throws(AudioError) -> [[Float]] {
    let planes = Planes(channelCount: format.channelCount, frameCount: frameCount)
    let count = try read(into: planes.channels, frameCount: frameCount)
    return planes.arrays(count)
  }
}

extension SoundFileRecorder {
  /// Adds the frames of some channels.
  mutating func write(_ samples: [[Float]]) throws(AudioError) {
    let planes = Planes(samples)
    try write(planes.channels, frameCount: planes.frameCount)
  }
}

/// One buffer per channel.
final class Planes {
  let frameCount: Int
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let channelCount: Int

  init(channelCount: Int, frameCount: Int) {
    self.channelCount = channelCount
    self.frameCount = frameCount
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (channels + channel).initialize(to: .allocate(capacity: max(frameCount, 1)))
      channels[channel].initialize(repeating: 0, count: frameCount)
    }
  }

  convenience init(_ samples: [[Float]]) {
    self.init(channelCount: samples.count, frameCount: samples.first?.count ?? 0)
    for (channel, plane) in samples.enumerated() {
      for (frame, sample) in plane.enumerated() { channels[channel][frame] = sample }
    }
  }

  deinit {
    for channel in 0..<channelCount { channels[channel].deallocate() }
    channels.deallocate()
  }

  func arrays(_ frameCount: Int) -> [[Float]] {
    (0..<channelCount).map { Array(UnsafeBufferPointer(start: channels[$0], count: frameCount)) }
  }
}

/// Builds a little-endian file.
struct WaveBytes {
  var all: [UInt8] = []

  static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    text(name) + number(UInt32(body.count)) + body + (body.count % 2 == 1 ? [0] : [])
  }

  static func format(
    tag: UInt16, channels: UInt16 = 1, rate: UInt32 = 48_000, bits: UInt16, bytes: UInt16? = nil
  ) -> [UInt8] {
    let frame = channels * (bytes ?? ((bits + 7) / 8))
    return chunk(
      "fmt ",
      number(tag) + number(channels) + number(rate) + number(rate &* UInt32(frame)) + number(frame)
        + number(bits))
  }

  static func riff(_ chunks: [UInt8]..., kind: String = "RIFF") -> [UInt8] {
    let body = chunks.flatMap { $0 }
    return text(kind) + number(UInt32(body.count + 4)) + text("WAVE") + body
  }
}
