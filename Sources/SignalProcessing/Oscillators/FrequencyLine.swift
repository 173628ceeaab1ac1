// SPDX-License-Identifier: Apache-2.0

/// The next frames of a linear frequency ramp: as far as it stays within its limit, or, beyond the
/// limit, as long as it is clamped.
struct FrequencyLine: BitwiseCopyable {
  /// In Hz, at the first of the frames.
  let start: Double
  /// Change per frame.
  let step: Double
  /// At least one.
  let count: Int

  /// Starts at frame `first` of a run of `end` frames, which begins at `frequency`; `limit` applies
  /// on both sides of zero. Values that are not finite become zero.
  @_noLocks
  init(from first: Int, to end: Int, _ frequency: Double, step: Double, limit: Double) {
    let rest = end - first
    let now = frequency + step * Double(first)
    guard now.isFinite, step.isFinite else {
      (self.start, self.step, count) = (0, 0, rest)
      return
    }
    guard now.magnitude <= limit else {
      // Frames until it is within the limit again, if ever.
      let outside = now > 0 ? (now - limit) / -step : (now + limit) / -step
      let returns = now > 0 ? step < 0 : step > 0
      (self.start, self.step) = (now > 0 ? limit : -limit, 0)
      count = returns && outside < Double(rest) ? Int(outside) + 1 : rest
      return
    }
    let inside = step > 0 ? (limit - now) / step : (now + limit) / -step
    (self.start, self.step) = (now, step)
    count = step != 0 && inside < Double(rest - 1) ? Int(inside) + 1 : rest
  }
}
