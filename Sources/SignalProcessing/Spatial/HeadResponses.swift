// SPDX-License-Identifier: Apache-2.0

/// The filters of a measured head at one sample rate: for each direction a minimum-phase response of
/// both ears, and the time between them.
///
/// Laid out every 5 degrees around the head and every 10 upwards. Responses without their delays can be
/// mixed without a comb: between those of the grid filters and delays are interpolated. Kistler and
/// Wightman, "A model of head-related transfer functions based on principal components analysis and
/// minimum-phase reconstruction", J. Acoust. Soc. Am. 91 (1992).
///
/// Plain memory that never changes; its owner deallocates it.
public struct HeadResponses: BitwiseCopyable, @unchecked Sendable {
  /// How closely a direction is met.
  public enum Quality: BitwiseCopyable, Sendable {
    /// Half the length, in straight lines between four directions.
    case plain
    /// The whole length, by cubics (Catmull and Rom) through sixteen.
    case fine
  }

  static var columns: Int { @_noLocks get { 72 } }
  static var rows: Int { @_noLocks get { 19 } }

  /// Taps of each ear's filter.
  public let taps: Int
  /// Frames by which the sound of both ears together is late, whatever its direction.
  public let middleDelay: Float
  /// Responses of the grid, row by row from below: the left ear's, then the right one's.
  private let filters: UnsafeMutablePointer<Float>
  /// Frames by which the left ear is later than the middle, and the right one earlier.
  private let delays: UnsafeMutablePointer<Float>
  /// What shortens a filter of the plain quality.
  private let fade: UnsafeMutablePointer<Float>
  private let memory: OwnedMemory

  /// Taps at a sample rate: 2.7 ms, as long as there are not more than 512. [any thread]
  public static func taps(at sampleRate: Double) -> Int {
    min(max(Int((sampleRate / 6_000).rounded(.up)) * 16, 32), 512)
  }

  /// The longest delay of one ear in frames. [any thread]
  public static func longestDelay(at sampleRate: Double) -> Int {
    Int(2 * mostSeconds * sampleRate) + 1
  }

  /// No ear is further than this from the middle, in seconds.
  static let mostSeconds = 0.0006

  /// Adopts a grid, and the memory that it is in. [control thread]
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

  /// Frees the memory; nothing may use it any more. [control thread]
  public func deallocate() { memory.deallocate() }

  /// The weight of a tap: the last quarter of a filter falls as a cosine does.
  static func tail(_ tap: Int, of taps: Int) -> Double {
    let start = taps - taps / 4
    guard tap >= start else { return 1 }
    return 0.5 + 0.5 * Math.cosine(.pi * (Double(tap - start) + 0.5) / Double(taps - start))
  }

  /// A vector of length 1 to the right, the front and the top; degrees clockwise from the front and
  /// upwards. [any thread]
  public static func place(azimuth: Double, elevation: Double) -> SIMD3<Float> {
    let (turn, height) = (azimuth * .pi / 180, elevation * .pi / 180)
    return SIMD3(
      Float(Math.cosine(height) * Math.sine(turn)), Float(Math.cosine(height) * Math.cosine(turn)),
      Float(Math.sine(height)))
  }

  // MARK: Between the directions of the grid

  /// Where a direction lies among those of the grid, and how much each of its neighbours counts.
  private struct Neighbours: BitwiseCopyable {
    var row: Int
    var column: Int
    var rowWeights: SIMD4<Float>
    var columnWeights: SIMD4<Float>

    @_noLocks
    init(_ place: SIMD3<Float>, _ quality: Quality) {
      let level = Math.squareRoot(place.x * place.x + place.y * place.y)
      let around =
        level > 1e-6 ? Self.angle(sine: place.x.magnitude / level, cosine: place.y / level) : 0
      let azimuth = (place.x < 0 ? 2 * .pi - around : around) * (36 / .pi)
      let elevation = Self.angle(sine: level, cosine: -place.z) * (18 / .pi)
      row = min(Elementary.whole(Double(elevation)), HeadResponses.rows - 2)
      column = min(Elementary.whole(Double(azimuth)), HeadResponses.columns - 1)
      rowWeights = Self.weights(elevation - Float(row), quality)
      columnWeights = Self.weights(azimuth - Float(column), quality)
    }

    /// The angle from 0 to pi by that of both which tells more.
    @_noLocks
    private static func angle(sine: Float, cosine: Float) -> Float {
      guard sine < cosine.magnitude else { return Elementary.arcCosine(cosine) }
      let angle = .pi / 2 - Elementary.arcCosine(sine)
      return cosine > 0 ? angle : .pi - angle
    }

    /// Weights of the points at -1, 0, 1 and 2 for a place between 0 and 1.
    @_noLocks
    private static func weights(_ t: Float, _ quality: Quality) -> SIMD4<Float> {
      guard case .fine = quality else { return SIMD4(0, 1 - t, t, 0) }
      return SIMD4(
        ((2 - t) * t - 1) * t * 0.5, ((3 * t - 5) * t * t + 2) * 0.5,
        ((4 - 3 * t) * t + 1) * t * 0.5, (t - 1) * t * t * 0.5)
    }

    /// The number in the grid of a neighbour, whose row and column are -1 to 2. Beyond a pole the rows
    /// come down on the other side.
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

  /// The filters for a direction, a vector of length 1 to the right, the front and the top: `taps`
  /// numbers each, the last of which belongs to the latest frame. Answers with the delays of both ears
  /// in frames. [render thread]
  @_noLocks
  public func design(
    toward place: SIMD3<Float>, _ quality: Quality, left: UnsafeMutablePointer<Float>,
    right: UnsafeMutablePointer<Float>
  ) -> SIMD2<Float> {
    Samples.clear(left, count: taps)
    Samples.clear(right, count: taps)
    let length = length(quality)
    // The responses begin at the end.
    let (leftEnd, rightEnd) = (left + (taps - length), right + (taps - length))
    let neighbours = Neighbours(place, quality)
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

  /// Taps that are not zero, the latest of all. [any thread]
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
      let place = UnsafeMutableRawPointer(sum + index)
      let taps = UnsafeRawPointer(filter + index).loadUnaligned(as: SIMD8<Float>.self)
      let before = UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
      place.storeBytes(of: before + taps * weight, as: SIMD8<Float>.self)
      index &+= 8
    }
  }
}
