// SPDX-License-Identifier: Apache-2.0

/// Takes away what the canceller leaves of the echo, and steady noise, and tells whether someone near
/// speaks.
///
/// In each bin, what is left of the echo is taken to be as loud as what was played, with the decay of a
/// room, times a coupling. The coupling is a low quantile of what was left over what was played: an
/// echo always has it, a near talker only adds to it, so the talker's pauses show it. While nobody near
/// speaks the echo is taken to be far louder than that, and what still passes is faded out; while
/// someone does, the talker's bins pass.
///
/// The memory is its owner's to free, by `deallocate`.
struct EchoSuppressor: BitwiseCopyable, @unchecked Sendable {
  /// The quantile that the coupling is, and its step in decibels each 8 ms.
  private static var quantile: Float { @_noLocks get { 0.2 } }
  private static var step: Float { @_noLocks get { 0.5 } }
  /// The mean of what is left over the quantile.
  private static var quantileShare: Float { @_noLocks get { 5 } }
  /// How many times the echo's likely power is subtracted: while nobody near speaks, and while
  /// someone does.
  private static var strict: Float { @_noLocks get { 100 } }
  private static var mild: Float { @_noLocks get { 1 } }
  /// Share of the bins of speech that are no echo: from here on perhaps, and from there on surely
  /// someone near speaks.
  private static var doubtful: Float { @_noLocks get { 0.12 } }
  private static var sure: Float { @_noLocks get { 0.3 } }
  /// Decibels that are added to the coupling when the canceller restarts.
  private static var doubts: Float { @_noLocks get { 15 } }
  /// Seconds in which the sound of a room falls by 60 dB, and that speech is taken to continue.
  private static var decayTime: Double { 0.7 }
  private static var hold: Double { 0.1 }
  /// The least coupling of a tone, in decibels: each bin hears it too shortly to learn its own.
  private static var toneCoupling: Float { @_noLocks get { -10 } }
  /// Power that leaks from a bin into its neighbours through the window, and how it falls from bin to bin;
  /// the same for the edges of a tone.
  private static var leak: Float { @_noLocks get { 0.003 } }
  private static var leakFall: Float { @_noLocks get { 0.708 } }
  private static var edge: Float { @_noLocks get { 1.6e-5 } }
  private static var edgeFall: Float { @_noLocks get { 0.93 } }
  /// No bin falls below this gain, nor below what leaves the noise of the room at `noiseGain`.
  private static var least: Float { @_noLocks get { 0.001 } }
  private static var noiseGain: Float { @_noLocks get { 0.22 } }

  /// Frames of a step; a sample is late by the frames of a window less a step.
  let stepFrames: Int
  let windowFrames: Int
  private let binCount: Int
  private let transform: RealTransform
  private var noise: NoiseFloor
  private var tonality: Tonality
  private let memory = OwnedMemory()
  private let window: UnsafeMutablePointer<Float>
  private let left: UnsafeMutablePointer<Float>
  private let played: UnsafeMutablePointer<Float>
  private let sum: UnsafeMutablePointer<Float>
  private let windowed: UnsafeMutablePointer<Float>
  private let spectrum: Spectrum
  private let playedSpectrum: Spectrum
  private let power: UnsafeMutablePointer<Float>
  /// Power of what was played, with the decay of a room, and how much of it is left, in decibels.
  private let reverberant: UnsafeMutablePointer<Float>
  private let coupling: UnsafeMutablePointer<Float>
  private let echo: UnsafeMutablePointer<Float>
  private let gain: UnsafeMutablePointer<Float>
  private let leaked: UnsafeMutablePointer<Float>
  /// The bins of speech: 300 to 3,800 Hz.
  private let firstBin: Int
  private let endBin: Int
  private let decay: Float
  private let keepsSpeech: Float
  /// Whether someone near speaks, 0 to 1.
  private(set) var nearActivity: Float = 0
  /// Power of the near sound in the bins of speech, of the last step.
  private(set) var nearPower: Float = 0
  /// How much of what is played is one tone, 0 to 1.
  var toneAmount: Float { @_noLocks get { tonality.amount } }
  /// Whether steady noise is suppressed.
  var reducesNoise = true

