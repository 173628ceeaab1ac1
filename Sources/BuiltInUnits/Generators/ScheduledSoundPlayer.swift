// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import FilePlayback

/// Plays slices of sound at the times for which a program schedules them.
struct ScheduledSoundPlayer: TimedKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, kAudioUnitSubType_ScheduledSoundPlayer, "AUScheduledSoundPlayer")

  private let player: SchedulePlayer?

  init(_ setup: KernelSetup) { player = (setup.shared as? PlaySchedule)?.player }

  /// The unit owns the schedule and cancels it.
  mutating func reset() {}

  @_noLocks
  mutating func render(
    _ output: Slice, at time: UnsafePointer<AudioTimeStamp>, _ values: Values
  ) -> Bool { output.play(player, at: time) }
}

extension Slice {
  /// [render thread] Fills the slice from a schedule; true if all of it is silent.
  @_noLocks
  func play(_ player: SchedulePlayer?, at time: UnsafePointer<AudioTimeStamp>) -> Bool {
    guard let player else {
      clear()
      return true
    }
    return player.render(
      channels, offset: offset, channelCount: channelCount, frames: frameCount, at: time)
  }
}
