// SPDX-License-Identifier: Apache-2.0

/// Corrections that turn an abrupt step or corner into a band-limited one.
///
/// The tables hold the difference between an ideal edge and the same edge after a linear-phase
/// low-pass filter (a sinc with a Kaiser window). Adding it around an edge removes the aliases.
/// Brandt, "Hard sync without aliasing" (2001), describes the step; Esqueda, Välimäki and Bilbao,
/// "Aliasing reduction in clipped signals" (2016), the corner.
///
/// The filter is short, so it attenuates a partial just above half the sample rate by only 72 dB:
/// that partial is subtracted. Waves with periods so short that only their fundamental remains are
/// computed from it.
///
/// The sums include all edges within reach, before and after the current frame, at their positions
/// for the current frequency. The result is a function of phase and frequency alone: no latency and
/// no history, so that a frequency change cannot click.
struct BandLimitedEdges: @unchecked Sendable {
  /// Frames that the correction reaches on either side of an edge.
  static var reach: Int { @_noLocks get { 40 } }
  static let divisions = 256
  // The filter is flat up to 0.88 of half the sample rate and stops at half the sample rate.
  static let cutoff = 0.94
  static let attenuation = 80.0

  /// The tables, made on first use and never freed. [control thread]
  static let shared = BandLimitedEdges()

  /// Below this period, in frames, only the fundamental is below half the sample rate, and the filter
  /// attenuates it.
  private static var shortestPeriod: Double { @_noLocks get { 2.25 } }
  /// From this period on, partials at half the sample rate are weak enough.
  private static var longestPeriod: Double { @_noLocks get { 32 } }

  private let steps: UnsafePointer<Float>
  private let corners: UnsafePointer<Float>
  private let response: EdgeResponse

  private init() {
    let fine = 4  // integration points per table entry
    let count = Self.reach * Self.divisions
    let spacing = 1 / Double(Self.divisions * fine)
    let window = KaiserWindow(attenuation: Self.attenuation)
    func impulse(_ index: Int) -> Double {
      let time = Double(index) * spacing
      return KaiserWindow.sinc(time * Self.cutoff) * window(time / Double(Self.reach))
    }
    // From the far end inwards: the missing part of the step, and the area under it.
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
    // Half of the step precedes its middle.
    let scale = 0.5 / missing[0]
    for entry in 0..<count + 2 {
      steps[entry] = Float(-missing[entry] * scale)
      corners[entry] = Float(area[entry] * scale)
    }
    self.steps = UnsafePointer(steps)
    self.corners = UnsafePointer(corners)
    response = EdgeResponse(
      reach: Self.reach, impulse: { impulse($0 * Self.divisions * fine / 32) })
  }

  /// The correction per unit of upward step, for one such step per period at phase zero.
  ///
  /// `phase` is in cycles, 0 to 1; `period` in frames; `isNearEdge` is that of the period.
  @_noLocks
  @inline(__always)
  func steps(phase: Double, period: Double, isNearEdge: Bool) -> Float {
    isNearEdge ? edgeSteps(phase, period) : farSteps(phase, period)
  }

  /// The correction per unit of slope increase (per frame), for one such corner per period.
  @_noLocks @inline(__always)
  func corners(phase: Double, period: Double, isNearEdge: Bool) -> Float {
    isNearEdge ? edgeCorners(phase, period) : farCorners(phase, period)
  }

  /// Whether the filter attenuates the fundamental, or passes a partial above half the sample rate.
  @_noLocks @inline(__always)
  static func isNearEdge(_ period: Double) -> Bool {
    period < longestPeriod
      && (period < shortestPeriod || 2 * highPartial(period) < EdgeResponse.end * period)
  }

  /// The lowest partial above half the sample rate.
  @_noLocks @inline(__always)
  private static func highPartial(_ period: Double) -> Double { Double(Int(period * 0.5) + 1) }

  @_noLocks @inline(__always)
  private func farSteps(_ phase: Double, _ period: Double) -> Float {
    sum(steps, from: phase * period, period: period)
      - sum(steps, from: (1 - phase) * period, period: period)
  }

  @_noLocks @inline(__always)
  private func farCorners(_ phase: Double, _ period: Double) -> Float {
    sum(corners, from: phase * period, period: period)
      + sum(corners, from: (1 - phase) * period, period: period)
  }

  @_noLocks @inline(never)
  private func edgeSteps(_ phase: Double, _ period: Double) -> Float {
    period < Self.shortestPeriod
      ? Float(response.sine(1, phase, period) - (0.5 - phase))
      : farSteps(phase, period) - Float(response.sine(Self.highPartial(period), phase, period))
  }

  @_noLocks @inline(never)
  private func edgeCorners(_ phase: Double, _ period: Double) -> Float {
    period < Self.shortestPeriod
      ? Float(
        response.cosine(1, phase, period) - period * (phase * (1 - phase) / 2 - 1.0 / 12))
      : farCorners(phase, period) - Float(response.cosine(Self.highPartial(period), phase, period))
  }

  @inline(__always) @_noLocks
  private func sum(_ table: UnsafePointer<Float>, from distance: Double, period: Double) -> Float {
    let end = Double(Self.reach * Self.divisions)
    // A period below two frames has no meaning; the loop only has to end.
    let spacing = max(period, 1) * Double(Self.divisions)
    var position = max(distance, 0) * Double(Self.divisions)
    var sum: Float = 0
    while position < end {
      let index = Int(position)
      let fraction = Float(position - Double(index))
      sum += table[index] + fraction * (table[index + 1] - table[index])
      position += spacing
    }
    return sum
  }
}
