// SPDX-License-Identifier: Apache-2.0

/// Reduces the sample rate by holding samples, and the resolution by rounding them. Aliases are not
/// suppressed: they are its sound.
public struct SampleCrusher: BitwiseCopyable, Sendable {
  private var phase: Float = 1

  public init() {}

  /// Restarts the hold phase. [any thread]
  @_noLocks
  public mutating func reset() { phase = 1 }

  /// The amount of the effect: `rate` is the fraction of a held sample that passes per frame (1: no
  /// hold), `distance` is the quantization step (0: no rounding).
  public struct Setting: BitwiseCopyable, Sendable {
    public var rate: Float
    public var distance: Float

    /// From no effect at 0 to 480 Hz and one bit at 1, evenly in octaves and bits. [any thread]
    @_noLocks
    public init(decimation: Float, rounding: Float, sampleRate: Float) {
      rate =
        decimation > 0
        ? Elementary.exp2(decimation * Elementary.log2(min(1, 480 / sampleRate))) : 1
      distance = rounding > 0 ? Elementary.exp2(15 * rounding - 15) : 0
    }
  }

  /// Mixes a channel with its crushed signal, in place; `held` is the channel's held sample. All
  /// channels of a slice start from the same state; use the returned state for the next slice.
  /// [any thread]
  @_noLocks
  public func crush(
    _ samples: UnsafeMutablePointer<Float>, count: Int, setting: Setting,
    mix: Waveshaper.Line, held: inout Float
  ) -> SampleCrusher {
    var next = self
    var value = held
    let scale = setting.distance > 0 ? 1 / setting.distance : 0
    for index in 0..<count {
      let input = samples[index]
      if next.phase >= 1 {
        next.phase -= 1
        value = input
        // Larger numbers have no digits left to round.
        if scale > 0, input.magnitude * scale < 0x1p22 {
          value = ((input * scale + 0x1.8p23) - 0x1.8p23) * setting.distance
        }
      }
      next.phase += setting.rate
      let part = mix.start + mix.step * Float(index)
      samples[index] = input + (value - input) * part
    }
    held = value
    return next
  }
}
