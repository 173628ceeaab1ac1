// SPDX-License-Identifier: Apache-2.0

/// Two slowly oscillating angles, as tables of their cosines and sines for the next frames.
///
/// The tables are linear over `tableFrames`, and begin at the same frames whatever the sizes of the
/// slices.
struct MatrixRotation: BitwiseCopyable, @unchecked Sendable {
  static var tableFrames: Int { @_noLocks get { 128 } }

  private let tables: UnsafeMutablePointer<Float>
  private let sampleRate: Double
  /// Phases at the end of the tables, in units of 2^-64 cycle.
  private var phases: (UInt64, UInt64) = (0, 0)
  /// Cosine and sine of both angles at the end of the tables.
  private var ends: (SIMD2<Float>, SIMD2<Float>) = (SIMD2(1, 0), SIMD2(1, 0))
  private var rate = 1.0
  private var depth = 1.0
  /// The depth of this table, which follows `depth` slowly enough to be inaudible.
  private var movingDepth = 1.0
  /// Index of the next frame in the tables.
  private(set) var position = 0
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

  /// Frames until the end of the tables.
  var room: Int { @_noLocks get { Self.tableFrames - position } }

  /// Restarts both angles. [render thread]
  @_noLocks
  mutating func reset() {
    phases = (0, 0)
    ends = (SIMD2(1, 0), SIMD2(1, 0))
    position = 0
    isFresh = true
    movingDepth = depth
    fill()
  }

  /// Sets the rate in Hz and the depth, 0 to 1, from the next table on. [render thread]
  @_noLocks
  mutating func set(rate: Double, depth: Double) {
    guard rate != self.rate || depth != self.depth else { return }
    self.rate = rate
    self.depth = depth
    if isFresh { reset() }
  }

  /// Moves on by frames, at most `room`. [render thread]
  @_noLocks
  mutating func advance(by frames: Int) {
    position += frames
    isFresh = false
    guard position == Self.tableFrames else { return }
    position = 0
    fill()
  }

  /// Fills the tables for the next frames, and updates the phases.
  @_noLocks
  private mutating func fill() {
    let most = 0.05
    movingDepth += min(max(depth - movingDepth, -most), most)
    // Not a simple ratio: the two never oscillate in step.
    fill(0, &phases.0, &ends.0, rate)
    fill(1, &phases.1, &ends.1, rate * 1.37)
  }

  @_noLocks
  private func fill(
    _ index: Int, _ phase: inout UInt64, _ end: inout SIMD2<Float>, _ rate: Double
  ) {
    let cosines = tables + index * Self.tableFrames
    let sines = tables + (index + 2) * Self.tableFrames
    let start = end
    phase &+= PhaseAccumulator.fixedPoint(cycles: rate * Double(Self.tableFrames) / sampleRate)
    end = angle(phase)
    let scale = 1 / Float(Self.tableFrames)
    let step = (end - start) * scale
    for frame in 0..<Self.tableFrames {
      cosines[frame] = start[0] + step[0] * Float(frame)
      sines[frame] = start[1] + step[1] * Float(frame)
    }
  }

  /// Cosine and sine of an angle of up to a third of a turn in either direction.
  @_noLocks
  private func angle(_ phase: UInt64) -> SIMD2<Float> {
    let turns = Double(SineKernel.sine(ofPhase: phase)) * movingDepth / 3
    let angle = PhaseAccumulator.fixedPoint(cycles: turns)
    return SIMD2(
      SineKernel.sine(ofPhase: angle &+ 0x4000_0000_0000_0000), SineKernel.sine(ofPhase: angle)
    )
  }
}
