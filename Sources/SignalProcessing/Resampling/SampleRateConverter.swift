// SPDX-License-Identifier: Apache-2.0

/// Converts planar Float32 channels from one sample rate to another, for any pair of rates.
///
/// A windowed sinc in as many phases as the ratio has, or interpolated between phases where the
/// ratio has too many. Counts are exact: `inputFramesNeeded(for:)` says how much a number of output
/// frames takes, and `process` then makes exactly those. The output does not depend on how it is
/// cut.
///
/// Smith, "Digital audio resampling home page" (2002), describes the method.
public struct SampleRateConverter: ~Copyable {
  /// Input and output sample rates in Hz.
  public let inputRate: Double
  public let outputRate: Double
  public let channelCount: Int
  public let quality: Quality
  /// True when `ratioAdjustment` can be set.
  public let isAdjustable: Bool

  /// Above this size (1 MB), a table with every phase gives way to an interpolated one.
  private static let tableLimit = 1 << 18

  private let table: FilterTable?
  private let coefficients: UnsafePointer<Float>
  private let taps: Int
  private let divisions: Int
  private let interpolates: Bool
  private let capacity: Int
  private let outputsPerPass: Int
  /// The latest input of each channel, `capacity` frames apart; the next window starts at its
  /// start.
  private let history: UnsafeMutablePointer<Float>
  private var held: Int
  private var position: ResamplingPosition
  private var adjustment = 0.0

  /// Makes a converter. [control thread]
  ///
  /// - Parameters:
  ///   - inputRate: Rate of the input in Hz, above zero.
  ///   - outputRate: Rate of the output in Hz, above zero.
  ///   - channelCount: Number of channels.
  ///   - quality: Steepness of the filter, and with it the delay.
  ///   - isAdjustable: Whether the ratio is to be nudged while running; that interpolates always.
  public init(
    inputRate: Double, outputRate: Double, channelCount: Int, quality: Quality = .normal,
    isAdjustable: Bool = false
  ) {
    precondition(inputRate > 0 && outputRate > 0, "sample rates are above zero")
    let ratio = inputRate / outputRate
    precondition(ratio < 4_096 && ratio > 1 / 4_096.0, "sample rates are within 1:4096")
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.quality = quality
    self.isAdjustable = isAdjustable

    let isIdentity = inputRate == outputRate && !isAdjustable
    let filterTaps = FilterTable.taps(ratio: ratio, quality: quality)
    if let exact = Self.exactRatio(inputRate, outputRate), !isAdjustable {
      position = ResamplingPosition(numerator: exact.input, denominator: exact.output)
      interpolates = exact.output > Self.tableLimit / filterTaps
    } else {
      position = ResamplingPosition(ratio: ratio)
      interpolates = true
    }
    if isIdentity {
      table = nil
      coefficients = UnsafePointer(UnsafeMutablePointer<Float>.allocate(capacity: 1))
      taps = 0
      divisions = 1
    } else {
      let phaseCount = interpolates ? nil : Int(position.modulus)
      let key = FilterTable.Key(ratio: ratio, quality: quality, phaseCount: phaseCount)
      let shared = FilterTable.table(for: key)
      table = shared
      coefficients = shared.coefficients
      taps = shared.taps
      divisions = shared.divisions
    }
    let passFrames = max(1_024, taps)
    capacity = taps + passFrames + 8
    outputsPerPass = max(1, passFrames / (Int(ratio) + 2))
    history = .allocate(capacity: max(1, channelCount * capacity))
    history.initialize(repeating: 0, count: max(1, channelCount * capacity))
    held = max(0, taps - 1)
  }

  deinit {
    history.deallocate()
    if table == nil { coefficients.deallocate() }
  }

  /// Delay of the output in input frames: half the length of the filter.
  public var latencyFrames: Int {
    @_noLocks get { taps / 2 }
  }

  /// Delay of the output in seconds.
  public var latency: Double {
    @_noLocks get { Double(taps / 2) / inputRate }
  }

