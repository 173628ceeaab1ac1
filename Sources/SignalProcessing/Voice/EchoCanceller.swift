// SPDX-License-Identifier: Apache-2.0

/// Removes the loudspeaker's echo from a microphone signal, with a model of the echo path that it
/// adapts while it runs.
///
/// The model is a filter in partitions of one block, in the frequency domain; a Kalman filter with a
/// diagonal covariance learns it (Enzner and Vary, "Frequency-domain adaptive Kalman filter for acoustic
/// echo control", 2006; in partitions: Kuech, Mabande and Enzner, ICASSP 2014). The uncertainty of each
/// bin and partition is its step: large at the start, small once learnt, and smaller still while a near
/// talker is louder than the echo that is left, so no detector of double talk stops or starts it. When
/// what is left is louder than what came in, the way has changed, and it learns anew.
///
/// The memory is its owner's to free, by `deallocate`.
struct EchoCanceller: BitwiseCopyable, @unchecked Sendable {
  /// How much of the echo path is forgotten per block of 4 ms, and how much of the near sound's
  /// power is kept.
  private static var persistence: Double { 0.9999 }
  private static var nearMemory: Double { 0.95 }
  /// Which part of the Kalman filter's step is taken. Of tones, and of what leaks from bin to bin, whole
  /// steps lead too far; only what is heard first is learnt in whole ones, for about so many seconds.
  private static var pace: Float { @_noLocks get { 0.5 } }
  private static var hasteTime: Double { 2 }
  /// Mean power from which on a block counts as heard: -60 dBFS.
  private static var audible: Float { @_noLocks get { 1e-6 } }
  /// Seconds in which the way falls by 60 dB, as far as is known before.
  private static var decayTime: Double { 0.8 }
  /// Seconds of the way whose partitions each block brings back to its length, so that sounds that begin or
  /// end do not fold round; the others come in turn, each in one block of so many.
  private static var prompt: Double { 0.08 }
  private static var rounds: Int { @_noLocks get { 4 } }

  /// Frames of a block.
  let blockFrames: Int
  private let partitionCount: Int
  private let promptCount: Int
  private let binCount: Int
  private let transform: RealTransform
  private let memory = OwnedMemory()

  /// Spectra of what was played, the newest at `newest`, and the power of each bin of theirs.
  private let played: Spectrum
  private let playedPower: UnsafeMutablePointer<Float>
  private var newest = 0
  /// The model, and how uncertain each number of it is; the same before anything is known.
  private let way: Spectrum
  private let uncertainty: UnsafeMutablePointer<Float>
  private let prior: UnsafeMutablePointer<Float>
  /// Power of what is near, by bin.
  private let nearPower: UnsafeMutablePointer<Float>
  private let gain: UnsafeMutablePointer<Float>

  private let frame: UnsafeMutablePointer<Float>
  private let playedFrame: UnsafeMutablePointer<Float>
  private let work: Spectrum
  private let persistence: Float
  private let nearMemory: Float
  private let levelMemory: Float
  /// Smoothed energies of what came in and of what is left.
  private var heardEnergy: Float = 0
  private var leftEnergy: Float = 0
  private var hasLearnt = false
  /// How much of what is left is given, and not what was heard.
  private var share: Float = 1
  /// 1 where nothing is known, and less the more was heard.
  private var haste: Float = 1
  private let keepsHaste: Float
  /// Blocks for which what is left is louder than what came in; after so many it begins anew, but not
  /// within some seconds of the last time.
  private var worseBlocks = 0
  private let patience: Int
  private var restBlocks = 0
  private let rest: Int
  private var round = 0
  /// How often it began to learn anew.
  private(set) var restartCount = 0

