// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel
import ToneTexts

// Texts that only the terminal shows.

extension Texts {
  /// A tone in words: "A4 (440 Hz, sine) at -20 dBFS".
  static func tone(_ model: ToneModel) -> String {
    let wave = model.waveform
    let what =
      wave.isPeriodic
      ? "\(model.note.name) (\(plain(model.frequency)) Hz, \(wave.title))" : wave.title
    return "\(what) at \(plain(model.level)) dBFS"
  }

  /// A device with its name: "null, 48000 Hz, channels: 2, latency: 21.3 ms".
  static func namedDevice(_ device: ToneDevice) -> String {
    "\(device.name), \(Self.device(device))"
  }

  /// A number without an empty fraction.
  static func plain(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  }
}
