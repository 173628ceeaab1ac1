// SPDX-License-Identifier: Apache-2.0

import CKernels

/// The place of the next output between the input frames, in whole numbers.
///
/// A fraction of a frame is counted in parts of `modulus`. Where both rates are whole numbers, the
/// modulus is theirs and the walk is exact for ever; else it is 2^56, and an hour at 384 kHz is
/// true to 1e-8 of a frame.
struct ResamplingPosition {
  static var fineModulus: UInt64 {
    @_noLocks get { 1 << 56 }
  }

  /// Parts of a frame past the start of the next window; below `modulus`.
  private(set) var phase: UInt64
  private let firstPhase: UInt64
  let modulus: UInt64
  /// Step per output: whole input frames, and parts.
  private(set) var whole: UInt64
  private(set) var part: UInt64

  /// Steps by exactly `numerator / denominator` input frames, from `phase / denominator` of one on.
  init(numerator: UInt64, denominator: UInt64, phase: UInt64 = 0) {
    self.phase = phase
    firstPhase = phase
    modulus = denominator
    (whole, part) = numerator.quotientAndRemainder(dividingBy: denominator)
  }

  /// Steps by `ratio` input frames, to 2^-56 of a frame, from `phase`, a share of one, on.
  init(ratio: Double, phase: Double = 0) {
    self.phase = UInt64(phase * Double(Self.fineModulus))
    firstPhase = self.phase
    modulus = Self.fineModulus
    whole = 0
    part = 0
    set(ratio: ratio)
  }

  /// Changes the step to `ratio`, at most 2^31 times more or less than 1; for a position with the fine
  /// modulus.
  @_noLocks
  mutating func set(ratio newRatio: Double) {
    let ratio = newRatio > 0x1p-31 ? min(newRatio, 0x1p31) : 0x1p-31
    whole = UInt64(ratio)
    part = UInt64((ratio - Double(whole)) * Double(Self.fineModulus))
  }

  /// The walk of the next outputs, for a kernel.
  var walk: ResamplingWalk {
    @_noLocks get {
      ResamplingWalk(phase: phase, whole: whole, part: part, modulus: modulus, steps: nil)
    }
  }

  /// Whole frames from the window of the next output to that of the one `count` outputs later.
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

  /// Moves on by `count` outputs, and returns by how many whole frames their windows moved.
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

  /// The place of the output that comes `count` outputs later.
  @_noLocks
  func moved(by count: Int) -> Self {
    var place = self
    place.advance(by: count)
    return place
  }

  /// Moves on by outputs with steps of their own, in parts of the fine modulus, and returns by how many
  /// whole frames their windows moved.
  @_noLocks
  mutating func pass(_ steps: UnsafePointer<UInt64>, count: Int) -> Int {
    var frames = 0
    for index in 0..<count {
      phase += steps[index]
      frames += Int(phase >> 56)
      phase &= Self.fineModulus - 1
    }
    return frames
  }

  /// Largest count of outputs whose last window lies at most `frames` after the next one's.
  @_noLocks
  func outputs(within frames: Int) -> Int {
    guard frames >= 0 else { return 0 }
    // By halving: the counts are small and the exact quotient would need 128 bits.
    var fits = 0
    var tooMany = Int((Double(frames) + 2) / (Double(whole) + Double(part) / Double(modulus))) + 2
    while tooMany - fits > 1 {
      let middle = (fits + tooMany) / 2
      if self.frames(after: middle) <= frames { fits = middle } else { tooMany = middle }
    }
    return fits + 1
  }

  /// Returns to where it began.
  @_noLocks
  mutating func reset() { phase = firstPhase }
}
