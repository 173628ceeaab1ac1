// SPDX-License-Identifier: Apache-2.0

/// The gain that a compressor and expander gives each frame, from the level of each frame.
///
/// A feed-forward design that works on decibels: the curve is applied to the instantaneous level,
/// and the gain reduction is smoothed. Its largest value falls back by a factor of e in the release
/// time; what is taken moves towards that, when it has to rise, by a factor of e in the attack
/// time, and falls with it. So both times are exact and do not add up, and a steady tone is taken
/// at its crest. (Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", 2012,
/// calls the parts a log-domain, decoupled peak detector; there the attack delays the release.)
///
/// Expansion follows a level that falls by a factor of e in the release time, and gives way in the
/// attack time. It is off when its threshold is at -120 dB.
public struct Compressor: BitwiseCopyable, Sendable {
  /// Places in the glide of settings; the curve first.
  private enum Place {
    static var threshold: Int { @_noLocks get { 0 } }
    static var headRoom: Int { @_noLocks get { 1 } }
    static var expansionThreshold: Int { @_noLocks get { 2 } }
    static var expansionRatio: Int { @_noLocks get { 3 } }
    static var gain: Int { @_noLocks get { 4 } }
  }

  private let sampleRate: Double
  private var settings: Glide
  private var attackTime: Float = -1
  private var releaseTime: Float = -1
  private var attack = 0.0
  private var release = 0.0
  /// Decibels taken by compression, at their largest and as smoothed, before a pair of frames.
  private var crest = 0.0
  private var taken = 0.0
  /// What the first of a pair asked for, when it was the last of a slice.
  private var halfway: Float = 0
  private var isHalfway = false
  /// The level that expansion follows, full scale at first, and the decibels that it takes.
  private var followed = 1.0
  private var expanded = 0.0

  /// Seconds after which nothing is left of what was heard, for a release time.
  public static func settlingTime(releaseTime: Double) -> Double { 25 * releaseTime }

  public init(sampleRate: Double) {
    self.sampleRate = sampleRate
    settings = Glide(frames: Int(sampleRate * 0.02))
  }

  /// Forgets what was heard; the next settings hold at once. [any thread]
  @_noLocks
  public mutating func reset() {
    settings.reset()
    crest = 0
    taken = 0
    isHalfway = false
    reduction = 0
    followed = 1
    expanded = 0
  }

  /// Decibels that compression takes at this moment. [any thread]
  public private(set) var reduction: Float = 0

  /// Sets the curve and the gain behind it in decibels, which move there within 20 ms, and the times
  /// in seconds. [any thread]
  @_noLocks
  public mutating func set(
    _ curve: LevelCurve, gain: Float, attackTime: Float, releaseTime: Float
  ) {
    var values = SIMD16<Float>.zero
    values[Place.threshold] = curve.threshold
    values[Place.headRoom] = curve.headRoom
    values[Place.expansionThreshold] = curve.expansionThreshold
    values[Place.expansionRatio] = curve.expansionRatio
    values[Place.gain] = gain
    settings.move(to: values)
    guard attackTime != self.attackTime || releaseTime != self.releaseTime else { return }
    self.attackTime = attackTime
    self.releaseTime = releaseTime
    attack = Elementary.decay(frames: Double(attackTime) * sampleRate)
    release = Elementary.decay(frames: Double(releaseTime) * sampleRate)
  }

  /// Replaces linear levels by linear gains; `scratch` has as much room. [any thread]
  ///
  /// Where nothing is taken and the gain is 0 dB, the result is exactly one.
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
    let threshold = line(Place.expansionThreshold)
    let expands = threshold.start > -120 || threshold.step != 0 || expanded > 0
    if expands {
      expand(levels, into: scratch, count: count)
    } else {
      followed = 1
    }
    DynamicsKernel.compress(
      levels, count: count, threshold: line(Place.threshold), headRoom: line(Place.headRoom))
    smooth(levels, count: count)
    if expands {
      for index in 0..<count { levels[index] += scratch[index] }
    }
    DynamicsKernel.makeGains(levels, count: count, gain: line(Place.gain))
  }

  /// A setting at the frames that come.
  @_noLocks
  private func line(_ place: Int) -> DynamicsKernel.Line {
    .init(settings.values[place], step: settings.steps[place])
  }

  /// What compression would take at once becomes what it takes.
  ///
  /// By two frames at a time, from what was before the first of them: a step of the recurrences is
  /// then waited for once in two frames. A pair that is cut in two gives the same numbers.
  @_noLocks
  private mutating func smooth(_ decibels: UnsafeMutablePointer<Float>, count: Int) {
    var index = 0
    if isHalfway, count > 0 {
      decibels[0] = Float(finishPair(Double(halfway), Double(decibels[0])))
      isHalfway = false
      index = 1
    }
    var (crest, taken) = (self.crest, self.taken)
    let (attack, release, rise) = (self.attack, self.release, 1 - self.attack)
    let (attackTwice, releaseTwice) = (attack * attack, release * release)
    while index &+ 2 <= count {
      let one = Double(decibels[index])
      let two = Double(decibels[index &+ 1])
      let crest1 = larger(one, crest * release)
      crest = larger(larger(two, one * release), crest * releaseTwice)
      let (gain1, gain2) = (crest1 * rise, crest * rise)
      decibels[index] = Float(smaller(crest1, taken * attack + gain1))
      taken = smaller(
        smaller(crest, crest1 * attack + gain2), taken * attackTwice + (gain1 * attack + gain2))
      decibels[index &+ 1] = Float(taken)
      index &+= 2
    }
    (self.crest, self.taken) = (crest, taken)
    if index < count {
      halfway = decibels[index]
      isHalfway = true
      let crest1 = larger(Double(halfway), crest * release)
      decibels[index] = Float(smaller(crest1, taken * attack + crest1 * rise))
    }
    if count > 0 { reduction = decibels[count - 1] }
  }

  /// The second frame of a pair whose first ended a slice.
  @_noLocks
  private mutating func finishPair(_ one: Double, _ two: Double) -> Double {
    let rise = 1 - attack
    let crest1 = larger(one, crest * release)
    crest = larger(larger(two, one * release), crest * (release * release))
    let (gain1, gain2) = (crest1 * rise, crest * rise)
    taken = smaller(
      smaller(crest, crest1 * attack + gain2),
      taken * (attack * attack) + (gain1 * attack + gain2))
    return taken
  }

  @inline(__always) @_noLocks
  private func larger(_ one: Double, _ other: Double) -> Double { one > other ? one : other }

  @inline(__always) @_noLocks
  private func smaller(_ one: Double, _ other: Double) -> Double { one < other ? one : other }

  /// Writes the decibels that expansion takes.
  @_noLocks
  private mutating func expand(
    _ levels: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int
  ) {
    let (threshold, ratio) = (line(Place.expansionThreshold), line(Place.expansionRatio))
    let (attack, release) = (self.attack, self.release)
    for index in 0..<count {
      let level = Double(levels[index])
      followed *= release
      followed = level > followed ? level : followed
      let audible = followed > 0x1p-40 ? Float(followed) : 0x1p-40
      let decibels = Elementary.log2(audible) * Elementary.decibelsPerOctave
      let below = max(0, threshold.value(at: index) - decibels)
      let wanted = min((ratio.value(at: index) - 1) * below, LevelCurve.deepestExpansion)
      expanded *= attack
      expanded = Double(wanted) > expanded ? Double(wanted) : expanded
      output[index] = Float(expanded)
    }
    // Nothing is left of it long before it is exactly zero.
    if expanded < 0x1p-60 { expanded = 0 }
  }
}
