// SPDX-License-Identifier: Apache-2.0

/// Corrections that turn an abrupt step or corner into a band-limited one.
///
/// The tables hold the difference between the ideal edge and the same edge through a linear-phase
/// low-pass filter (a sinc windowed after Kaiser): add it around the edge and aliases are gone.
/// Brandt, "Hard sync without aliasing" (2001), describes the step; Esqueda, Välimäki and Bilbao,
/// "Aliasing reduction in clipped signals" (2016), of the corner.
///
/// Sums are taken over all edges in reach, before and after the present frame, as they lie at the
/// present frequency. The result is a function of phase and frequency alone: no latency, no
/// history, nothing that could click when the frequency moves.
struct BandLimitedEdges: @unchecked Sendable {
  /// Frames on either side of an edge that it reaches.
  static let reach = 40
  static let divisions = 256
  // The filter is flat to 0.9 of half the sample rate and shut at half the sample rate.
  static let cutoff = 0.94
  static let attenuation = 80.0

  /// The tables, made on first use and never freed. [control thread]
  static let shared = BandLimitedEdges()

  private let steps: UnsafePointer<Float>
  private let corners: UnsafePointer<Float>

  private init() {
    let fine = 4  // integration points per table entry
    let count = Self.reach * Self.divisions
    let spacing = 1 / Double(Self.divisions * fine)
    let window = KaiserWindow(attenuation: Self.attenuation)
    func impulse(_ index: Int) -> Double {
      let time = Double(index) * spacing
      return KaiserWindow.sinc(time * Self.cutoff) * window(time / Double(Self.reach))
    }
    // From the far end inwards: what is still missing of the step, and the area below that.
    let steps = UnsafeMutablePointer<Float>.allocate(capacity: count + 2)
    let corners = UnsafeMutablePointer<Float>.allocate(capacity: count + 2)
    var missing = [Double](repeating: 0, count: count + 2)
    var area = [Double](repeating: 0, count: count + 2)
    var later = impulse(count * fine)
    for entry in (0..<count).reversed() {
      missing[entry] = missing[entry + 1]
      area[entry] = area[entry + 1]
      for index in (entry * fine..<(entry + 1) * fine).reversed() {
        let value = impulse(index)
        let before = missing[entry]
        missing[entry] += (value + later) / 2 * spacing
        area[entry] += (before + missing[entry]) / 2 * spacing
        later = value
      }
    }
    // Half of the step lies before its middle.
    let scale = 0.5 / missing[0]
    for entry in 0..<count + 2 {
      steps[entry] = Float(-missing[entry] * scale)
      corners[entry] = Float(area[entry] * scale)
    }
    self.steps = UnsafePointer(steps)
    self.corners = UnsafePointer(corners)
  }

  /// What to add, per unit of upward step, when such a step happens once a period at phase zero.
  ///
  /// `phase` is in cycles, 0 to 1; `period` in frames.
  @_noLocks
  func steps(phase: Double, period: Double) -> Float {
    sum(steps, from: phase * period, period: period)
      - sum(steps, from: (1 - phase) * period, period: period)
  }

  /// What to add, per unit of slope gained (per frame), when such a corner comes once a period.
  @_noLocks
  func corners(phase: Double, period: Double) -> Float {
    sum(corners, from: phase * period, period: period)
      + sum(corners, from: (1 - phase) * period, period: period)
  }

  @inline(__always) @_noLocks
  private func sum(_ table: UnsafePointer<Float>, from distance: Double, period: Double) -> Float {
    let end = Double(Self.reach * Self.divisions)
    // A period of less than two frames has no meaning; of the sum nothing but its end is asked.
    let spacing = max(period, 1) * Double(Self.divisions)
    var place = max(distance, 0) * Double(Self.divisions)
    var sum: Float = 0
    while place < end {
      let index = Int(place)
      let fraction = Float(place - Double(index))
      sum += table[index] + fraction * (table[index + 1] - table[index])
      place += spacing
    }
    return sum
  }
}
