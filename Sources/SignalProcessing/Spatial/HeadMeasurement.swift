// SPDX-License-Identifier: Apache-2.0

/// The measured responses of both ears of a head from many directions.
public struct HeadMeasurement: Sendable {
  /// The measurement from one direction.
  public struct Direction: Sendable {
    /// Where the source was: a vector of length 1 to the right, the front and the top.
    public var place: SIMD3<Float>
    /// Frames by which each ear's response comes later still: left, right.
    public var delays: SIMD2<Float>

    /// A direction and its delays.
    public init(place: SIMD3<Float>, delays: SIMD2<Float>) {
      self.place = place
      self.delays = delays
    }
  }

  /// In Hz.
  public let sampleRate: Double
  /// Samples of each response.
  public let sampleCount: Int
  public let directions: [Direction]
  /// The left ear's response and then the right one's, for each direction.
  public let responses: [Float]

  /// Takes over a set; nil where its parts do not fit, or a direction is none. [any thread]
  public init?(
    sampleRate: Double, sampleCount: Int, directions: [Direction], responses: [Float]
  ) {
    guard sampleRate > 0, sampleCount > 0, !directions.isEmpty,
      responses.count == 2 * sampleCount * directions.count,
      directions.allSatisfy({ abs(($0.place * $0.place).sum() - 1) < 1e-3 })
    else { return nil }
    self.sampleRate = sampleRate
    self.sampleCount = sampleCount
    self.directions = directions
    self.responses = responses
  }

  /// The response of one ear, 0 the left and 1 the right, from one direction. [any thread]
  public func response(_ direction: Int, ear: Int) -> ArraySlice<Float> {
    let first = (2 * direction + ear) * sampleCount
    return responses[first..<first + sampleCount]
  }

  /// The direction nearest to a vector of length 1. [any thread]
  public func nearest(to place: SIMD3<Float>) -> Int {
    directions.indices.max {
      (directions[$0].place * place).sum() < (directions[$1].place * place).sum()
    } ?? 0
  }

  /// The frame, with its fraction, at which a response first reaches 15 % of its largest magnitude.
  static func onset(_ response: some Collection<Float>) -> Double {
    let peak = response.reduce(0) { max($0, $1.magnitude) }
    let threshold = Double(peak) * 0.15
    var before = 0.0
    for (frame, sample) in response.enumerated() {
      let now = Double(sample.magnitude)
      if now >= threshold, now > 0 {
        return now > before ? Double(frame) - (now - threshold) / (now - before) : Double(frame)
      }
      before = now
    }
    return 0
  }
}
