// SPDX-License-Identifier: Apache-2.0

/// What is left of noise: the frequencies from one limit to another.
///
/// Beyond its limits, where it is 3 dB down, it falls by 48 dB an octave. Whatever the limits, its RMS lies
/// 14 dB below the level, as that of pink noise does: five times the RMS is reached once in a million
/// samples.
public struct NoiseBand: Equatable, Codable, Sendable {
  /// In Hz; below the upper limit.
  public let lowest: Double
  /// In Hz. A limit near half the sample rate or above it limits nothing.
  public let highest: Double

  /// A band; nil unless the limits are positive and the second lies above the first.
  public init?(from lowest: Double, to highest: Double) {
    guard lowest > 0, highest > lowest, highest.isFinite else { return nil }
    self.lowest = lowest
    self.highest = highest
  }

  /// Reads what a file says.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    let lowest = try values.decode(Double.self, forKey: .lowest)
    let highest = try values.decode(Double.self, forKey: .highest)
    guard let band = NoiseBand(from: lowest, to: highest) else {
      throw DecodingError.dataCorruptedError(
        forKey: .highest, in: values, debugDescription: "the limits of a band rise")
    }
    self = band
  }

  private enum CodingKeys: String, CodingKey {
    case lowest, highest
  }
}
