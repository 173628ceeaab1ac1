// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The input of an effect, delayed by the effect's latency, and the crossfade between effect and
/// input when bypass is turned on or off.
///
/// The kernel runs during bypass too, so that its history is right when bypass ends. Input and
/// output are usually similar, so the crossfade is linear: equal power would be louder halfway.
struct BypassCrossfade: ~Copyable {
  /// The duration of a crossfade in seconds.
  private static var fadeTime: Double { @_noLocks get { 0.01 } }

  private let channelCount: Int
  private let latency: Int
  private let fadeFrames: Int
  /// The past input, a ring for each channel, as long as one render plus the latency.
  private let rings: UnsafeMutablePointer<Float>
  private let capacity: Int
  /// Where the frames of the render under way begin.
  private var start = 0
  /// The position of the crossfade: 0 is the effect, `fadeFrames` its input.
  private var place = 0
  /// Whether nothing has been rendered yet, so that there is nothing to fade from.
  private var isAtStart = true
  /// Whether the input of this render was kept.
  private var isKept = false

  /// [control thread] Lays out `memory` for renders of at most `maximumFrames`; it lives as long as
  /// `memory`.
  init(
    channelCount: Int, latency: Int, maximumFrames: Int, sampleRate: Double,
    in memory: OwnedMemory
  ) {
    self.channelCount = channelCount
    self.latency = max(latency, 0)
    fadeFrames = max(Int(Self.fadeTime * sampleRate), 1)
    capacity = self.latency + max(maximumFrames, 1)
    rings = memory.array(capacity * max(channelCount, 1), of: 0)
  }

  /// [render thread] Forgets the past input; the next render begins without a crossfade.
  @_noLocks
  mutating func reset() {
    rings.update(repeating: 0, count: capacity * channelCount)
    start = 0
    isAtStart = true
  }

  /// [render thread] Ends the crossfade at once, as effect and input are both silent.
  @_noLocks
  mutating func jump(toInput isBypassed: Bool) { place = isBypassed ? fadeFrames : 0 }

  /// [render thread] Keeps the input before the kernel processes it in place.
  @_noLocks
  mutating func keep(_ input: Slice, isBypassed: Bool) {
    if isAtStart { jump(toInput: isBypassed) }
    isAtStart = false
    isKept = latency > 0 || isBypassed || place > 0
    guard isKept else { return }
    let first = min(input.frameCount, capacity - start)
    for channel in 0..<channelCount {
      let ring = rings + channel * capacity
      copy(input[channel], to: ring + start, first)
      copy(input[channel] + first, to: ring, input.frameCount - first)
    }
  }

  /// [render thread] Replaces the kernel's output by the delayed input, or mixes the two.
  @_noLocks
  mutating func crossfade(into output: Slice, isBypassed: Bool) {
    guard isKept else { return }
    let frames = output.frameCount
    let target = isBypassed ? fadeFrames : 0
    if place != 0 || target != 0 {
      let from = start >= latency ? start - latency : start - latency + capacity
      let first = min(frames, capacity - from)
      for channel in 0..<channelCount {
        let ring = rings + channel * capacity
        mix(ring + from, into: output[channel], first, place, isBypassed)
        mix(
          ring, into: output[channel] + first, frames - first,
          moved(place, by: first, isBypassed), isBypassed)
      }
      place = moved(place, by: frames, isBypassed)
    }
    start += frames
    if start >= capacity { start -= capacity }
  }

  @_noLocks
  private func moved(_ place: Int, by frames: Int, _ isBypassed: Bool) -> Int {
    isBypassed ? min(place + frames, fadeFrames) : max(place - frames, 0)
  }

  @_noLocks
  private func mix(
    _ dry: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, _ frames: Int,
    _ place: Int, _ isBypassed: Bool
  ) {
    let fade = min(isBypassed ? fadeFrames - place : place, frames)
    let step: Float = (isBypassed ? 1 : -1) / Float(fadeFrames)
    let begin = Float(place) / Float(fadeFrames)
    for index in 0..<fade {
      output[index] += (dry[index] - output[index]) * (begin + step * Float(index + 1))
    }
    if isBypassed { copy(dry + fade, to: output + fade, frames - fade) }
  }

  @_noLocks
  private func copy(
    _ source: UnsafePointer<Float>, to destination: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    UnsafeMutableRawPointer(destination).copyMemory(
      from: source, byteCount: count * MemoryLayout<Float>.stride)
  }
}