  /// [control thread] For blocks of `blockFrames` frames, a power of two, and a way of `reach` seconds.
  init(sampleRate: Double, blockFrames: Int, reach: Double) {
    self.blockFrames = blockFrames
    let partitions = max(1, Int((reach * sampleRate / Double(blockFrames)).rounded(.up)))
    partitionCount = partitions
    promptCount = min(partitions, Int(Self.prompt * sampleRate / Double(blockFrames)))
    transform = RealTransform(count: 2 * blockFrames)
    binCount = blockFrames + 1
    let bins = binCount
    played = Spectrum(memory, binCount: partitions * bins)
    playedPower = memory.array(partitions * bins, of: 0)
    way = Spectrum(memory, binCount: partitions * bins)
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
    keepsHaste = Float(Math.exponential(-seconds / Self.hasteTime))
    patience = Int(0.04 / seconds)
    rest = Int(3 / seconds)
    var sum = 0.0
    for index in 0..<partitions { sum += Self.share(index, seconds) }
    for index in 0..<partitions { prior[index] = Float(Self.share(index, seconds) / sum) }
    reset()
  }

  private static func share(_ partition: Int, _ seconds: Double) -> Double {
    Math.power(10, -6 * Double(partition) * seconds / decayTime)
  }

  /// [control thread] Frees the memory.
  func deallocate() {
    transform.deallocate()
    memory.deallocate()
  }

  /// [render thread] Forgets the sound and what was learnt.
  @_noLocks
  mutating func reset() {
    Samples.clear(played.real, count: partitionCount * binCount)
    Samples.clear(played.imaginary, count: partitionCount * binCount)
    Samples.clear(playedPower, count: partitionCount * binCount)
    Samples.clear(nearPower, count: binCount)
    Samples.clear(playedFrame, count: 2 * blockFrames)
    (newest, round, worseBlocks, restartCount) = (0, 0, 0, 0)
    (heardEnergy, leftEnergy, hasLearnt) = (0, 0, false)
    share = 1
    beginAnew(gain: 1)
  }

  @_noLocks
  private mutating func beginAnew(gain: Float) {
    Samples.clear(way.real, count: partitionCount * binCount)
    Samples.clear(way.imaginary, count: partitionCount * binCount)
    for partition in 0..<partitionCount {
      (uncertainty + partition * binCount)
        .update(repeating: gain * prior[partition], count: binCount)
    }
    hasLearnt = false
    haste = 1
    restBlocks = rest
  }

  /// [render thread] One block: what was played and what the microphone heard go in; what is left when
  /// the echo is taken out replaces the latter.
  @_noLocks
  mutating func process(
    played samples: UnsafePointer<Float>, heard: UnsafePointer<Float>,
    left: UnsafeMutablePointer<Float>
  ) {
    append(samples)
    estimate()
    let estimated = frame + blockFrames
    var (energyHeard, energyLeft): (Float, Float) = (0, 0)
    for index in 0..<blockFrames {
      let sample = heard[index] - estimated[index]
      energyHeard += heard[index] * heard[index]
      energyLeft += sample * sample
      left[index] = sample
    }
    heardEnergy = levelMemory * heardEnergy + (1 - levelMemory) * energyHeard
    leftEnergy = levelMemory * leftEnergy + (1 - levelMemory) * energyLeft
    if energyHeard > Self.audible * Float(blockFrames) { haste *= keepsHaste }
    if leftEnergy < 0.1 * heardEnergy { hasLearnt = true }
    let isWorse = hasLearnt && leftEnergy > 1.1 * heardEnergy
    worseBlocks = isWorse ? worseBlocks + 1 : 0
    restBlocks -= 1
    let restarts = worseBlocks > patience && restBlocks < 0
    if restarts {
      beginAnew(gain: wayGain())
      restartCount += 1
      Samples.copy(heard, to: left, count: blockFrames)
    }
    learn(left, restarts: restarts)
    // Better no model than one that adds an echo.
    fade(to: leftEnergy > heardEnergy ? 0 : 1, heard, left)
  }

  /// Goes over to what is left, or to what was heard, within the block: an edge would sound in every bin.
  @_noLocks
  private mutating func fade(
    to end: Float, _ heard: UnsafePointer<Float>, _ left: UnsafeMutablePointer<Float>
  ) {
    defer { share = end }
    if end == 1, share == 1 { return }
    let step = (end - share) / Float(blockFrames)
    for index in 0..<blockFrames {
      let share = share + step * Float(index + 1)
      left[index] = heard[index] + share * (left[index] - heard[index])
    }
  }

