// SPDX-License-Identifier: Apache-2.0

/// The rates and pitches of the frames of one slice, as steps per frame: of the input, and of the
/// frames before the pitch shift.
///
/// Each step depends only on the values at its frame. Uses plain memory on the render thread.
struct StretchMotion: BitwiseCopyable {
  private let rates: UnsafeMutablePointer<UInt64>
  private let pitches: UnsafeMutablePointer<UInt64>
  private let maximumFrames: Int
  private var isConstant = true
  private var rateStep: UInt64 = StretchPosition.step(1)
  private var pitchStep: UInt64 = ResamplingPosition.fineModulus
  private var cents: Float = 0

  /// [control thread]
  init(maximumFrames: Int, in memory: OwnedMemory) {
    self.maximumFrames = maximumFrames
    rates = memory.array(maximumFrames, of: 0)
    pitches = memory.array(maximumFrames, of: 0)
  }

  /// [render thread] Sets a rate of 1 and no pitch shift.
  @_noLocks
  mutating func reset() { set(0, rate: 1, rateSlope: 0, cents: 0, centsSlope: 0) }

  /// [render thread] Sets the steps of frames for linear rates and pitches.
  @_noLocks
  mutating func set(
    _ frames: Int, rate: Float, rateSlope: Float, cents: Float, centsSlope: Float
  ) {
    isConstant = rateSlope == 0 && centsSlope == 0
    if cents != self.cents {
      self.cents = cents
      pitchStep = Self.pitchStep(cents)
    }
    rateStep = Self.rateStep(rate)
    guard !isConstant else { return }
    for frame in 0..<min(frames, maximumFrames) {
      rates[frame] = Self.rateStep(rate + rateSlope * Float(frame))
      pitches[frame] = Self.pitchStep(cents + centsSlope * Float(frame))
    }
  }

  @_noLocks
  private static func rateStep(_ rate: Float) -> UInt64 {
    let range = StretchOptions.rates
    return StretchPosition.step(Double(min(max(rate, range.lowerBound), range.upperBound)))
  }

  @_noLocks
  private static func pitchStep(_ cents: Float) -> UInt64 {
    guard cents != 0 else { return ResamplingPosition.fineModulus }
    let range = StretchOptions.pitches
    let limited = Double(min(max(cents, range.lowerBound), range.upperBound))
    return UInt64(Elementary.exp2(limited / 1200) * Double(ResamplingPosition.fineModulus))
  }

  /// The step of the input at a frame, and that of the pitch in units of 2^-56.
  @_noLocks @inline(__always)
  func rateStep(at frame: Int) -> UInt64 { isConstant ? rateStep : rates[frame] }
  @_noLocks @inline(__always)
  func pitchStep(at frame: Int) -> UInt64 { isConstant ? pitchStep : pitches[frame] }

  @_noLocks
  func rate(at frame: Int) -> Double { Double(rateStep(at: frame)) * 0x1p-40 }
  @_noLocks
  func pitch(at frame: Int) -> Double { Double(pitchStep(at: frame)) * 0x1p-56 }

  /// The step of the pitch if it is constant.
  var constantPitch: UInt64? { @_noLocks get { isConstant ? pitchStep : nil } }
  /// The steps of the pitch if it changes.
  var movingPitch: UnsafePointer<UInt64> { @_noLocks get { UnsafePointer(pitches) } }

  /// An input position after some frames.
  @_noLocks
  func advanced(_ position: StretchPosition, from first: Int, count: Int) -> StretchPosition {
    var position = position
    if isConstant {
      position.advance(rateStep, count: count)
    } else {
      for frame in first..<first + count { position.advance(rates[frame]) }
    }
    return position
  }
}
