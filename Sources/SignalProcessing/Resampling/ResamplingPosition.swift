// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The position of the next output between the input frames, in integers.
///
/// An output is computed from a window of input frames. Fractions of a frame are counted in units
/// of 1 / `modulus`. If both rates are integers, the
/// modulus is derived from them and the position stays exact forever; otherwise it is 2^56, and an
/// hour at 384 kHz is true to 1e-8 of a frame.
struct ResamplingPosition {
  static var fineModulus: UInt64 {
    @_noLocks get { 1 << 56 }
  }

  /// Fraction of a frame after the start of the next window; below `modulus`.
  private(set) var phase: UInt64
  private let firstPhase: UInt64
  let modulus: UInt64
  /// Step per output: whole input frames and the fraction.
  private(set) var whole: UInt64
  private(set) var part: UInt64

  /// Steps by exactly `numerator / denominator` input frames, starting at `phase / denominator` of
  /// a frame.
  init(numerator: UInt64, denominator: UInt64, phase: UInt64 = 0) {
    self.phase = phase
    firstPhase = phase
    modulus = denominator
    (whole, part) = numerator.quotientAndRemainder(dividingBy: denominator)
  }

  /// Steps by `ratio` input frames, rounded to 2^-56 of a frame, starting at the fraction `phase`
  /// of a frame.
  init(ratio: Double, phase: Double = 0) {
    self.phase = UInt64(phase * Double(Self.fineModulus))
    firstPhase = self.phase
    modulus = Self.fineModulus
    whole = 0
    part = 0
    set(ratio: ratio)
  }

  /// Changes the step to `ratio`, within 2^-31 and 2^31. Only for the fine modulus.
  @_noLocks
  mutating func set(ratio newRatio: Double) {
    let ratio = newRatio > 0x1p-31 ? min(newRatio, 0x1p31) : 0x1p-31
    whole = UInt64(ratio)
    part = UInt64((ratio - Double(whole)) * Double(Self.fineModulus))
  }

  /// The steps of the next outputs, for a kernel.
  var walk: ResamplingWalk {
    @_noLocks get {
      ResamplingWalk(phase: phase, whole: whole, part: part, modulus: modulus, steps: nil)
    }
  }

  /// Whole frames from the window of the next output to that of the output `count` later.
  @inline(__always) @_noLocks
  func frames(after count: Int) -> Int {
    let outputs = UInt64(count)
    if (modulus | outputs) >> 31 == 0 {
      return Int(outputs &* whole &+ (outputs &* part &+ phase) / modulus)
    }
    let (high, low) = outputs.multipliedFullWidth(by: part)
    let (sum, overflow) = low.addingReportingOverflow(phase)
    let parts = (high: high &+ (overflow ? 1 : 0), low: sum)
    return Int(outputs * whole + modulus.dividingFullWidth(parts).quotient)
  }

  /// Moves on by `count` outputs; returns the whole frames that their windows move.
  @discardableResult @inline(__always) @_noLocks
  mutating func advance(by count: Int) -> Int {
    let outputs = UInt64(count)
    if (modulus | outputs) >> 31 == 0 {
      let parts = outputs &* part &+ phase
      let frames = parts / modulus
      phase = parts &- frames &* modulus
      return Int(outputs &* whole &+ frames)
    }
    let (high, low) = outputs.multipliedFullWidth(by: part)
    let (sum, overflow) = low.addingReportingOverflow(phase)
    let result = modulus.dividingFullWidth((high &+ (overflow ? 1 : 0), sum))
    phase = result.remainder
    return Int(outputs * whole + result.quotient)
  }

  /// The position `count` outputs later.
  @_noLocks
  func advanced(by count: Int) -> Self {
    var later = self
    later.advance(by: count)
    return later
  }

  /// Moves on by outputs with individual steps, in units of the fine modulus; returns the whole
  /// frames that their windows move.
  @_noLocks
  mutating func advance(bySteps steps: UnsafePointer<UInt64>, count: Int) -> Int {
    var frames = 0
    for index in 0..<count {
      phase += steps[index]
      frames += Int(phase >> 56)
      phase &= Self.fineModulus - 1
    }
    return frames
  }

  /// How many outputs, counted from the next one, have a window that starts at most `frames` frames
  /// after the next output's window.
  @_noLocks
  func outputs(within frames: Int) -> Int {
    guard frames >= 0 else { return 0 }
    // By bisection: the counts are small, and the exact quotient would need 128 bits.
    var fits = 0
    var tooMany = Int((Double(frames) + 2) / (Double(whole) + Double(part) / Double(modulus))) + 2
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      if self.frames(after: middle) <= frames { fits = middle } else { tooMany = middle }
    }
    return fits + 1
  }

  /// Returns to the initial position.
  @_noLocks
  mutating func reset() { phase = firstPhase }
}
