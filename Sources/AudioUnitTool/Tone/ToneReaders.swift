// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
import ToneModel
@_spi(TrappingConversions) import CheckedNumbers

// Readers for the options of `au tone`.

extension ValueReader where Value == ToneBurst {
  /// Periods on and off: "10/90".
  static var burst: Self {
    Self(expected: "periods on and off, such as 10/90", limits: ", such as 10/90") { text in
      let parts = text.split(separator: "/").map { Int($0) }
      guard parts.count == 2, let on = parts[0], let off = parts[1],
        ToneBurst.periods.contains(on), ToneBurst.periods.contains(off)
      else { return nil }
      return ToneBurst(on: on, off: off)
    }
  }
}

extension ValueReader where Value == NoiseBand {
  /// Two frequencies: "500/2k".
  static var band: Self {
    Self(
      expected: "two frequencies from 0.01 to 384000 Hz, such as 500/2k",
      limits: ", from 0.01 to 384000 Hz, such as 500/2k"
    ) { text in
      let limits = text.split(separator: "/").map { Quantity.frequency().value(of: String($0)) }
      guard limits.count == 2, let lowest = limits[0], let highest = limits[1], lowest >= 0.01,
        highest <= 384_000
      else { return nil }
      return NoiseBand(from: lowest, to: highest)
    }
  }
}

extension ValueReader where Value == ToneCrest.Target {
  /// A word, or decibels.
  static var crest: Self {
    Self(
      expected: "lowest, highest or a crest in dB, such as 6dB",
      limits: ": lowest, highest or in dB, such as 6dB",
      completion: .words(["lowest", "highest"])
    ) { text in
      switch text {
      case "lowest": .lowest
      case "highest": .highest
      default: Quantity.decibels.value(of: text).flatMap { $0 > 0 ? .decibels($0) : nil }
      }
    }
  }
}

extension ValueReader where Value == Double {
  /// An angle in degrees.
  static var phase: Self {
    Self(
      expected: "a phase from -180 to 180 degrees, such as 90",
      limits: ", from -180 to 180 degrees, such as 90"
    ) { text in
      Quantity.degrees.value(of: text).flatMap { (-180...180).contains($0) ? $0 : nil }
    }
  }
}

extension ValueReader where Value == AmplitudeModulation {
  /// A frequency and a depth: "5/50".
  static var amplitudeModulation: Self {
    Self(
      expected: "a frequency and a depth up to 100 percent, such as 5/50%",
      limits: ", up to 100 percent, such as 5/50%"
    ) { text in
      let parts = text.split(separator: "/").map(String.init)
      guard parts.count == 2, let frequency = Quantity.frequency().value(of: parts[0]),
        (0.01...192_000).contains(frequency), let depth = Quantity.percent.value(of: parts[1]),
        (0...100).contains(depth)
      else { return nil }
      return AmplitudeModulation(frequency: frequency, depth: depth)
    }
  }
}

extension ValueReader where Value == FrequencyModulation {
  /// A frequency and a deviation: "5/75".
  static var frequencyModulation: Self {
    Self(
      expected: "a frequency and a deviation in Hz, such as 5/75", limits: ", such as 5/75"
    ) { text in
      let parts = text.split(separator: "/").compactMap {
        Quantity.frequency().value(of: String($0))
      }
      guard parts.count == 2, (0.01...192_000).contains(parts[0]), (0...192_000).contains(parts[1])
      else { return nil }
      return FrequencyModulation(frequency: parts[0], deviation: parts[1])
    }
  }
}

extension ValueReader where Value == [Int] {
  /// Names or numbers of channels: "L+R", "3".
  static var toneChannels: Self {
    Self(
      expected: "channels, such as L, R, LFE, L+R or 3", limits: ", such as L+R or 3",
      completion: .words(ToneChannels.names)
    ) { ToneChannels.numbers($0) }
  }
}

extension ValueReader where Value == WrittenLevel {
  /// A level in dBFS within a range, or the sound pressure or voltage that it produces.
  static func writtenLevel(in range: ClosedRange<Double>) -> Self {
    let limits =
      "from \(Int(saturating: range.lowerBound)) to \(Int(saturating: range.upperBound)) dB, such as "
      + "\(Quantity.decibels.examples), or what it measures: -23dBrms, 74dBSPL, 0.1Pa, 1.23V, 0.5Vrms, "
      + "4dBu or -10dBV"
    return Self(expected: "a level \(limits)", limits: ", \(limits)") { text in
      let level = WrittenLevel(text)
      if let level, level.unit == .peak, !range.contains(level.value) { return nil }
      return level
    }
  }
}

extension ValueReader where Value == Calibration {
  /// A measurement and the level at which it was made.
  static var calibration: Self {
    Self(
      expected:
        "what was measured, and at which level of a sine, such as 94dBSPL@-20dB, 4dBu@-18dB or "
        + "1.23V@0",
      limits: ", such as 94dBSPL@-20dB, 4dBu@-18dB or 1.23V@0"
    ) {
      Calibration($0)
    }
  }
}
