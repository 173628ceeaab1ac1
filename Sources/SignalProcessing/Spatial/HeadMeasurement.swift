// SPDX-License-Identifier: Apache-2.0

/// The measured responses of both ears of a head from many directions.
public struct HeadMeasurement: Sendable {
  /// The measurement from one direction.
  public struct Direction: Sendable {
    /// Direction of the source: a vector of length 1 to the right, the front and the top.
    public var vector: SIMD3<Float>
    /// Additional delay of each ear's response in frames: left, right.
    public var delays: SIMD2<Float>

    /// Makes a direction with its delays.
    public init(vector: SIMD3<Float>, delays: SIMD2<Float>) {
      self.vector = vector
      self.delays = delays
    }
  }

  /// Sample rate in Hz.
  public let sampleRate: Double
  /// Samples of each response.
  public let sampleCount: Int
  public let directions: [Direction]
  /// The left ear's response and then the right ear's, for each direction.
  public let responses: [Float]

  /// Makes a measurement; nil if the counts do not match, or a vector does not have length 1.
  /// [any thread]
  public init?(
    sampleRate: Double, sampleCount: Int, directions: [Direction], responses: [Float]
  ) {
    guard sampleRate > 0, sampleCount > 0, !directions.isEmpty,
      responses.count == 2 * sampleCount * directions.count,
      directions.allSatisfy({ abs(($0.vector * $0.vector).sum() - 1) < 1e-3 })
    else { return nil }
    self.sampleRate = sampleRate
    self.sampleCount = sampleCount
    self.directions = directions
    self.responses = responses
  }

  /// The response of one ear, 0 for left and 1 for right, from one direction. [any thread]
  public func response(_ direction: Int, ear: Int) -> ArraySlice<Float> {
    let first = (2 * direction + ear) * sampleCount
    return responses[first..<first + sampleCount]
  }

  /// Index of the measured direction nearest to a vector of length 1. [any thread]
  public func nearest(to vector: SIMD3<Float>) -> Int {
    directions.indices.max {
      (directions[$0].vector * vector).sum() < (directions[$1].vector * vector).sum()
    } ?? 0
  }
}