  /// How much faster than nominal the input is read, in parts per million, -10,000 to 10,000.
  /// [render thread]
  ///
  /// For following a clock that drifts; the position moves on without a jump. It takes effect with
  /// the next output and changes what `inputFramesNeeded(for:)` says. Ignored unless
  /// `isAdjustable`.
  public var ratioAdjustment: Double {
    @_noLocks get { adjustment }
    @_noLocks set {
      guard isAdjustable, newValue.isFinite else { return }
      adjustment = min(max(newValue, -10_000), 10_000)
      position.set(ratio: inputRate / outputRate * (1 + adjustment * 1e-6))
    }
  }

  /// Input frames that `process` must be given to make `outputFrames`. [render thread]
  @_noLocks
  public borrowing func inputFramesNeeded(for outputFrames: Int) -> Int {
    guard outputFrames > 0 else { return 0 }
    if taps == 0 { return outputFrames }
    return max(0, position.frames(after: outputFrames - 1) + taps - held)
  }

  /// Output frames that can be made from `inputFrames` and what is held. [render thread]
  @_noLocks
  public borrowing func outputFramesAvailable(from inputFrames: Int) -> Int {
    taps == 0 ? inputFrames : position.outputs(within: held + inputFrames - taps)
  }

  /// Makes exactly `outputFrames`, and returns how many input frames it read. [render thread]
  ///
  /// It reads what `inputFramesNeeded(for:)` says. Of less, silence takes the place of what is
  /// missing; of more, the rest is left to the caller. Input and output do not overlap.
  @discardableResult
  @_noLocks
  public mutating func process(
    input: UnsafePointer<UnsafePointer<Float>>, inputFrames: Int,
    output: UnsafePointer<UnsafeMutablePointer<Float>>, outputFrames: Int
  ) -> Int {
    if taps == 0 {
      return copy(input, inputFrames: inputFrames, to: output, outputFrames: outputFrames)
    }
    var produced = 0
    var consumed = 0
    while produced < outputFrames {
      let count = min(outputsPerPass, outputFrames - produced)
      let needed = inputFramesNeeded(for: count)
      let taken = min(needed, inputFrames - consumed)
      let advance = position.frames(after: count)
      for channel in 0..<channelCount {
        let samples = history + channel * capacity
        Samples.copy(input[channel] + consumed, to: samples + held, count: taken)
        Samples.clear(samples + held + taken, count: needed - taken)
        if interpolates {
          ResamplingKernel.resampleInterpolated(
            into: output[channel] + produced, count: count, from: samples, table: coefficients,
            taps: taps, divisions: divisions, walk: position.walk)
        } else {
          ResamplingKernel.resample(
            into: output[channel] + produced, count: count, from: samples, table: coefficients,
            taps: taps, walk: position.walk)
        }
        Samples.move(samples + advance, to: samples, count: held + needed - advance)
      }
      held += needed - advance
      position.advance(by: count)
      consumed += taken
      produced += count
    }
    return consumed
  }

  /// Forgets the signal; the adjustment stays. [render thread]
  @_noLocks
  public mutating func reset() {
    position.reset()
    held = max(0, taps - 1)
    for channel in 0..<channelCount { Samples.clear(history + channel * capacity, count: held) }
  }

  /// Forgets the signal, and makes the next output that of the next input frame: the frames after it
  /// that the filter reaches are asked for first, and nothing is delayed. [render thread]
  @_noLocks
  public mutating func prime() {
    reset()
    held = max(0, taps / 2 - 1)
  }

  @_noLocks
  private func copy(
    _ input: UnsafePointer<UnsafePointer<Float>>, inputFrames: Int,
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, outputFrames: Int
  ) -> Int {
    let count = min(inputFrames, outputFrames)
    for channel in 0..<channelCount {
      Samples.copy(input[channel], to: output[channel], count: count)
      Samples.clear(output[channel] + count, count: outputFrames - count)
    }
    return count
  }

  /// Rates in lowest terms, where both are whole numbers.
  private static func exactRatio(_ input: Double, _ output: Double) -> (
    input: UInt64, output: UInt64
  )? {
    guard var a = UInt32(exactly: input), var b = UInt32(exactly: output) else { return nil }
    while b != 0 { (a, b) = (b, a % b) }
    return (UInt64(input) / UInt64(a), UInt64(output) / UInt64(a))
  }
}
