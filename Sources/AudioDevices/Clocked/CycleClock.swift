// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// The times at which cycles are due.
///
/// Each is computed from the first one, never from the previous one, so the rate stays exact for
/// hours. After a late cycle the next ones catch up. After half a second or more (the process was
/// stopped, the machine slept) they do not catch up; all times are shifted instead.
struct CycleClock {
  /// When the current cycle was due, in nanoseconds of the host clock.
  var hostTime: UInt64 { time(of: frames) }
  /// Frames of all cycles before the current one.
  private(set) var frames = 0

  private let isPaced: Bool
  private let cycleFrames: Int
  private let frameTime: Double
  private var origin: UInt64

  private static let longestLag: UInt64 = 500_000_000
  /// A program may pass any start time. Below this limit, centuries ahead, sums do not overflow.
  private static let latestStart = UInt64.max / 2

  init(_ environment: DeviceEnvironment, startHostTime: UInt64?) {
    isPaced = environment.clock == .paced
    cycleFrames = environment.cycleFrames
    frameTime = 1_000_000_000 / environment.sampleRate
    let now = rt_host_time()
    // A simulated clock need not wait for the requested start time.
    let start = isPaced ? max(now, startHostTime ?? now) : startHostTime ?? now
    origin = min(start, Self.latestStart)
  }

  /// Waits until the cycle is due. False if the thread was told to stop.
  func wait(_ thread: WorkerThread) -> Bool {
    guard isPaced else { return !thread.isStopping }
    let now = rt_host_time()
    guard now > hostTime else { return thread.sleep(until: hostTime) }
    // A real-time thread that is late must not use the whole processor to catch up.
    let rest = UInt64(Double(cycleFrames) * frameTime / 16)
    return thread.sleep(until: now + max(rest, 20_000))
  }

  /// Advances to the next cycle. True if the previous one finished too late.
  mutating func advance() -> Bool {
    frames += cycleFrames
    guard isPaced else { return false }
    let now = rt_host_time()
    let due = hostTime
    if now > due + Self.longestLag { origin += now - due }
    return now > due
  }

  private func time(of frames: Int) -> UInt64 {
    origin + UInt64((Double(frames) * frameTime).rounded())
  }
}
