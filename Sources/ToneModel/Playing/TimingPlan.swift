// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CheckedNumbers

/// The timing of a tone in frames, for the render thread.
struct TimingPlan {
  /// The first frame with sound.
  let start: Int
  /// The frames of sound, and those from one beginning to the next.
  let length: Int
  let period: Int
  let count: Int

  /// [control thread] The frames of a timing; a tone without one sounds from the first frame on.
  init(_ timing: ToneTiming?, sampleRate: Double) {
    func frames(_ seconds: Double) -> Int { Int(saturating: (seconds * sampleRate).rounded()) }
    start = timing.map { frames($0.delay) } ?? 0
    // Sums of these do not overflow.
    let endless = Int.max / 4
    let sounding = timing?.duration.map { max(frames($0), 1) } ?? endless
    length = sounding
    period = timing?.pause.map { sounding + frames($0) } ?? endless
    count = timing?.pause == nil ? 1 : timing?.count ?? endless
  }

  /// [render thread] The frames for which the sound lasts from a frame on; 0 in a pause.
  @_noLocks
  func framesLeft(at frame: Int) -> Int {
    let place = frame - start
    guard place >= 0, place / period < count else { return 0 }
    return max(length - place % period, 0)
  }

  /// [render thread] The frames for which a pause lasts from a frame on, 0 in a sound, and the largest
  /// number if no sound follows.
  @_noLocks
  func silenceLeft(at frame: Int) -> Int {
    let place = frame - start
    guard place >= 0 else { return -place }
    let number = place / period
    guard number < count else { return Int.max }
    let inside = place % period
    if inside < length { return 0 }
    return number + 1 < count ? period - inside : Int.max
  }

  /// [render thread] The frames from the beginning of the sound or of the pause after it to a frame,
  /// and those from there to the next beginning.
  @_noLocks
  func place(at frame: Int) -> (place: Int, framesLeft: Int) {
    guard frame >= start else { return (0, start - frame) }
    let place = (frame - start) % period
    return (place, period - place)
  }

  /// [render thread] Silences the pauses of a part that begins at a frame.
  @_noLocks
  func cut(_ data: UnsafeMutablePointer<AudioBufferList>, _ frames: Int, at position: Int) {
    var done = 0
    while done < frames {
      let pause = silenceLeft(at: position + done)
      if pause > 0 {
        let end = pause < frames - done ? done + pause : frames
        silence(data, from: done, to: end)
        done = end
      } else {
        done += min(framesLeft(at: position + done), frames - done)
      }
    }
  }
}
