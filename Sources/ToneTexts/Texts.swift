// SPDX-License-Identifier: Apache-2.0
import Foundation
import ToneModel

/// Texts for values, shared by the views. [main thread]
public enum Texts {
  /// "440.000".
  public static func frequency(_ frequency: Double) -> String {
    String(format: "%.3f", frequency)
  }

  /// A frequency with all of its decimals: at least six, at most nine.
  public static func exactFrequency(_ frequency: Double) -> String {
    var text = Substring(String(format: "%.9f", frequency))
    let shortest = text.count - 3
    while text.last == "0", text.count > shortest { text.removeLast() }
    return String(text)
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

  /// "74.0 dB SPL", "1.23 V", "+4.0 dBu": what a meter shows for a peak level in dBFS; nil if its unit
  /// is not calibrated.
  public static func measured(_ level: Double, in unit: LevelUnit, _ scale: LevelScale) -> String? {
    guard let value = scale.value(of: level, in: unit) else { return nil }
    guard !unit.isLogarithmic else {
      let sign = value < 0 ? "−" : unit == .dBu || unit == .dBV ? "+" : ""
      return "\(sign)\(String(format: "%.1f", abs(value))) \(unit.rawValue)"
    }
    // Three significant digits, with or without thousandths.
    return value < 0.1
      ? String(format: "%.3g m%@", value * 1_000, unit.rawValue)
      : String(format: "%.3g %@", value, unit.rawValue)
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

  /// Why nothing can be heard, and what to start, to install or to share.
  public static var unheard: String { unheard(on: .current) }

  /// The same for a machine.
  public static func unheard(on machine: SoundMachine) -> String {
    if machine.isContainer {
      return tr(
        "No sound device: start the container with the host's sound server, such as {}.",
        "-v $XDG_RUNTIME_DIR/pipewire-0:/tmp/pipewire-0 -e XDG_RUNTIME_DIR=/tmp")
    }
    guard let command = machine.startCommand else {
      return tr("No sound device: install a sound server (apt install pipewire-audio).")
    }
    return tr("No sound device: start the sound server ({}).", command)
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
    case .maximumLengthSequence: tr("MLS")
    case .periodicPinkNoise: tr("Periodic pink")
    case .jitterTest: tr("J-test")
    case .impulse: tr("Impulse")
    case .constant: tr("DC")
    case .file: tr("Sound file")
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

  /// "0.5 s, after 2 s, 5 times, pause 1 s".
  public static func timing(_ timing: ToneTiming) -> String {
    var parts: [String] = []
    if let duration = timing.duration { parts.append(tr("{} s", seconds(duration))) }
    if timing.delay > 0 { parts.append(tr("after {} s", seconds(timing.delay))) }
    if let pause = timing.pause {
      parts.append(timing.count.map { tr("{} times", "\($0)") } ?? tr("again and again"))
      parts.append(tr("pause {} s", seconds(pause)))
    }
    return parts.joined(separator: tr(", "))
  }

  private static func seconds(_ seconds: Double) -> String { String(format: "%.6g", seconds) }
}