  /// How much of what is played is heard, as far as was learnt.
  @_noLocks
  private func wayGain() -> Float {
    var sum: Float = 0
    for index in 0..<partitionCount * binCount {
      sum += way.real[index] * way.real[index] + way.imaginary[index] * way.imaginary[index]
    }
    return min(max(sum / Float(binCount), 0.05), 20)
  }

  /// The spectrum of the last two blocks that were played becomes the newest.
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

  /// Where the spectrum stands that was played `partition` blocks ago.
  @_noLocks
  private func place(_ partition: Int) -> Int {
    let index = newest + partition
    return (index >= partitionCount ? index - partitionCount : index) * binCount
  }

  /// The echo by the model, in the second half of `frame`.
  @_noLocks
  private func estimate() {
    Samples.clear(work.real, count: binCount)
    Samples.clear(work.imaginary, count: binCount)
    for partition in 0..<partitionCount {
      let (x, w) = (played.from(place(partition)), way.from(partition * binCount))
      for bin in 0..<binCount {
        work.real[bin] += x.real[bin] * w.real[bin] - x.imaginary[bin] * w.imaginary[bin]
        work.imaginary[bin] += x.real[bin] * w.imaginary[bin] + x.imaginary[bin] * w.real[bin]
      }
    }
    transform.inverse(work, frame)
  }

  /// One step of the Kalman filter with what is left of this block.
  @_noLocks
  private mutating func learn(_ left: UnsafePointer<Float>, restarts: Bool) {
    Samples.clear(frame, count: blockFrames)
    Samples.copy(left, to: frame + blockFrames, count: blockFrames)
    transform.forward(frame, work)
    Samples.clear(gain, count: binCount)
    for partition in 0..<partitionCount {
      let (power, doubt) = (playedPower + place(partition), uncertainty + partition * binCount)
      for bin in 0..<binCount { gain[bin] += 0.5 * doubt[bin] * power[bin] }
    }
    for bin in 0..<binCount {
      let energy =
        work.real[bin] * work.real[bin] + work.imaginary[bin] * work.imaginary[bin]
      let near = max(energy - gain[bin], 0)
      nearPower[bin] = restarts ? energy : nearMemory * nearPower[bin] + (1 - nearMemory) * near
      gain[bin] = 1 / (gain[bin] + nearPower[bin] + 1e-9)
    }
    let pace = Self.pace + (1 - Self.pace) * haste
    let (keeps, renews) = (persistence * persistence, 1 - persistence * persistence)
    for partition in 0..<partitionCount {
      let place = place(partition)
      let (x, w) = (played.from(place), way.from(partition * binCount))
      let (power, doubt) = (playedPower + place, uncertainty + partition * binCount)
      for bin in 0..<binCount {
        let step = doubt[bin] * gain[bin]
        let pace = pace * step
        w.real[bin] +=
          pace * (x.real[bin] * work.real[bin] + x.imaginary[bin] * work.imaginary[bin])
        w.imaginary[bin] +=
          pace * (x.real[bin] * work.imaginary[bin] - x.imaginary[bin] * work.real[bin])
        let size = w.real[bin] * w.real[bin] + w.imaginary[bin] * w.imaginary[bin]
        doubt[bin] =
          keeps * max(1 - 0.5 * step * power[bin], 0) * doubt[bin] + renews * size
      }
    }
    for partition in 0..<promptCount { constrain(way.from(partition * binCount)) }
    for partition in stride(from: promptCount + round, to: partitionCount, by: Self.rounds) {
      constrain(way.from(partition * binCount))
    }
    round = (round + 1) % Self.rounds
  }

  /// Brings a partition back to what one block of samples can be.
  @_noLocks
  private func constrain(_ partition: Spectrum) {
    transform.inverse(partition, frame)
    Samples.clear(frame + blockFrames, count: blockFrames)
    transform.forward(frame, partition)
  }
}
