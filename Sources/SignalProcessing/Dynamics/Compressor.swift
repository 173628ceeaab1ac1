// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Computes the gain of a compressor and expander for each frame from the level of each frame.
///
/// A feed-forward design in decibels: the curve is applied to the instantaneous level, and the gain
/// reduction is smoothed. A peak value of the reduction falls by a factor of e in the release time.
/// The smoothed reduction approaches a higher peak by a factor of e in the attack time, and falls
/// together with it. So both times are exact and do not add up, and a steady tone is compressed by
/// its peak. (Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", 2012,
/// call this a log-domain, decoupled peak detector; there the attack delays the release.)
///
/// Expansion follows a level that falls by a factor of e in the release time, and opens in the
/// attack time. It is off when its threshold is at -120 dB.
public struct Compressor: BitwiseCopyable, Sendable {
  /// Indices of the settings in the ramp; the curve first.
  private enum SettingIndex {
    static var threshold: Int { @_noLocks get { 0 } }
    static var headRoom: Int { @_noLocks get { 1 } }
    static var expansionThreshold: Int { @_noLocks get { 2 } }
    static var expansionRatio: Int { @_noLocks get { 3 } }
    static var gain: Int { @_noLocks get { 4 } }
  }

  private let sampleRate: Double
  private var settings: SettingsRamp
  private var attackTime: Float = -1
  private var releaseTime: Float = -1
  private var attack = 0.0
  private var release = 0.0
  /// Gain reduction of the compression in decibels before a pair of frames: peak and smoothed.
  private var peak = 0.0
  private var smoothed = 0.0
  /// Reduction for the first frame of a pair that the end of the slice interrupted.
  private var pendingReduction: Float = 0
  private var hasPendingReduction = false
  /// The level that expansion follows, full scale at first, and its gain reduction in decibels.
  private var envelope = 1.0
  private var expansion = 0.0

  /// Seconds after which no earlier input affects the output, for a release time.
  public static func settlingTime(releaseTime: Double) -> Double { 25 * releaseTime }

  public init(sampleRate: Double) {
    self.sampleRate = sampleRate
    settings = SettingsRamp(frames: Int(sampleRate * 0.02))
  }

  /// Clears the signal history; the next settings apply immediately, without a ramp. [any thread]
  @_noLocks
  public mutating func reset() {
    settings.reset()
    peak = 0
    smoothed = 0
    hasPendingReduction = false
    reduction = 0
    envelope = 1
    expansion = 0
  }

  /// Current gain reduction of the compression in decibels. [any thread]
  public private(set) var reduction: Float = 0

  /// Sets the curve and the make-up gain in decibels, which ramp within 20 ms, and the times in
  /// seconds. [any thread]
  @_noLocks
  public mutating func set(
    _ curve: LevelCurve, gain: Float, attackTime: Float, releaseTime: Float
  ) {
    var values = SIMD16<Float>.zero
    values[SettingIndex.threshold] = curve.threshold
    values[SettingIndex.headRoom] = curve.headRoom
    values[SettingIndex.expansionThreshold] = curve.expansionThreshold
    values[SettingIndex.expansionRatio] = curve.expansionRatio
    values[SettingIndex.gain] = gain
    settings.move(to: values)
    guard attackTime != self.attackTime || releaseTime != self.releaseTime else { return }
    self.attackTime = attackTime
    self.releaseTime = releaseTime
    attack = Elementary.decay(frames: Double(attackTime) * sampleRate)
    release = Elementary.decay(frames: Double(releaseTime) * sampleRate)
  }

  /// Replaces linear levels by linear gains; `scratch` is as large as `levels`. [any thread]
  ///
  /// Without a reduction and at a gain of 0 dB the result is exactly one.
  @_noLocks
  public mutating func process(
    _ levels: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>, count: Int
  ) {
    var start = 0
    while start < count {
      let run = settings.run(of: count - start)
      processRun(levels + start, scratch, run)
      settings.advance(by: run)
      start += run
    }
  }

