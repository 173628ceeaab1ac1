// SPDX-License-Identifier: Apache-2.0

import CKernels

// Rates that change from frame to frame: each output has its own step, which depends only on the
// rate at its frame. So the result does not depend on the sizes of the slices.
extension VariableRateConverter {
  /// Sets the rates of the next `frames` outputs, at most the maximum: from `rate` on, changing by
  /// `slope` per frame, limited to `range`. Applies until the next call. [render thread]
  @_noLocks
  public mutating func ramp(_ frames: Int, rate: Float, slope: Float) {
    stepCount = min(frames, maximumFrames)
    for frame in 0..<stepCount {
      steps[frame] = Self.step(limited(rate + slope * Float(frame)))
    }
  }

  /// As above, for a pitch in cents: the rate is 2^(cents / 1200). [render thread]
  @_noLocks
  public mutating func ramp(_ frames: Int, cents: Float, slope: Float) {
    stepCount = min(frames, maximumFrames)
    for frame in 0..<stepCount {
      let rate = Elementary.exp2(Double(cents + slope * Float(frame)) * (1.0 / 1200))
      steps[frame] = Self.step(min(max(rate, range.lowerBound), range.upperBound))
    }
  }

  /// Sets the rates of the next `frames` outputs to 1, or inaudibly below 1 until outputs fall on
  /// input frames: from then on frames pass unchanged. [render thread]
  @_noLocks
  public mutating func alignToFrames(_ frames: Int) {
    guard position.phase > 0 else { return set(rate: 1) }
    stepCount = min(frames, maximumFrames)
    var phase = position.phase
    for frame in 0..<stepCount {
      // A hundredth of a frame in ten frames is less than two cents.
      let missing = min(phase, ResamplingPosition.fineModulus >> 10)
      phase -= missing
      steps[frame] = ResamplingPosition.fineModulus - missing
    }
  }

  @_noLocks
  private static func step(_ rate: Double) -> UInt64 {
    UInt64(rate * Double(ResamplingPosition.fineModulus))
  }

  /// Whole frames from the window of the next output to that of the output `count` later.
  @_noLocks
  func rampedFrames(after count: Int) -> Int {
    var (frames, phase) = (0, position.phase)
    for index in 0..<min(count, stepCount) {
      phase += steps[index]
      frames += Int(phase >> 56)
      phase &= ResamplingPosition.fineModulus - 1
    }
    return frames
  }

  /// Renders outputs at changing rates, in runs that use the same filter.
  @_noLocks
  mutating func renderRamped(
    to output: UnsafePointer<UnsafeMutablePointer<Float>>, offset: Int, frames: Int
  ) {
    let count = min(frames, stepCount)
    let unit = 1 / Double(ResamplingPosition.fineModulus)
    var done = 0
    while done < count {
      let filter = filter(for: Double(steps[done]) * unit)
      var end = done + 1
      if steps[done] == ResamplingPosition.fineModulus, position.phase == 0 {
        while end < count, steps[end] == steps[done] { end += 1 }
        copy(to: output, offset: offset + done, frames: end - done)
        discard(end - done)
        done = end
        continue
      }
      while end < count, self.filter(for: Double(steps[end]) * unit) == filter { end += 1 }
      // Outputs that fall on input frames are copied.
      var phase = position.phase
      for index in done..<end {
        if phase == 0, steps[index] == ResamplingPosition.fineModulus, index > done {
          end = index
          break
        }
        phase = (phase &+ steps[index]) & (ResamplingPosition.fineModulus - 1)
      }
      var walk = position.walk
      walk.steps = UnsafePointer(steps + done)
      resample(by: filter, to: output, offset: offset + done, frames: end - done, walk)
      discard(position.advance(bySteps: steps + done, count: end - done))
      done = end
    }
    stepCount = 0
  }
}
