// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Converts planar Float32 channels from one sample rate to another, for any pair of rates.
///
/// A sinc plus some cosines under a window, with as many phases as the ratio has, or interpolated
/// between phases if the ratio has too many. If the rate falls to half or less, half-band filters
/// come first. Counts are exact: `inputFramesNeeded(for:)` returns the input for a number of output
/// frames, and `process` then writes exactly those. The output depends neither on the sizes of the
/// slices nor on the processor, and each frame costs the same.
///
/// Smith, "Digital audio resampling home page" (2002), describes the method. Here successive
/// outputs share a window, which is read once for all of them.
public struct SampleRateConverter: ~Copyable {
  public typealias Quality = ConversionQuality
  public typealias Phase = ConversionPhase

  /// Input and output sample rates in Hz.
  public let inputRate: Double
  public let outputRate: Double
  public let channelCount: Int
  public let quality: Quality
  public let phase: Phase
  /// Whether `ratioAdjustment` can be set.
  public let isAdjustable: Bool

  /// Whether the output equals the input.
  let isIdentity: Bool
  let shape: FilterShape
  /// Keeps the memory of the pointers below alive.
  private let table: FilterTable?
  let coefficients: UnsafePointer<Float>?
  /// The largest coefficients of interpolated rows, if they are summed in double precision.
  let innerCoefficients: UnsafePointer<Double>?
  /// Whether the history is stored in double precision too.
  let readsFineInput: Bool
  let groups: UnsafePointer<ResamplingRows>?
  let groupOffsets: UnsafePointer<Int32>?
  /// Frames from the window of the first row to that of each; nil for interpolated rows. They
  /// repeat after `rowPeriod` frames.
  let rowStarts: UnsafePointer<Int32>?
  let rowPeriod: Int
  /// Delay of all stages in input frames, and of the last stage in its own input frames.
  private let delay: Double
  private let tableDelay: Double
  let halvers: UnsafeMutablePointer<RateHalver>
  let halverCount: Int
  /// Frames that each halver writes in a pass, and its output for one channel.
  let halved: UnsafeMutablePointer<Int>
  let scratch: UnsafeMutablePointer<Float>
  let scratchFrames: Int
  let outputsPerPass: Int
  let capacity: Int
  /// The latest input of each channel after the halvers, `capacity` frames apart; `fine` is the
  /// same in double precision if the table has inner vectors. The window of the next output's group
  /// begins at `start`.
  let history: UnsafeMutablePointer<Float>
  let fine: UnsafeMutablePointer<Double>
  var start = 0
  var bufferedFrames: Int
  /// The position of the next output for interpolated rows, otherwise of the first output.
  var position: ResamplingPosition
  /// The row of the next output, and the offset of its window within that of its group.
  var row = 0
  var groupOffset = 0
  private var adjustment = 0.0
  private let memory = OwnedMemory()
  /// The row of the first output if it is not at an input frame, and the whole frames before it.
  private let firstRow: Int
  private let skipped: Int
  /// Position of the first output after the first input frame, as a fraction of an input frame.
  public let initialPhase: Double

