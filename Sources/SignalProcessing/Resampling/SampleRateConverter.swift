// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Converts planar Float32 channels from one sample rate to another, for any pair of rates.
///
/// A sinc and some cosines under a window, in as many phases as the ratio has, or interpolated between phases
/// where the ratio has too many; where the rate falls to half or less, half-band filters come first. Counts are
/// exact: `inputFramesNeeded(for:)` says how much a number of output frames takes, and `process` then
/// makes exactly those. The output does not depend on how it is cut, nor on the processor, and each
/// frame costs the same.
///
/// Smith, "Digital audio resampling home page" (2002), describes the method. Successive outputs share a
/// window here, which is read once for all of them.
public struct SampleRateConverter: ~Copyable {
  public typealias Quality = ConversionQuality
  public typealias Phase = ConversionPhase

  /// Input and output sample rates in Hz.
  public let inputRate: Double
  public let outputRate: Double
  public let channelCount: Int
  public let quality: Quality
  public let phase: Phase
  /// True when `ratioAdjustment` can be set.
  public let isAdjustable: Bool

  /// True where nothing is to be done.
  let isIdentity: Bool
  let shape: FilterShape
  /// Keeps what the pointers beside it point to.
  private let table: FilterTable?
  let coefficients: UnsafePointer<Float>?
  let groups: UnsafePointer<ResamplingRows>?
  let leads: UnsafePointer<Int32>?
  /// Frames from the window of the first row to that of each; nil where rows are interpolated. After `turn`
  /// frames they begin again.
  let places: UnsafePointer<Int32>?
  let turn: Int
  /// Delay in input frames of all stages, and in those of the last one.
  private let delay: Double
  private let tableDelay: Double
  let halvers: UnsafeMutablePointer<RateHalver>
  let halverCount: Int
  /// Frames that each of the halvers makes in a pass, and what they make of one channel.
  let halved: UnsafeMutablePointer<Int>
  let scratch: UnsafeMutablePointer<Float>
  let scratchFrames: Int
  let outputsPerPass: Int
  let capacity: Int
  /// The latest input of each channel behind the halvers, `capacity` frames apart, and the same in doubles
  /// where the table has inner vectors. The window of the next output's group starts at `start`.
  let history: UnsafeMutablePointer<Float>
  let fine: UnsafeMutablePointer<Double>
  var start = 0
  var held: Int
  /// Where rows are interpolated, the place of the next output; else, of the first one.
  var position: ResamplingPosition
  /// The row of the next output, and how far its window lies from that of its group.
  var row = 0
  var lead = 0
  private var adjustment = 0.0
  /// The row of the first output, where it does not lie at an input frame, and the whole frames before it.
  private let memory = OwnedMemory()
  private let firstRow: Int
  private let skipped: Int
  /// Where the first output lies after the first input frame: a share of an input frame.
  public let initialPhase: Double

