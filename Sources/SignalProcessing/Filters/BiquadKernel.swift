// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loop of filter cascades: each lane of a vector computes one section, one sample behind
/// the section before it.
public enum BiquadKernel {
  /// Maximum sections of one call on this processor.
  public static var capacity: Int {
    @_noLocks get {
      #if arch(x86_64) && os(Linux)
        kernel_biquad_generation() == 1 ? 10 : Int(BIQUAD_LANES)
      #else
        Int(BIQUAD_LANES)
      #endif
    }
  }

  /// Runs `count` samples of one channel or of two through sections, in place. [any thread]
  @_noLocks
  static func run(
    _ left: UnsafeMutablePointer<Double>, _ right: UnsafeMutablePointer<Double>, count: Int,
    _ lanes: UnsafeMutablePointer<BiquadLanes>, sections: Int
  ) {
    #if arch(x86_64) && os(Linux)
      kernel_biquads(left, right, count, lanes, sections, kernel_biquad_generation())
    #else
      runReference(left, right, count: count, lanes, sections: sections)
    #endif
  }

  /// Same result as `run`, bit for bit, without the C kernels. [any thread]
  @_noLocks
  static func runReference(
    _ left: UnsafeMutablePointer<Double>, _ right: UnsafeMutablePointer<Double>, count: Int,
    _ lanes: UnsafeMutablePointer<BiquadLanes>, sections: Int
  ) {
    for section in 0..<sections {
      let form = lanes.form(section)
      var state = lanes.state(section, channel: 0)
      for index in 0..<count { left[index] = form.process(left[index], &state) }
      lanes.setState(section, channel: 0, state)
      guard right != left else { continue }
      state = lanes.state(section, channel: 1)
      for index in 0..<count { right[index] = form.process(right[index], &state) }
      lanes.setState(section, channel: 1, state)
    }
  }
}

/// The state of a section, in the transposed direct form II.
struct BiquadState: BitwiseCopyable, Equatable {
  var s1: Double
  var s2: Double

  @_noLocks
  init(s1: Double = 0, s2: Double = 0) {
    self.s1 = s1
    self.s2 = s2
  }

}

/// The coefficients of a section that does not change: the transposed direct form II, rearranged so
/// that its state does not depend on its output.
struct LaneForm: BitwiseCopyable {
  private let b0: Double
  private let c1: Double
  private let c2: Double
  private let a1: Double
  private let a2: Double

  @_noLocks
  init(b0: Double, c1: Double, c2: Double, a1: Double, a2: Double) {
    (self.b0, self.c1, self.c2, self.a1, self.a2) = (b0, c1, c2, a1, a2)
  }

  @inline(__always) @_noLocks
  func process(_ x: Double, _ state: inout BiquadState) -> Double {
    let y = b0 * x + state.s1
    let s1 = (c1 * x + state.s2) - a1 * state.s1
    state.s2 = c2 * x - a2 * state.s1
    state.s1 = s1
    return y
  }
}

/// Access to the lanes by section: C arrays are tuples in Swift.
extension UnsafeMutablePointer where Pointee == BiquadLanes {
  @inline(__always) @_noLocks
  private func row(_ row: Int) -> UnsafeMutablePointer<Double> {
    UnsafeMutableRawPointer(self).assumingMemoryBound(to: Double.self) + row * Int(BIQUAD_LANES)
  }

  /// Makes every lane pass its input unchanged.
  @_noLocks
  func clear() {
    for lane in 0..<Int(BIQUAD_LANES) {
      setBiquad(lane, Biquad(b0: 1, b1: 0, b2: 0, a1: 0, a2: 0))
      setState(lane, channel: 0, BiquadState())
      setState(lane, channel: 1, BiquadState())
    }
  }

  /// The coefficients of a lane.
  @_noLocks
  func form(_ lane: Int) -> LaneForm {
    LaneForm(
      b0: row(0)[lane], c1: row(1)[lane], c2: row(2)[lane], a1: row(3)[lane], a2: row(4)[lane])
  }

  /// Sets the coefficients of a lane.
  @_noLocks
  func setBiquad(_ lane: Int, _ biquad: Biquad) {
    row(0)[lane] = biquad.b0
    row(1)[lane] = biquad.b1 - biquad.a1 * biquad.b0
    row(2)[lane] = biquad.b2 - biquad.a2 * biquad.b0
    row(3)[lane] = biquad.a1
    row(4)[lane] = biquad.a2
  }

  @_noLocks
  func state(_ lane: Int, channel: Int) -> BiquadState {
    BiquadState(s1: row(5 + channel)[lane], s2: row(7 + channel)[lane])
  }

  /// Sets the state of a lane for a channel.
  @_noLocks
  func setState(_ lane: Int, channel: Int, _ state: BiquadState) {
    row(5 + channel)[lane] = state.s1
    row(7 + channel)[lane] = state.s2
  }
}
