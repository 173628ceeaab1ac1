// SPDX-License-Identifier: Apache-2.0

/// The peaks of band-limited waves, for correcting their levels. Next to a jump they exceed their
/// ideal forms by a tenth of it (Gibbs), and by less where high partials are missing.
///
/// Measured once from the waves themselves, for periods in steps of a 32nd of a frame, from 4
/// frames on of an eighth and from 16 on of a half. From `longest` on, corrections of one kind of
/// edge no longer overlap.
struct BandLimitedPeaks: @unchecked Sendable {
  /// The tables, made on first use and never freed. [control thread]
  static let shared = BandLimitedPeaks(BandLimitedWaves())

  /// Lower peaks are not corrected. A pulse that has lost most of its partials, or a tone that
  /// fades out below half the sample rate, would consist mostly of residual aliases.
  private static var lowest: Float { @_noLocks get { 0.5 } }
  private static var longest: Int { @_noLocks get { 2 * BandLimitedEdges.reach } }
  /// The rows of the periods 4 and 16.
  private static var rowStarts: (Int, Int) { @_noLocks get { (2 * 32, 2 * 32 + 12 * 8) } }
  private static var periodCount: Int { @_noLocks get { rowStarts.1 + (longest - 16) * 2 + 2 } }
  /// Steps of the duty, from zero to one half.
  private static var dutyCount: Int { @_noLocks get { 128 } }

  private let saws: UnsafePointer<Float>
  private let triangles: UnsafePointer<Float>
  /// The overshoot of a square over its upper level, per half of the step: a row for each period.
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
      triangles[row] = waves.triangle(
        phase: 0.25, period: period, isNearEdge: BandLimitedWaves.isNearEdge(period: period))
      for column in 0..<rowLength {
        let duty = min(Double(column) / Double(2 * Self.dutyCount), 0.5)
        excesses[row * rowLength + column] = edge.excess(width: duty * period)
      }
    }
    self.saws = UnsafePointer(saws)
    self.triangles = UnsafePointer(triangles)
    self.excesses = UnsafePointer(excesses)
  }

  /// The correction of an edge that occurs once per period, over the whole period.
  private struct Edge {
    /// In frames: peaks further from an edge are repetitions of the first ones.
    static let reach = 4.0

    let steps: [Float]
    /// Per frame.
    let divisions: Double

    init(_ period: Double) {
      let count = Int((period * 16).rounded())
      divisions = Double(count) / period
      steps = (0...count).map {
        BandLimitedEdges.shared.steps(
          phase: min(Double($0) / Double(count), 1), period: period,
          isNearEdge: BandLimitedEdges.isNearEdge(period))
      }
    }

    /// The peak of a saw: just before it falls.
    var sawPeak: Float {
      let last = steps.count - 1
      return (0...last / 2).map { index in
        1 - 2 * Float(index) / Float(last) - 2 * steps[last - index]
      }.max() ?? 0
    }

    /// The overshoot of a pulse of `width` frames over its upper level, per half of the step.
    func excess(width: Double) -> Float {
      let last = steps.count - 1
      // From the rise to the middle; the rest mirrors it.
      let end = Int(min(width / 2, Self.reach) * divisions)
      let shift = width * divisions
      let whole = Int(shift.rounded(.up))
      let fraction = Float(Double(whole) - shift)
      var highest = -Float.infinity
      for index in 0...end {
        // The same time after the previous period's fall.
        let position = index - whole + last
        let fall = steps[position] + (steps[min(position + 1, last)] - steps[position]) * fraction
        highest = max(highest, steps[index] - fall)
      }
      return highest
    }
  }

  private static func period(_ row: Int) -> Double {
    if row < rowStarts.0 { return 2 + Double(row) / 32 }
    return row < rowStarts.1
      ? 4 + Double(row - rowStarts.0) / 8 : 16 + Double(row - rowStarts.1) / 2
  }

  // MARK: Gains

  /// The gain at which a saw of this period has the peak of its ideal form. [any thread]
  @_noLocks
  func sawGain(period: Double) -> Float {
    let peak = Self.lookUp(saws, period)
    // In long periods the peak is as far from the edge as ever, so the saw has fallen less there.
    let highest = 1 + 2 * excesses[(Self.periodCount - 2) * (Self.dutyCount + 2) + Self.dutyCount]
    return Self.gain(highest - (highest - peak) * Self.shortening(period))
  }

  /// As `sawGain`, for a triangle. [any thread]
  @_noLocks
  func triangleGain(period: Double) -> Float {
    Self.gain(1 - (1 - Self.lookUp(triangles, period)) * Self.shortening(period))
  }

  /// As `sawGain`, for a square that is high for the share `duty`. [any thread]
  @_noLocks
  func squareGain(period: Double, duty: Double) -> Float {
    // A longer upper part is the same upside down.
    let shorter = min(duty, 1 - duty)
    // Beyond the last row, use a pulse of the same number of frames.
    let share = min(shorter * max(period / Double(Self.longest), 1), 0.5)
    let (row, rowFraction) = Self.rowPosition(period)
    let position = share * Double(2 * Self.dutyCount)
    let column = Int(position)
    let fraction = Float(position - Double(column))
    let first = excesses + (row * (Self.dutyCount + 2) + column)
    let second = first + (Self.dutyCount + 2)
    let one = first[0] + (first[1] - first[0]) * fraction
    let other = second[0] + (second[1] - second[0]) * fraction
    return Self.gain(1 + (one + (other - one) * rowFraction) / Float(1 - shorter))
  }

  @_noLocks @inline(__always)
  private static func gain(_ peak: Float) -> Float { 1 / max(peak, lowest) }

  /// The longest period of the tables as a fraction of a longer period.
  @_noLocks @inline(__always)
  private static func shortening(_ period: Double) -> Float {
    period > Double(longest) ? Float(Double(longest) / period) : 1
  }

  @_noLocks @inline(__always)
  private static func lookUp(_ table: UnsafePointer<Float>, _ period: Double) -> Float {
    let (row, fraction) = rowPosition(period)
    return table[row] + (table[row + 1] - table[row]) * fraction
  }

  /// The row of a period, and the fraction to the next row.
  @_noLocks @inline(__always)
  private static func rowPosition(_ period: Double) -> (row: Int, fraction: Float) {
    let limited = min(max(period, 2), Double(longest))
    let position =
      limited < 4
      ? (limited - 2) * 32
      : limited < 16
        ? (limited - 4) * 8 + Double(rowStarts.0) : (limited - 16) * 2 + Double(rowStarts.1)
    let row = Int(position)
    return (row, Float(position - Double(row)))
  }
}