  /// Makes a converter. [control thread]
  ///
  /// - Parameters:
  ///   - inputRate: Rate of the input in Hz, above zero.
  ///   - outputRate: Rate of the output in Hz, above zero.
  ///   - channelCount: Number of channels.
  ///   - quality: Steepness of the filter, and with it the delay.
  ///   - phase: Whether all frequencies are delayed alike, or each as little as possible.
  ///   - initialPhase: Where the first output lies after the first input frame, from 0 to below 1; of a
  ///     ratio of small numbers, the nearest place that an output can have.
  ///   - isAdjustable: Whether the ratio is to be nudged while running; that interpolates always.
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
    var (firstRow, skipped, place) = (0, 0, offset)
    if !isAdjustable, let exact = Self.exactRatio(rate, outputRate) {
      let (down, up) = (UInt64(exact.input), UInt64(exact.output))
      if let grouped = FilterShape(down: exact.input, up: exact.output, design) {
        shape = grouped
        position = ResamplingPosition(
          numerator: 2 * down, denominator: 2 * up, phase: UInt64(grouped.firstPhase))
        // The output that lies there, among those of a whole turn of the rows.
        let part = min(exact.output - 1, Int((offset * Double(exact.output)).rounded()))
        firstRow = (0..<exact.output).first { $0 * exact.input % exact.output == part } ?? 0
        skipped = firstRow * exact.input / exact.output
        place = Double(part) / Double(exact.output)
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
    self.initialPhase = place * Double(1 << edges.count)
    table = isIdentity ? nil : FilterTable.table(for: shape)
    coefficients = table?.coefficients
    groups = table?.groups
    leads = table?.leads
    places = shape.up > 0 ? table?.places : nil
    turn = shape.turn

    // What a pass takes stays in the first cache; the line is moved to its start now and then.
    // Of 512 outputs at usual ratios it makes one pass.
    let passFrames = max(1_280 >> max(1, edges.count), 16, Int(shape.ratio) + 2)
    outputsPerPass = max(1, Int(Double(passFrames - 1) / shape.ratio))
    capacity = isIdentity ? 0 : 2 * shape.width + passFrames + 2_048
    let isFine = shape.inner > 0
    history = memory.array(channelCount * capacity, of: 0)
    fine = memory.array(isFine ? channelCount * capacity : 0, of: 0)
    halvers = memory.room(edges.count, for: RateHalver.self)
    halved = memory.array(edges.count, of: 0)
    // Each stage but the last writes to one half of the scratch memory and the next one to the other. The
    // most that a stage makes in a pass is what the next one takes when it has been primed.
    var most = passFrames + shape.width
    for (index, edge) in edges.enumerated().reversed() {
      let halver = RateHalver(
        channelCount: channelCount, attenuation: design.attenuation, edge: edge,
        isFine: isFine && index == edges.count - 1, maximumFrames: most)
      (halvers + index).initialize(to: halver)
      if index > 0 { most = 2 * most + halver.delay + 1 }
    }
    scratchFrames = edges.count > 1 ? most + 8 : 0
    scratch = memory.array(2 * scratchFrames, of: 0)
    held = isIdentity ? 0 : shape.taps - 1
    tableDelay = table?.delay ?? 0
    var delay = tableDelay
    for index in (0..<edges.count).reversed() {
      delay = 2 * delay + Double(halvers[index].delay)
    }
    self.delay = delay
    begin(after: held)
  }

  deinit {
    for index in 0..<halverCount { halvers[index].deallocate() }
    memory.deallocate()
  }

  /// Delay of the output in input frames; rounded up; of minimum phase, that of low frequencies.
  public var latencyFrames: Int {
    @_noLocks get { Int(delay + 0.999) }
  }

  /// Delay of the output in seconds; of minimum phase, that of low frequencies.
  public var latency: Double {
    @_noLocks get { delay / inputRate }
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

  /// Output frames that can be made from `inputFrames` and what is held. [render thread]
  @_noLocks
  public borrowing func outputFramesAvailable(from inputFrames: Int) -> Int {
    if isIdentity { return inputFrames }
    var frames = inputFrames
    for index in 0..<halverCount { frames = halvers[index].outputFramesAvailable(from: frames) }
    let position = places == nil ? position : position.moved(by: row)
    return position.outputs(within: held + frames - lead - shape.taps)
  }

  /// Frames by which the history must grow for `outputFrames`.
  @inline(__always) @_noLocks
  borrowing func framesToAppend(for outputFrames: Int) -> Int {
    lead &+ frames(after: outputFrames &- 1) &+ shape.taps &- held
  }

  /// Whole frames from the window of the next output to that of the one `count` outputs later.
  @inline(__always) @_noLocks
  borrowing func frames(after count: Int) -> Int {
    guard let places else { return position.frames(after: count) }
    let (turns, row) = wrapped(row &+ count)
    return turns &* turn &+ Int(places[row]) &- Int(places[self.row])
  }

  /// How often rows begin again before one, and which it is then.
  @inline(__always) @_noLocks
  borrowing func wrapped(_ row: Int) -> (turns: Int, row: Int) {
    if row < 2 &* shape.rows {
      // 1 if it is beyond the last: no branch, which nothing could predict.
      let turns = Int(bitPattern: UInt(bitPattern: shape.rows &- 1 &- row) >> 63)
      return (turns, row &- turns &* shape.rows)
    }
    guard row >> 32 == 0 else {
      let (turns, rest) = row.quotientAndRemainder(dividingBy: shape.rows)
      return (turns, rest)
    }
    // Of 32 bits, a division takes a few cycles.
    let (turns, rest) = UInt32(truncatingIfNeeded: row).quotientAndRemainder(
      dividingBy: UInt32(truncatingIfNeeded: shape.rows))
    return (Int(turns), Int(rest))
  }

  /// Forgets the signal; the adjustment stays. [render thread]
  @_noLocks
  public mutating func reset() {
    if isIdentity { return }
    begin(after: shape.taps - 1)
    for channel in 0..<channelCount {
      Samples.clear(history + channel * capacity, count: held)
      if shape.inner > 0 { (fine + channel * capacity).initialize(repeating: 0, count: held) }
    }
    // By itself: the compiler's thread sanitizer takes the whole of `self` for the pointer's address.
    let halvers = halvers
    for index in 0..<halverCount { halvers[index].reset() }
  }

  /// Forgets the signal, and makes the next output that of the next input frame: the frames after
  /// it that the filter reaches are requested first, and nothing is delayed. [render thread]
  ///
  /// Of minimum phase, low frequencies are not delayed, to half an input frame of the last stage.
  @_noLocks
  public mutating func prime() {
    reset()
    guard !isIdentity else { return }
    begin(after: shape.taps - 1 - Int(tableDelay + 0.5))
    let halvers = halvers  // as in `reset`
    for index in 0..<halverCount { halvers[index].prime() }
  }

  /// Begins at the first output, `frames` frames of silence before the window of one that lies at a frame.
  @_noLocks
  private mutating func begin(after frames: Int) {
    position.reset()
    (start, row) = (0, firstRow)
    lead = 0
    if let leads { lead = Int(leads[firstRow]) }
    let moved = firstRow > 0 ? position.frames(after: firstRow) : 0
    held = max(0, frames + lead - (moved - skipped))
  }

  /// The edge of each half-band filter, as a share of half the rate that it gets: as many as leave a rate
  /// that is not below the output's, and are not too steep.
  private static func halvingEdges(
    from inputRate: Double, to outputRate: Double, _ design: ResamplingDesign
  ) -> [Double] {
    // A half-band filter has no version of minimum phase.
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

  /// Rates in lowest terms, where both are whole numbers, or would be if both were multiplied by a power
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
