// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The render half of the sound of a file: which sound, and where it is.
///
/// A sound begins at its first frame whenever the level rises from silence, so that it is heard from
/// its beginning after a delay, a pause or a change of the waveform.
struct SoundPosition {
  private struct Sound {
    var plan: UnsafePointer<SoundPlan>?
    /// The frame of its beginning.
    var start = 0
  }

  /// The sound up to the change in this part, and from there on.
  private var before = Sound()
  private var now = Sound()
  /// The frame of the change; nil if there is none in this part.
  private var change: Int?

  /// The sound that is used from now on.
  var plan: UnsafePointer<SoundPlan>? { @_noLocks get { now.plan } }

  /// [render thread] Begins a sound at a frame of this part, before which the level is zero.
  @_noLocks
  mutating func begin(_ plan: UnsafePointer<SoundPlan>?, at frame: Int) {
    if change == nil {
      before = now
      change = frame
    }
    now = Sound(plan: plan, start: frame)
  }

  /// [render thread] Multiplies a part that begins at frame `position` by the sound. With a timing, the
  /// sound begins with each of its beginnings instead.
  @_noLocks
  mutating func apply(
    to data: UnsafeMutablePointer<AudioBufferList>, _ frameCount: Int, at position: Int,
    _ timing: UnsafePointer<TimingPlan>?
  ) {
    let changed = change.map { min(max($0 - position, 0), frameCount) } ?? 0
    var done = 0
    while done < frameCount {
      let sound = done < changed ? before : now
      var count = (done < changed ? changed : frameCount) - done
      var place = position + done - sound.start
      if let timing {
        let timed = timing.pointee.place(at: position + done)
        place = timed.place
        count = min(count, timed.framesLeft)
      }
      if let plan = sound.plan { plan.pointee.apply(to: data, from: done, count, at: place) }
      done += count
    }
    change = nil
  }
}
