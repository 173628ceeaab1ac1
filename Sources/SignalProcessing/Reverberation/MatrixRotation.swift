// SPDX-License-Identifier: Apache-2.0

/// Two angles that swing slowly, as tables of their cosines and sines for the next frames.
///
/// The tables are straight lines between the ends of `tableFrames`, and begin at the same frames
/// however the sound is cut into slices.
struct MatrixRotation: BitwiseCopyable, @unchecked Sendable {
  static var tableFrames: Int { @_noLocks get { 128 } }

  private let tables: UnsafeMutablePointer<Float>
  private let sampleRate: Double
  /// In units of 2^-64 cycle, at the end of the tables.
  private var phases: (UInt64, UInt64) = (0, 0)
  private var rate = 1.0
  private var depth = 1.0
  /// Where in the tables the next frame is.
  private(set) var place = 0
  private var isFresh = true

  /// [control thread]
  init(sampleRate: Double) {
    self.sampleRate = sampleRate
    tables = .allocate(capacity: 4 * Self.tableFrames)
    tables.initialize(repeating: 0, count: 4 * Self.tableFrames)
  }

  /// [control thread]
  func deallocate() { tables.deallocate() }

  /// Both cosines, then both sines. [render thread]
  @_noLocks
  func table(_ index: Int) -> UnsafePointer<Float> {
    UnsafePointer(tables + index * Self.tableFrames)
  }

  /// Frames for which the tables hold.
  var room: Int { @_noLocks get { Self.tableFrames - place } }

  /// Begins anew. [render thread]
  @_noLocks
  mutating func reset() {
    phases = (0, 0)
    place = 0
    isFresh = true
    fill()
  }

  /// From the next table on: swings per second, and width, 0 to 1. [render thread]
  @_noLocks
  mutating func set(rate: Double, depth: Double) {
    guard rate != self.rate || depth != self.depth else { return }
    self.rate = rate
    self.depth = depth
    if isFresh { reset() }
  }

  /// Passes frames, at most `room`. [render thread]
  @_noLocks
  mutating func advance(by frames: Int) {
    place += frames
    isFresh = false
    guard place == Self.tableFrames else { return }
    place = 0
    fill()
  }

  /// The tables for the next frames, and the phases at their end.
  @_noLocks
  private mutating func fill() {
    // No simple ratio: the two never swing together.
    fill(0, &phases.0, rate)
    fill(1, &phases.1, rate * 1.37)
  }

  @_noLocks
  private func fill(_ index: Int, _ phase: inout UInt64, _ rate: Double) {
    let cosines = tables + index * Self.tableFrames
    let sines = tables + (index + 2) * Self.tableFrames
    let start = angle(phase)
    phase &+= PhaseAccumulator.fixedPoint(cycles: rate * Double(Self.tableFrames) / sampleRate)
    let end = angle(phase)
    let scale = 1 / Float(Self.tableFrames)
    let (cosineStep, sineStep) = (
      (end.cosine - start.cosine) * scale, (end.sine - start.sine) * scale
    )
    for frame in 0..<Self.tableFrames {
      cosines[frame] = start.cosine + cosineStep * Float(frame)
      sines[frame] = start.sine + sineStep * Float(frame)
    }
  }

  /// Up to a third of a turn to either side.
  @_noLocks
  private func angle(_ phase: UInt64) -> (cosine: Float, sine: Float) {
    let turns = Double(SineKernel.sine(ofPhase: phase)) * depth / 3
    let angle = PhaseAccumulator.fixedPoint(cycles: turns)
    return (
      SineKernel.sine(ofPhase: angle &+ 0x4000_0000_0000_0000), SineKernel.sine(ofPhase: angle)
    )
  }
}