  /// [control thread] For steps of `stepFrames` frames, a power of two.
  init(sampleRate: Double, stepFrames: Int) {
    self.stepFrames = stepFrames
    windowFrames = 2 * stepFrames
    transform = RealTransform(count: windowFrames)
    binCount = stepFrames + 1
    noise = NoiseFloor(binCount: binCount, rate: sampleRate / Double(stepFrames))
    tonality = Tonality(rate: sampleRate / Double(stepFrames), audible: 0.01)
    window = memory.array(windowFrames, of: 0)
    left = memory.array(windowFrames, of: 0)
    played = memory.array(windowFrames, of: 0)
    sum = memory.array(windowFrames, of: 0)
    windowed = memory.array(windowFrames, of: 0)
    spectrum = Spectrum(memory, binCount: binCount)
    playedSpectrum = Spectrum(memory, binCount: binCount)
    power = memory.array(binCount, of: 0)
    reverberant = memory.array(binCount, of: 0)
    coupling = memory.array(binCount, of: 0)
    echo = memory.array(binCount, of: 0)
    gain = memory.array(binCount, of: 1)
    leaked = memory.array(binCount, of: 0)
    let width = sampleRate / Double(windowFrames)
    firstBin = max(1, Int(300 / width))
    endBin = max(firstBin + 1, min(Int(3_800 / width), binCount))
    let seconds = Double(stepFrames) / sampleRate
    decay = Float(Math.power(10, -6 * seconds / Self.decayTime))
    keepsSpeech = Float(Math.exponential(-seconds / Self.hold))
    for index in 0..<windowFrames {
      window[index] = Float(
        Math.sine(Double.pi * (Double(index) + 0.5) / Double(windowFrames)))
    }
  }

  /// [control thread] Frees the memory.
  func deallocate() {
    transform.deallocate()
    noise.deallocate()
    memory.deallocate()
  }

  /// [render thread] Forgets the sound and what was learnt.
  @_noLocks
  mutating func reset() {
    Samples.clear(left, count: windowFrames)
    Samples.clear(played, count: windowFrames)
    Samples.clear(sum, count: windowFrames)
    Samples.clear(reverberant, count: binCount)
    Samples.clear(coupling, count: binCount)
    noise.reset()
    tonality.reset()
    (nearActivity, nearPower) = (0, 0)
  }

  /// [render thread] The way of the echo has changed: more is left of it than there was, until the
  /// canceller has learnt the new one.
  @_noLocks
  func doubt() {
    for bin in 0..<binCount { coupling[bin] += Self.doubts }
  }

  /// [render thread] One step: what was played and what the canceller left go in; what is near replaces
  /// the latter, later by one window less a step.
  @_noLocks
  mutating func process(
    played samples: UnsafePointer<Float>, left others: UnsafeMutablePointer<Float>
  ) {
    push(samples, played)
    push(UnsafePointer(others), left)
    multiply(played)
    transform.forward(windowed, playedSpectrum)
    tonality.update(playedSpectrum, binCount: binCount)
    multiply(left)
    transform.forward(windowed, spectrum)
    judge()
    for bin in 0..<binCount {
      spectrum.real[bin] *= gain[bin]
      spectrum.imaginary[bin] *= gain[bin]
    }
    transform.inverse(spectrum, windowed)
    for index in 0..<windowFrames { sum[index] += windowed[index] * window[index] }
    Samples.copy(sum, to: others, count: stepFrames)
    Samples.copy(sum + stepFrames, to: sum, count: stepFrames)
    Samples.clear(sum + stepFrames, count: stepFrames)
  }

  @_noLocks
  private func push(_ samples: UnsafePointer<Float>, _ side: UnsafeMutablePointer<Float>) {
    Samples.copy(side + stepFrames, to: side, count: stepFrames)
    Samples.copy(samples, to: side + stepFrames, count: stepFrames)
  }

  @_noLocks
  private func multiply(_ side: UnsafePointer<Float>) {
    for index in 0..<windowFrames { windowed[index] = side[index] * window[index] }
  }