  @_noLocks
  private mutating func processRun(
    _ levels: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let threshold = line(SettingIndex.expansionThreshold)
    let expands = threshold.start > -120 || threshold.step != 0 || expansion > 0
    if expands {
      expand(levels, into: scratch, count: count)
    } else {
      envelope = 1
    }
    let (knee, headRoom) = (line(SettingIndex.threshold), line(SettingIndex.headRoom))
    kernel_compression(levels, count, knee.start, knee.step, headRoom.start, headRoom.step)
    smooth(levels, count: count)
    if expands {
      for index in 0..<count { levels[index] += scratch[index] }
    }
    let gain = line(SettingIndex.gain)
    kernel_gains(levels, count, gain.start, gain.step)
  }

  /// A setting in decibels at the first frame of a run, and its change per frame.
  private struct Line: BitwiseCopyable {
    let start: Float
    let step: Float

    @inline(__always) @_noLocks
    func value(at frame: Int) -> Float { step * Float(frame) + start }
  }

  /// A setting over the next frames.
  @_noLocks
  private func line(_ index: Int) -> Line {
    Line(start: settings.values[index], step: settings.steps[index])
  }

  /// Smooths the gain reduction of the compression.
  ///
  /// Computes two frames at a time from the state before them, so that the loop waits for the
  /// recurrence once in two frames. A pair that two slices share gives the same numbers.
  @_noLocks
  private mutating func smooth(_ decibels: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    if hasPendingReduction, count > 0 {
      decibels[0] = Float(finishPair(Double(pendingReduction), Double(decibels[0])))
      hasPendingReduction = false
      index = 1
    }
    var (peak, smoothed) = (self.peak, self.smoothed)
    let (attack, release, rise) = (self.attack, self.release, 1 - self.attack)
    let (attackTwice, releaseTwice) = (attack * attack, release * release)
    while index &+ 2 <= count {
      let one = Double(decibels[index])
      let two = Double(decibels[index &+ 1])
      let peak1 = larger(one, peak * release)
      peak = larger(larger(two, one * release), peak * releaseTwice)
      let (gain1, gain2) = (peak1 * rise, peak * rise)
      decibels[index] = Float(smaller(peak1, smoothed * attack + gain1))
      smoothed = smaller(
        smaller(peak, peak1 * attack + gain2), smoothed * attackTwice + (gain1 * attack + gain2))
      decibels[index &+ 1] = Float(smoothed)
      index &+= 2
    }
    (self.peak, self.smoothed) = (peak, smoothed)
    if index < count {
      pendingReduction = decibels[index]
      hasPendingReduction = true
      let peak1 = larger(Double(pendingReduction), peak * release)
      decibels[index] = Float(smaller(peak1, smoothed * attack + peak1 * rise))
    }
    if count > 0 { reduction = decibels[count - 1] }
  }

  /// The second frame of a pair whose first ended a slice.
  @_noLocks
  private mutating func finishPair(_ one: Double, _ two: Double) -> Double {
    let rise = 1 - attack
    let peak1 = larger(one, peak * release)
    peak = larger(larger(two, one * release), peak * (release * release))
    let (gain1, gain2) = (peak1 * rise, peak * rise)
    smoothed = smaller(
      smaller(peak, peak1 * attack + gain2),
      smoothed * (attack * attack) + (gain1 * attack + gain2))
    return smoothed
  }

  @inline(__always) @_noLocks
  private func larger(_ one: Double, _ other: Double) -> Double { one > other ? one : other }

  @inline(__always) @_noLocks
  private func smaller(_ one: Double, _ other: Double) -> Double { one < other ? one : other }

  /// Writes the gain reduction of the expansion in decibels.
  @_noLocks
  private mutating func expand(
    _ levels: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let threshold = line(SettingIndex.expansionThreshold)
    let ratio = line(SettingIndex.expansionRatio)
    let (attack, release) = (self.attack, self.release)
    for index in 0..<count {
      let level = Double(levels[index])
      envelope *= release
      envelope = level > envelope ? level : envelope
      let audible = envelope > 0x1p-40 ? Float(envelope) : 0x1p-40
      let decibels = Elementary.log2(audible) * Elementary.decibelsPerOctave
      let below = max(0, threshold.value(at: index) - decibels)
      let target = min((ratio.value(at: index) - 1) * below, LevelCurve.maximumExpansion)
      expansion *= attack
      expansion = Double(target) > expansion ? Double(target) : expansion
      output[index] = Float(expansion)
    }
    // The rest is inaudible long before it is exactly zero.
    if expansion < 0x1p-60 { expansion = 0 }
  }
}
