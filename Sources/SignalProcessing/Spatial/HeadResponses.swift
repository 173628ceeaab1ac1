// SPDX-License-Identifier: Apache-2.0

/// The filters of a measured head at one sample rate: a minimum-phase response of both ears for
/// each direction, and the time difference between them.
///
/// The grid has a direction every 5 degrees around the head and every 10 degrees of elevation.
/// Responses without their delays can be mixed without comb filtering, so filters and delays are
/// interpolated within the grid. Kistler and Wightman, "A model of head-related transfer functions
/// based on principal components analysis and minimum-phase reconstruction", J. Acoust. Soc. Am. 91
/// (1992).
///
/// Uses plain memory that never changes; the owner deallocates it.
public struct HeadResponses: BitwiseCopyable, @unchecked Sendable {
  /// Precision of the interpolation between directions.
  public enum Quality: BitwiseCopyable, Sendable {
    /// Half the length, interpolated linearly between four directions.
    case plain
    /// The whole length, interpolated by cubics (Catmull and Rom) between sixteen.
    case fine
  }

  static var columns: Int { @_noLocks get { 72 } }
  static var rows: Int { @_noLocks get { 19 } }

  /// Taps of each ear's filter.
  public let taps: Int
  /// Mean delay of both ears in frames, the same for all directions.
  public let middleDelay: Float
  /// Responses of the grid, row by row from below: the left ear's, then the right ear's.
  private let filters: UnsafeMutablePointer<Float>
  /// Frames by which the left ear is later than the mean, and the right ear earlier.
  private let delays: UnsafeMutablePointer<Float>
  /// The fade-out of a filter of plain quality.
  private let fade: UnsafeMutablePointer<Float>
  private let memory: OwnedMemory

  /// Taps at a sample rate: 2.7 ms, but at most 512. [any thread]
  public static func taps(at sampleRate: Double) -> Int {
    min(max(Int((sampleRate / 6_000).rounded(.up)) * 16, 32), 512)
  }

  /// The longest delay of one ear in frames. [any thread]
  public static func longestDelay(at sampleRate: Double) -> Int {
    Int(2 * maximumDelay * sampleRate) + 1
  }

  /// Maximum delay of an ear relative to the mean, in seconds.
  static let maximumDelay = 0.0006

  /// Takes ownership of a grid and its memory. [control thread]
  init(
    filters: UnsafeMutablePointer<Float>, delays: UnsafeMutablePointer<Float>, taps: Int,
    in memory: OwnedMemory
  ) {
    self.memory = memory
    self.taps = taps
    self.filters = filters
    self.delays = delays
    let count = Self.columns * Self.rows
    middleDelay = (0..<count).reduce(0) { max($0, delays[$1].magnitude) }
    fade = memory.array((0..<taps / 2).map { Float(Self.tail($0, of: taps / 2)) })
  }

  /// Frees the memory; nothing may use the responses afterwards. [control thread]
  public func deallocate() { memory.deallocate() }

  /// The weight of a tap: the last quarter of a filter fades out along a cosine.
  static func tail(_ tap: Int, of taps: Int) -> Double {
    let start = taps - taps / 4
    guard tap >= start else { return 1 }
    return 0.5 + 0.5 * Math.cosine(.pi * (Double(tap - start) + 0.5) / Double(taps - start))
  }

  /// The direction of an azimuth (degrees clockwise from the front) and an elevation (degrees): a
  /// vector of length 1 to the right, the front and the top. [any thread]
  public static func direction(azimuth: Double, elevation: Double) -> SIMD3<Float> {
    let (angle, height) = (azimuth * .pi / 180, elevation * .pi / 180)
    return SIMD3(
      Float(Math.cosine(height) * Math.sine(angle)),
      Float(Math.cosine(height) * Math.cosine(angle)),
      Float(Math.sine(height)))
  }

  // MARK: Between the directions of the grid

  /// Position of a direction in the grid, and the weights of its neighbours.
  private struct Neighbours: BitwiseCopyable {
    var row: Int
    var column: Int
    var rowWeights: SIMD4<Float>
    var columnWeights: SIMD4<Float>

