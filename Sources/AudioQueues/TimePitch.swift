// SPDX-License-Identifier: Apache-2.0
import AudioConversion
internal import CAudioToolbox
import SignalProcessing

/// Changes the play rate of a queue between its decoder and its ring. What comes out lies where what went
/// in did: its delay is left out at the beginning and made up for at the end.
final class TimePitch {
  /// All that a queue may be asked for.
  static let algorithms = [
    kAudioQueueTimePitchAlgorithm_Spectral, kAudioQueueTimePitchAlgorithm_TimeDomain,
    kAudioQueueTimePitchAlgorithm_Varispeed, kAudioQueueTimePitchAlgorithm_LowQualityZeroLatency,
  ].map { UInt32($0) }

  private var converter: VariableRateConverter
  private let channelCount: Int
  /// What was made last.
  let output: PlanarBuffer
  private let silence: PlanarBuffer
  /// Output that is still to be left out, in frames of the input.
  private var delay: Double
  private var rate: Float = 1

  init(channelCount: Int, maximumFrames: Int) {
    self.channelCount = channelCount
    let capacity = 2 * maximumFrames + 64
    converter = VariableRateConverter(
      channelCount: channelCount, maximumFrames: capacity, quality: .high)
    output = PlanarBuffer(channelCount: channelCount, capacity: capacity)
    silence = PlanarBuffer(channelCount: channelCount, capacity: maximumFrames)
    delay = Double(converter.latencyFrames)
  }

  deinit {
    output.deallocate()
    silence.deallocate()
  }

  func set(rate: Float) {
    self.rate = rate
    converter.set(rate: rate)
  }

  func reset() {
    converter.reset()
    delay = Double(converter.latencyFrames)
  }

  /// Makes what can be made of `count` more frames, in `output`; answers where it begins and its length.
  func process(
    _ input: UnsafePointer<UnsafeMutablePointer<Float>>, count: Int
  ) -> Range<Int> {
    converter.take(reading(input), frames: count)
    var (low, high) = (0, output.capacity)
    while low < high {
      let middle = (low + high + 1) / 2
      if converter.inputFramesNeeded(for: middle) == 0 { low = middle } else { high = middle - 1 }
    }
    converter.render(to: UnsafePointer(output.channels), frames: low)
    let dropped = min(low, Int((delay / Double(rate)).rounded()))
    delay = dropped < low ? 0 : delay - Double(dropped) * Double(rate)
    return dropped..<low
  }

  /// After the last frame: makes what is left.
  func drain() -> Range<Int> {
    let count = min(converter.latencyFrames, silence.capacity)
    let made = process(UnsafePointer(silence.channels), count: count)
    return made
  }
}
