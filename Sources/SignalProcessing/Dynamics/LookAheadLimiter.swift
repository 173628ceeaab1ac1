// SPDX-License-Identifier: Apache-2.0

/// A limiter that knows what comes: sound passes late, and the gain is down before the peak is there.
///
/// What each frame asks to be taken away (1 - 1 / level, of the linked level) passes three stages: the
/// largest of the frames within the look-ahead, a release that falls by a factor of e in the decay
/// time, and an average over the attack time. The average ends at the peak, so the gain falls along a
/// straight line and never lies above what the peak asks for. Sums are of multiples of 2^-40 in double
/// precision, hence exact: they do not drift, and without a reduction the gain is exactly one.
///
/// One that limits true peaks follows `TruePeakLevel`, and sound is later by what that takes.
///
/// The memory is its owner's to free, by `deallocate`.
public struct LookAheadLimiter: BitwiseCopyable, @unchecked Sendable {
  /// Frames by which sound is late.
  public let latencyFrames: Int
  private let sampleRate: Double
  private let channelCount: Int
  private let maximumFrames: Int
  /// Frames that the attack can last, and that the sound is held back for.
  private let lookAheadFrames: Int
  private let truePeaks: TruePeakLevel?

  private let memory = OwnedMemory()
  private let levels: UnsafeMutablePointer<Float>
  private let gains: UnsafeMutablePointer<Float>
  /// For each channel the last `latencyFrames` of it; they share a place.
  private let delays: UnsafeMutablePointer<Float>
  private var delayPlace = 0
  /// Frames of the slice, and whether it is amplified.
  private var count = 0
  private var amplifies = false

  /// What the frames of the block that fills ask for, as many as the look-ahead reaches and one.
  private let block: UnsafeMutablePointer<Float>
  /// From each place of the block before: the largest from there to its end.
  private let tails: UnsafeMutablePointer<Float>
  private var blockPlace = 0
  private var blockPeak: Float = 0

  /// What the release has given, the last of them, at `frame` modulo the (power of two) length.
  private let released: UnsafeMutablePointer<Double>
  private let releasedMask: Int
  private var frame = 0
  private var release = 0.0
  /// The average: its sum and how many frames beyond one it has.
  private var sum = 0.0
  private var reach: Int
  private var wantedReach = 0
  private var isFresh = true

  private var gain: Glide
  private var decayTime: Float = -1
  private var decay = 0.0

