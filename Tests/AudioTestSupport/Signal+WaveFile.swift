// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A WAV file of 32-bit floats, read independently of the library under test.
public struct RecordedFile: Sendable {
  /// Frames per second.
  public let sampleRate: Double
  /// One signal for each channel.
  public let channels: [Signal]

  /// The reason why a file cannot be read.
  public struct Failure: Error {
    let reason: String
  }

  /// Number of frames.
  public var frameCount: Int { channels.first?.count ?? 0 }

  /// Reads a file.
  public init(_ path: String) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    func number(_ place: Int, bytes: Int) -> Int {
      (0..<bytes).reduce(0) { $0 | Int(data[place + $1]) << (8 * $1) }
    }
    func name(_ place: Int) -> String { String(decoding: data[place..<place + 4], as: UTF8.self) }
    guard data.count > 44, name(0) == "RIFF", name(8) == "WAVE" else {
      throw Failure(reason: "\(path) is not a WAV file")
    }
    guard number(4, bytes: 4) == data.count - 8 else {
      throw Failure(reason: "\(path): the header states another length")
    }
    var (place, format, samples) = (12, 0, 0..<0)
    while place + 8 <= data.count {
      let size = number(place + 4, bytes: 4)
      if name(place) == "fmt " { format = place + 8 }
      if name(place) == "data" { samples = place + 8..<place + 8 + size }
      place += 8 + size + size % 2
    }
    guard format > 0, samples.upperBound <= data.count, number(format + 14, bytes: 2) == 32 else {
      throw Failure(reason: "\(path) has no 32-bit samples")
    }
    let channelCount = number(format + 2, bytes: 2)
    let rate = Double(number(format + 4, bytes: 4))
    let values = data[samples].withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map {
        Double(Float(bitPattern: bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)))
      }
    }
    sampleRate = rate
    channels = (0..<channelCount).map { channel in
      let own = stride(from: channel, to: values.count, by: channelCount).map { values[$0] }
      return Signal(own, sampleRate: rate)
    }
  }
}
