// SPDX-License-Identifier: Apache-2.0

/// The rates and pitches of the frames of one slice, both as steps: of the input for each frame, and of the
/// frames before the pitch is moved.
///
/// Each follows from the values at its frame alone. Plain memory for the render thread.
struct StretchMotion: BitwiseCopyable {
  private let rates: UnsafeMutablePointer<UInt64>
  private let pitches: UnsafeMutablePointer<UInt64>
  private let maximumFrames: Int
  private var isSteady = true
  private var rateStep: UInt64 = StretchPlace.step(1)
  private var pitchStep: UInt64 = ResamplingPosition.fineModulus
  private var cents: Float = 0

  /// [control thread]
  init(maximumFrames: Int, in memory: OwnedMemory) {
    self.maximumFrames = maximumFrames
    rates = memory.array(maximumFrames, of: 0)
    pitches = memory.array(maximumFrames, of: 0)
  }

  /// [render thread] A rate of 1 and no pitch.
  @_noLocks
  mutating func hold() { set(0, rate: 1, rateSlope: 0, cents: 0, centsSlope: 0) }

  /// [render thread] Lays out frames of straight lines.
  @_noLocks
  mutating func set(
    _ frames: Int, rate: Float, rateSlope: Float, cents: Float, centsSlope: Float
  ) {
    isSteady = rateSlope == 0 && centsSlope == 0
    if cents != self.cents {
      self.cents = cents
      pitchStep = Self.pitchStep(cents)
    }
    rateStep = Self.rateStep(rate)
    guard !isSteady else { return }
    for frame in 0..<min(frames, maximumFrames) {
      rates[frame] = Self.rateStep(rate + rateSlope * Float(frame))
      pitches[frame] = Self.pitchStep(cents + centsSlope * Float(frame))
    }
  }

  @_noLocks
  private static func rateStep(_ rate: Float) -> UInt64 {
    let range = StretchOptions.rates
    return StretchPlace.step(Double(min(max(rate, range.lowerBound), range.upperBound)))
  }

  @_noLocks
  private static func pitchStep(_ cents: Float) -> UInt64 {
    guard cents != 0 else { return ResamplingPosition.fineModulus }
    let range = StretchOptions.pitches
    let limited = Double(min(max(cents, range.lowerBound), range.upperBound))
    return UInt64(Elementary.exp2(limited / 1200) * Double(ResamplingPosition.fineModulus))
  }

  /// The step of the input at a frame, and that of the pitch in parts of 2^56.
  @_noLocks @inline(__always)
  func rateStep(at frame: Int) -> UInt64 { isSteady ? rateStep : rates[frame] }
  @_noLocks @inline(__always)
  func pitchStep(at frame: Int) -> UInt64 { isSteady ? pitchStep : pitches[frame] }

  @_noLocks
  func rate(at frame: Int) -> Double { Double(rateStep(at: frame)) * 0x1p-40 }
  @_noLocks
  func pitch(at frame: Int) -> Double { Double(pitchStep(at: frame)) * 0x1p-56 }

  /// The one step of the pitch, where it stands still.
  var steadyPitch: UInt64? { @_noLocks get { isSteady ? pitchStep : nil } }
  /// The steps of the pitch, where it does not.
  var movingPitch: UnsafePointer<UInt64> { @_noLocks get { UnsafePointer(pitches) } }

  /// A place of the input after some frames.
  @_noLocks
  func moved(_ place: StretchPlace, from first: Int, count: Int) -> StretchPlace {
    var place = place
    if isSteady {
      place.advance(rateStep, count: count)
    } else {
      for frame in first..<first + count { place.advance(rates[frame]) }
    }
    return place
  }
}
