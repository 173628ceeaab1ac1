// SPDX-License-Identifier: Apache-2.0

/// A limiter with look-ahead: the signal is delayed, and the gain is down before the peak arrives.
///
/// The required reduction of each frame (1 - 1 / level, of the linked level) passes three stages:
/// the maximum over the look-ahead, a release that falls by a factor of e in the decay time, and an
/// average over the attack time. The average ends at the peak, so the gain falls along a straight
/// line and never exceeds what the peak requires. The sums are of multiples of 2^-40 in double
/// precision, hence exact: they do not drift, and without a reduction the gain is exactly one.
///
/// A limiter of true peaks follows `TruePeakLevel`, whose latency adds to its own.
///
/// The owner frees the memory with `deallocate`.
public struct LookAheadLimiter: BitwiseCopyable, @unchecked Sendable {
  /// Latency in frames.
  public let latencyFrames: Int
  private let sampleRate: Double
  private let channelCount: Int
  private let maximumFrames: Int
  /// The longest attack in frames, by which the signal is delayed.
  private let lookAheadFrames: Int
  private let truePeaks: TruePeakLevel?

  private let memory = OwnedMemory()
  private let levels: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  /// The last `latencyFrames` of each channel; all use the same position.
  private let delays: UnsafeMutablePointer<Float>
  private var delayPosition = 0
  /// Frames of the slice, and whether the gain before the limiter is in use.
  private var count = 0
  private var amplifies = false

  /// The reductions of the current block, which is one frame longer than the look-ahead.
  private let block: UnsafeMutablePointer<Float>
  /// For each frame of the previous block: the maximum from there to the block's end.
  private let tails: UnsafeMutablePointer<Float>
  private var blockPosition = 0
  private var blockPeak: Float = 0

  /// The last outputs of the release stage; index: `frame` modulo the length, a power of two.
  private let released: UnsafeMutablePointer<Double>
  private let releasedMask: Int
  private var frame = 0
  private var release = 0.0
  /// The average: its sum, and its length minus one frame.
  private var sum = 0.0
  private var attackFrames: Int
  private var targetAttackFrames = 0
  private var isFresh = true

  private var gain: SettingsRamp
  private var decayTime: Float = -1
  private var decay = 0.0

  /// [control thread] Makes a limiter of samples or of true peaks; `lookAhead` (in seconds) is its
  /// longest attack.
  public init(
    sampleRate: Double, channelCount: Int, maximumFrames: Int, lookAhead: Double,
    limitsTruePeaks: Bool = false
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.maximumFrames = maximumFrames
    lookAheadFrames = max(1, Int((lookAhead * sampleRate).rounded()))
    latencyFrames = lookAheadFrames + (limitsTruePeaks ? TruePeakLevel.latencyFrames : 0)
    truePeaks =
      limitsTruePeaks
      ? TruePeakLevel(channelCount: channelCount, maximumFrames: maximumFrames) : nil
    levels = memory.array(maximumFrames, of: 0)
    gains = memory.array(maximumFrames, of: 1)
    delays = memory.array(latencyFrames * channelCount, of: 0)
    block = memory.array(lookAheadFrames + 1, of: 0)
    tails = memory.array(lookAheadFrames + 1, of: 0)
    var length = 1
    while length < lookAheadFrames + 2 { length *= 2 }
    released = memory.array(length, of: 0)
    releasedMask = length - 1
    attackFrames = lookAheadFrames
    gain = SettingsRamp(frames: Int(sampleRate * 0.02))
    reset()
  }

  /// [control thread] Frees the memory; nothing may use the limiter afterwards.
  public func deallocate() {
    truePeaks?.deallocate()
    memory.deallocate()
  }

  /// Clears the signal history; the next settings apply immediately, without a ramp. [any thread]
  @_noLocks
  public mutating func reset() {
    delays.initialize(repeating: 0, count: latencyFrames * channelCount)
    block.initialize(repeating: 0, count: lookAheadFrames + 1)
    tails.initialize(repeating: 0, count: lookAheadFrames + 1)
    truePeaks?.reset()
    released.initialize(repeating: 0, count: releasedMask + 1)
    delayPosition = 0
    count = 0
    blockPosition = 0
    blockPeak = 0
    frame = 0
    release = 0
    sum = 0
    attackFrames = lookAheadFrames
    isFresh = true
    gain.reset()
  }

  /// Sets the times in seconds and the gain before the limiter in decibels, which ramps within 20
  /// ms. The attack is limited to the look-ahead; its length changes by one frame per frame.
  /// [any thread]
  @_noLocks
  public mutating func set(attackTime: Float, decayTime: Float, gain decibels: Float) {
    targetAttackFrames = min(
      max(Elementary.whole(Double(attackTime) * sampleRate + 0.5), 1), lookAheadFrames)
    if isFresh { attackFrames = targetAttackFrames }
    isFresh = false
    var values = SIMD16<Float>.zero
    values[0] = decibels
    gain.move(to: values)
    guard decayTime != self.decayTime else { return }
    self.decayTime = decayTime
    decay = Elementary.decay(frames: Double(decayTime) * sampleRate)
  }

