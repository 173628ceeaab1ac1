// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A non-real-time score for scsynth: one synth for a number of seconds.
///
/// The file contains timed bundles of Open Sound Control messages, each preceded by its length; all
/// numbers are big-endian.
struct SuperColliderScore {
  private var bytes: [UInt8] = []

  /// The bytes of a score of `seconds`.
  static func data(seconds: Int, _ definition: SynthDefinition) -> Data {
    var score = Self()
    score.bundle(at: 0, message("/d_recv", [.blob(definition.bytes)]))
    score.bundle(at: 0, message("/s_new", [.text("t"), .integer(1000), .integer(1), .integer(0)]))
    // The last bundle ends the job.
    score.bundle(at: UInt32(seconds), message("/c_set", [.integer(0), .integer(0)]))
    return Data(score.bytes)
  }

  private mutating func bundle(at seconds: UInt32, _ message: [UInt8]) {
    let content =
      Self.padded(Array("#bundle".utf8)) + BigEndian.word(seconds) + BigEndian.word(0)
      + BigEndian.word(UInt32(message.count)) + message
    bytes += BigEndian.word(UInt32(content.count)) + content
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
        data += BigEndian.word(UInt32(bitPattern: value))
      case .text(let text):
        types += "s"
        data += padded(Array(text.utf8))
      case .blob(let bytes):
        types += "b"
        let rest = (4 - bytes.count % 4) % 4
        data += BigEndian.word(UInt32(bytes.count)) + bytes + [UInt8](repeating: 0, count: rest)
      }
    }
    return padded(Array(address.utf8)) + padded(Array(types.utf8)) + data
  }

  /// Pads a string with zeros, at least one, to a multiple of four bytes.
  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
  }
}

/// A synth for scsynth, built of units: a definition of version 2 in SuperCollider's binary format.
struct SynthDefinition {
  /// The source of a unit's input.
  struct Signal {
    fileprivate var unit: Int32
    fileprivate var output: Int32
  }

  private var constants: [Float] = []
  private var units: [[UInt8]] = []

  /// A constant as an input.
  mutating func constant(_ value: Float) -> Signal {
    if !constants.contains(value) { constants.append(value) }
    return Signal(unit: -1, output: Int32(constants.firstIndex(of: value) ?? 0))
  }

  /// Adds a unit that runs at the sample rate, and returns its outputs.
  @discardableResult
  mutating func add(_ name: String, _ inputs: [Signal], outputs: Int = 1) -> [Signal] {
    let sources = inputs.flatMap {
      BigEndian.word(UInt32(bitPattern: $0.unit)) + BigEndian.word(UInt32(bitPattern: $0.output))
    }
    units.append(
      Self.text(name) + [2] + BigEndian.word(UInt32(inputs.count))
        + BigEndian.word(UInt32(outputs)) + [0, 0] + sources
        + [UInt8](repeating: 2, count: outputs))
    return (0..<outputs).map { Signal(unit: Int32(units.count - 1), output: Int32($0)) }
  }

  var bytes: [UInt8] {
    Array("SCgf".utf8) + BigEndian.word(2) + [0, 1] + Self.text("t")
      + BigEndian.word(UInt32(constants.count))
      + constants.flatMap { BigEndian.word($0.bitPattern) } + BigEndian.word(0)
      + BigEndian.word(0) + BigEndian.word(UInt32(units.count)) + units.flatMap { $0 } + [0, 0]
  }

  private static func text(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + text.utf8 }
}

extension SynthDefinition {
  static let sineVoices = 100

  /// A constant signal, then for each voice a SinOsc and a MulAdd that adds it to the sum.
  static let sines: SynthDefinition = {
    var synth = SynthDefinition()
    let zero = synth.constant(0)
    var sum = synth.add("DC", [zero])[0]
    for voice in 0..<sineVoices {
      let sine = synth.add("SinOsc", [synth.constant(997 + Float(voice)), zero])[0]
      sum = synth.add("MulAdd", [sine, synth.constant(0.01), sum])[0]
    }
    synth.add("Out", [zero, sum], outputs: 0)
    return synth
  }()
}

private enum BigEndian {
  static func word(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
