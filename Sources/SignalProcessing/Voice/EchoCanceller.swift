// SPDX-License-Identifier: Apache-2.0

/// Removes the loudspeaker's echo from a microphone signal, with an adaptive model of the echo
/// path.
///
/// The model is a partitioned-block frequency-domain filter, one block per partition, adapted by a
/// Kalman filter with a diagonal covariance (Enzner and Vary, "Frequency-domain adaptive Kalman
/// filter for acoustic echo control", 2006; in partitions: Kuech, Mabande and Enzner, ICASSP 2014).
/// The uncertainty of each bin and partition is its step size: large at the start, small after
/// convergence, and smaller still while a near talker is louder than the residual echo, so that no
/// double-talk detector is needed. When the residual is louder than the microphone signal, the echo
/// path has changed, and the adaptation restarts.
///
/// The owner frees the memory with `deallocate`.
struct EchoCanceller: BitwiseCopyable, @unchecked Sendable {
  /// Share of the echo path that persists per block of 4 ms, and smoothing of the near sound's
  /// power.
  private static var persistence: Double { 0.9999 }
  private static var nearMemory: Double { 0.95 }
  /// Share of the Kalman filter's step that is applied. For tones, and for leakage between bins,
  /// full steps overshoot; only the first sounds are learnt in full steps, for about `boostTime`
  /// seconds.
  private static var stepShare: Float { @_noLocks get { 0.5 } }
  private static var boostTime: Double { 2 }
  /// Mean power from which on a block counts as audible: -60 dBFS.
  private static var audiblePower: Float { @_noLocks get { 1e-6 } }
  /// Prior assumption: seconds in which the echo path decays by 60 dB.
  private static var decayTime: Double { 0.8 }
  /// Seconds of the echo path whose partitions every block constrains to their length, so that
  /// starting or ending sounds do not wrap around. The other partitions take turns, one in `rounds`
  /// blocks.
  private static var promptTime: Double { 0.08 }
  private static var rounds: Int { @_noLocks get { 4 } }

  /// Frames of a block.
  let blockFrames: Int
  private let partitionCount: Int
  private let promptCount: Int
  private let binCount: Int
  private let transform: RealTransform
  private let memory = OwnedMemory()

  /// Spectra of the played blocks, the newest at `newest`, and their power in each bin.
  private let played: Spectrum
  private let playedPower: UnsafeMutablePointer<Float>
  private var newest = 0
  /// The model, the uncertainty of each of its numbers, and the prior uncertainty.
  private let echoPath: Spectrum
  private let uncertainty: UnsafeMutablePointer<Float>
  private let prior: UnsafeMutablePointer<Float>
  /// Power of the near sound, by bin.
  private let nearPower: UnsafeMutablePointer<Float>
  private let gain: UnsafeMutablePointer<Float>

  private let frame: UnsafeMutablePointer<Float>
  private let playedFrame: UnsafeMutablePointer<Float>
  private let work: Spectrum
  private let persistence: Float
  private let nearMemory: Float
  private let levelMemory: Float
  /// Smoothed energies of the microphone signal and of the residual.
  private var capturedEnergy: Float = 0
  private var residualEnergy: Float = 0
  private var hasConverged = false
  /// Share of the residual in the output; the rest is the microphone signal.
  private var residualShare: Float = 1
  /// 1 where nothing is known, decaying as more is captured.
  private var boost: Float = 1
  private let boostDecay: Float
  /// Blocks for which the residual has been louder than the microphone signal; after `patience`
  /// blocks the adaptation restarts, but not within some seconds of the previous restart.
  private var worseBlocks = 0
  private let patience: Int
  private var blocksUntilRestart = 0
  private let restartInterval: Int
  private var round = 0
  /// Number of restarts.
  private(set) var restartCount = 0

