// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The note of the equal-tempered scale that is nearest to a frequency.
public struct Note: Equatable, Sendable {
  /// Semitones above the C five octaves below middle C, as MIDI counts them: A4 is 69.
  public let number: Int
  /// The deviation of the frequency from the note, in cents, -50 to 50.
  public let cents: Double

  /// Finds the note of a frequency in Hz, where A4 is `a4` Hz.
  public init(nearestTo frequency: Double, a4: Double = 440) {
    let semitones = 69 + 12 * log2(frequency / a4)
    let nearest = semitones.rounded()
    number = Int(nearest)
    // Rounding errors of the logarithm must not show as a deviation.
    cents = ((semitones - nearest) * 100 * 1e9).rounded() / 1e9
  }

  /// Letter, accidental and octave: "A4", "C♯5".
  public var name: String {
    let octave = Int((Double(number) / 12).rounded(.down)) - 1
    return "\(Self.names[(number % 12 + 12) % 12])\(octave)"
  }

  private static let names = [
    "C", "C♯", "D", "D♯", "E", "F", "F♯", "G", "G♯", "A", "A♯", "B",
  ]
}
