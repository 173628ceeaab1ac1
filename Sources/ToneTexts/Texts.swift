// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// Texts for values, shared by the views. [main thread]
public enum Texts {
  /// "440.000".
  public static func frequency(_ frequency: Double) -> String {
    String(format: "%.3f", frequency)
  }

  /// "440.0": with the precision of the spectrum.
  public static func peakFrequency(_ frequency: Double) -> String {
    String(format: "%.1f", frequency)
  }

  /// "A4  +0.00 cents".
  public static func note(_ note: Note) -> String {
    // A hundredth of a cent is inaudible.
    let cents = (note.cents * 100).rounded() / 100
    let sign = cents < 0 ? "−" : "+"
    return tr("{}  {} cents", note.name, sign + String(format: "%.2f", abs(cents)))
  }

  /// "−20.0 dBFS".
  public static func level(_ level: Double) -> String {
    let number = level.isFinite ? String(format: "%.1f", abs(level)) : "∞"
    return "\(level < 0 ? "−" : "")\(number) dBFS"
  }

  /// "74.0 dB SPL", "1.23 V": the calibrated value of a level in dBFS.
  public static func measured(_ level: Double, _ calibration: Calibration) -> String {
    let value = calibration.value(of: level)
    switch calibration.unit {
    case .soundPressure:
      return "\(value < 0 ? "−" : "")\(String(format: "%.1f", abs(value))) dB SPL"
    case .volts:
      // Three significant digits, in volts or millivolts.
      return value < 0.1
        ? String(format: "%.3g mV", value * 1_000) : String(format: "%.3g V", value)
    }
  }

  /// A message about the levels after adding a tone; nil if none was added.
  public static func added(_ before: [Tone], _ after: [Tone]) -> String? {
    guard after.count == before.count + 1, let new = after.last else { return nil }
    let changed = zip(before, after).first { $0.level != $1.level }
    let number = "\(after.count)"
    guard let changed else { return tr("Tone {} has {}.", number, level(new.level)) }
    return tr(
      "Tone {} has {}; the one before it went down from {} to make room.", number,
      level(new.level), level(changed.0.level))
  }

  /// "48000 Hz, channels: 2, latency: 21.3 ms, cycle: 512".
  public static func device(_ device: ToneDevice) -> String {
    tr(
      "{} Hz, channels: {}, latency: {} ms, cycle: {}", String(Int(device.sampleRate)),
      String(device.channelCount), String(format: "%.1f", device.latency * 1_000),
      String(device.cycleFrames))
  }

  /// The name of a waveform.
  public static func waveform(_ waveform: ToneWaveform) -> String {
    switch waveform {
    case .sine: tr("Sine")
    case .square: tr("Square")
    case .triangle: tr("Triangle")
    case .saw: tr("Saw")
    case .whiteNoise: tr("White noise")
    case .pinkNoise: tr("Pink noise")
    }
  }

  /// The name of a side.
  public static func side(_ side: ToneSide) -> String {
    switch side {
    case .both: tr("Both")
    case .left: tr("Left")
    case .right: tr("Right")
    }
  }
}
