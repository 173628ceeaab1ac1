// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc
import SignalProcessing

/// The chorus of an instrument unit: a delay of each side that swings around 8 ms, without the direct
/// sound.
///
/// Rate, depth and feedback are those of the third chorus of General MIDI 2, its default. The sides
/// swing a quarter of a period apart. Plain pointers; the owner deallocates them.
struct InstrumentChorus: BitwiseCopyable, @unchecked Sendable {
  private static let rate = 0.366
  private static let centre = 0.008
  /// Half the way of the swing in seconds.
  private static let depth = 0.003_125
  private static var feedback: Float { @_noLocks get { 0.061 } }

  private let memory = OwnedMemory()
  private let lines: UnsafeMutablePointer<Float>
  /// A power of two.
  private let capacity: Int
  private var position = 0
  private let centreFrames: Float
  private let depthFrames: Float
  /// Periods of the swing in a frame, and cosine and sine of this angle.
  private let periods: Double
  private let step: SIMD2<Double>
  /// The frames for which it sounds on, down to -120 dB.
  let tailFrames: Int

  /// [control thread]
  init(sampleRate: Double) {
    let longest = Self.centre + Self.depth
    var capacity = 16
    while Double(capacity) < longest * sampleRate + 8 { capacity *= 2 }
    self.capacity = capacity
    lines = memory.array(2 * capacity, of: 0)
    centreFrames = Float(Self.centre * sampleRate)
    depthFrames = Float(Self.depth * sampleRate)
    periods = Self.rate / sampleRate
    step = SIMD2(cos(2 * .pi * periods), sin(2 * .pi * periods))
    tailFrames = Int(5 * longest * sampleRate)
  }

  /// [control thread] Frees its memory.
  func deallocate() { memory.deallocate() }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() {
    Samples.clear(lines, count: 2 * capacity)
    position = 0
  }

  /// [render thread] Adds the chorus of both sides to the output, from a frame of the unit on.
  @_noLocks
  mutating func add(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>,
    to output: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), at start: Int, count: Int
  ) {
    let phase = Double(start) * periods
    var swing = SIMD2(Self.sine(phase + 0.25), Self.sine(phase))
    for frame in 0..<count {
      let (first, second) = (
        read(lines, centreFrames + depthFrames * Float(swing[0])),
        read(lines + capacity, centreFrames + depthFrames * Float(swing[1]))
      )
      output.0[frame] += first
      output.1[frame] += second
      lines[position] = left[frame] + Self.feedback * first
      lines[capacity + position] = right[frame] + Self.feedback * second
      position = (position + 1) & (capacity - 1)
      swing = SIMD2(
        swing[0] * step[0] - swing[1] * step[1], swing[0] * step[1] + swing[1] * step[0])
    }
  }

  /// The sine of an angle in periods, 0 or more.
  @_noLocks
  private static func sine(_ periods: Double) -> Double {
    let quarters = 4 * (periods - Double(Elementary.whole(periods)))
    return Elementary.sine(
      quarters: quarters < 1 ? quarters : quarters < 3 ? 2 - quarters : quarters - 4)
  }

  /// The sample of a line at a delay in frames, by a cubic through four of them.
  @_noLocks
  private func read(_ line: UnsafeMutablePointer<Float>, _ delay: Float) -> Float {
    let whole = Int(delay)
    let fraction = delay - Float(whole)
    let mask = capacity - 1
    let start = position - whole + capacity
    let (newer, one) = (line[(start + 1) & mask], line[start & mask])
    let (two, older) = (line[(start - 1) & mask], line[(start - 2) & mask])
    let slope = 0.5 * (two - newer)
    let curve = newer - 2.5 * one + 2 * two - 0.5 * older
    let bend = 0.5 * (older - newer) + 1.5 * (one - two)
    return ((bend * fraction + curve) * fraction + slope) * fraction + one
  }
}