    @_noLocks
    init(_ direction: SIMD3<Float>, _ quality: Quality) {
      let level = Math.squareRoot(direction.x * direction.x + direction.y * direction.y)
      let angle =
        level > 1e-6
        ? Self.angle(sine: direction.x.magnitude / level, cosine: direction.y / level) : 0
      let azimuth = (direction.x < 0 ? 2 * .pi - angle : angle) * (36 / .pi)
      let elevation = Self.angle(sine: level, cosine: -direction.z) * (18 / .pi)
      row = min(Elementary.whole(Double(elevation)), HeadResponses.rows - 2)
      column = min(Elementary.whole(Double(azimuth)), HeadResponses.columns - 1)
      rowWeights = Self.weights(elevation - Float(row), quality)
      columnWeights = Self.weights(azimuth - Float(column), quality)
    }

    /// The angle from 0 to pi, from its sine or its cosine, whichever is more precise.
    @_noLocks
    private static func angle(sine: Float, cosine: Float) -> Float {
      guard sine < cosine.magnitude else { return Elementary.arcCosine(cosine) }
      let angle = .pi / 2 - Elementary.arcCosine(sine)
      return cosine > 0 ? angle : .pi - angle
    }

    /// Weights of the points at -1, 0, 1 and 2 for a position between 0 and 1.
    @_noLocks
    private static func weights(_ t: Float, _ quality: Quality) -> SIMD4<Float> {
      guard case .fine = quality else { return SIMD4(0, 1 - t, t, 0) }
      return SIMD4(
        ((2 - t) * t - 1) * t * 0.5, ((3 * t - 5) * t * t + 2) * 0.5,
        ((4 - 3 * t) * t + 1) * t * 0.5, (t - 1) * t * t * 0.5)
    }

    /// Grid index of a neighbour, whose row and column offsets are -1 to 2. Beyond a pole the rows
    /// continue on the opposite side.
    @_noLocks
    func index(_ rowOffset: Int, _ columnOffset: Int) -> Int {
      var row = row + rowOffset
      var column = column + columnOffset
      if row < 0 || row >= HeadResponses.rows {
        row = row < 0 ? -row : 2 * (HeadResponses.rows - 1) - row
        column += HeadResponses.columns / 2
      }
      return row * HeadResponses.columns + (column + HeadResponses.columns) % HeadResponses.columns
    }
  }

  /// Writes the filters for a direction, a vector of length 1 to the right, the front and the top:
  /// `taps` numbers each, the last of which belongs to the latest frame. Returns the delays of both
  /// ears in frames. [render thread]
  @_noLocks
  public func design(
    toward direction: SIMD3<Float>, _ quality: Quality, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) -> SIMD2<Float> {
    Samples.clear(left, count: taps)
    Samples.clear(right, count: taps)
    let length = length(quality)
    // Filters are reversed in time: the responses begin at the end.
    let (leftEnd, rightEnd) = (left + (taps - length), right + (taps - length))
    let neighbours = Neighbours(direction, quality)
    var delay: Float = 0
    for row in 0..<4 where neighbours.rowWeights[row] != 0 {
      for column in 0..<4 where neighbours.columnWeights[column] != 0 {
        let weight = neighbours.rowWeights[row] * neighbours.columnWeights[column]
        let index = neighbours.index(row - 1, column - 1)
        delay += weight * delays[index]
        let filter = filters + 2 * taps * index + (taps - length)
        Self.add(filter, weight, to: leftEnd, length)
        Self.add(filter + taps, weight, to: rightEnd, length)
      }
    }
    if length < taps {
      for tap in 0..<length {
        leftEnd[tap] *= fade[length - 1 - tap]
        rightEnd[tap] *= fade[length - 1 - tap]
      }
    }
    delay = min(max(delay, -middleDelay), middleDelay)
    return SIMD2(middleDelay + delay, middleDelay - delay)
  }

  /// Number of taps that are not zero, the last ones. [any thread]
  @_noLocks
  public func length(_ quality: Quality) -> Int {
    if case .plain = quality { return taps / 2 }
    return taps
  }

  @_noLocks
  private static func add(
    _ filter: UnsafePointer<Float>, _ weight: Float, to sum: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    // Lengths are multiples of eight.
    var index = 0
    while index < count {
      let address = UnsafeMutableRawPointer(sum + index)
      let taps = UnsafeRawPointer(filter + index).loadUnaligned(as: SIMD8<Float>.self)
      let before = UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
      address.storeBytes(of: before + taps * weight, as: SIMD8<Float>.self)
      index &+= 8
    }
  }
}
