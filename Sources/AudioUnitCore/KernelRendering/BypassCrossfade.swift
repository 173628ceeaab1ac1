// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// The crossfade between an effect and its input when bypass is turned on or off. The input is
/// delayed by the effect's latency.
///
/// The kernel also runs during bypass, so that its history is right when bypass ends. Input and
/// output are usually similar, so their weights add up to one: equal power would be louder halfway.
struct BypassCrossfade: ~Copyable {
  /// The duration of a crossfade in seconds.
  private static var fadeTime: Double { @_noLocks get { 0.01 } }

  private let channelCount: Int
  private let latency: Int
  private let fadeFrames: Int
  /// The past input: a ring for each channel, as long as one render plus the latency.
  private let rings: UnsafeMutablePointer<Float>
  private let capacity: Int
  /// The start of this render's frames in the rings.
  private var start = 0
  /// The position of the crossfade: 0 is the effect, `fadeFrames` is its input.
  private var position = 0
  /// Whether the rings have no past input; they are cleared before they get some.
  private var isCleared: Bool
  /// Whether nothing has been rendered yet, so that there is nothing to fade from.
  private var isAtStart = true
  /// Whether the input of this render was stored.
  private var isStored = false

  /// [control thread] A crossfade for renders of at most `maximumFrames` frames, with its rings in
  /// `memory`; offline, their pages come when they are used.
  init(
    channelCount: Int, latency: Int, maximumFrames: Int, sampleRate: Double, isOffline: Bool,
    in memory: OwnedMemory
  ) {
    self.channelCount = channelCount
    self.latency = max(latency, 0)
    fadeFrames = max(Int(Self.fadeTime * sampleRate), 1)
    capacity = self.latency + max(maximumFrames, 1)
    let count = capacity * max(channelCount, 1)
    rings = isOffline ? memory.room(count, for: Float.self) : memory.array(count, of: 0)
    isCleared = !isOffline
  }

  /// [render thread] Clears the past input; the next render begins without a crossfade.
  @_noLocks
  mutating func reset() {
    isCleared = false
    start = 0
    isAtStart = true
  }

  /// [render thread] Ends the crossfade immediately, while effect and input are both silent.
  @_noLocks
  mutating func jump(toInput isBypassed: Bool) { position = isBypassed ? fadeFrames : 0 }

  /// [render thread] Stores the input before the kernel processes it in place.
  @_noLocks
  mutating func store(_ input: Slice, isBypassed: Bool) {
    if isAtStart { jump(toInput: isBypassed) }
    isAtStart = false
    isStored = latency > 0 || isBypassed || position > 0
    guard isStored else { return }
    if !isCleared { rings.update(repeating: 0, count: capacity * channelCount) }
    isCleared = true
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
    guard isStored else { return }
    let frames = output.frameCount
    let target = isBypassed ? fadeFrames : 0
    if position != 0 || target != 0 {
      let from = start >= latency ? start - latency : start - latency + capacity
      let first = min(frames, capacity - from)
      for channel in 0..<channelCount {
        let ring = rings + channel * capacity
        mix(ring + from, into: output[channel], first, position, isBypassed)
        mix(
          ring, into: output[channel] + first, frames - first,
          advanced(position, by: first, isBypassed), isBypassed)
      }
      position = advanced(position, by: frames, isBypassed)
    }
    start += frames
    if start >= capacity { start -= capacity }
  }

  @_noLocks
  private func advanced(_ position: Int, by frames: Int, _ isBypassed: Bool) -> Int {
    isBypassed ? min(position + frames, fadeFrames) : max(position - frames, 0)
  }

  @_noLocks
  private func mix(
    _ dry: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, _ frames: Int,
    _ position: Int, _ isBypassed: Bool
  ) {
    let fade = min(isBypassed ? fadeFrames - position : position, frames)
    let direction = isBypassed ? 1 : -1
    for index in 0..<fade {
      let part = Float(position + direction * (index + 1)) / Float(fadeFrames)
      output[index] += (dry[index] - output[index]) * Crossfade.weight(at: part)
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
