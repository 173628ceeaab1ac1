// SPDX-License-Identifier: Apache-2.0

/// One channel's echo that comes again and again, each time fainter.
///
/// Another delay fades in over 20 ms while the old one fades out. The memory is its owner's to free, by
/// `deallocate`.
public struct DecayingEcho: BitwiseCopyable, @unchecked Sendable {
  private let line: UnsafeMutablePointer<Float>
  private let mask: Int
  private var place = 0
  private var delay = 0
  private var next = 0
  /// Frames of a fade that are left.
  private var fading = 0
  private let fadeFrames: Int

  /// [control thread] An echo that comes after `longest` frames at most.
  public init(longest: Int, fadeFrames: Int) {
    var length = 2
    while length < longest + 2 { length *= 2 }
    line = .allocate(capacity: length)
    mask = length - 1
    self.fadeFrames = max(1, fadeFrames)
    reset()
  }

  /// [control thread] Frees the memory; nothing may use the echo any more.
  public func deallocate() { line.deallocate() }

  /// Forgets what was heard; the next delay holds at once. [any thread]
  @_noLocks
  public mutating func reset() {
    line.initialize(repeating: 0, count: mask + 1)
    place = 0
    delay = 0
    next = 0
    fading = 0
  }

  /// Mixes a channel with its echo, in place: `wanted` frames later, and each time again at `feedback`
  /// (below one) of its level. [any thread]
  @_noLocks
  public mutating func process(
    _ samples: UnsafeMutablePointer<Float>, count: Int, delay wanted: Int, feedback: Float,
    mix: Waveshaper.Line
  ) {
    if delay == 0 {
      delay = wanted
      next = wanted
    }
    for index in 0..<count {
      if fading == 0, wanted != delay {
        next = wanted
        fading = fadeFrames
      }
      var echo = line[(place &- delay) & mask]
      if fading > 0 {
        let part = Float(fadeFrames - fading + 1) / Float(fadeFrames)
        echo += (line[(place &- next) & mask] - echo) * part
        fading -= 1
        if fading == 0 { delay = next }
      }
      let input = samples[index]
      line[place & mask] = input + echo * feedback
      place &+= 1
      samples[index] = input + (echo - input) * (mix.start + mix.step * Float(index))
    }
  }
}
