// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox

/// Where the host is in musical time at the first frame of a render.
struct MusicalPosition: BitwiseCopyable {
  var isPlaying = false
  /// Frames of the host's time line.
  var frame = 0.0
  /// Quarter notes, and their number per minute.
  var beat = 0.0
  var tempo = 0.0
  /// The signature, and the beat at which the bar begins; a numerator of 0: unknown.
  var numerator: Float = 0
  var denominator: UInt32 = 4
  var downbeat = 0.0
  /// The beats between which the host cycles, if it does.
  var isCycling = false
  var cycleStart = 0.0
  var cycleEnd = 0.0

  /// [render thread] Whether the other one follows from this one after some time.
  @_noLocks
  func leads(to next: Self, after seconds: Double) -> Bool {
    let moved = isPlaying ? seconds * tempo / 60 : 0
    return isPlaying == next.isPlaying && tempo == next.tempo && numerator == next.numerator
      && denominator == next.denominator && (beat + moved - next.beat).magnitude < 0.001
  }

  /// [render thread] The position after some time at a sample rate.
  @_noLocks
  func advanced(by seconds: Double, at sampleRate: Double) -> Self {
    guard isPlaying else { return self }
    var next = self
    next.frame += seconds * sampleRate
    next.beat += seconds * tempo / 60
    return next
  }
}

/// Passes the position of the host on when it is not what the plug-in expects.
struct HostedTransport: BitwiseCopyable {
  private var last: MusicalPosition?
  private var seconds = 0.0
  private let sampleRate: Double

  /// [control thread] Before the first render.
  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// [render thread] Takes the position at the start of a render; returns whether it is news.
  @_noLocks
  mutating func begin(_ position: MusicalPosition?) -> Bool {
    guard let position else { return false }
    defer {
      last = position
      seconds = 0
    }
    if let last { return !last.leads(to: position, after: seconds) }
    return true
  }

  /// The position now; nil if nobody knows.
  var position: MusicalPosition? {
    @_noLocks get { last?.advanced(by: seconds, at: sampleRate) }
  }

  /// [render thread] Counts the frames of a slice.
  @_noLocks
  mutating func advance(_ frames: Int) { seconds += Double(frames) / sampleRate }

  /// [render thread] The plug-in has forgotten the position.
  @_noLocks
  mutating func reset() { last = nil }
}
