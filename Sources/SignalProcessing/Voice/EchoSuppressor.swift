// SPDX-License-Identifier: Apache-2.0

/// Suppresses the residual echo and steady noise, and detects speech of the near talker.
///
/// In each bin, the residual echo is assumed to have the power of the played signal, with the decay
/// of a room, times a coupling. The coupling is a low quantile of the ratio of residual to played
/// power: an echo always has it and a near talker only adds to it, so the talker's pauses reveal
/// it. A loudspeaker that distorts has an echo where nothing was played, too: another low quantile,
/// relative to the played power of all bins, is its lower bound. Without near speech, the echo is assumed to be far louder than that, and what still passes
/// is faded out; during near speech, the talker's bins pass.
///
/// The owner frees the memory with `deallocate`.
struct EchoSuppressor: BitwiseCopyable, @unchecked Sendable {
  /// The quantile used as the coupling, and its step in decibels per 8 ms.
  private static var quantile: Float { @_noLocks get { 0.2 } }
  /// The quantile of the ratio of residual to mean played power that is used for distortion, and
  /// the share of it that every bin is assumed to have.
  private static var distortionQuantile: Float { @_noLocks get { 0.3 } }
  private static var distortionShare: Float { @_noLocks get { 0.5 } }
  private static var step: Float { @_noLocks get { 0.5 } }
  /// Mean of the residual relative to the quantile.
  private static var quantileShare: Float { @_noLocks get { 5 } }
  /// Factors by which the estimated echo power is subtracted: without near speech, and during it.
  private static var strictFactor: Float { @_noLocks get { 50 } }
  private static var mildFactor: Float { @_noLocks get { 1 } }
  /// Share of the speech bins that are no echo: near speech is possible above the first value, and
  /// certain above the second.
  private static var possibleShare: Float { @_noLocks get { 0.12 } }
  private static var certainShare: Float { @_noLocks get { 0.3 } }
  /// Decibels that are added to the coupling when the canceller restarts.
  private static var couplingIncrease: Float { @_noLocks get { 25 } }
  /// Seconds in which the sound of a room decays by 60 dB, and for which speech is assumed to
  /// continue.
  private static var decayTime: Double { 0.7 }
  private static var holdTime: Double { 0.1 }
  /// Minimum coupling of a tone, in decibels: each bin contains it too briefly to learn its own.
  private static var toneCoupling: Float { @_noLocks get { -10 } }
  /// Power that leaks from a bin into its neighbours through the window, and its fall from bin to
  /// bin; then the same for the edges of a tone.
  private static var leakage: Float { @_noLocks get { 0.003 } }
  private static var leakageFall: Float { @_noLocks get { 0.708 } }
  private static var edgeLeakage: Float { @_noLocks get { 1.6e-5 } }
  private static var edgeLeakageFall: Float { @_noLocks get { 0.93 } }
  /// Minimum gain of a bin; and the gain at which the noise of the room is kept.
  private static var minimumGain: Float { @_noLocks get { 0.001 } }
  private static var noiseGain: Float { @_noLocks get { 0.22 } }

  /// Frames of a step and of a window; the latency is their difference.
  let stepFrames: Int
  let windowFrames: Int
  private let binCount: Int
  private let transform: RealTransform
  private var noise: NoiseFloor
  private var tonality: Tonality
  private let memory = OwnedMemory()
  private let window: UnsafeMutablePointer<Float>
  private let residual: UnsafeMutablePointer<Float>
  private let played: UnsafeMutablePointer<Float>
  private let sum: UnsafeMutablePointer<Float>
  private let windowed: UnsafeMutablePointer<Float>
  private let spectrum: Spectrum
  private let playedSpectrum: Spectrum
  private let power: UnsafeMutablePointer<Float>
  /// Power of the played signal with the decay of a room, and the share of it that remains, in
  /// decibels.
  private let reverberant: UnsafeMutablePointer<Float>
  private let coupling: UnsafeMutablePointer<Float>
  /// The share of the mean played power that every bin has, in decibels.
  private let distortion: UnsafeMutablePointer<Float>
  private let echo: UnsafeMutablePointer<Float>
  private let gain: UnsafeMutablePointer<Float>
  private let leaked: UnsafeMutablePointer<Float>
  /// The bins of speech: 300 to 3,800 Hz.
  private let firstBin: Int
  private let endBin: Int
  private let decay: Float
  private let speechDecay: Float
  /// Likelihood of near speech, 0 to 1.
  private(set) var nearActivity: Float = 0
  /// Power of the near sound in the speech bins in the last step.
  private(set) var nearPower: Float = 0
  /// How much the played signal is a single tone, 0 to 1.
  var toneAmount: Float { @_noLocks get { tonality.amount } }
  /// Whether steady noise is suppressed.
  var reducesNoise = true

