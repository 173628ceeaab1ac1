// SPDX-License-Identifier: Apache-2.0

/// Four settings that a host may ramp, and may also set at once: a ramp is followed frame by frame, a
/// jump becomes a straight line of some milliseconds.
///
/// What is passed on is the given value and a rest, which makes up for the jump and goes to zero. Hence
/// a ramp that continues through the smoothing keeps its slope, and the sound does not depend on how it is
/// cut into slices. The first values are taken at once.
public struct JumpSmoother: BitwiseCopyable, Sendable {
  private let length: Int
  /// Of a setting that comes round, such as a phase: how far; else zero. It goes the shorter way.
  private let cycles: SIMD4<Float>
  /// What the next frame would have had without a jump.
  private var expected = SIMD4<Float>.zero
  /// The rest where its line began.
  private var rest = SIMD4<Float>.zero
  private var remaining = 0
  private var given = SIMD4<Float>.zero
  private var givenSteps = SIMD4<Float>.zero
  private var isFresh = true

  /// Settings whose jumps take `frameCount` frames. [any thread]
  public init(frames frameCount: Int, cycles: SIMD4<Float> = .zero) {
    length = max(1, frameCount)
    self.cycles = cycles
  }

  /// Takes the next values at once, as at first. [any thread]
  @_noLocks
  public mutating func reset() {
    isFresh = true
    remaining = 0
  }

  /// Takes what is given for the next frame, and how much it changes per frame. [any thread]
  @_noLocks
  public mutating func follow(_ values: SIMD4<Float>, steps: SIMD4<Float>) {
    (given, givenSteps) = (values, steps)
    defer { expected = values }
    guard !isFresh else { return isFresh = false }
    var jump = expected - values
    // What rounding leaves of a ramp is no jump.
    let least = SIMD4<Float>(repeating: 1e-6) * (values.magnitudes + 1e-3)
    guard any(jump.magnitudes .> least) else { return }
    // Adding and taking away this number rounds to a whole one.
    let turns = (jump / cycles + 0x1.8p23) - 0x1.8p23
    jump.replace(with: jump - turns * cycles, where: cycles .> 0)
    rest = jump + currentRest
    remaining = length
  }

  /// The values at the next frame. [any thread]
  public var values: SIMD4<Float> { @_noLocks get { given + currentRest } }

  /// Their change per frame, which holds for `run(of:)` frames. [any thread]
  public var steps: SIMD4<Float> {
    @_noLocks get { remaining == 0 ? givenSteps : givenSteps - rest / Float(length) }
  }

  /// How many of the next `count` frames lie on one straight line. [any thread]
  @_noLocks
  public func run(of count: Int) -> Int { remaining == 0 ? count : min(count, remaining) }

  /// Passes frames: at most as many as `run(of:)` said. [any thread]
  @_noLocks
  public mutating func advance(by frameCount: Int) {
    given += givenSteps * Float(frameCount)
    expected = given
    remaining = max(remaining - frameCount, 0)
  }

  private var currentRest: SIMD4<Float> {
    @_noLocks @inline(__always)
    get { remaining == 0 ? .zero : rest * (Float(remaining) / Float(length)) }
  }
}

extension SIMD4<Float> {
  fileprivate var magnitudes: Self {
    @_noLocks @inline(__always) get { replacing(with: 0 - self, where: self .< 0) }
  }
}
