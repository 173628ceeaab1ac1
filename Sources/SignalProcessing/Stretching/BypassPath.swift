// SPDX-License-Identifier: Apache-2.0

/// The unprocessed input for a bypass, with the latency of the stretcher at a rate of 1.
///
/// It is faded in and out over 20 ms. Uses plain memory on the render thread.
struct BypassPath: BitwiseCopyable {
  private let step: Float
  private var gain: Float = 0
  private var position = 0

  /// [control thread]
  init(sampleRate: Double) {
    step = Float(1 / max(1, 0.02 * sampleRate))
  }

  @_noLocks
  mutating func reset() { gain = 0 }

  /// [render thread] Fades to the input or away from it. `end` is the stretcher's input position at
  /// the end of the slice, and `delay` its latency as the fade begins.
  @_noLocks
  mutating func mix(
    _ input: InputHistory, _ isBypassed: Bool, end: Int, delay: Int,
    into target: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int
  ) {
    guard isBypassed || gain > 0 else { return }
    if gain == 0 { position = end - frames - delay }
    let slope = isBypassed ? step : -step
    for channel in 0..<input.channelCount {
      let (output, source) = (target[channel] + offset, input.at(position, channel))
      if isBypassed, gain == 1 {
        Samples.copy(source, to: output, count: frames)
        continue
      }
      var gain = gain
      for frame in 0..<frames {
        gain = min(max(gain + slope, 0), 1)
        output[frame] += gain * (source[frame] - output[frame])
      }
    }
    for _ in 0..<frames where gain != (isBypassed ? 1 : 0) { gain = min(max(gain + slope, 0), 1) }
    position += frames
  }
}
