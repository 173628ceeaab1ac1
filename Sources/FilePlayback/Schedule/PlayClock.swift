// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime
import SignalProcessing

/// Computes a player's position in its schedule from the time stamps of its renders.
///
/// If time jumps ahead, the position jumps too, so that the player stays in time with others. If
/// time jumps back, as when a device restarts, the position continues: nothing is played twice.
struct PlayClock {
  /// Times and positions are at most this many frames before and after 0, thousands of years. A
  /// sample time beyond does not distinguish frames.
  static var limit: Int { @_noLocks get { 1 << 53 } }

  private let sampleRate: Double
  /// The sample time of position 0; nil before the start.
  private var origin: Int?
  /// The requested time of position 0; nil if none is pending.
  private var requestedStart: AudioTimeStamp?
  /// The sample time of the next render, if time continues without a jump.
  private var next: Int?

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// [render thread] Whether the player has started.
  var hasStarted: Bool { @_noLocks get { origin != nil } }

  /// [render thread] Ends playback, and cancels a pending start.
  @_noLocks
  mutating func stop() {
    origin = nil
    requestedStart = nil
  }

  /// [render thread] Sets the time of position 0.
  @_noLocks
  mutating func start(at stamp: AudioTimeStamp) { requestedStart = stamp }

  /// The positions of a render's frames. If playback restarts in this render, `position` applies
  /// before `restartFrame`, and `restartPosition` from that frame on.
  struct Cycle {
    var restartFrame: Int
    /// The position of the first frame; nil if the player has not started.
    var position: Int?
    /// The position of `restartFrame`; nil if there is no new start in this render.
    var restartPosition: Int?
    var sampleTime: Int
    var hostTime: UInt64
  }

  /// [render thread] Advances by the frames of a render.
  @_noLocks
  mutating func advance(_ stamp: AudioTimeStamp, frames: Int) -> Cycle {
    var now = next ?? 0
    if stamp.has(.sampleTimeValid), stamp.mSampleTime.magnitude < 0x1p1000 {
      now = nearest(stamp.mSampleTime)
    }
    if let next { jump(from: next, to: now) }
    next = now &+ frames
    let host = stamp.has(.hostTimeValid) ? stamp.mHostTime : rt_host_time()
    var cycle = Cycle(
      restartFrame: frames, position: origin.map { now &- $0 }, restartPosition: nil,
      sampleTime: now, hostTime: host)
    guard let requestedStart, let startTime = sampleTime(of: requestedStart, now, host),
      startTime < now &+ frames
    else { return cycle }
    self.requestedStart = nil
    origin = startTime
    cycle.restartFrame = max(0, startTime &- now)
    cycle.restartPosition = now &+ cycle.restartFrame &- startTime
    return cycle
  }

  /// Keeps the position if time jumps back, and below the limit if it jumps ahead.
  @_noLocks
  private mutating func jump(from next: Int, to now: Int) {
    guard let origin else { return }
    if now < next {
      self.origin = origin &+ (now &- next)
    } else if now > next, now &- origin > Self.limit {
      self.origin = now &- Self.limit
    }
  }

  /// The sample time of a requested start; `now` and `host` are the times of the current render.
  @_noLocks
  private func sampleTime(of start: AudioTimeStamp, _ now: Int, _ host: UInt64) -> Int? {
    if start.has(.sampleTimeValid) {
      guard start.mSampleTime >= 0, start.mSampleTime < 0x1p53 else { return now }
      return nearest(start.mSampleTime)
    }
    guard start.mHostTime > 0 else { return now }
    return now &+ frames(from: host, to: start.mHostTime)
  }

  /// [render thread] The number of frames between two host times.
  @_noLocks
  func frames(from host: UInt64, to other: UInt64) -> Int {
    let nanoseconds = other > host ? Double(other - host) : -Double(host - other)
    return nearest(nanoseconds * sampleRate / 1e9)
  }
}

extension AudioTimeStamp {
  /// [any thread] Whether a kind of time is valid.
  @_noLocks
  func has(_ flag: AudioTimeStampFlags) -> Bool { mFlags.rawValue & flag.rawValue != 0 }
}

/// The nearest integer, within the limit of times. `rounded` is a call of libm, which `@_noLocks`
/// cannot check.
@_noLocks
private func nearest(_ value: Double) -> Int {
  let cut = Elementary.whole(value + 0.5)
  return Double(cut) > value + 0.5 ? cut - 1 : cut
}