  /// [control thread] Makes a suppressor for steps of `stepFrames` frames, a power of two.
  init(sampleRate: Double, stepFrames: Int) {
    self.stepFrames = stepFrames
    windowFrames = 2 * stepFrames
    transform = RealTransform(count: windowFrames)
    binCount = stepFrames + 1
    noise = NoiseFloor(binCount: binCount, rate: sampleRate / Double(stepFrames))
    tonality = Tonality(rate: sampleRate / Double(stepFrames), audiblePower: 0.01)
    window = memory.array(windowFrames, of: 0)
    residual = memory.array(windowFrames, of: 0)
    played = memory.array(windowFrames, of: 0)
    sum = memory.array(windowFrames, of: 0)
    windowed = memory.array(windowFrames, of: 0)
    spectrum = Spectrum(memory, binCount: binCount)
    playedSpectrum = Spectrum(memory, binCount: binCount)
    power = memory.array(binCount, of: 0)
    reverberant = memory.array(binCount, of: 0)
    coupling = memory.array(binCount, of: 0)
    distortion = memory.array(binCount, of: 0)
    echo = memory.array(binCount, of: 0)
    gain = memory.array(binCount, of: 1)
    leaked = memory.array(binCount, of: 0)
    let width = sampleRate / Double(windowFrames)
    firstBin = max(1, Int(300 / width))
    endBin = max(firstBin + 1, min(Int(3_800 / width), binCount))
    let seconds = Double(stepFrames) / sampleRate
    decay = Float(Math.power(10, -6 * seconds / Self.decayTime))
    speechDecay = Float(Math.exponential(-seconds / Self.holdTime))
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

  /// [render thread] Clears the signal history and the learnt coupling.
  @_noLocks
  mutating func reset() {
    Samples.clear(residual, count: windowFrames)
    Samples.clear(played, count: windowFrames)
    Samples.clear(sum, count: windowFrames)
    Samples.clear(reverberant, count: binCount)
    Samples.clear(coupling, count: binCount)
    Samples.clear(distortion, count: binCount)
    noise.reset()
    tonality.reset()
    (nearActivity, nearPower) = (0, 0)
  }

  /// [render thread] Raises the coupling after a change of the echo path: the residual is larger
  /// until the canceller has adapted.
  @_noLocks
  func raiseCoupling() {
    for bin in 0..<binCount { coupling[bin] += Self.couplingIncrease }
  }

  /// [render thread] Processes one step: replaces the canceller's residual by the near sound, one
  /// window minus one step later.
  @_noLocks
  mutating func process(
    played samples: UnsafePointer<Float>, residual residualSamples: UnsafeMutablePointer<Float>
  ) {
    push(samples, played)
    push(UnsafePointer(residualSamples), residual)
    multiply(played)
    transform.forward(windowed, playedSpectrum)
    tonality.update(playedSpectrum, binCount: binCount)
    multiply(residual)
    transform.forward(windowed, spectrum)
    computeGains()
    for bin in 0..<binCount {
      spectrum.real[bin] *= gain[bin]
      spectrum.imaginary[bin] *= gain[bin]
    }
    transform.inverse(spectrum, windowed)
    for index in 0..<windowFrames { sum[index] += windowed[index] * window[index] }
    Samples.copy(sum, to: residualSamples, count: stepFrames)
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

  /// Computes the gain of each bin, and detects near speech.
  @_noLocks
  private mutating func computeGains() {
    var mean: Float = 0
    for bin in 0..<binCount {
      power[bin] =
        spectrum.real[bin] * spectrum.real[bin]
        + spectrum.imaginary[bin] * spectrum.imaginary[bin] + 1e-12
      let playedPower =
        playedSpectrum.real[bin] * playedSpectrum.real[bin]
        + playedSpectrum.imaginary[bin] * playedSpectrum.imaginary[bin]
      reverberant[bin] = max(playedPower + decay * reverberant[bin], 1e-12)
      mean += reverberant[bin]
    }
    mean /= Float(binCount)
    noise.update(power)
    spread(reverberant, tonality: 0)
    for bin in 0..<binCount where reverberant[bin] > max(1e-4, leaked[bin]) {
      let ratio = Decibels.level(ofPower: power[bin] / reverberant[bin])
      coupling[bin] += Self.step * (ratio > coupling[bin] ? Self.quantile : Self.quantile - 1)
    }
    if mean > 1e-3 {
      for bin in 0..<binCount {
        let (ratio, quantile) = (
          Decibels.level(ofPower: power[bin] / mean), Self.distortionQuantile
        )
        distortion[bin] += Self.step * (ratio > distortion[bin] ? quantile : quantile - 1)
      }
    }
    let tone = tonality.amount
    // A tone's few harmonics are learnt as its own bins are.
    let distorted = Self.distortionShare * mean * (1 - tone)
    let minimumCoupling = Self.toneCoupling + 90 * (tone - 1)
    for bin in 0..<binCount {
      let coupled = Decibels.gain(ofLevel: 2 * max(coupling[bin], minimumCoupling))
      let least = Decibels.gain(ofLevel: 2 * distortion[bin]) * distorted
      echo[bin] = max(coupled * reverberant[bin], least)
    }
    spread(echo, tonality: tone)
    for bin in 0..<binCount { echo[bin] = max(echo[bin], leaked[bin]) }
    spread(reverberant, tonality: tone)
    detectSpeech()
    let mildFactorDecibels = Self.mildFactorDecibels - 20 * tone
    let factor = Self.strictFactor * Decibels.gain(ofLevel: nearActivity * mildFactorDecibels)
    let fade = min(1, 2 * nearActivity)
    for bin in 0..<binCount {
      let share = echo[bin] / power[bin]
      let noiseShare = reducesNoise ? noise.power[bin] / power[bin] : 0
      let targetGain = max(1 - factor * share, 0) * max(1 - 2 * noiseShare, 0)
      // Without an echo nothing is faded out.
      let isEchoing = max(reverberant[bin], leaked[bin]) > 1e-4
      let faded = isEchoing ? fade * targetGain : targetGain
      // The residual echo of steady sounds is steady too; it must not be kept as noise.
      let keptNoise = max(noiseShare - Self.quantileShare * share, 0)
      let floor = Self.noiseGain * min(1, Math.squareRoot(keptNoise))
      gain[bin] = max(faded, max(floor, Self.minimumGain))
    }
  }

  /// Upper bound of the leakage from loud bins into the others: through the window, and, for a
  /// tone, at the edges of blocks, between which the model changes.
  @_noLocks
  private func spread(_ powers: UnsafePointer<Float>, tonality: Float) {
    let edgeLeakage = Self.edgeLeakage * tonality
    var (near, far): (Float, Float) = (0, 0)
    for bin in 0..<binCount {
      leaked[bin] = max(Self.leakage * near, edgeLeakage * far)
      near = max(powers[bin], Self.leakageFall * near)
      far = max(powers[bin], Self.edgeLeakageFall * far)
    }
    (near, far) = (0, 0)
    for bin in stride(from: binCount - 1, through: 0, by: -1) {
      leaked[bin] = max(leaked[bin], max(Self.leakage * near, edgeLeakage * far))
      near = max(powers[bin], Self.leakageFall * near)
      far = max(powers[bin], Self.edgeLeakageFall * far)
    }
  }

  /// `mildFactor` over `strictFactor`, twice in decibels of power; for a tone, which occupies few
  /// bins, a tenth of it.
  private static var mildFactorDecibels: Float {
    @_noLocks get {
      Decibels.level(ofPower: (mildFactor / strictFactor) * (mildFactor / strictFactor))
    }
  }

  /// Detects near speech from the number of speech bins that are neither echo nor noise.
  @_noLocks
  private mutating func detectSpeech() {
    var (share, energy): (Float, Float) = (0, 0)
    for bin in firstBin..<endBin {
      let echoAndNoise = Self.strictFactor * echo[bin] + 3 * noise.power[bin] + 1e-7
      let near = max(1 - echoAndNoise / power[bin], 0)
      share += near
      energy += near * power[bin]
    }
    share /= Float(endBin - firstBin)
    let now = min(
      max((share - Self.possibleShare) / (Self.certainShare - Self.possibleShare), 0), 1)
    nearActivity = max(now, speechDecay * nearActivity)
    nearPower = energy
  }
}
