// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The crossfade between the main output of a plug-in and its main input, for units that are no simple
/// effects. The input is delayed by the latency; an output without an input of its own gets the last one.
struct HostedBypass {
  private static var fadeTime: Double { @_noLocks get { 0.01 } }

  private let channelCount: Int
  private let inputCount: Int
  private let latency: Int
  private let capacity: Int
  private let rings: UnsafeMutablePointer<Float>
  /// The part of the input in the output, and its change per frame of a crossfade.
  private var part: Float = 0
  private let step: Float
  private var position = 0
  private var isAtStart = true

  /// [control thread] A crossfade for main buses with these numbers of channels, in `memory`.
  init(
    inputs: Int, outputs: Int, latency: Int, maximumFrames: Int, sampleRate: Double,
    in memory: OwnedMemory
  ) {
    inputCount = inputs
    channelCount = outputs
    self.latency = latency
    capacity = latency + maximumFrames
    rings = memory.array(max(capacity * inputs, 1), of: 0)
    step = Float(1 / max(Self.fadeTime * sampleRate, 1))
  }

  /// [render thread] Forgets the past input; the next slice begins without a crossfade.
  @_noLocks
  mutating func reset() {
    rings.update(repeating: 0, count: capacity * inputCount)
    position = 0
    isAtStart = true
  }

  /// [render thread] Stores the input of a slice, and mixes the past input into the output.
  @_noLocks
  mutating func apply(
    _ inputs: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ outputs: UnsafePointer<UnsafeMutablePointer<Float>>, _ frames: Int, isBypassed: Bool
  ) {
    guard inputCount > 0 else { return }
    let target: Float = isBypassed ? 1 : 0
    if isAtStart { part = target }
    isAtStart = false
    for frame in 0..<frames {
      let at = (position + frame) % capacity
      let past = (position + frame + capacity - latency) % capacity
      for channel in 0..<inputCount { rings[channel * capacity + at] = inputs[channel][frame] }
      guard part > 0 || target > 0 else { continue }
      part = target > part ? min(part + step, 1) : target < part ? max(part - step, 0) : part
      for channel in 0..<channelCount {
        let dry = rings[min(channel, inputCount - 1) * capacity + past]
        outputs[channel][frame] =
          part == 1 ? dry : outputs[channel][frame] * (1 - part) + dry * part
      }
    }
    position = (position + frames) % capacity
  }
}
