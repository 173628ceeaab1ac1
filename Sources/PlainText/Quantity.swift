// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A kind of number as musicians and engineers type it: "A4", "1k", "1 kHz", "-6dB", "250ms".
///
/// The decimal separator may be a comma, and the minus sign may be typographic. Units may be in
/// upper or lower case; a number without a unit is in the default unit of its kind.
public enum Quantity: Sendable {
  /// Hertz, or a note, with A4 at `a4` hertz.
  case frequency(a4: Double = 440)
  /// Decibels.
  case decibels
  /// A factor, or decibels.
  case gain
  /// Seconds.
  case seconds
  /// Milliseconds; seconds if typed with their unit.
  case milliseconds
  /// Percent.
  case percent
  /// Degrees of an angle.
  case degrees
  /// Frames per second.
  case sampleRate
  /// A number without a unit.
  case number

  /// [any thread] The value of a text in the kind's default unit; nil if it is not such a number.
  public func value(of text: String) -> Double? {
    let plain = Self.plain(text)
    if case .frequency(let a4) = self, let note = Note(plain) { return note.frequency(a4: a4) }
    let (number, unit) = Self.parts(of: plain)
    guard let value = Double(number), value.isFinite else { return nil }
    if case .gain = self, Self.decibelUnits.contains(unit) { return pow(10, value / 20) }
    guard let factor = units[unit] else { return nil }
    // Milliseconds are divided, so that 250 ms are exactly a quarter of a second.
    return factor < 1 ? value / (1 / factor).rounded() : value * factor
  }

  /// Examples of valid input, for error messages.
  public var examples: String {
    switch self {
    case .frequency: "440, A4 or 1k"
    case .decibels: "-6 or -6dB"
    case .gain: "0.5 or -6dB"
    case .seconds: "10, 1.5s or 250ms"
    case .milliseconds: "250, 250ms or 0.25s"
    case .percent: "50 or 50%"
    case .degrees: "90 or 90°"
    case .sampleRate: "48000 or 44.1k"
    case .number: "0.5"
    }
  }

  /// The units that may follow the number, in lower case, and their factors.
  private var units: [String: Double] {
    switch self {
    case .frequency: ["": 1, "hz": 1, "k": 1e3, "khz": 1e3]
    case .decibels: ["": 1, "db": 1, "dbfs": 1]
    case .gain: ["": 1, "%": 1e-2]
    case .seconds:
      [
        "": 1, "s": 1, "sec": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "min": 60,
        "h": 3_600,
      ]
    case .milliseconds: ["": 1, "ms": 1, "s": 1e3, "sec": 1e3, "us": 1e-3, "µs": 1e-3, "μs": 1e-3]
    case .percent: ["": 1, "%": 1]
    case .degrees: ["": 1, "°": 1, "deg": 1]
    case .sampleRate: ["": 1, "hz": 1, "k": 1e3, "khz": 1e3]
    case .number: ["": 1]
    }
  }

  private static let decibelUnits: Set<String> = ["db", "dbfs"]

  /// A text in one spelling: without spaces, in lower case, with ASCII signs and a decimal point.
  private static func plain(_ text: String) -> String {
    var plain = text.filter { !$0.isWhitespace }.replacing("−", with: "-").replacing("♯", with: "#")
      .replacing("♭", with: "b")
    if !plain.contains("."), plain.filter({ $0 == "," }).count == 1 {
      plain = plain.replacing(",", with: ".")
    }
    return plain.lowercased()
  }

  /// The number at the beginning of a text, and the unit after it.
  private static func parts(of text: String) -> (number: String, unit: String) {
    let bytes = Array(text.utf8)
    var end = 0
    func skip(_ characters: String, atMost most: Int = .max) -> Int {
      let start = end
      while end < bytes.count, end - start < most, characters.utf8.contains(bytes[end]) { end += 1 }
      return end - start
    }
    _ = skip("+-", atMost: 1)
    _ = skip("0123456789")
    if skip(".", atMost: 1) == 1 { _ = skip("0123456789") }
    let mantissa = end
    if skip("e", atMost: 1) == 1 {
      _ = skip("+-", atMost: 1)
      if skip("0123456789") == 0 { end = mantissa }
    }
    return (
      String(decoding: bytes[..<end], as: UTF8.self), String(decoding: bytes[end...], as: UTF8.self)
    )
  }

  /// A note of the equal-tempered scale: a letter, sharps or flats, an octave.
  private struct Note {
    /// Semitones above A4.
    let semitones: Int

    init?(_ text: String) {
      let letters: [Character: Int] = ["c": -9, "d": -7, "e": -5, "f": -4, "g": -2, "a": 0, "b": 2]
      guard let letter = text.first, let step = letters[letter] else { return nil }
      let accidentals = text.dropFirst().prefix { $0 == "#" || $0 == "b" }
      guard let octave = Int(text.dropFirst(1 + accidentals.count)), (-1...10).contains(octave),
        accidentals.count <= 2
      else { return nil }
      let shift = accidentals.reduce(0) { $0 + ($1 == "#" ? 1 : -1) }
      semitones = step + shift + 12 * (octave - 4)
    }

    func frequency(a4: Double) -> Double {
      // Octaves are exact: only the remaining semitones need a power of the twelfth root.
      let octaves = (Double(semitones) / 12).rounded(.down)
      let rest = semitones - 12 * Int(octaves)
      return a4 * Double(sign: .plus, exponent: Int(octaves), significand: Self.ratios[rest])
    }

    /// The ratios of 0 to 11 semitones: 2 to the power of n/12.
    private static let ratios: [Double] = [
      1, 1.0594630943592953, 1.122462048309373, 1.189207115002721, 1.2599210498948732,
      1.3348398541700344, 1.4142135623730951, 1.4983070768766815, 1.5874010519681994,
      1.681792830507429, 1.7817974362806785, 1.8877486253633868,
    ]
  }
}