  /// The gain of each bin, and whether someone near speaks.
  @_noLocks
  private mutating func judge() {
    for bin in 0..<binCount {
      power[bin] =
        spectrum.real[bin] * spectrum.real[bin]
        + spectrum.imaginary[bin] * spectrum.imaginary[bin] + 1e-12
      let playedPower =
        playedSpectrum.real[bin] * playedSpectrum.real[bin]
        + playedSpectrum.imaginary[bin] * playedSpectrum.imaginary[bin]
      reverberant[bin] = max(playedPower + decay * reverberant[bin], 1e-12)
    }
    noise.update(power)
    spread(reverberant, tonality: 0)
    for bin in 0..<binCount where reverberant[bin] > max(1e-4, leaked[bin]) {
      let ratio = Decibels.level(ofPower: power[bin] / reverberant[bin])
      coupling[bin] += Self.step * (ratio > coupling[bin] ? Self.quantile : Self.quantile - 1)
    }
    let tone = tonality.amount
    let fewest = Self.toneCoupling + 90 * (tone - 1)
    for bin in 0..<binCount {
      let coupled = Decibels.gain(ofLevel: 2 * max(coupling[bin], fewest))
      echo[bin] = coupled * reverberant[bin]
    }
    spread(echo, tonality: tone)
    for bin in 0..<binCount { echo[bin] = max(echo[bin], leaked[bin]) }
    spread(reverberant, tonality: tone)
    judgeSpeech()
    let mildness = Self.mildness - 20 * tone
    let times = Self.strict * Decibels.gain(ofLevel: nearActivity * mildness)
    let fade = min(1, 2 * nearActivity)
    for bin in 0..<binCount {
      let share = echo[bin] / power[bin]
      let hum = reducesNoise ? noise.power[bin] / power[bin] : 0
      let wanted = max(1 - times * share, 0) * max(1 - 2 * hum, 0)
      // Without an echo to be taken away there is nothing to be faded out.
      let isEchoing = max(reverberant[bin], leaked[bin]) > 1e-4
      let faded = isEchoing ? fade * wanted : wanted
      // Of steady sounds what is left of the echo is steady as well; it is no noise to be kept.
      let kept = max(hum - Self.quantileShare * share, 0)
      let floor = Self.noiseGain * min(1, Math.squareRoot(kept))
      gain[bin] = max(faded, max(floor, Self.least))
    }
  }

  /// What leaks of loud bins into the others, at the most: through the window, and of a tone at the edges of
  /// blocks, from one of which to the next the model changes.
  @_noLocks
  private func spread(_ powers: UnsafePointer<Float>, tonality: Float) {
    let edge = Self.edge * tonality
    var (near, far): (Float, Float) = (0, 0)
    for bin in 0..<binCount {
      leaked[bin] = max(Self.leak * near, edge * far)
      near = max(powers[bin], Self.leakFall * near)
      far = max(powers[bin], Self.edgeFall * far)
    }
    (near, far) = (0, 0)
    for bin in stride(from: binCount - 1, through: 0, by: -1) {
      leaked[bin] = max(leaked[bin], max(Self.leak * near, edge * far))
      near = max(powers[bin], Self.leakFall * near)
      far = max(powers[bin], Self.edgeFall * far)
    }
  }

  /// `mild` over `strict`, twice in decibels of power; of a tone, which stands in few bins, a tenth of it.
  private static var mildness: Float {
    @_noLocks get { Decibels.level(ofPower: (mild / strict) * (mild / strict)) }
  }

  /// Whether someone near speaks: how many of the bins of speech are neither echo nor noise.
  @_noLocks
  private mutating func judgeSpeech() {
    var (share, energy): (Float, Float) = (0, 0)
    for bin in firstBin..<endBin {
      let others = Self.strict * echo[bin] + 3 * noise.power[bin] + 1e-7
      let near = max(1 - others / power[bin], 0)
      share += near
      energy += near * power[bin]
    }
    share /= Float(endBin - firstBin)
    let now = min(max((share - Self.doubtful) / (Self.sure - Self.doubtful), 0), 1)
    nearActivity = max(now, keepsSpeech * nearActivity)
    nearPower = energy
  }
}
