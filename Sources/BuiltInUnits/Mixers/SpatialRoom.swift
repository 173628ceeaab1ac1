// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// The room of a 3D mixer: one of the rooms of `Reverb2`, around the listener, fed by the sends of
/// the inputs.
///
/// Plain memory; its owner deallocates it.
struct SpatialRoom {
  private let memory = OwnedMemory()
  /// The sum of the inputs' sends in this slice.
  let sent: UnsafeMutablePointer<Float>
  /// The rooms by their numbers.
  private let rooms: UnsafeMutablePointer<LateReverberation.Settings>
  private let roomCount: Int
  private let sampleRate: Double
  private let fade: Int
  private var reverberation: LateReverberation
  private var filter: RoomFilter
  /// Memory for the return, left and right.
  private let returned: UnsafeMutablePointer<Float>
  private var gain = Fader()
  /// Memory for the gains of the return while they change.
  private let gains: UnsafeMutablePointer<Float>
  /// Frames since the last sound was sent; after its tail the room is silent.
  private var silentFrames = Int.max / 2

  private static var runFrames: Int { @_noLocks get { 512 } }
  /// The longest delay line of any room in seconds.
  private static let longestLine = 0.15

  /// [control thread]
  init(sampleRate: Double, maximumFrames: Int) {
    self.sampleRate = sampleRate
    roomCount = RoomPreset.allCases.count
    rooms = memory.array(RoomPreset.allCases.map(Self.settings))
    fade = Fader.frames(at: sampleRate)
    reverberation = LateReverberation(longest: Self.longestLine, sampleRate: sampleRate)
    filter = RoomFilter(sampleRate: sampleRate)
    sent = memory.array(max(maximumFrames, 1), of: 0)
    returned = memory.array(2 * Self.runFrames, of: 0)
    gains = memory.array(Self.runFrames, of: 0)
  }

  /// [control thread] Frees the memory; nothing may use it afterwards.
  func deallocate() {
    reverberation.deallocate()
    filter.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears the signal history.
  @_noLocks
  mutating func reset() {
    reverberation.reset()
    filter.reset()
    gain.reset()
    silentFrames = Int.max / 2
  }

  /// [any thread] The tail of a room with a filter in seconds.
  @_noLocks
  func tailTime(_ type: Float, _ filterValues: RoomFilter.Values) -> Double {
    LateReverberation.tailTime(settings(type)) + filter.memoryFrames(filterValues) / sampleRate
  }

  /// [render thread] Adds the return of the room to the speakers. `isFilled` is whether `sent` has
  /// any sound. A room that is switched off fades out within a few milliseconds.
  @_noLocks
  mutating func render(
    to target: Slice, _ speakers: SpeakerRing, type: Float, filter filterValues: RoomFilter.Values,
    level: Float, isOn: Bool, isFilled: Bool
  ) {
    let frames = target.frameCount
    silentFrames = isFilled ? 0 : min(silentFrames + frames, Int.max / 2)
    let tail = tailTime(type, filterValues) * sampleRate
    guard Double(silentFrames) <= tail, isOn || gain.isMoving || gain.value != 0 else {
      if silentFrames < Int.max / 4 { reset() }
      return
    }
    // NaN and far too large samples would circulate for ever.
    if isFilled { Samples.discardUnusable(sent, count: frames) }
    filter.render(sent, count: frames, filterValues)
    reverberation.set(settings(type))
    let targetGain = isOn ? Decibels.gain(ofLevel: min(max(level, -40), 40)) : 0
    gain.follow(targetGain, step: 0, frames: frames, fade: fade)
    var frame = 0
    while frame < frames {
      let run = min(frames - frame, Self.runFrames)
      let right = returned + Self.runFrames
      reverberation.render(sent + frame, sent + frame, into: returned, right, count: run)
      let level = applyGain(returned, right, run)
      for channel in 0..<target.channelCount {
        add(returned, level * speakers.leftShares[channel], to: target[channel] + frame, run)
        add(right, level * speakers.rightShares[channel], to: target[channel] + frame, run)
      }
      frame += run
    }
  }

  /// Applies a gain that changes, frame by frame; returns the gain that remains to be applied.
  @_noLocks
  private mutating func applyGain(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, _ count: Int
  ) -> Float {
    guard gain.isMoving else { return gain.value }
    gain.write(into: gains, count)
    LinkedLevel.scale(left, by: gains, count: count)
    LinkedLevel.scale(right, by: gains, count: count)
    return 1
  }

  @_noLocks
  private func add(
    _ side: UnsafeMutablePointer<Float>, _ share: Float, to target: UnsafeMutablePointer<Float>,
    _ count: Int
  ) {
    guard share != 0 else { return }
    MixKernel.add(side, to: target, count: count, gain: share, step: 0)
  }

  /// The room with a number.
  @_noLocks
  private func settings(_ type: Float) -> LateReverberation.Settings {
    rooms[min(max(Elementary.whole(Double(type)), 0), roomCount - 1)]
  }

  /// [control thread] The settings of a room in Reverb2.
  private static func settings(_ room: RoomPreset) -> LateReverberation.Settings {
    let room = room.reverb2
    var settings = LateReverberation.Settings()
    settings.shortest = Double(room.shortest)
    settings.longest = Double(room.longest)
    settings.lowDecay = Double(room.lowDecay)
    settings.highDecay = Double(room.highDecay)
    return settings
  }
}
