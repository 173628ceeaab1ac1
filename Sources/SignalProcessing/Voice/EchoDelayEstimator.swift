// SPDX-License-Identifier: Apache-2.0

/// Estimates the delay from playing a sound to its echo in the microphone signal.
///
/// Each block of either signal becomes sixteen bits: one per band, set if the band is above its own
/// mean. For each delay, the number of differing bits is averaged over the blocks in which
/// something was played; at the minimum the signals match (after Volcker, "Low complexity, robust
/// time delay estimation", 2012, on binary spectra). In a room the match is some 10 to 30 ms after
/// the first arrival.
///
/// The owner frees the memory with `deallocate`.
struct EchoDelayEstimator: BitwiseCopyable, @unchecked Sendable {
  private static var bandCount: Int { @_noLocks get { 16 } }
  private static var lowestFrequency: Double { 250 }
  private static var highestFrequency: Double { 3_250 }
  /// Time constants in blocks: of the levels of bands, and of differing bits.
  private static var levelMemory: Float { @_noLocks get { 1.0 / 64 } }
  private static var matchBlocks: Int { @_noLocks get { 200 } }
  /// Minimum number of blocks before the first result.
  private static var minimumBlocks: Int { @_noLocks get { 50 } }
  /// How far the minimum has to be below the mean, in bits.
  private static var clearance: Float { @_noLocks get { 1.5 } }
  /// Mean powers from which on a block counts: -60 dBFS played, -70 dBFS captured.
  private static var audiblePower: Float { @_noLocks get { 1e-6 } }
  private static var faintPower: Float { @_noLocks get { 1e-7 } }

  private let blockFrames: Int
  private let delayCount: Int
  private let transform: RealTransform
  private let memory = OwnedMemory()
  private let window: UnsafeMutablePointer<Float>
  private let edges: UnsafeMutablePointer<Int>
  private let windowed: UnsafeMutablePointer<Float>
  private let spectrum: Spectrum
  private let played: SignalState
  private let captured: SignalState
  /// Bits of the played blocks, the newest at `newest`, and whether each was loud enough to count.
  private let history: UnsafeMutablePointer<UInt16>
  private let isCounted: UnsafeMutablePointer<Bool>
  private var newest = 0
  /// Blocks in which something was both played and captured, up to `matchBlocks`.
  private var countedBlocks = 0
  /// Mean number of differing bits at each delay.
  private let difference: UnsafeMutablePointer<Float>

