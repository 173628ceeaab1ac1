// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// A scheduled sound or a command of the program, as the render thread sees it.
///
/// Plain memory. It belongs to control threads until it is scheduled, then to the render thread,
/// then to the thread that calls the handlers.
struct SoundEntry {
  typealias Address = UnsafeMutablePointer<SoundEntry>

  /// The meaning of an entry.
  enum Kind: UInt8 {
    /// The frames of a buffer or a file.
    case sound
    /// Playback starts, or continues, at the time `stamp`.
    case start
    /// Playback pauses.
    case pause
  }

  /// When a sound begins.
  enum Timing: UInt8 {
    /// After the previous sound.
    case following
    /// At `position`, or later if another sound plays then.
    case position
    /// At the host time of `stamp`, or later if another sound plays then.
    case hostTime
  }

  /// The link of `Handoff`, and of the list of the render thread.
  var next: Address?
  let kind: Kind
  /// The number of times the schedule had been stopped when this was scheduled.
  let epoch: UInt32
  /// What control threads keep for this sound. The render thread only passes it on.
  var sound: Unmanaged<ScheduledSound>?

  var timing = Timing.following
  /// In frames from the start of the player.
  var position = 0
  /// The time of a start, or of a sound that begins at a host time.
  var stamp = AudioTimeStamp()
  /// The number of a start.
  var number = 0

  /// For a buffer: the first sample of each channel, the distance of its samples, and the frames.
  var channels: UnsafePointer<UnsafeMutablePointer<Float>>?
  var stride = 1
  var frameCount = 0
  /// For a file: the frames as they are read, and its part of them.
  var stream: UnsafeMutablePointer<StreamRing>?
  var part: UnsafeMutablePointer<StreamPart.Shared>?

  var loops = false
  var interrupts = false
  var interruptsAtLoop = false

  // Used by the render thread.
  var hasBegun = false
  /// The next frame of a buffer.
  var cursor = 0
  /// The host time of the end of its last frame; zero if it is unknown.
  var endHostTime: UInt64 = 0

  init(_ kind: Kind, epoch: UInt32) {
    self.kind = kind
    self.epoch = epoch
  }

  /// [render thread] Whether all frames of a file have been played.
  var isPlayed: Bool {
    @_noLocks get {
      guard let stream, let part else { return true }
      return stream.pointee.played >= part.pointee.end.load(ordering: .acquiring)
    }
  }

  /// Whether it may end other sounds.
  var isInterrupter: Bool { @_noLocks get { interrupts || interruptsAtLoop } }

  /// Whether it ends the sounds before it as soon as it is taken.
  var interruptsAtOnce: Bool {
    @_noLocks get { if case .following = timing { interrupts } else { false } }
  }

  /// Whether a sound in a loop is between two repetitions, so that another can replace it.
  var isAtJoint: Bool { @_noLocks get { !hasBegun || stream == nil && cursor == 0 } }
}
