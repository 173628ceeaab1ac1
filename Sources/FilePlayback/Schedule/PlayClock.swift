// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CRealTime

/// Where in its schedule a player is, by the time stamps of its renders.
///
/// Time that jumps ahead takes the player along, so that it stays in time with others. Time that jumps
/// back, as when a device starts anew, does not: what has been heard is over.
struct PlayClock {
  private let sampleRate: Double
  /// The sample time of position 0; nil before the start.
  private var origin: Int?
  /// When it is to start.
  private var wish: AudioTimeStamp?
  /// The sample time of the next render, if time goes on.
  private var next: Int?

  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// [render thread] Whether there is a position.
  var hasStarted: Bool { @_noLocks get { origin != nil } }

  /// [render thread] Nothing is to start any more, and what was started is over.
  @_noLocks
  mutating func stop() {
    origin = nil
    wish = nil
  }

  /// [render thread] Takes over when time 0 is to be.
  @_noLocks
  mutating func start(at stamp: AudioTimeStamp) { wish = stamp }

  /// The frames of a render: up to `turn` they count from the start before, from there on from a new
  /// one. A position that is nil is before any start.
  struct Cycle {
    var turn: Int
    var before: Int?
    var after: Int?
    var sampleTime: Int
    var hostTime: UInt64
  }

  /// [render thread] Lets time pass by the frames of a render.
  @_noLocks
  mutating func advance(_ stamp: AudioTimeStamp, frames: Int) -> Cycle {
    var now = next ?? 0
    if stamp.has(.sampleTimeValid), abs(stamp.mSampleTime) < 0x1p62 {
      now = nearest(stamp.mSampleTime)
    }
    if let origin, let next, now < next { self.origin = origin &+ (now &- next) }
    next = now &+ frames
    let host = stamp.has(.hostTimeValid) ? stamp.mHostTime : rt_host_time()
    var cycle = Cycle(
      turn: frames, before: origin.map { now &- $0 }, after: nil, sampleTime: now, hostTime: host)
    guard let wish, let beginning = sampleTime(of: wish, now, host), beginning < now &+ frames
    else { return cycle }
    self.wish = nil
    origin = beginning
    cycle.turn = max(0, beginning &- now)
    cycle.after = now &+ cycle.turn &- beginning
    return cycle
  }

  /// The sample time that a wish means, at a render.
  @_noLocks
  private func sampleTime(of wish: AudioTimeStamp, _ now: Int, _ host: UInt64) -> Int? {
    if wish.has(.sampleTimeValid) {
      guard wish.mSampleTime >= 0, wish.mSampleTime < 0x1p62 else { return now }
      return nearest(wish.mSampleTime)
    }
    guard wish.mHostTime > 0 else { return now }
    return now &+ frames(from: host, to: wish.mHostTime)
  }

  /// [render thread] How many frames lie between two host times.
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

/// The whole number next to another; `rounded` is not for render threads.
@_noLocks
private func nearest(_ value: Double) -> Int {
  let cut = Int(value + 0.5)
  return Double(cut) > value + 0.5 ? cut - 1 : cut
}
