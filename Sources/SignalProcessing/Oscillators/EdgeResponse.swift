// SPDX-License-Identifier: Apache-2.0

/// The frequency response of the filter of `BandLimitedEdges` around half the sample rate, and the
/// partials that it lets pass there.
struct EdgeResponse: @unchecked Sendable {
  /// The range of the table, in half sample rates. Above it the filter is good enough.
  static var start: Double { @_noLocks get { 0.85 } }
  static var end: Double { @_noLocks get { 1.1 } }
  private static var spacing: Double { @_noLocks get { 1.0 / 2_048 } }
  private static var count: Int { @_noLocks get { Int((end - start) / spacing) + 2 } }

  private let table: UnsafePointer<Float>

  /// The response of a symmetric impulse response over `reach` frames on either side of its middle,
  /// which is given at every 32nd of a frame. [control thread]
  init(reach: Int, impulse: (Int) -> Double) {
    // Trapezoids; the ends are zero.
    let samples = (0...32 * reach).map { impulse($0) * ($0 == 0 ? 1 : 2) }
    let sum = samples.reduce(0, +)
    let table = UnsafeMutablePointer<Float>.allocate(capacity: Self.count)
    for entry in 0..<Self.count {
      let frequency = Self.start + Double(entry) * Self.spacing
      let response = samples.enumerated().reduce(0.0) { total, sample in
        total + sample.element
          * SteppedTransform.cosine(turns: frequency * Double(sample.offset) / 64)
      }
      table[entry] = Float(response / sum)
    }
    self.table = UnsafePointer(table)
  }

  /// Partial number `partial` of one upward unit step per period at phase zero.
  @_noLocks
  func sine(_ partial: Double, _ phase: Double, _ period: Double) -> Double {
    gain(2 * partial / period) * Self.sine(partial * phase) / (.pi * partial)
  }

  /// As above, of one corner per period, whose slope increases by 1 per frame.
  @_noLocks
  func cosine(_ partial: Double, _ phase: Double, _ period: Double) -> Double {
    let level = period / (2 * .pi * .pi * partial * partial)
    return -gain(2 * partial / period) * level * Self.sine(partial * phase + 0.25)
  }

  /// The response at a frequency in half sample rates.
  @inline(__always) @_noLocks
  private func gain(_ frequency: Double) -> Double {
    let position = (frequency - Self.start) / Self.spacing
    guard position >= 0, position < Double(Self.count - 1) else { return 0 }
    let index = Int(position)
    let fraction = position - Double(index)
    return Double(table[index]) + fraction * Double(table[index + 1] - table[index])
  }

  @inline(__always) @_noLocks
  private static func sine(_ cycles: Double) -> Double {
    Double(SineKernel.sine(ofPhase: PhaseAccumulator.fixedPoint(cycles: cycles)))
  }
}
