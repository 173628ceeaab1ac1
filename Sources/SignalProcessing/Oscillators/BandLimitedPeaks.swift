// SPDX-License-Identifier: Apache-2.0

/// How far band-limited waves swing, so that they can be brought to a level: beside a jump further than
/// their ideal forms by a tenth of it (Gibbs), by less where high partials are missing.
///
/// Measured once from the waves themselves, for periods in steps of a 32nd of a frame, from 4 frames on of
/// an eighth and from 16 on of a half. From `longest` on edges of one kind no longer meet.
struct BandLimitedPeaks: @unchecked Sendable {
  /// The tables, made on first use and never freed. [control thread]
  static let shared = BandLimitedPeaks(BandLimitedWaves())

  /// What lies lower than this is not brought to its level: a pulse that has lost most of its partials,
  /// or a tone that fades below half the sample rate, would be little but what is left of its aliases.
  private static let lowest: Float = 0.5
  private static let longest = 2 * BandLimitedEdges.reach
  /// The rows of 4 and of 16 frames.
  private static let turns = (2 * 32, 2 * 32 + 12 * 8)
  private static let periodCount = turns.1 + (longest - 16) * 2 + 2
  /// Steps of a duty, from nothing to a half.
  private static let dutyCount = 128

  private let saws: UnsafePointer<Float>
  private let triangles: UnsafePointer<Float>
  /// By how much a square swings past its upper side, per half of the step: a row for each period.
  private let excesses: UnsafePointer<Float>

  private init(_ waves: BandLimitedWaves) {
    let saws = UnsafeMutablePointer<Float>.allocate(capacity: Self.periodCount)
    let triangles = UnsafeMutablePointer<Float>.allocate(capacity: Self.periodCount)
    let rowLength = Self.dutyCount + 2
    let excesses = UnsafeMutablePointer<Float>.allocate(capacity: Self.periodCount * rowLength)
    for row in 0..<Self.periodCount {
      let period = Self.period(row)
      let edge = Edge(period)
      saws[row] = edge.sawPeak
      triangles[row] = waves.triangle(phase: 0.25, period: period)
      for column in 0..<rowLength {
        let duty = min(Double(column) / Double(2 * Self.dutyCount), 0.5)
        excesses[row * rowLength + column] = edge.excess(width: duty * period)
      }
    }
    self.saws = UnsafePointer(saws)
    self.triangles = UnsafePointer(triangles)
    self.excesses = UnsafePointer(excesses)
  }

  /// What makes an edge that comes once a period band-limited, all around the period.
  private struct Edge {
    /// In frames: crests further from an edge are echoes of the first ones.
    static let reach = 4.0

    let steps: [Float]
    /// Per frame.
    let divisions: Double

    init(_ period: Double) {
      let count = Int((period * 16).rounded())
      divisions = Double(count) / period
      steps = (0...count).map {
        BandLimitedEdges.shared.steps(phase: min(Double($0) / Double(count), 1), period: period)
      }
    }

    /// The highest point of a saw: before it falls.
    var sawPeak: Float {
      let last = steps.count - 1
      return (0...last / 2).map { index in
        1 - 2 * Float(index) / Float(last) - 2 * steps[last - index]
      }.max() ?? 0
    }

    /// By how much a pulse of so many frames swings past its upper side, per half of the step.
    func excess(width: Double) -> Float {
      let last = steps.count - 1
      // From the rise to the middle, where it mirrors.
      let end = Int(min(width / 2, Self.reach) * divisions)
      let shift = width * divisions
      let whole = Int(shift.rounded(.up))
      let fraction = Float(Double(whole) - shift)
      var highest = -Float.infinity
      for index in 0...end {
        // As long after the fall of the period before.
        let place = index - whole + last
        let fall = steps[place] + (steps[min(place + 1, last)] - steps[place]) * fraction
        highest = max(highest, steps[index] - fall)
      }
      return highest
    }
  }

  private static func period(_ row: Int) -> Double {
    if row < turns.0 { return 2 + Double(row) / 32 }
    return row < turns.1 ? 4 + Double(row - turns.0) / 8 : 16 + Double(row - turns.1) / 2
  }

  // MARK: Gains

  /// What a saw of so many frames is multiplied by to swing as far as its ideal form. [any thread]
  @_noLocks
  func sawGain(period: Double) -> Float {
    let peak = Self.lookUp(saws, period)
    // In long periods it has not fallen so far where it is highest, as far from the edge as ever.
    let highest = 1 + 2 * excesses[(Self.periodCount - 2) * (Self.dutyCount + 2) + Self.dutyCount]
    return Self.gain(highest - (highest - peak) * Self.shortening(period))
  }

  /// The same of a triangle. [any thread]
  @_noLocks
  func triangleGain(period: Double) -> Float {
    Self.gain(1 - (1 - Self.lookUp(triangles, period)) * Self.shortening(period))
  }

  /// The same of a square that is high for the share `duty`. [any thread]
  @_noLocks
  func squareGain(period: Double, duty: Double) -> Float {
    // One of a longer upper part is the same upside down.
    let shorter = min(duty, 1 - duty)
    // Beyond the last row a pulse of as many frames.
    let share = min(shorter * max(period / Double(Self.longest), 1), 0.5)
    let (row, rowFraction) = Self.place(period)
    let place = share * Double(2 * Self.dutyCount)
    let column = Int(place)
    let fraction = Float(place - Double(column))
    let first = excesses + (row * (Self.dutyCount + 2) + column)
    let second = first + (Self.dutyCount + 2)
    let one = first[0] + (first[1] - first[0]) * fraction
    let other = second[0] + (second[1] - second[0]) * fraction
    return Self.gain(1 + (one + (other - one) * rowFraction) / Float(1 - shorter))
  }

  @_noLocks @inline(__always)
  private static func gain(_ peak: Float) -> Float { 1 / max(peak, lowest) }

  /// The longest period of the tables as a part of a longer one.
  @_noLocks @inline(__always)
  private static func shortening(_ period: Double) -> Float {
    period > Double(longest) ? Float(Double(longest) / period) : 1
  }

  @_noLocks @inline(__always)
  private static func lookUp(_ table: UnsafePointer<Float>, _ period: Double) -> Float {
    let (row, fraction) = place(period)
    return table[row] + (table[row + 1] - table[row]) * fraction
  }

  /// The row of a period, and how far it lies beyond that.
  @_noLocks @inline(__always)
  private static func place(_ period: Double) -> (row: Int, fraction: Float) {
    let limited = min(max(period, 2), Double(longest))
    let place =
      limited < 4
      ? (limited - 2) * 32
      : limited < 16
        ? (limited - 4) * 8 + Double(turns.0) : (limited - 16) * 2 + Double(turns.1)
    let row = Int(place)
    return (row, Float(place - Double(row)))
  }
}
