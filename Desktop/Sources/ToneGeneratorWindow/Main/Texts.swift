// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// What the window says about values.
enum Texts {
  /// "440.000".
  static func frequency(_ frequency: Double) -> String { String(format: "%.3f", frequency) }

  /// "A4  +0.00 cents".
  static func note(_ note: Note) -> String {
    let cents = (note.cents * 100).rounded() / 100
    let sign = cents < 0 ? "−" : "+"
    return tr("{} {} cents", note.name, sign + String(format: "%.2f", abs(cents)))
  }

  /// "−20.0 dBFS".
  static func level(_ level: Double) -> String {
    let number = level.isFinite ? String(format: "%.1f", abs(level)) : "∞"
    return "\(level < 0 ? "−" : "")\(number) dBFS"
  }

  /// "48000 Hz, 2 channels, 21.3 ms".
  static func device(_ device: ToneDevice) -> String {
    tr(
      "{} Hz, channels: {}, latency: {} ms", String(Int(device.sampleRate)),
      String(device.channelCount), String(format: "%.1f", device.latency * 1_000))
  }

  static func waveform(_ waveform: ToneWaveform) -> String {
    switch waveform {
    case .sine: tr("Sine")
    case .square: tr("Square")
    case .triangle: tr("Triangle")
    case .saw: tr("Saw")
    case .whiteNoise: tr("White noise")
    case .pinkNoise: tr("Pink noise")
    }
  }

  static func side(_ side: ToneSide) -> String {
    switch side {
    case .both: tr("Both")
    case .left: tr("Left")
    case .right: tr("Right")
    }
  }
}
