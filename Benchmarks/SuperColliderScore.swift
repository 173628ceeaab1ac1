// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A score for scsynth without real time: a hundred sine oscillators, added up, for so many seconds.
///
/// The file holds timed bundles of Open Sound Control messages, each with its length before it; the
/// synth is a definition of version 2 in SuperCollider's own binary form. All numbers are big-endian.
struct SuperColliderScore {
  static let voices = 100

  private var bytes: [UInt8] = []

  /// The bytes of a score of `seconds`.
  static func data(seconds: Int) -> Data {
    var score = Self()
    score.bundle(at: 0, message("/d_recv", [.blob(definition)]))
    score.bundle(at: 0, message("/s_new", [.text("t"), .integer(1000), .integer(1), .integer(0)]))
    // The last bundle ends the job.
    score.bundle(at: UInt32(seconds), message("/c_set", [.integer(0), .integer(0)]))
    return Data(score.bytes)
  }

  private mutating func bundle(at seconds: UInt32, _ message: [UInt8]) {
    let content =
      Self.padded(Array("#bundle".utf8)) + Self.word(seconds) + Self.word(0)
      + Self.word(UInt32(message.count)) + message
    bytes += Self.word(UInt32(content.count)) + content
  }

  private enum Argument {
    case integer(Int32)
    case text(String)
    case blob([UInt8])
  }

  private static func message(_ address: String, _ arguments: [Argument]) -> [UInt8] {
    var types = ","
    var data: [UInt8] = []
    for argument in arguments {
      switch argument {
      case .integer(let value):
        types += "i"
        data += word(UInt32(bitPattern: value))
      case .text(let text):
        types += "s"
        data += padded(Array(text.utf8))
      case .blob(let bytes):
        types += "b"
        let rest = (4 - bytes.count % 4) % 4
        data += word(UInt32(bytes.count)) + bytes + [UInt8](repeating: 0, count: rest)
      }
    }
    return padded(Array(address.utf8)) + padded(Array(types.utf8)) + data
  }

  /// One constant signal, then for each voice a SinOsc and a MulAdd onto the sum, then Out.
  private static var definition: [UInt8] {
    var constants: [Float] = []
    func constant(_ value: Float) -> [UInt8] {
      if !constants.contains(value) { constants.append(value) }
      let index = constants.firstIndex(of: value) ?? 0
      return word(UInt32(bitPattern: -1)) + word(UInt32(index))
    }
    func output(_ unit: Int) -> [UInt8] { word(UInt32(unit)) + word(0) }
    func unit(_ name: String, _ inputs: [[UInt8]], outputs: Int = 1) -> [UInt8] {
      text(name) + [2] + word(UInt32(inputs.count)) + word(UInt32(outputs)) + [0, 0]
        + inputs.flatMap { $0 } + [UInt8](repeating: 2, count: outputs)
    }
    var units = [unit("DC", [constant(0)])]
    for voice in 0..<voices {
      units.append(unit("SinOsc", [constant(997 + Float(voice)), constant(0)]))
      let sum = voice == 0 ? 0 : units.count - 2
      units.append(unit("MulAdd", [output(units.count - 1), constant(0.01), output(sum)]))
    }
    units.append(unit("Out", [constant(0), output(units.count - 1)], outputs: 0))
    return Array("SCgf".utf8) + word(2) + [0, 1] + text("t") + word(UInt32(constants.count))
      + constants.flatMap { word($0.bitPattern) } + word(0) + word(0) + word(UInt32(units.count))
      + units.flatMap { $0 } + [0, 0]
  }

  private static func word(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }

  private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }

  /// A string ends with zeros, at least one, up to a multiple of four.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }
}
