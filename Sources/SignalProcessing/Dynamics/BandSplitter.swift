// SPDX-License-Identifier: Apache-2.0

/// Splits a signal into four bands that add up to an all-passed version of it, level at every
/// frequency.
///
/// Linkwitz-Riley crossovers of fourth order (Linkwitz, "Active Crossover Networks for
/// Noncoincident Drivers", 1976) in a tree, the middle one first. Each half then passes the
/// all-pass filter to which the other half's crossover adds up, so that all four bands have the
/// same phase. The filters are trapezoidal state-variable filters (Zavalishin, "The Art of VA
/// Filter Design") in double precision, which can be tuned while they run.
///
/// Two channels are processed together. The owner frees the memory with `deallocate`.
public struct BandSplitter: BitwiseCopyable, @unchecked Sendable {
  /// The state of one filter for two channels.
  private struct Filter: BitwiseCopyable {
    var first = SIMD2<Double>.zero
    var second = SIMD2<Double>.zero

    /// The band-pass and low-pass output for the next sample.
    @inline(__always) @_noLocks
    mutating func step(_ input: SIMD2<Double>, _ tuning: Tuning) -> (
      band: SIMD2<Double>, low: SIMD2<Double>
    ) {
      let rest = input - second
      let band = first * tuning.a1 + rest * tuning.a2
      let low = second + (first * tuning.a2 + rest * tuning.a3)
      first = band * 2 - first
      second = low * 2 - second
      return (band, low)
    }
  }

  /// The filter coefficients for a cut-off frequency; the damping is Butterworth's.
  private struct Tuning: BitwiseCopyable {
    var a1 = 0.0
    var a2 = 0.0
    var a3 = 0.0

    static var damping: Double { @_noLocks get { 1.414_213_562_373_095_1 } }

    /// Computes them for the gain of the integrators: the tangent of half the angular frequency.
    @_noLocks @inline(__always)
    init(_ g: Double) {
      a1 = 1 / (1 + g * (g + Self.damping))
      a2 = g * a1
      a3 = g * a2
    }
  }

  /// A crossover: the low half is filtered twice; the high half is the all-pass minus the low half.
  private struct Crossover: BitwiseCopyable {
    var one = Filter()
    var two = Filter()

    @inline(__always) @_noLocks
    mutating func step(_ input: SIMD2<Double>, _ tuning: Tuning) -> (
      low: SIMD2<Double>, high: SIMD2<Double>
    ) {
      let first = one.step(input, tuning)
      let low = two.step(first.low, tuning).low
      return (low, input - first.band * (2 * Tuning.damping) - low)
    }
  }

  /// The filters of two channels.
  private struct Pair: BitwiseCopyable {
    var middle = Crossover()
    var low = Crossover()
    var high = Crossover()
    var lowAllPass = Filter()
    var highAllPass = Filter()
  }

  private let pairs: UnsafeMutablePointer<Pair>
  private let pairCount: Int
  private let sampleRate: Double
  private var frequencies: SettingsRamp
  private var low: Tuning
  private var middle: Tuning
  private var high: Tuning
  /// The integrators' gains of the low, middle and high crossover at the next frame, and their
  /// change per frame.
  private var gains = SIMD4<Double>.zero
  private var gainSteps = SIMD4<Double>.zero
  private var isFresh = true
  /// Frames over which the movement of the filters is approximated as linear.
  private static var stride: Int { @_noLocks get { 16 } }
  /// Frames until the next update.
  private var untilTuned = 0

  /// [control thread]
  public init(sampleRate: Double, channelCount: Int) {
    self.sampleRate = sampleRate
    pairCount = (channelCount + 1) / 2
    pairs = .allocate(capacity: pairCount)
    frequencies = SettingsRamp(frames: max(1, Int(sampleRate * 0.02) / Self.stride) * Self.stride)
    low = Tuning(0.1)
    middle = low
    high = low
    reset()
  }

  /// [control thread] Frees the memory; nothing may use the splitter afterwards.
  public func deallocate() { pairs.deallocate() }

