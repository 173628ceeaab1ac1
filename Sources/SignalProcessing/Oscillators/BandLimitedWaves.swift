// SPDX-License-Identifier: Apache-2.0

/// Square, triangle and saw without aliases, each a function of phase and frequency alone.
///
/// Their ideal forms range from -1 to 1. Partials keep their true levels, so the samples exceed
/// that where high partials are missing (Gibbs): by 18 % next to a jump, and by 27 % when only the
/// fundamental of a square is left. Triangles never do.
struct BandLimitedWaves: Sendable {
  private let edges: BandLimitedEdges

  /// Uses the shared tables. [control thread]
  init() { edges = .shared }

  /// Whether waves of a period, in frames, have a partial next to half the sample rate: what the
  /// functions below must know.
  @inline(__always) @_noLocks
  static func isNearEdge(period: Double) -> Bool { BandLimitedEdges.isNearEdge(period) }

  /// Saw at a phase of 0 to below 1 cycle; `period` in frames. It falls at half a cycle.
  @inline(__always) @_noLocks
  func saw(phase: Double, period: Double, isNearEdge: Bool) -> Float {
    let sinceFall = phase < 0.5 ? phase + 0.5 : phase - 0.5
    return Float(2 * sinceFall - 1) - 2
      * edges.steps(phase: sinceFall, period: period, isNearEdge: isNearEdge)
  }

  /// Square that is high for the share `duty` of a cycle, above 0 and below 1.
  ///
  /// The mean is zero: the shorter part is at exactly one, the longer part at a lower magnitude.
  @inline(__always) @_noLocks
  func square(phase: Double, period: Double, duty: Double, isNearEdge: Bool) -> Float {
    let sinceFall = phase < duty ? phase - duty + 1 : phase - duty
    let ideal = (phase < duty ? 1 : -1) - (2 * duty - 1)
    let rise = edges.steps(phase: phase, period: period, isNearEdge: isNearEdge)
    let fall = edges.steps(phase: sinceFall, period: period, isNearEdge: isNearEdge)
    return (Float(ideal) + 2 * (rise - fall)) * Float(0.5 / max(duty, 1 - duty))
  }

  /// Triangle: peaks of 1 at a quarter and -1 at three quarters of a cycle.
  @inline(__always) @_noLocks
  func triangle(phase: Double, period: Double, isNearEdge: Bool) -> Float {
    let sinceCrest = phase < 0.25 ? phase + 0.75 : phase - 0.25
    let sinceTrough = phase < 0.75 ? phase + 0.25 : phase - 0.75
    let ideal = sinceCrest < 0.5 ? 1 - 4 * sinceCrest : 4 * sinceCrest - 3
    let correction =
      edges.corners(phase: sinceTrough, period: period, isNearEdge: isNearEdge)
      - edges.corners(phase: sinceCrest, period: period, isNearEdge: isNearEdge)
    return Float(ideal) + Float(8 / period) * correction
  }
}
