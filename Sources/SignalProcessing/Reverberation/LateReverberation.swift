// SPDX-License-Identifier: Apache-2.0

/// A room: diffusers that multiply the echoes, and a feedback delay network that makes them last.
///
/// Two channels in and two out, without the direct sound. Steady white noise keeps its level at
/// every decay time and damping. Everything can change while it sounds: another size or other
/// surfaces are crossfaded, a larger size once its lines are full. Uses plain pointers; the owner deallocates them.
public struct LateReverberation: BitwiseCopyable, @unchecked Sendable {
  /// The controls.
  public struct Settings: BitwiseCopyable, Equatable, Sendable {
    /// Range of the line lengths in seconds.
    public var shortest = 0.008
    public var longest = 0.05
    /// Selects one of many sets of lengths: 1 and above.
    public var variation = 1
    /// Seconds until the sound has fallen by 60 dB, at 0 Hz and at half the sample rate.
    public var lowDecay = 1.0
    public var highDecay = 0.5
    /// Gain of the diffusers, 0 to 0.7: the density of the early sound.
    public var diffusion: Float = 0.6
    /// Rate in Hz and depth, 0 to 1, of the modulation of the resonances.
    public var motionRate = 1.0
    public var motionDepth = 1.0

    /// Makes the settings of a medium-sized room.
    @_noLocks
    public init() {}

    /// Whether both have the same line lengths.
    @_noLocks
    func hasSameSize(as other: Self) -> Bool {
      shortest == other.shortest && longest == other.longest && variation == other.variation
    }
  }

  private static var runFrames: Int { @_noLocks get { 512 } }
  /// Delays of the diffusers in seconds, for each side.
  private static let diffusers = (
    [0.00113, 0.00211, 0.00341, 0.00503], [0.00127, 0.00199, 0.00359, 0.00487]
  )

  private let sampleRate: Double
  private let longestLine: Int
  private var network: FeedbackDelayNetwork
  private var left: Diffuser
  private var right: Diffuser
  private let memory = OwnedMemory()
  private let input: UnsafeMutablePointer<Float>
  private let lengths: UnsafeMutablePointer<Int>
  private var settings: Settings?
  private var target: Settings?
  /// The settings that `lengths` and `nextLevel` are for, also after a reset.
  private var designed: Settings?
  /// Gain that makes the output as loud as the input.
  private var level = Fade(1)
  private let fadeFrames: Int
  /// The gain for the settings, before the network begins to fade to them.
  private var nextLevel: Float = 1

  /// Makes a room with lines of up to `longest` seconds; offline, their memory comes when it is used.
  /// [control thread]
  public init(longest: Double, sampleRate: Double, isOffline: Bool = false) {
    self.sampleRate = sampleRate
    longestLine = max(Int(longest * sampleRate), FeedbackDelayNetwork.shortestLine) + 64
    network = FeedbackDelayNetwork(
      longestLine: longestLine, sampleRate: sampleRate, isOffline: isOffline)
    left = Diffuser(Self.diffusers.0.map { Int($0 * sampleRate) | 1 }, gain: 0)
    right = Diffuser(Self.diffusers.1.map { Int($0 * sampleRate) | 1 }, gain: 0)
    input = memory.array(2 * Self.runFrames, of: 0)
    lengths = memory.array(FeedbackDelayNetwork.lineCount, of: 0)
    fadeFrames = Int(sampleRate * 0.01)
  }

  /// Seconds until the sound has fallen by 120 dB. [any thread]
  @_noLocks
  public static func tailTime(_ settings: Settings) -> Double {
    // The delay of the longest line, plus twice the time for 60 dB.
    let diffusion = 0.2 * Double(settings.diffusion)
    return 2 * max(settings.lowDecay, settings.highDecay)
      + 2 * max(settings.shortest, settings.longest) + diffusion
  }

  /// Frees the memory. [control thread]
  public func deallocate() {
    network.deallocate()
    left.deallocate()
    right.deallocate()
    memory.deallocate()
  }

  /// Clears the signal history; the next settings apply immediately, without a crossfade.
  /// [render thread]
  @_noLocks
  public mutating func reset() {
    left.clear()
    right.clear()
    network.reset()
    settings = nil
    target = nil
  }

  /// Sets what applies from the next frame on. [render thread]
  @_noLocks
  public mutating func set(_ new: Settings) {
    target = new
    if new != settings, network.framesUntilReady == 0 { apply(new) }
  }

  /// One change at a time: what is set during a crossfade waits for its end.
  @_noLocks
  private mutating func apply(_ new: Settings) {
    let isFirst = settings == nil
    design(new)
    left.setGain(new.diffusion, within: isFirst ? 0 : fadeFrames)
    right.setGain(new.diffusion, within: isFirst ? 0 : fadeFrames)
    settings = new
    network.setMotion(rate: new.motionRate, depth: new.motionDepth)
    network.set(lengths, .init(low: new.lowDecay * sampleRate, high: new.highDecay * sampleRate))
    if isFirst { level.set(nextLevel) } else { followLevel() }
  }