  /// Makes a converter. [control thread]
  ///
  /// - Parameters:
  ///   - inputRate: Rate of the input in Hz, above zero.
  ///   - outputRate: Rate of the output in Hz, above zero.
  ///   - channelCount: Number of channels.
  ///   - quality: Steepness of the filter, and with it the delay.
  ///   - phase: Whether all frequencies are delayed alike, or each as little as possible.
  ///   - initialPhase: Position of the first output after the first input frame, from 0 to below 1;
  ///     for a ratio of small numbers, rounded to the nearest position that an output can have.
  ///   - isAdjustable: Whether the ratio can be adjusted while running; rows are then interpolated.
  public init(
    inputRate: Double, outputRate: Double, channelCount: Int, quality: Quality = .normal,
    phase: Phase = .linear, initialPhase: Double = 0, isAdjustable: Bool = false
  ) {
    precondition(inputRate > 0 && outputRate > 0, "sample rates are above zero")
    let ratio = inputRate / outputRate
    precondition(ratio < 4_096 && ratio > 1 / 4_096.0, "sample rates are within 1:4096")
    self.inputRate = inputRate
    self.outputRate = outputRate
    self.channelCount = channelCount
    self.quality = quality
    self.phase = phase
    self.isAdjustable = isAdjustable

    let lowerRate = min(inputRate, outputRate)
    let design = ResamplingDesign(quality, lowerRate: lowerRate, phase: phase)
    isIdentity = inputRate == outputRate && !isAdjustable
    let edges =
      isAdjustable ? [] : Self.halvingEdges(from: inputRate, to: outputRate, design)
    halverCount = edges.count
    let rate = inputRate / Double(1 << edges.count)
    precondition(initialPhase >= 0 && initialPhase < 1, "a phase is at least 0 and below 1")
    let offset = isIdentity ? 0 : initialPhase / Double(1 << edges.count)
    var (firstRow, skipped, initial) = (0, 0, offset)
    if !isAdjustable, let exact = Self.exactRatio(rate, outputRate) {
      let (down, up) = (UInt64(exact.input), UInt64(exact.output))
      if let grouped = FilterShape(down: exact.input, up: exact.output, design) {
        shape = grouped
        position = ResamplingPosition(
          numerator: 2 * down, denominator: 2 * up, phase: UInt64(grouped.firstPhase))
        // The output at that position, among those of a whole cycle of the rows.
        let part = min(exact.output - 1, Int((offset * Double(exact.output)).rounded()))
        firstRow = (0..<exact.output).first { $0 * exact.input % exact.output == part } ?? 0
        skipped = firstRow * exact.input / exact.output
        initial = Double(part) / Double(exact.output)
      } else {
        shape = FilterShape(interpolating: rate / outputRate, design)
        position = ResamplingPosition(
          numerator: down, denominator: up, phase: UInt64(offset * Double(up)))
      }
    } else {
      shape = FilterShape(interpolating: rate / outputRate, design)
      position = ResamplingPosition(ratio: rate / outputRate, phase: offset)
    }
    (self.firstRow, self.skipped) = (firstRow, skipped)
    self.initialPhase = initial * Double(1 << edges.count)
    table = isIdentity ? nil : FilterTable.table(for: shape)
    coefficients = table?.coefficients
    innerCoefficients = shape.up == 0 && shape.inner > 0 ? table?.innerCoefficients : nil
    groups = table?.groups
    groupOffsets = table?.groupOffsets
    rowStarts = shape.up > 0 ? table?.rowStarts : nil
    rowPeriod = shape.period

    // The input of a pass stays in the first-level cache; the history is moved to its start now and
    // then. At usual ratios, 512 outputs take one pass.
    let passFrames = max(1_280 >> max(1, edges.count), 16, Int(shape.ratio) + 2)
    outputsPerPass = max(1, Int(Double(passFrames - 1) / shape.ratio))
    capacity = isIdentity ? 0 : 2 * shape.width + passFrames + 2_048
    // Interpolated rows read halved input in double precision, because it was rounded once more.
    let isFine = shape.inner > 0 && (shape.up > 0 || edges.count > 0)
    readsFineInput = isFine
    history = memory.array(channelCount * capacity, of: 0)
    fine = memory.array(isFine ? channelCount * capacity : 0, of: 0)
    halvers = memory.room(edges.count, for: RateHalver.self)
    halved = memory.array(edges.count, of: 0)
    // Each stage except the last writes to one half of the scratch memory and the next stage to the
    // other. The most that a stage writes in a pass is what the next one reads after priming.
    var stageFrames = passFrames + shape.width
    for (index, edge) in edges.enumerated().reversed() {
      let halver = RateHalver(
        channelCount: channelCount, attenuation: design.attenuation, edge: edge,
        isFine: isFine && index == edges.count - 1, maximumFrames: stageFrames)
      (halvers + index).initialize(to: halver)
      if index > 0 { stageFrames = 2 * stageFrames + halver.delay + 1 }
    }
    scratchFrames = edges.count > 1 ? stageFrames + 8 : 0
    scratch = memory.array(2 * scratchFrames, of: 0)
    bufferedFrames = isIdentity ? 0 : shape.taps - 1
    tableDelay = table?.delay ?? 0
    var delay = tableDelay
    for index in (0..<edges.count).reversed() {
      delay = 2 * delay + Double(halvers[index].delay)
    }
    self.delay = delay
    begin(after: bufferedFrames)
  }