  /// [control thread] Makes a canceller for blocks of `blockFrames` frames, a power of two, and an
  /// echo path of `reach` seconds.
  init(sampleRate: Double, blockFrames: Int, reach: Double) {
    self.blockFrames = blockFrames
    let partitions = max(1, Int((reach * sampleRate / Double(blockFrames)).rounded(.up)))
    partitionCount = partitions
    promptCount = min(partitions, Int(Self.promptTime * sampleRate / Double(blockFrames)))
    transform = RealTransform(count: 2 * blockFrames)
    binCount = blockFrames + 1
    let bins = binCount
    played = Spectrum(memory, binCount: partitions * bins)
    playedPower = memory.array(partitions * bins, of: 0)
    echoPath = Spectrum(memory, binCount: partitions * bins)
    uncertainty = memory.array(partitions * bins, of: 0)
    prior = memory.array(partitions, of: 0)
    nearPower = memory.array(bins, of: 0)
    gain = memory.array(bins, of: 0)
    frame = memory.array(2 * blockFrames, of: 0)
    playedFrame = memory.array(2 * blockFrames, of: 0)
    work = Spectrum(memory, binCount: bins)
    let seconds = Double(blockFrames) / sampleRate
    persistence = Float(Math.power(Self.persistence, seconds / 0.004))
    nearMemory = Float(Math.power(Self.nearMemory, seconds / 0.004))
    levelMemory = Float(Math.exponential(-seconds / 0.06))
    boostDecay = Float(Math.exponential(-seconds / Self.boostTime))
    patience = Int(0.04 / seconds)
    restartInterval = Int(3 / seconds)
    var sum = 0.0
    for index in 0..<partitions { sum += Self.priorShare(index, seconds) }
    for index in 0..<partitions { prior[index] = Float(Self.priorShare(index, seconds) / sum) }
    reset()
  }

  private static func priorShare(_ partition: Int, _ seconds: Double) -> Double {
    Math.power(10, -6 * Double(partition) * seconds / decayTime)
  }

