// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The inner loop of filter cascades: each lane of a vector computes one section, one sample behind
/// the section before it.
public enum BiquadKernel {
  /// Maximum sections of one call on this processor.
  public static var capacity: Int {
    @_noLocks get {
      kernel_biquad_generation() == 1 ? 10 : Int(BIQUAD_LANES)
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