  deinit {
    for index in 0..<halverCount { halvers[index].deallocate() }
    memory.deallocate()
  }

  /// Latency of the output in input frames, rounded up; with minimum phase, that of low
  /// frequencies.
  public var latencyFrames: Int {
    @_noLocks get { Int(delay + 0.999) }
  }

  /// Latency of the output in seconds; with minimum phase, that of low frequencies.
  public var latency: Double {
    @_noLocks get { delay / inputRate }
  }

  /// How much faster than nominal the input is read, in parts per million, -10,000 to 10,000.
  /// [render thread]
  ///
  /// For following a drifting clock; the position moves on without a jump. It applies from the next
  /// output on and changes the result of `inputFramesNeeded(for:)`. Ignored unless `isAdjustable`.
  public var ratioAdjustment: Double {
    @_noLocks get { adjustment }
    @_noLocks set {
      guard isAdjustable, newValue.isFinite else { return }
      adjustment = min(max(newValue, -10_000), 10_000)
      position.set(ratio: inputRate / outputRate * (1 + adjustment * 1e-6))
    }
  }

  /// Input frames that `process` needs for `outputFrames`. [render thread]
  @_noLocks
  public borrowing func inputFramesNeeded(for outputFrames: Int) -> Int {
    guard outputFrames > 0 else { return 0 }
    if isIdentity { return outputFrames }
    var frames = framesToAppend(for: outputFrames)
    if frames <= 0 { return 0 }
    var index = halverCount
    while index > 0 {
      index &-= 1
      frames = halvers[index].inputFramesNeeded(for: frames)
    }
    return frames
  }

  /// Output frames that can be made from `inputFrames` and the history. [render thread]
  @_noLocks
  public borrowing func outputFramesAvailable(from inputFrames: Int) -> Int {
    if isIdentity { return inputFrames }
    var frames = inputFrames
    for index in 0..<halverCount { frames = halvers[index].outputFramesAvailable(from: frames) }
    let position = rowStarts == nil ? position : position.advanced(by: row)
    return position.outputs(within: bufferedFrames + frames - groupOffset - shape.taps)
  }

  /// Frames that must be appended to the history for `outputFrames`.
  @inline(__always) @_noLocks
  borrowing func framesToAppend(for outputFrames: Int) -> Int {
    groupOffset &+ frames(after: outputFrames &- 1) &+ shape.taps &- bufferedFrames
  }

  /// Whole frames from the window of the next output to that of the output `count` later.
  @inline(__always) @_noLocks
  borrowing func frames(after count: Int) -> Int {
    guard let rowStarts else { return position.frames(after: count) }
    let (cycles, row) = wrapped(row &+ count)
    return cycles &* rowPeriod &+ Int(rowStarts[row]) &- Int(rowStarts[self.row])
  }

  /// The number of whole cycles before a row, and its index within the last one.
  @inline(__always) @_noLocks
  borrowing func wrapped(_ row: Int) -> (cycles: Int, row: Int) {
    if row < 2 &* shape.rows {
      // 1 if it is beyond the last row, without an unpredictable branch.
      let cycles = Int(bitPattern: UInt(bitPattern: shape.rows &- 1 &- row) >> 63)
      return (cycles, row &- cycles &* shape.rows)
    }
    guard row >> 32 == 0 else {
      let (cycles, rest) = row.quotientAndRemainder(dividingBy: shape.rows)
      return (cycles, rest)
    }
    // A 32-bit division takes a few cycles.
    let (cycles, rest) = UInt32(truncatingIfNeeded: row).quotientAndRemainder(
      dividingBy: UInt32(truncatingIfNeeded: shape.rows))
    return (Int(cycles), Int(rest))
  }