  /// Computes the lengths and the gain for settings, unless they are known.
  @_noLocks
  private mutating func design(_ new: Settings) {
    guard new != designed else { return }
    if let old = designed, new.hasSameSize(as: old) {} else { chooseLengths(new) }
    nextLevel = Float(Math.squareRoot(1 / (2 * power(new))))
    designed = new
  }

  /// Fades to the gain for the settings together with the network.
  @_noLocks
  private mutating func followLevel() {
    if network.framesUntilFade == 0, level.target != nextLevel {
      level.move(to: nextLevel, within: fadeFrames)
    }
  }

  /// Power in the network relative to white noise at the input: the mean over all frequencies.
  @_noLocks
  private func power(_ settings: Settings) -> Double {
    let steps = 16
    var sum = 0.0
    for step in 0..<steps {
      let sine = Elementary.sine(quarters: (Double(step) + 0.5) / Double(steps))
      let low = 1 / max(settings.lowDecay, 0.001)
      let rate = low + (1 / max(settings.highDecay, 0.001) - low) * sine * sine
      var energy = 0.0
      for line in 0..<FeedbackDelayNetwork.lineCount {
        energy += Elementary.exp2(
          -2 * 9.965784284662087 * Double(lengths[line]) / sampleRate * rate)
      }
      energy /= Double(FeedbackDelayNetwork.lineCount)
      sum += energy / (1 - energy)
    }
    return max(sum / Double(steps), 1e-3)
  }

  /// Chooses lengths that are evenly spread over the range. Each is moved a little at random and
  /// then to a prime that no other line has, so that their echoes do not coincide.
  @_noLocks
  private func chooseLengths(_ settings: Settings) {
    var random = Xoshiro256(seed: UInt64(max(settings.variation, 1)))
    let first = min(settings.shortest, settings.longest) * sampleRate
    let last = max(settings.shortest, settings.longest) * sampleRate
    let count = FeedbackDelayNetwork.lineCount
    for line in 0..<count {
      let chance = Double(random.nextSample()) * 0.4
      let part = (Double(line) + 0.5 + chance) / Double(count)
      let requested = Elementary.whole(first + (last - first) * part)
      var length = min(max(requested, FeedbackDelayNetwork.shortestLine), longestLine)
      while !Self.isPrime(length) || isUsed(length, before: line) { length += 1 }
      lengths[line] = min(length, longestLine)
    }
  }

  @_noLocks
  private func isUsed(_ length: Int, before line: Int) -> Bool {
    for other in 0..<line where lengths[other] == length { return true }
    return false
  }

  @_noLocks
  private static func isPrime(_ number: Int) -> Bool {
    if number % 2 == 0 { return false }
    var divisor = 3
    while divisor * divisor <= number {
      if number % divisor == 0 { return false }
      divisor += 2
    }
    return true
  }

  // MARK: Rendering

  /// Processes two channels, `count` frames; input and output do not overlap. [render thread]
  @_noLocks
  public mutating func render(
    _ leftInput: UnsafePointer<Float>, _ rightInput: UnsafePointer<Float>,
    into leftOutput: UnsafeMutablePointer<Float>, _ rightOutput: UnsafeMutablePointer<Float>,
    count: Int
  ) {
    var done = 0
    while done < count {
      var run = min(count - done, Self.runFrames)
      followLevel()
      if network.framesUntilFade > 0 {
        run = min(run, network.framesUntilFade)
      } else if network.framesUntilReady > 0 {
        run = min(run, network.framesUntilReady)
      }
      let second = input + Self.runFrames
      Samples.copy(leftInput + done, to: input, count: run)
      Samples.copy(rightInput + done, to: second, count: run)
      left.render(input, count: run)
      right.render(second, count: run)
      network.render(input, second, into: leftOutput + done, rightOutput + done, count: run)
      scale(leftOutput + done, run)
      scale(rightOutput + done, run)
      level.advance(by: run)
      if let target, target != settings, network.framesUntilReady == 0 { apply(target) }
      done += run
    }
  }

  @_noLocks
  private func scale(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
    if level.framesRemaining == 0 {
      let gain = level.target
      var index = 0
      while index &+ 8 <= count {
        let address = UnsafeMutableRawPointer(samples + index)
        let sound = UnsafeRawPointer(address).loadUnaligned(as: SIMD8<Float>.self)
        address.storeBytes(of: sound * gain, as: SIMD8<Float>.self)
        index &+= 8
      }
      while index < count {
        samples[index] *= gain
        index &+= 1
      }
    } else {
      for index in 0..<count {
        samples[index] *= level.value(at: index)
      }
    }
  }
}