  /// The state of either signal: two blocks of samples and the mean levels of the bands.
  private struct SignalState: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    let means: UnsafeMutablePointer<Float>
  }

  /// [control thread] Makes an estimator for blocks of `blockFrames` frames and delays up to
  /// `longestDelay` seconds.
  init(sampleRate: Double, blockFrames: Int, longestDelay: Double) {
    self.blockFrames = blockFrames
    delayCount = max(2, Int(longestDelay * sampleRate / Double(blockFrames)))
    transform = RealTransform(count: 2 * blockFrames)
    window = memory.array(2 * blockFrames, of: 0)
    edges = memory.array(Self.bandCount + 1, of: 0)
    windowed = memory.array(2 * blockFrames, of: 0)
    spectrum = Spectrum(memory, binCount: blockFrames + 1)
    played = SignalState(
      samples: memory.array(2 * blockFrames, of: 0), means: memory.array(Self.bandCount, of: 0))
    captured = SignalState(
      samples: memory.array(2 * blockFrames, of: 0), means: memory.array(Self.bandCount, of: 0))
    history = memory.array(delayCount, of: 0)
    isCounted = memory.array(delayCount, of: false)
    difference = memory.array(delayCount, of: Float(Self.bandCount) / 2)
    for index in 0..<2 * blockFrames {
      let angle = Double.pi * (Double(index) + 0.5) / Double(blockFrames)
      window[index] = Float(0.5 - 0.5 * Math.cosine(angle))
    }
    for band in 0...Self.bandCount {
      let share = Double(band) / Double(Self.bandCount)
      let frequency = Self.lowestFrequency + share * (Self.highestFrequency - Self.lowestFrequency)
      edges[band] = min(
        Int((frequency * Double(2 * blockFrames) / sampleRate).rounded()), blockFrames)
    }
  }

  /// [control thread] Frees the memory.
  func deallocate() {
    transform.deallocate()
    memory.deallocate()
  }

  /// [render thread] Clears the signal history and the estimate.
  @_noLocks
  mutating func reset() {
    for signal in 0..<2 {
      let state = signal == 0 ? played : captured
      Samples.clear(state.samples, count: 2 * blockFrames)
      Samples.clear(state.means, count: Self.bandCount)
    }
    for index in 0..<delayCount {
      history[index] = 0
      isCounted[index] = false
      difference[index] = Float(Self.bandCount) / 2
    }
    (newest, countedBlocks) = (0, 0)
  }

  /// [render thread] Processes simultaneous blocks of the played and the captured signal. Returns
  /// the delay of the latter in blocks; nil while it is not clear, such as during a single tone.
  @_noLocks
  mutating func find(
    played samples: UnsafePointer<Float>, captured capturedSamples: UnsafePointer<Float>,
    isTone: Bool
  ) -> Int? {
    newest = newest == 0 ? delayCount - 1 : newest - 1
    history[newest] = bits(samples, played)
    isCounted[newest] = power(samples) > Self.audiblePower && !isTone
    let capturedBits = bits(capturedSamples, captured)
    guard !isTone else { return nil }
    guard power(capturedSamples) > Self.faintPower else { return bestMatch() }
    if isCounted[newest] { countedBlocks = min(countedBlocks + 1, Self.matchBlocks) }
    let weight = 1 / Float(max(countedBlocks, Self.minimumBlocks))
    for delay in 0..<delayCount {
      let index = newest + delay < delayCount ? newest + delay : newest + delay - delayCount
      guard isCounted[index] else { continue }
      let bits = Float((history[index] ^ capturedBits).nonzeroBitCount)
      difference[delay] += weight * (bits - difference[delay])
    }
    return bestMatch()
  }

  @_noLocks
  private func power(_ samples: UnsafePointer<Float>) -> Float {
    Samples.energyAndPeak(samples, count: blockFrames).energy / Float(blockFrames)
  }

  @_noLocks
  private func bestMatch() -> Int? {
    var (least, bestDelay): (Float, Int) = (.infinity, 0)
    var sum: Float = 0
    for delay in 0..<delayCount {
      sum += difference[delay]
      if difference[delay] < least { (least, bestDelay) = (difference[delay], delay) }
    }
    // The fewer blocks, the larger the random deviations.
    let chance = Math.squareRoot(
      Float(Self.matchBlocks) / Float(max(countedBlocks, Self.minimumBlocks)))
    return sum / Float(delayCount) - least > Self.clearance * chance ? bestDelay : nil
  }

  /// The bands of the last two blocks that are above their mean.
  @_noLocks
  private func bits(_ samples: UnsafePointer<Float>, _ state: SignalState) -> UInt16 {
    Samples.copy(state.samples + blockFrames, to: state.samples, count: blockFrames)
    Samples.copy(samples, to: state.samples + blockFrames, count: blockFrames)
    for index in 0..<2 * blockFrames { windowed[index] = state.samples[index] * window[index] }
    transform.forward(windowed, spectrum)
    var bits: UInt16 = 0
    for band in 0..<Self.bandCount {
      var sum: Float = 1e-9
      for bin in edges[band]..<max(edges[band + 1], edges[band] + 1) {
        sum +=
          spectrum.real[bin] * spectrum.real[bin]
          + spectrum.imaginary[bin] * spectrum.imaginary[bin]
      }
      let level = Elementary.log2(sum)
      state.means[band] += Self.levelMemory * (level - state.means[band])
      if level > state.means[band] { bits |= 1 << UInt16(band) }
    }
    return bits
  }
}