  /// Clears the signal history; the adjustment stays. [render thread]
  @_noLocks
  public mutating func reset() {
    if isIdentity { return }
    begin(after: shape.taps - 1)
    for channel in 0..<channelCount {
      Samples.clear(history + channel * capacity, count: bufferedFrames)
      if readsFineInput {
        (fine + channel * capacity).initialize(repeating: 0, count: bufferedFrames)
      }
    }
    // A local copy: the compiler's thread sanitizer treats the whole of `self` as accessed
    // otherwise.
    let halvers = halvers
    for index in 0..<halverCount { halvers[index].reset() }
  }

  /// Continues from the state of a converter that was made with the same parameters, which does not
  /// change. [one thread]
  public mutating func copyState(of other: borrowing SampleRateConverter) {
    precondition(
      capacity == other.capacity && channelCount == other.channelCount, "both are made alike")
    (position, row, groupOffset) = (other.position, other.row, other.groupOffset)
    (start, bufferedFrames, adjustment) = (other.start, other.bufferedFrames, other.adjustment)
    Samples.copy(other.history, to: history, count: channelCount * capacity)
    if readsFineInput { fine.update(from: other.fine, count: channelCount * capacity) }
    let halvers = halvers  // as in `reset`
    for index in 0..<halverCount { halvers[index].copyState(of: other.halvers[index]) }
  }

  /// Clears the signal history, and aligns the next output with the next input frame: the frames
  /// after it that the filter covers are requested first, and nothing is delayed. [render thread]
  ///
  /// With minimum phase, low frequencies are not delayed, to within half an input frame of the last
  /// stage.
  @_noLocks
  public mutating func prime() {
    reset()
    guard !isIdentity else { return }
    begin(after: shape.taps - 1 - Int(tableDelay + 0.5))
    let halvers = halvers  // as in `reset`
    for index in 0..<halverCount { halvers[index].prime() }
  }

  /// Restarts at the first output; `frames` frames of silence precede the window of an output at a
  /// frame.
  @_noLocks
  private mutating func begin(after frames: Int) {
    position.reset()
    (start, row) = (0, firstRow)
    groupOffset = 0
    if let groupOffsets { groupOffset = Int(groupOffsets[firstRow]) }
    let moved = firstRow > 0 ? position.frames(after: firstRow) : 0
    bufferedFrames = max(0, frames + groupOffset - (moved - skipped))
  }

  /// The edge of each half-band filter, as a fraction of half its input rate. There are as many
  /// filters as keep the rate at or above the output's and are not too steep.
  private static func halvingEdges(
    from inputRate: Double, to outputRate: Double, _ design: ResamplingDesign
  ) -> [Double] {
    // A half-band filter cannot have minimum phase.
    guard case .linear = design.phase else { return [] }
    let edge = design.halvingEdge * outputRate / 2
    var edges: [Double] = []
    var rate = inputRate
    while rate / 2 >= outputRate, rate / 2 - 2 * edge > 0.03 * rate {
      edges.append(edge / (rate / 2))
      rate /= 2
    }
    return edges
  }

  /// The rates in lowest terms if both are integers, or become integers when multiplied by a power
  /// of two.
  private static func exactRatio(_ input: Double, _ output: Double) -> (input: Int, output: Int)? {
    var (input, output) = (input, output)
    for _ in 0..<12 where input != input.rounded() || output != output.rounded() {
      (input, output) = (2 * input, 2 * output)
    }
    guard var a = UInt32(exactly: input), var b = UInt32(exactly: output) else { return nil }
    while b != 0 { (a, b) = (b, a % b) }
    return (Int(input) / Int(a), Int(output) / Int(a))
  }
}
