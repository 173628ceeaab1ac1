// SPDX-License-Identifier: Apache-2.0

/// Computes steady cycle times from the times at which a server's cycles arrive.
///
/// A second-order delay-locked loop: it follows the device's clock and filters out scheduling
/// jitter. Adriaensen, "Using a DLL to filter time" (2005).
struct CycleTimes {
  /// The estimated real rate divided by the nominal rate.
  private(set) var rateScalar = 1.0

  /// The duration of a frame at the nominal rate, in nanoseconds.
  private let nominal: Double
  private var period: Double
  /// The expected time of the next cycle, and the time of the last one.
  private var next: UInt64 = 0
  private var last: UInt64 = 0
  private var hasBegun = false

  /// Radians per second: slow enough to filter scheduling jitter, fast enough to settle in seconds.
  private static var bandwidth: Double { @_noLocks get { 2 } }
  /// The square root of two, which settles without overshoot.
  private static var damping: Double { @_noLocks get { 1.414_213_562_373_095_1 } }
  /// A cycle that is off by more than this many nanoseconds restarts the loop.
  private static var jump: Double { @_noLocks get { 250_000_000 } }

  init(sampleRate: Double) {
    nominal = 1_000_000_000 / sampleRate
    period = nominal
  }

  /// [render thread] The filtered time of a cycle that was measured to begin at `measured`. Always
  /// later than that of the previous cycle.
  @_noLocks
  mutating func time(of measured: UInt64, frames: Int) -> UInt64 {
    let length = Double(frames) * nominal
    var error = Double(Int64(bitPattern: measured &- next))
    if !hasBegun || error.magnitude > Self.jump {
      hasBegun = true
      next = measured
      error = 0
    }
    let angle = min(Self.bandwidth * length * 1e-9, 0.5)
    let time = Self.moved(next, by: Self.damping * angle * error)
    period += angle * angle * error / Double(frames)
    period = min(max(period, nominal * 0.99), nominal * 1.01)
    next = Self.moved(time, by: Double(frames) * period)
    rateScalar = nominal / period
    // If the clock jumps back, reported times wait until it catches up.
    last = max(time, last &+ 1)
    return last
  }

  @_noLocks
  private static func moved(_ time: UInt64, by nanoseconds: Double) -> UInt64 {
    time &+ UInt64(bitPattern: Int64(nanoseconds))
  }
}
