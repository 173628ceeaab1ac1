// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// What the views say.
enum Texts {
  /// A frequency with as many decimals as it has, at least `digits` and at most nine.
  static func frequency(_ frequency: Double, digits: Int = 3) -> String {
    var text = Substring(String(format: "%.9f", frequency))
    let point = text.firstIndex(of: ".") ?? text.endIndex
    while text.last == "0", text.distance(from: point, to: text.endIndex) > digits + 1 {
      text.removeLast()
    }
    return String(text)
  }

  /// A level: "-20.0".
  static func level(_ level: Double) -> String {
    guard level.isFinite else { return "-∞" }
    return String(format: "%.1f", level)
  }

  /// A note and how far the frequency is from it: "A4  +0.0 cents".
  static func note(_ note: Note) -> String {
    // A hundredth is finer than anybody hears.
    let cents = (note.cents * 100).rounded() / 100
    let sign = cents < 0 ? "−" : "+"
    return "\(note.name)  \(sign)\(String(format: "%.2f", abs(cents))) cents"
  }

  /// A tone in words: "A4 (440 Hz, sine) at -20 dBFS".
  static func tone(_ model: ToneModel) -> String {
    let wave = model.waveform
    let what =
      wave.isPeriodic
      ? "\(model.note.name) (\(plain(model.frequency)) Hz, \(wave.title))" : wave.title
    return "\(what) at \(plain(model.level)) dBFS"
  }

  /// A device in words: "null, 48000 Hz, 2 channels, 21.3 ms".
  static func device(_ device: ToneDevice) -> String {
    let channels = device.channelCount == 1 ? "1 channel" : "\(device.channelCount) channels"
    let latency = String(format: "%.1f", device.latency * 1_000)
    return "\(device.name), \(plain(device.sampleRate)) Hz, \(channels), \(latency) ms"
  }

  /// A number without a fraction that says nothing.
  static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}
