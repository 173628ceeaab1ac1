// SPDX-License-Identifier: Apache-2.0

/// The motion of a section from one filter to another: a cubic that starts with a given speed and
/// ends at rest, so that a motion can start during another.
struct SectionMotion: BitwiseCopyable {
  private var c0 = FilterSection.Numbers.zero
  private var c1 = FilterSection.Numbers.zero
  private var c2 = FilterSection.Numbers.zero
  private var c3 = FilterSection.Numbers.zero
  /// Whether the motion has not ended.
  var isRunning = false

  @_noLocks
  init() {}

  /// Moves from a filter to another; `speed` is per whole motion.
  @_noLocks
  init(from: FilterSection, speed: FilterSection.Numbers, to: FilterSection) {
    let (start, distance) = (from.numbers, to.numbers - from.numbers)
    c0 = start
    c1 = speed
    c2 = 3 * distance - 2 * speed
    c3 = speed - 2 * distance
    isRunning = true
  }

  /// Moves linearly from a filter to another.
  @_noLocks
  init(straightFrom from: FilterSection, to: FilterSection) {
    c0 = from.numbers
    c1 = to.numbers - from.numbers
    isRunning = true
  }

  /// The filter at a position from 0 to 1.
  @inline(__always) @_noLocks
  func section(at position: Double) -> FilterSection {
    FilterSection(c0 + position * (c1 + position * (c2 + position * c3)))
  }

  /// The speed at a position, per whole motion.
  @_noLocks
  func speed(at position: Double) -> FilterSection.Numbers {
    c1 + position * (2 * c2 + position * (3 * c3))
  }
}

extension FilterSection {
  /// All numbers of a section in one vector.
  typealias Numbers = SIMD8<Double>

  var numbers: Numbers {
    @inline(__always) @_noLocks get { Numbers(pitch, damping, direct, band, low, 0, 0, 0) }
  }

  @inline(__always) @_noLocks
  init(_ numbers: Numbers) {
    // A motion that reverses at speed may overshoot to a negative damping.
    self.init(
      pitch: numbers[0], damping: max(numbers[1], 1e-3), direct: numbers[2], band: numbers[3],
      low: numbers[4])
  }
}

/// A section while it moves: trapezoidal integrators, stable however the coefficients change.
struct StateVariableForm: BitwiseCopyable {
  private let a1: Double
  private let a2: Double
  private let a3: Double
  private let direct: Double
  private let band: Double
  private let low: Double

  @inline(__always) @_noLocks
  init(_ section: FilterSection) {
    let g = Elementary.exp2(section.pitch)
    a1 = 1 / (1 + g * (g + section.damping))
    a2 = g * a1
    a3 = g * a2
    direct = section.direct
    band = section.band
    low = section.low
  }

  /// Processes one sample; the state is that of the two integrators.
  @inline(__always) @_noLocks
  func process(_ x: Double, _ state: inout BiquadState) -> Double {
    let v3 = x - state.s2
    let v1 = a1 * state.s1 + a2 * v3
    let v2 = state.s2 + (a2 * state.s1 + a3 * v3)
    state.s1 = 2 * v1 - state.s1
    state.s2 = 2 * v2 - state.s2
    return direct * x + band * v1 + low * v2
  }

  /// The output of a state in the next two frames with zero input.
  @_noLocks
  private func echo(_ state: BiquadState) -> (first: Double, second: Double) {
    var state = state
    let first = process(0, &state)
    return (first, process(0, &state))
  }

  /// The state of the direct form that gives the same output from here on.
  @_noLocks
  func directState(of state: BiquadState, _ biquad: Biquad) -> BiquadState {
    let echo = echo(state)
    return BiquadState(s1: echo.first, s2: echo.second + biquad.a1 * echo.first)
  }

  /// The state of this form that gives the same output as the direct form from here on.
  @_noLocks
  func state(ofDirect state: BiquadState, _ biquad: Biquad) -> BiquadState {
    let (first, second) = (state.s1, state.s2 - biquad.a1 * state.s1)
    let one = echo(BiquadState(s1: 1, s2: 0))
    let other = echo(BiquadState(s1: 0, s2: 1))
    let determinant = one.first * other.second - other.first * one.second
    // The state of a nearly flat filter cannot be determined, and is inaudible.
    let size = (one.first * other.second).magnitude + (other.first * one.second).magnitude
    guard determinant.magnitude > 1e-13 * size else { return BiquadState() }
    return BiquadState(
      s1: (first * other.second - other.first * second) / determinant,
      s2: (one.first * second - one.second * first) / determinant)
  }
}

/// The motion of a gain, like that of a section.
struct GainMotion: BitwiseCopyable {
  private var target = 1.0
  private var c0 = 1.0
  private var c1 = 0.0
  private var c2 = 0.0
  private var c3 = 0.0
  private var length = 0
  private var elapsed = 0

  @_noLocks
  mutating func set(_ gain: Double, within frames: Int) {
    guard gain != target else { return }
    let (start, speed) = (value(elapsed), slope(elapsed) * Double(frames))
    let distance = gain - start
    (c0, c1, c2, c3) = (start, speed, 3 * distance - 2 * speed, speed - 2 * distance)
    begin(gain, frames)
  }

  /// Moves linearly.
  @_noLocks
  mutating func follow(_ gain: Double, within frames: Int) {
    c0 = value(elapsed)
    (c1, c2, c3) = (gain - c0, 0, 0)
    begin(gain, frames)
  }

  @_noLocks
  private mutating func begin(_ gain: Double, _ frames: Int) {
    target = gain
    length = frames
    elapsed = 0
  }

  /// Ends the motion immediately.
  @_noLocks
  mutating func settle() { begin(target, 0) }

  @_noLocks
  mutating func advance(_ frames: Int) { elapsed = min(elapsed + frames, length) }

  /// Multiplies the next frames by the gain.
  @_noLocks
  func apply(_ samples: UnsafeMutablePointer<Double>, _ frames: Int) {
    if elapsed == length, target == 1 { return }
    let moving = min(length - elapsed, frames)
    for index in 0..<moving { samples[index] *= value(elapsed + index + 1) }
    for index in moving..<frames { samples[index] *= target }
  }

  @_noLocks
  private func value(_ frame: Int) -> Double {
    guard frame < length else { return target }
    let t = Double(frame) / Double(length)
    return c0 + t * (c1 + t * (c2 + t * c3))
  }

  /// Change per frame.
  @_noLocks
  private func slope(_ frame: Int) -> Double {
    guard frame < length else { return 0 }
    let t = Double(frame) / Double(length)
    return (c1 + t * (2 * c2 + t * 3 * c3)) / Double(length)
  }
}