  /// Clears the signal history; the next frequencies apply immediately, without a ramp.
  /// [any thread]
  @_noLocks
  public mutating func reset() {
    pairs.initialize(repeating: Pair(), count: pairCount)
    frequencies.reset()
    isFresh = true
    untilTuned = 0
  }

  /// Sets the crossover frequencies in hertz; they move within 20 ms, linearly in octaves.
  /// [any thread]
  @_noLocks
  public mutating func set(_ low: Float, _ middle: Float, _ high: Float) {
    let highest = Float(sampleRate * 0.49)
    var values = SIMD16<Float>.zero
    values[0] = Elementary.log2(min(low, highest))
    values[1] = Elementary.log2(min(middle, highest))
    values[2] = Elementary.log2(min(high, highest))
    let wasConstant = frequencies.isConstant
    frequencies.move(to: values)
    if isFresh {
      tune()
      isFresh = false
    } else if wasConstant {
      untilTuned = 0
    }
  }

  @_noLocks
  private mutating func tune() {
    gains = gains(frequencies)
    (low, middle, high) = (Tuning(gains[0]), Tuning(gains[1]), Tuning(gains[2]))
    gainSteps = .zero
    guard !frequencies.isConstant else { return }
    var later = frequencies
    later.advance(by: Self.stride)
    gainSteps = (gains(later) - gains) / Double(Self.stride)
  }

  /// The integrators' gains for the next frame of the settings.
  @_noLocks
  private func gains(_ settings: SettingsRamp) -> SIMD4<Double> {
    var gains = SIMD4<Double>.zero
    let octaves = settings.values
    for index in 0..<3 {
      let cycles = Double(Elementary.exp2(octaves[index])) / sampleRate
      gains[index] = Elementary.tangent(halfTurns: cycles)
    }
    return gains
  }

  /// Returns how many of the next `count` frames can be split together. Call `split` for each pair
  /// of channels, then `advance`. [any thread]
  @_noLocks
  public mutating func run(of count: Int) -> Int {
    if frequencies.isConstant, untilTuned == 0 { return count }
    if untilTuned == 0 {
      tune()
      untilTuned = Self.stride
    }
    return min(count, untilTuned)
  }

  /// Moves on by the frames that `run(of:)` returned. [any thread]
  @_noLocks
  public mutating func advance(by count: Int) {
    guard untilTuned > 0 else { return }
    untilTuned -= count
    gains += gainSteps * Double(count)
    frequencies.advance(by: count)
    if untilTuned == 0, frequencies.isConstant { tune() }
  }

  /// Splits two channels (or the same one twice) into four bands. `bands` receives those of the
  /// first channel; those of the second follow at `distance` samples. [any thread]
  @_noLocks
  public func split(
    _ one: UnsafePointer<Float>, _ other: UnsafePointer<Float>, count: Int, pair index: Int,
    into bands: (
      UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>,
      UnsafeMutablePointer<Float>
    ), otherAt distance: Int
  ) {
    var pair = pairs[index]
    var (low, middle, high) = (self.low, self.middle, self.high)
    let isMoving = gainSteps != .zero
    let allPassGain = 2 * Tuning.damping
    for frame in 0..<count {
      if isMoving {
        let gains = gains + gainSteps * Double(frame)
        (low, middle, high) = (Tuning(gains[0]), Tuning(gains[1]), Tuning(gains[2]))
      }
      let input = SIMD2(Double(one[frame]), Double(other[frame]))
      let halves = pair.middle.step(input, middle)
      let lower = halves.low - pair.lowAllPass.step(halves.low, high).band * allPassGain
      let upper = halves.high - pair.highAllPass.step(halves.high, low).band * allPassGain
      let lows = pair.low.step(lower, low)
      let highs = pair.high.step(upper, high)
      bands.0[frame] = Float(lows.low.x)
      bands.1[frame] = Float(lows.high.x)
      bands.2[frame] = Float(highs.low.x)
      bands.3[frame] = Float(highs.high.x)
      bands.0[frame + distance] = Float(lows.low.y)
      bands.1[frame + distance] = Float(lows.high.y)
      bands.2[frame + distance] = Float(highs.low.y)
      bands.3[frame + distance] = Float(highs.high.y)
    }
    pairs[index] = pair
  }
}
