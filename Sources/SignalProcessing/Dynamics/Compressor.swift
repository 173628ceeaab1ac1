// SPDX-License-Identifier: Apache-2.0

/// The gain that a compressor and expander gives each frame, from the level of each frame.
///
/// A feed-forward design that works on decibels: the curve is applied to the instantaneous level, and
/// what it takes away is smoothed. Its largest value falls back by a factor of e in the release time;
/// what is taken moves towards that, when it has to rise, by a factor of e in the attack time, and
/// falls with it. So both times are exact and do not add up, and a steady tone is taken at its crest.
/// (Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design", 2012, calls the parts a
/// log-domain, decoupled peak detector; there the attack delays the release.)
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
  /// Decibels taken by compression, at their largest and as smoothed.
  private var crest = 0.0
  private var taken = 0.0
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
    followed = 1
    expanded = 0
  }

  /// Decibels that compression takes at this moment. [any thread]
  public var reduction: Float { @_noLocks get { Float(taken) } }

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
    attack = Exponentials.decay(frames: Double(attackTime) * sampleRate)
    release = Exponentials.decay(frames: Double(releaseTime) * sampleRate)
  }

  /// Replaces linear levels by linear gains. [any thread]
  ///
  /// Both arrays have room for `count` rounded up to a multiple of eight; `scratch` is used only
  /// within. Where nothing is taken and the gain is 0 dB, the result is exactly one.
  @_noLocks
  public mutating func process(
    _ levels: UnsafeMutablePointer<Float>, scratch: UnsafeMutablePointer<Float>, count: Int
  ) {
    var start = 0
    while start < count {
      var run = settings.run(of: count - start)
      let isLast = start + run == count
      // Whole vectors may reach beyond what there is at the very end only.
      if !isLast, run > 8 { run &= ~7 }
      if isLast || run & 7 == 0 {
        process(levels + start, scratch, run)
      } else {
        let following = UnsafeRawPointer(levels + start).loadUnaligned(as: SIMD8<Float>.self)
        process(levels + start, scratch, run)
        for index in run..<8 { levels[start + index] = following[index] }
      }
      settings.advance(by: run)
      start += run
    }
  }

  @_noLocks
  private mutating func process(
    _ levels: UnsafeMutablePointer<Float>, _ scratch: UnsafeMutablePointer<Float>, _ count: Int
  ) {
    let values = settings.values
    let steps = settings.steps
    let expands =
      values[Place.expansionThreshold] > -120 || steps[Place.expansionThreshold] != 0
      || expanded > 0
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let floor = SIMD8<Float>(repeating: 0x1p-40)
    if expands {
      follow(levels, into: scratch, count: count, values, steps)
    } else {
      followed = 1
    }

    var threshold = lanes * steps[Place.threshold] + values[Place.threshold]
    var headRoom = lanes * steps[Place.headRoom] + values[Place.headRoom]
    let thresholdStep = steps[Place.threshold] * 8
    let headRoomStep = steps[Place.headRoom] * 8
    var index = 0
    while index < count {
      var level = UnsafeRawPointer(levels + index).loadUnaligned(as: SIMD8<Float>.self)
      level = floor.replacing(with: level, where: level .> floor)
      let over = Exponentials.log2(level) * Exponentials.decibelsPerOctave - threshold
      UnsafeMutableRawPointer(levels + index).storeBytes(
        of: LevelCurve.compression(over, headRoom), as: SIMD8<Float>.self)
      threshold += thresholdStep
      headRoom += headRoomStep
      index &+= 8
    }
    smooth(levels, count: count)

    var gain = lanes * steps[Place.gain] + values[Place.gain]
    let gainStep = steps[Place.gain] * 8
    index = 0
    while index < count {
      var decibels =
        gain - UnsafeRawPointer(levels + index).loadUnaligned(as: SIMD8<Float>.self)
      if expands {
        decibels -= UnsafeRawPointer(scratch + index).loadUnaligned(as: SIMD8<Float>.self)
      }
      UnsafeMutableRawPointer(levels + index).storeBytes(
        of: Exponentials.exp2(decibels * 0x1.542a5ap-3), as: SIMD8<Float>.self)
      gain += gainStep
      index &+= 8
    }
  }

  /// What compression would take at once becomes what it takes.
  @_noLocks
  private mutating func smooth(_ decibels: UnsafeMutablePointer<Float>, count: Int) {
    var crest = self.crest
    var taken = self.taken
    let (attack, release) = (self.attack, self.release)
    let rise = 1 - attack
    for index in 0..<count {
      let wanted = Double(decibels[index])
      crest *= release
      crest = wanted > crest ? wanted : crest
      let risen = taken * attack + crest * rise
      taken = risen < crest ? risen : crest
      decibels[index] = Float(taken)
    }
    self.crest = crest
    self.taken = taken
  }

  /// Writes the decibels that expansion takes.
  @_noLocks
  private mutating func follow(
    _ levels: UnsafePointer<Float>, into output: UnsafeMutablePointer<Float>, count: Int,
    _ values: SIMD16<Float>, _ steps: SIMD16<Float>
  ) {
    let release = self.release
    var followed = self.followed
    for index in 0..<count {
      let level = Double(levels[index])
      followed *= release
      followed = level > followed ? level : followed
      output[index] = Float(followed)
    }
    self.followed = followed
    let lanes = SIMD8<Float>(0, 1, 2, 3, 4, 5, 6, 7)
    let floor = SIMD8<Float>(repeating: 0x1p-40)
    let deepest = SIMD8<Float>(repeating: LevelCurve.deepestExpansion)
    var threshold = lanes * steps[Place.expansionThreshold] + values[Place.expansionThreshold]
    var slope = lanes * steps[Place.expansionRatio] + (values[Place.expansionRatio] - 1)
    var index = 0
    while index < count {
      var level = UnsafeRawPointer(output + index).loadUnaligned(as: SIMD8<Float>.self)
      level = floor.replacing(with: level, where: level .> floor)
      let below = threshold - Exponentials.log2(level) * Exponentials.decibelsPerOctave
      let wanted = slope * SIMD8<Float>.zero.replacing(with: below, where: below .> 0)
      UnsafeMutableRawPointer(output + index).storeBytes(
        of: deepest.replacing(with: wanted, where: wanted .< deepest), as: SIMD8<Float>.self)
      threshold += steps[Place.expansionThreshold] * 8
      slope += steps[Place.expansionRatio] * 8
      index &+= 8
    }
    let attack = self.attack
    var expanded = self.expanded
    for index in 0..<count {
      let wanted = Double(output[index])
      expanded *= attack
      expanded = wanted > expanded ? wanted : expanded
      output[index] = Float(expanded)
    }
    // Nothing is left of it long before it is exactly zero.
    self.expanded = expanded < 0x1p-60 ? 0 : expanded
  }
}