  /// [control thread] A limiter whose attack can last as long as `lookAhead` (in seconds), of samples or
  /// of true peaks.
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
    reach = lookAheadFrames
    gain = Glide(frames: Int(sampleRate * 0.02))
    reset()
  }

  /// [control thread] Frees the memory; nothing may use the limiter any more.
  public func deallocate() {
    truePeaks?.deallocate()
    memory.deallocate()
  }

  /// Forgets what was heard; the next settings hold at once. [any thread]
  @_noLocks
  public mutating func reset() {
    delays.initialize(repeating: 0, count: latencyFrames * channelCount)
    block.initialize(repeating: 0, count: lookAheadFrames + 1)
    tails.initialize(repeating: 0, count: lookAheadFrames + 1)
    truePeaks?.reset()
    released.initialize(repeating: 0, count: releasedMask + 1)
    delayPlace = 0
    count = 0
    blockPlace = 0
    blockPeak = 0
    frame = 0
    release = 0
    sum = 0
    reach = lookAheadFrames
    isFresh = true
    gain.reset()
  }

  /// Sets the times in seconds and the gain before the limiter in decibels, which moves there within
  /// 20 ms. The attack is as long as the look-ahead at most, and moves frame by frame. [any thread]
  @_noLocks
  public mutating func set(attackTime: Float, decayTime: Float, gain decibels: Float) {
    wantedReach = min(
      max(Elementary.whole(Double(attackTime) * sampleRate + 0.5), 1), lookAheadFrames)
    if isFresh { reach = wantedReach }
    isFresh = false
    var values = SIMD16<Float>.zero
    values[0] = decibels
    gain.move(to: values)
    guard decayTime != self.decayTime else { return }
    self.decayTime = decayTime
    decay = Elementary.decay(frames: Double(decayTime) * sampleRate)
  }

  /// Begins a slice of `count` frames, at most the maximum. Then come `measure` for each channel,
  /// `decide`, and `pass` for each channel. [any thread]
  @_noLocks
  public mutating func begin(_ count: Int) {
    delayPlace = (delayPlace + self.count) % latencyFrames
    self.count = count
    amplifies = !gain.isStill || gain.values[0] != 0
    if amplifies { gain.writeGains(of: 0, into: gains, count: count) }
  }

  /// Amplifies a channel in place and measures it. [any thread]
  @_noLocks
  public func measure(_ samples: UnsafeMutablePointer<Float>, channel: Int) {
    if amplifies { LinkedLevel.scale(samples, by: gains, count: count) }
    LinkedLevel.raise(levels, by: samples, count: count, isFirst: channel == 0)
    truePeaks?.measure(samples, count: count, channel: channel)
  }

  /// Finds the gain of each frame. [any thread]
  @_noLocks
  public mutating func decide() {
    truePeaks?.write(into: levels, count: count)
    ask()
    var start = 0
    while start < count {
      let run = min(count - start, lookAheadFrames + 1 - blockPlace)
      hold(levels + start, count: run)
      start += run
    }
    follow()
  }

  /// Converts levels into the required reductions.
  @_noLocks
  private func ask() {
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

  /// Each becomes the largest of itself and as many before it as the look-ahead reaches, by van Herk's
  /// and Gil and Werman's method: of the block that fills so far, and of the rest of the one before.
  @_noLocks
  private mutating func hold(_ asked: UnsafeMutablePointer<Float>, count: Int) {
    var peak = blockPeak
    let (block, tails) = (self.block + blockPlace, self.tails + blockPlace + 1)
    let length = lookAheadFrames + 1
    // The last place of a block has nothing left of the one before.
    let inside = min(count, length - 1 - blockPlace)
    for index in 0..<inside {
      let value = asked[index]
      block[index] = value
      peak = value > peak ? value : peak
      let earlier = tails[index]
      asked[index] = earlier > peak ? earlier : peak
    }
    blockPlace += inside
    blockPeak = peak
    guard inside < count else { return }
    let value = asked[inside]
    self.block[length - 1] = value
    asked[inside] = value > peak ? value : peak
    var largest: Float = 0
    if asked[inside] > 0 {
      var place = length - 1
      while place >= 0 {
        let value = self.block[place]
        largest = value > largest ? value : largest
        self.tails[place] = largest
        place &-= 1
      }
    } else {
      self.tails.initialize(repeating: 0, count: length)
    }
    blockPlace = 0
    blockPeak = 0
  }

  /// Release and average; writes gains.
  @_noLocks
  private mutating func follow() {
    var release = self.release
    var sum = self.sum
    var frame = self.frame
    let (decay, released, mask) = (self.decay, self.released, releasedMask)
    let latency = lookAheadFrames
    var index = 0
    while index < count {
      // The average covers the frames from `first` to `first + reach`.
      let stays = reach == wantedReach
      let end = stays ? count : index + 1
      let reach = self.reach
      let scale = 1 / Double(reach + 1)
      while index < end {
        let held = Double(levels[index])
        release *= decay
        release = held > release ? held : release
        // Rounded to multiples of 2^-40.
        released[frame & mask] = (release + 0x1.8p12) - 0x1.8p12
        let first = frame &- latency
        sum += released[(first &+ reach) & mask] - released[(first &- 1) & mask]
        gains[index] = Float(1 - sum * scale)
        frame &+= 1
        index &+= 1
      }
      if !stays { step(&sum, frame) }
    }
    self.release = release
    self.sum = sum
    self.frame = frame
  }

  /// Makes the average longer or shorter by a frame at its later end, for the next frame.
  @_noLocks
  private mutating func step(_ sum: inout Double, _ frame: Int) {
    let last = frame - 1 - lookAheadFrames + reach
    if reach < wantedReach {
      sum += released[(last + 1) & releasedMask]
      reach += 1
    } else {
      sum -= released[last & releasedMask]
      reach -= 1
    }
  }

  /// Replaces a channel by what it was, with the gains. The limits catch what rounding adds.
  /// [any thread]
  @_noLocks
  public func pass(_ samples: UnsafeMutablePointer<Float>, channel: Int) {
    let line = delays + channel * latencyFrames
    var (start, place) = (0, delayPlace)
    while start < count {
      let run = min(count - start, latencyFrames - place)
      let (new, old, gains) = (samples + start, line + place, self.gains + start)
      for index in 0..<run {
        let late = old[index]
        old[index] = new[index]
        let limited = late * gains[index]
        let below = limited < 1 ? limited : 1
        new[index] = below > -1 ? below : -1
      }
      start += run
      place = place + run == latencyFrames ? 0 : place + run
    }
  }
}