  /// [control thread] Frees the memory.
  func deallocate() {
    transform.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears the signal history and the learnt model.
  @_noLocks
  mutating func reset() {
    Samples.clear(played.real, count: partitionCount * binCount)
    Samples.clear(played.imaginary, count: partitionCount * binCount)
    Samples.clear(playedPower, count: partitionCount * binCount)
    Samples.clear(nearPower, count: binCount)
    Samples.clear(playedFrame, count: 2 * blockFrames)
    (newest, round, worseBlocks, restartCount) = (0, 0, 0, 0)
    (capturedEnergy, residualEnergy, hasConverged) = (0, 0, false)
    residualShare = 1
    restart(gain: 1)
  }

  @_noLocks
  private mutating func restart(gain: Float) {
    Samples.clear(echoPath.real, count: partitionCount * binCount)
    Samples.clear(echoPath.imaginary, count: partitionCount * binCount)
    for partition in 0..<partitionCount {
      (uncertainty + partition * binCount)
        .update(repeating: gain * prior[partition], count: binCount)
    }
    hasConverged = false
    boost = 1
    blocksUntilRestart = restartInterval
  }

  /// [render thread] Processes one block: from the played and the captured block it computes the
  /// residual without the echo.
  @_noLocks
  mutating func process(
    played samples: UnsafePointer<Float>, captured: UnsafePointer<Float>,
    residual: UnsafeMutablePointer<Float>
  ) {
    append(samples)
    estimate()
    let estimatedEcho = frame + blockFrames
    var (capturedBlockEnergy, residualBlockEnergy): (Float, Float) = (0, 0)
    for index in 0..<blockFrames {
      let sample = captured[index] - estimatedEcho[index]
      capturedBlockEnergy += captured[index] * captured[index]
      residualBlockEnergy += sample * sample
      residual[index] = sample
    }
    capturedEnergy = levelMemory * capturedEnergy + (1 - levelMemory) * capturedBlockEnergy
    residualEnergy = levelMemory * residualEnergy + (1 - levelMemory) * residualBlockEnergy
    if capturedBlockEnergy > Self.audiblePower * Float(blockFrames) { boost *= boostDecay }
    if residualEnergy < 0.1 * capturedEnergy { hasConverged = true }
    let isWorse = hasConverged && residualEnergy > 1.1 * capturedEnergy
    worseBlocks = isWorse ? worseBlocks + 1 : 0
    blocksUntilRestart -= 1
    let restarts = worseBlocks > patience && blocksUntilRestart < 0
    if restarts {
      restart(gain: echoPathGain())
      restartCount += 1
      Samples.copy(captured, to: residual, count: blockFrames)
    }
    adapt(residual, restarts: restarts)
    // A model that adds an echo is worse than none.
    fade(to: residualEnergy > capturedEnergy ? 0 : 1, captured, residual)
  }

  /// Crossfades to the residual or to the captured signal within the block: a step would sound in
  /// every bin.
  @_noLocks
  private mutating func fade(
    to end: Float, _ captured: UnsafePointer<Float>, _ residual: UnsafeMutablePointer<Float>
  ) {
    defer { residualShare = end }
    if end == 1, residualShare == 1 { return }
    let step = (end - residualShare) / Float(blockFrames)
    for index in 0..<blockFrames {
      let residualShare = residualShare + step * Float(index + 1)
      residual[index] = captured[index] + residualShare * (residual[index] - captured[index])
    }
  }

  /// Energy gain of the echo path, according to the model.
  @_noLocks
  private func echoPathGain() -> Float {
    var sum: Float = 0
    for index in 0..<partitionCount * binCount {
      sum +=
        echoPath.real[index] * echoPath.real[index] + echoPath.imaginary[index]
        * echoPath.imaginary[index]
    }
    return min(max(sum / Float(binCount), 0.05), 20)
  }

  /// Makes the spectrum of the last two played blocks the newest one.
  @_noLocks
  private mutating func append(_ samples: UnsafePointer<Float>) {
    Samples.copy(playedFrame + blockFrames, to: playedFrame, count: blockFrames)
    Samples.copy(samples, to: playedFrame + blockFrames, count: blockFrames)
    newest = newest == 0 ? partitionCount - 1 : newest - 1
    let spectrum = played.from(newest * binCount)
    transform.forward(playedFrame, spectrum)
    let power = playedPower + newest * binCount
    for bin in 0..<binCount {
      power[bin] =
        spectrum.real[bin] * spectrum.real[bin] + spectrum.imaginary[bin] * spectrum.imaginary[bin]
    }
  }

  /// Offset of the spectrum that was played `partition` blocks ago.
  @_noLocks
  private func offset(_ partition: Int) -> Int {
    let index = newest + partition
    return (index >= partitionCount ? index - partitionCount : index) * binCount
  }

  /// Computes the echo from the model, in the second half of `frame`.
  @_noLocks
  private func estimate() {
    Samples.clear(work.real, count: binCount)
    Samples.clear(work.imaginary, count: binCount)
    for partition in 0..<partitionCount {
      let (x, w) = (played.from(offset(partition)), echoPath.from(partition * binCount))
      for bin in 0..<binCount {
        work.real[bin] += x.real[bin] * w.real[bin] - x.imaginary[bin] * w.imaginary[bin]
        work.imaginary[bin] += x.real[bin] * w.imaginary[bin] + x.imaginary[bin] * w.real[bin]
      }
    }
    transform.inverse(work, frame)
  }

  /// One step of the Kalman filter with the residual of this block.
  @_noLocks
  private mutating func adapt(_ residual: UnsafePointer<Float>, restarts: Bool) {
    Samples.clear(frame, count: blockFrames)
    Samples.copy(residual, to: frame + blockFrames, count: blockFrames)
    transform.forward(frame, work)
    Samples.clear(gain, count: binCount)
    for partition in 0..<partitionCount {
      let (power, variance) = (playedPower + offset(partition), uncertainty + partition * binCount)
      for bin in 0..<binCount { gain[bin] += 0.5 * variance[bin] * power[bin] }
    }
    for bin in 0..<binCount {
      let energy =
        work.real[bin] * work.real[bin] + work.imaginary[bin] * work.imaginary[bin]
      let near = max(energy - gain[bin], 0)
      nearPower[bin] = restarts ? energy : nearMemory * nearPower[bin] + (1 - nearMemory) * near
      gain[bin] = 1 / (gain[bin] + nearPower[bin] + 1e-9)
    }
    let stepShare = Self.stepShare + (1 - Self.stepShare) * boost
    let (retained, renewed) = (persistence * persistence, 1 - persistence * persistence)
    for partition in 0..<partitionCount {
      let offset = offset(partition)
      let (x, w) = (played.from(offset), echoPath.from(partition * binCount))
      let (power, variance) = (playedPower + offset, uncertainty + partition * binCount)
      for bin in 0..<binCount {
        let step = variance[bin] * gain[bin]
        let stepShare = stepShare * step
        w.real[bin] +=
          stepShare * (x.real[bin] * work.real[bin] + x.imaginary[bin] * work.imaginary[bin])
        w.imaginary[bin] +=
          stepShare * (x.real[bin] * work.imaginary[bin] - x.imaginary[bin] * work.real[bin])
        let size = w.real[bin] * w.real[bin] + w.imaginary[bin] * w.imaginary[bin]
        variance[bin] =
          retained * max(1 - 0.5 * step * power[bin], 0) * variance[bin] + renewed * size
      }
    }
    for partition in 0..<promptCount { constrain(echoPath.from(partition * binCount)) }
    for partition in stride(from: promptCount + round, to: partitionCount, by: Self.rounds) {
      constrain(echoPath.from(partition * binCount))
    }
    round = (round + 1) % Self.rounds
  }

  /// Constrains a partition to the length of one block.
  @_noLocks
  private func constrain(_ partition: Spectrum) {
    transform.inverse(partition, frame)
    Samples.clear(frame + blockFrames, count: blockFrames)
    transform.forward(frame, partition)
  }
}
