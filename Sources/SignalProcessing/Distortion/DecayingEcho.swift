// SPDX-License-Identifier: Apache-2.0

/// The repeating, decaying echo of one channel.
///
/// A new delay is crossfaded over 20 ms. The owner frees the memory with `deallocate`.
public struct DecayingEcho: BitwiseCopyable, @unchecked Sendable {
  private let line: UnsafeMutablePointer<Float>
  private let mask: Int
  private var position = 0
  private var delay = 0
  private var nextDelay = 0
  /// Remaining frames of the crossfade.
  private var fadeFramesRemaining = 0
  private let fadeFrames: Int

  /// [control thread] Makes an echo with a delay of at most `longest` frames.
  public init(longest: Int, fadeFrames: Int) {
    var length = 2
    while length < longest + 2 { length *= 2 }
    line = .allocate(capacity: length)
    mask = length - 1
    self.fadeFrames = max(1, fadeFrames)
    reset()
  }

  /// [control thread] Frees the memory; nothing may use the echo afterwards.
  public func deallocate() { line.deallocate() }

  /// Clears the signal history; the nextDelay delay applies immediately, without a crossfade.
  /// [any thread]
  @_noLocks
  public mutating func reset() {
    line.initialize(repeating: 0, count: mask + 1)
    position = 0
    delay = 0
    nextDelay = 0
    fadeFramesRemaining = 0
  }

  /// Mixes a channel with its echo, in place. The echo is `newDelay` frames late and repeats with
  /// the gain `feedback` (below one). [any thread]
  @_noLocks
  public mutating func process(
    _ samples: UnsafeMutablePointer<Float>, count: Int, delay newDelay: Int, feedback: Float,
    mix: Waveshaper.Line
  ) {
    if delay == 0 {
      delay = newDelay
      nextDelay = newDelay
    }
    for index in 0..<count {
      if fadeFramesRemaining == 0, newDelay != delay {
        nextDelay = newDelay
        fadeFramesRemaining = fadeFrames
      }
      var echo = line[(position &- delay) & mask]
      if fadeFramesRemaining > 0 {
        let part = Float(fadeFrames - fadeFramesRemaining + 1) / Float(fadeFrames)
        echo += (line[(position &- nextDelay) & mask] - echo) * part
        fadeFramesRemaining -= 1
        if fadeFramesRemaining == 0 { delay = nextDelay }
      }
      let input = samples[index]
      line[position & mask] = input + echo * feedback
      position &+= 1
      samples[index] = input + (echo - input) * (mix.start + mix.step * Float(index))
    }
  }
}
