// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// A message of MIDI in words.
struct MIDIMessageReport: Encodable, Equatable {
  /// What it is: "note on", "controller".
  var message: String
  /// From 1 to 16.
  var channel: Int?
  /// The number of the key, controller or program, from 0.
  var number: Int?
  /// The name of the key or controller.
  var name: String?
  /// The velocity, pressure or value; a bend is from -1 to 1.
  var value: Double?
  var bytes: [UInt8]

  /// Describes the bytes of one whole message.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    let status = bytes.first ?? 0
    let first = bytes.count > 1 ? bytes[1] : 0
    let second = bytes.count > 2 ? bytes[2] : 0
    message = Self.systemNames[status] ?? "unknown"
    if (0x80..<0xF0).contains(status) { channel = Int(status & 15) + 1 }
    switch status & 0xF0 {
    case 0x80: describeKey("note off", first, second)
    // Velocity 0 ends a note.
    case 0x90: describeKey(second > 0 ? "note on" : "note off", first, second)
    case 0xA0: describeKey("key pressure", first, second)
    case 0xB0:
      (message, number, value) = ("controller", Int(first), Double(second))
      name = MIDIControllerNames.name(of: first)
    case 0xC0: (message, number) = ("program", Int(first))
    case 0xD0: (message, value) = ("pressure", Double(first))
    case 0xE0:
      let bend = Int(second) * 128 + Int(first) - 8_192
      (message, value) = ("bend", Double(bend) / (bend < 0 ? 8_192 : 8_191))
    default:
      if status == 0xF1 || status == 0xF3 { number = Int(first) }
      if status == 0xF2 { number = Int(second) * 128 + Int(first) }
    }
  }

  private mutating func describeKey(_ message: String, _ key: UInt8, _ value: UInt8) {
    (self.message, number, name) = (message, Int(key), MIDIKey.name(key))
    self.value = Double(value)
  }

  private static let systemNames: [UInt8: String] = [
    0xF0: "system exclusive", 0xF1: "time code", 0xF2: "song position", 0xF3: "song",
    0xF6: "tune request", 0xF8: "clock", 0xFA: "start", 0xFB: "continue", 0xFC: "stop",
    0xFE: "active sensing", 0xFF: "reset",
  ]

  /// A line to read.
  var text: String {
    var words = message
    switch (message, number, name) {
    case ("controller", let number?, let name?): words += " \(number) (\(name))"
    case (_, let number?, let name?): words += " \(name) (\(number))"
    case (_, let number?, nil): words += " \(number)"
    default: break
    }
    switch message {
    case "note on", "note off": words += ", velocity " + Numbers.plain(value ?? 0)
    case "bend":
      words += ((value ?? 0) > 0 ? " +" : " ") + Numbers.short(value ?? 0, digits: 3)
    case "system exclusive": words += ", \(Numbers.count(bytes.count, "byte")): \(hexText)"
    case "unknown": words += ": \(hexText)"
    default: if let value { words += " " + Numbers.plain(value) }
    }
    return words + (channel.map { ", channel \($0)" } ?? "")
  }

  /// The bytes in hexadecimal; of a long message the first and the last.
  private var hexText: String {
    let shown = bytes.count > 16 ? Array(bytes.prefix(14)) : bytes
    let text = Self.hex(shown)
    return shown.count == bytes.count ? text : "\(text) … \(Self.hex(bytes.suffix(1)))"
  }

  /// Bytes in hexadecimal: "90 3C 64".
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(format: "%02X", $0) }.joined(separator: " ")
  }
}
