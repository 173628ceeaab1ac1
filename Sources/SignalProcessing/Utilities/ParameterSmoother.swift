// SPDX-License-Identifier: Apache-2.0

/// Four settings that a host may ramp or set immediately: a ramp is followed frame by frame; a jump
/// becomes a fade of a few milliseconds.
///
/// The result is the host's value plus a correction, which compensates the jump and fades to zero
/// (`FadeShape`). So a ramp that continues through the smoothing keeps its slope, and the output
/// does not depend on the sizes of the slices. The first values apply immediately.
public struct ParameterSmoother: BitwiseCopyable, Sendable {
  private let length: Int
  /// The period of a cyclic setting, such as a phase; otherwise zero. It takes the shorter
  /// direction.
  private let cycles: SIMD4<Float>
  /// The correction at the start of its fade, and its speed and curvature there, per whole fade.
  private var correction = SIMD4<Float>.zero
  private var speed = SIMD4<Float>.zero
  private var curvature = SIMD4<Float>.zero
  private var remaining = 0
  /// The host's values, their change per frame, and the frames since then. A sum of steps would be
  /// off by rounding errors, which would count as a jump.
  private var start = SIMD4<Float>.zero
  private var inputSteps = SIMD4<Float>.zero
  private var elapsed = 0
  private var isFresh = true

  /// Makes settings whose jumps take `frameCount` frames. [any thread]
  public init(frames frameCount: Int, cycles: SIMD4<Float> = .zero) {
    length = max(1, frameCount)
    self.cycles = cycles
  }

  /// Applies the next values immediately, like the first ones. [any thread]
  @_noLocks
  public mutating func reset() {
    isFresh = true
    remaining = 0
  }

  /// Sets the host's values for the next frame, and their change per frame. [any thread]
  @_noLocks
  public mutating func follow(_ values: SIMD4<Float>, steps: SIMD4<Float>) {
    var jump = input - values
    (start, inputSteps, elapsed) = (values, steps, 0)
    guard !isFresh else { return isFresh = false }
    // Rounding errors of a ramp do not count as a jump.
    let least = SIMD4<Float>(repeating: 1e-6) * (values.magnitudes + 1e-3)
    guard any(jump.magnitudes .> least) else { return }
    // Adding and subtracting this number rounds to an integer.
    let wholeCycles = (jump / cycles + 0x1.8p23) - 0x1.8p23
    jump.replace(with: jump - wholeCycles * cycles, where: cycles .> 0)
    let now = currentCorrection
    if remaining > 0 {
      let (slope, bend) = (FadeShape(speedAt: part), FadeShape(curvatureAt: part))
      (speed, curvature) = (mix(slope, start: 0), mix(bend, start: 0))
    } else {
      (speed, curvature) = (.zero, .zero)
    }
    correction = jump + now
    remaining = length
  }

  /// The values at the next frame. [any thread]
  public var values: SIMD4<Float> { @_noLocks get { input + currentCorrection } }

  /// Their change per frame, valid for `run(of:)` frames. [any thread]
  public var steps: SIMD4<Float> {
    @_noLocks get { remaining == 0 ? inputSteps : .zero }
  }

  /// How many of the next `count` frames are on one linear ramp: during a fade, one. [any thread]
  @_noLocks
  public func run(of count: Int) -> Int { remaining == 0 ? count : min(count, 1) }

  /// Moves on by at most the frames that `run(of:)` returned. [any thread]
  @_noLocks
  public mutating func advance(by frameCount: Int) {
    elapsed += frameCount
    remaining = max(remaining - frameCount, 0)
  }

  /// The host's values at the next frame.
  private var input: SIMD4<Float> {
    @_noLocks @inline(__always) get { start + inputSteps * Float(elapsed) }
  }

  private var currentCorrection: SIMD4<Float> {
    @_noLocks @inline(__always)
    get { remaining == 0 ? .zero : mix(FadeShape(at: part), start: 1) }
  }

  /// How much of the fade is over, from 0 to 1.
  private var part: Float {
    @_noLocks @inline(__always) get { Float(length - remaining) / Float(length) }
  }

  /// The correction on its way to zero; with `start` of 0, its speed or curvature.
  @_noLocks @inline(__always)
  private func mix(_ shape: FadeShape, start: Float) -> SIMD4<Float> {
    correction * (start - shape.target) + speed * shape.speed + curvature * shape.curvature
  }
}

extension SIMD4<Float> {
  fileprivate var magnitudes: Self {
    @_noLocks @inline(__always) get { replacing(with: 0 - self, where: self .< 0) }
  }
}
