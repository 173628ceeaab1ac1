// SPDX-License-Identifier: Apache-2.0

/// When a tone sounds, counted from the start of playback.
public struct ToneTiming: Equatable, Codable, Sendable {
  /// The possible times, in seconds.
  public static let times = 0.0...604_800.0

  /// Seconds of silence before it begins.
  public let delay: Double
  /// Seconds for which it sounds, fades included; nil: until playback stops.
  public let duration: Double?
  /// Seconds of silence before it sounds again; nil: it sounds once.
  public let pause: Double?
  /// How often it sounds; nil: without end.
  public let count: Int?

  /// A timing; values outside their ranges are clamped.
  public init(
    delay: Double = 0, duration: Double? = nil, pause: Double? = nil, count: Int? = nil
  ) {
    self.delay = Self.times.nearest(to: delay)
    self.duration = duration.map { (0.001...Self.times.upperBound).nearest(to: $0) }
    self.pause = duration == nil ? nil : pause.map(Self.times.nearest)
    self.count = self.pause == nil ? nil : count.map { max($0, 1) }
  }

  /// Decodes a timing, with clamped values.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      delay: try values.decodeIfPresent(Double.self, forKey: .delay) ?? 0,
      duration: try values.decodeIfPresent(Double.self, forKey: .duration),
      pause: try values.decodeIfPresent(Double.self, forKey: .pause),
      count: try values.decodeIfPresent(Int.self, forKey: .count))
  }

  private enum CodingKeys: String, CodingKey {
    case delay, duration, pause, count
  }

  /// The seconds until it has sounded for the last time; nil if it does not end.
  public var end: Double? {
    guard let duration else { return nil }
    guard let pause else { return delay + duration }
    return count.map { delay + Double($0) * duration + Double($0 - 1) * pause }
  }
}
