// SPDX-License-Identifier: Apache-2.0

/// Limits noise to a band of frequencies.
///
/// The response is -3 dB at the limits and falls by 48 dB per octave beyond them. For all limits,
/// the RMS is 14 dB below the level, like that of pink noise: one sample in a million exceeds five
/// times the RMS.
public struct NoiseBand: Equatable, Codable, Sendable {
  /// In Hz; below the upper limit.
  public let lowest: Double
  /// In Hz. A limit near half the sample rate or above it has no effect.
  public let highest: Double

  /// A band; nil unless the limits are positive and rising.
  public init?(from lowest: Double, to highest: Double) {
    guard lowest > 0, highest > lowest, highest.isFinite else { return nil }
    self.lowest = lowest
    self.highest = highest
  }

  /// Decodes a band, and checks its limits.
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
