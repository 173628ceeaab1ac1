// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import CAudioToolbox
import FilePlayback

/// Plays scheduled regions of sound files, and scheduled slices like a `ScheduledSoundPlayer`.
struct AudioFilePlayer: TimedKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer, "AUAudioFilePlayer")

  private let player: SchedulePlayer?

  init(_ setup: KernelSetup) { player = (setup.shared as? PlaySchedule)?.player }

  /// The unit owns the schedule and cancels it.
  mutating func reset() {}

  @_noLocks
  mutating func render(
    _ output: Slice, at time: UnsafePointer<AudioTimeStamp>, _ values: Values
  ) -> Bool { output.play(player, at: time) }
}