  /// Begins a slice of `count` frames, at most the maximum. Then call `measure` for each channel,
  /// `computeGains`, and `applyGains` for each channel. [any thread]
  @_noLocks
  public mutating func begin(_ count: Int) {
    delayPosition = (delayPosition + self.count) % latencyFrames
    self.count = count
    amplifies = !gain.isConstant || gain.values[0] != 0
    if amplifies { gain.writeGains(of: 0, into: gains, count: count) }
  }

  /// Amplifies a channel in place and measures it. [any thread]
  @_noLocks
  public func measure(_ samples: UnsafeMutablePointer<Float>, channel: Int) {
    if amplifies { LinkedLevel.scale(samples, by: gains, count: count) }
    LinkedLevel.raise(levels, by: samples, count: count, isFirst: channel == 0)
    truePeaks?.measure(samples, count: count, channel: channel)
  }

  /// Computes the gain of each frame. [any thread]
  @_noLocks
  public mutating func computeGains() {
    truePeaks?.write(into: levels, count: count)
    convertToReductions()
    var start = 0
    while start < count {
      let run = min(count - start, lookAheadFrames + 1 - blockPosition)
      applyLookAhead(levels + start, count: run)
      start += run
    }
    smooth()
  }

  /// Converts levels into the required reductions.
  @_noLocks
  private func convertToReductions() {
    let one = SIMD8<Float>(repeating: 1)
    var index = 0
    while index &+ 8 <= count {
      let level = UnsafeRawPointer(levels + index).loadUnaligned(as: SIMD8<Float>.self)
      let above = one.replacing(with: level, where: level .> one)
      UnsafeMutableRawPointer(levels + index).storeBytes(
        of: one - one / above, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      levels[index] = levels[index] > 1 ? 1 - 1 / levels[index] : 0
      index &+= 1
    }
  }

  /// Replaces each reduction by the maximum of itself and its predecessors within the look-ahead.
  /// The method of van Herk, and of Gil and Werman: it combines the current block's maximum so far
  /// with that of the rest of the previous block.
  @_noLocks
  private mutating func applyLookAhead(_ reductions: UnsafeMutablePointer<Float>, count: Int) {
    var peak = blockPeak
    let (block, tails) = (self.block + blockPosition, self.tails + blockPosition + 1)
    let length = lookAheadFrames + 1
    // At the last frame of a block, the previous block no longer counts.
    let inside = min(count, length - 1 - blockPosition)
    for index in 0..<inside {
      let value = reductions[index]
      block[index] = value
      peak = value > peak ? value : peak
      let earlier = tails[index]
      reductions[index] = earlier > peak ? earlier : peak
    }
    blockPosition += inside
    blockPeak = peak
    guard inside < count else { return }
    let value = reductions[inside]
    self.block[length - 1] = value
    reductions[inside] = value > peak ? value : peak
    var largest: Float = 0
    if reductions[inside] > 0 {
      var position = length - 1
      while position >= 0 {
        let value = self.block[position]
        largest = value > largest ? value : largest
        self.tails[position] = largest
        position &-= 1
      }
    } else {
      self.tails.initialize(repeating: 0, count: length)
    }
    blockPosition = 0
    blockPeak = 0
  }

  /// Applies release and average; writes the gains.
  @_noLocks
  private mutating func smooth() {
    var release = self.release
    var sum = self.sum
    var frame = self.frame
    let (decay, released, mask) = (self.decay, self.released, releasedMask)
    let latency = lookAheadFrames
    var index = 0
    while index < count {
      // The average covers the frames from `first` to `first + attackFrames`.
      let isConstant = attackFrames == targetAttackFrames
      let end = isConstant ? count : index + 1
      let attackFrames = self.attackFrames
      let scale = 1 / Double(attackFrames + 1)
      while index < end {
        let held = Double(levels[index])
        release *= decay
        release = held > release ? held : release
        // Rounded to multiples of 2^-40.
        released[frame & mask] = (release + 0x1.8p12) - 0x1.8p12
        let first = frame &- latency
        sum += released[(first &+ attackFrames) & mask] - released[(first &- 1) & mask]
        gains[index] = Float(1 - sum * scale)
        frame &+= 1
        index &+= 1
      }
      if !isConstant { step(&sum, frame) }
    }
    self.release = release
    self.sum = sum
    self.frame = frame
  }

  /// Lengthens or shortens the average by one frame at its later end, for the next frame.
  @_noLocks
  private mutating func step(_ sum: inout Double, _ frame: Int) {
    let last = frame - 1 - lookAheadFrames + attackFrames
    if attackFrames < targetAttackFrames {
      sum += released[(last + 1) & releasedMask]
      attackFrames += 1
    } else {
      sum -= released[last & releasedMask]
      attackFrames -= 1
    }
  }

  /// Replaces a channel by the delayed signal times the gains, and clips what rounding adds.
  /// [any thread]
  @_noLocks
  public func applyGains(_ samples: UnsafeMutablePointer<Float>, channel: Int) {
    let line = delays + channel * latencyFrames
    var (start, position) = (0, delayPosition)
    while start < count {
      let run = min(count - start, latencyFrames - position)
      let (new, old, gains) = (samples + start, line + position, self.gains + start)
      for index in 0..<run {
        let late = old[index]
        old[index] = new[index]
        let limited = late * gains[index]
        let below = limited < 1 ? limited : 1
        new[index] = below > -1 ? below : -1
      }
      start += run
      position = position + run == latencyFrames ? 0 : position + run
    }
  }
}
