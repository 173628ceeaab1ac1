// SPDX-License-Identifier: Apache-2.0

/// Finds the delay from playing a sound to its echo in the microphone.
///
/// Each block of either side becomes sixteen bits: which bands are above their own mean. For each delay
/// the share of bits that differ is averaged over the blocks in which something was played; where it is
/// least, the sides match (after Volcker, "Low complexity, robust time delay estimation", 2012, on
/// binary spectra). In a room the match lies some 10 to 30 ms behind the first sound.
///
/// The memory is its owner's to free, by `deallocate`.
struct EchoDelay: BitwiseCopyable, @unchecked Sendable {
  private static var bandCount: Int { @_noLocks get { 16 } }
  private static var lowest: Double { 250 }
  private static var highest: Double { 3_250 }
  /// Blocks that an average remembers, of the levels of bands and of differing bits.
  private static var levelMemory: Float { @_noLocks get { 1.0 / 64 } }
  private static var matchBlocks: Int { @_noLocks get { 200 } }
  /// Blocks after which a first answer may be given.
  private static var fewest: Int { @_noLocks get { 50 } }
  /// How far the least difference has to lie below the usual one, in bits.
  private static var clearance: Float { @_noLocks get { 1.5 } }
  /// Mean powers from which on a block counts: -60 dBFS played, -70 dBFS heard.
  private static var audible: Float { @_noLocks get { 1e-6 } }
  private static var faint: Float { @_noLocks get { 1e-7 } }

  private let blockFrames: Int
  private let delayCount: Int
  private let transform: RealTransform
  private let memory = OwnedMemory()
  private let window: UnsafeMutablePointer<Float>
  private let edges: UnsafeMutablePointer<Int>
  private let windowed: UnsafeMutablePointer<Float>
  private let spectrum: Spectrum
  private let played: Side
  private let heard: Side
  /// Bits of what was played, the newest at `newest`, and whether it was loud enough to count.
  private let history: UnsafeMutablePointer<UInt16>
  private let counts: UnsafeMutablePointer<Bool>
  private var newest = 0
  /// Blocks in which something was played and something heard, as far as they count.
  private var seen = 0
  /// Bits that differ at each delay, on the average.
  private let difference: UnsafeMutablePointer<Float>

  /// What is kept of either side: two blocks of samples and the mean levels of the bands.
  private struct Side: BitwiseCopyable {
    let samples: UnsafeMutablePointer<Float>
    let means: UnsafeMutablePointer<Float>
  }

  /// [control thread] For blocks of `blockFrames` frames and delays up to `longest` seconds.
  init(sampleRate: Double, blockFrames: Int, longest: Double) {
    self.blockFrames = blockFrames
    delayCount = max(2, Int(longest * sampleRate / Double(blockFrames)))
    transform = RealTransform(count: 2 * blockFrames)
    window = memory.array(2 * blockFrames, of: 0)
    edges = memory.array(Self.bandCount + 1, of: 0)
    windowed = memory.array(2 * blockFrames, of: 0)
    spectrum = Spectrum(memory, binCount: blockFrames + 1)
    played = Side(
      samples: memory.array(2 * blockFrames, of: 0), means: memory.array(Self.bandCount, of: 0))
    heard = Side(
      samples: memory.array(2 * blockFrames, of: 0), means: memory.array(Self.bandCount, of: 0))
    history = memory.array(delayCount, of: 0)
    counts = memory.array(delayCount, of: false)
    difference = memory.array(delayCount, of: Float(Self.bandCount) / 2)
    for index in 0..<2 * blockFrames {
      let angle = Double.pi * (Double(index) + 0.5) / Double(blockFrames)
      window[index] = Float(0.5 - 0.5 * Math.cosine(angle))
    }
    for band in 0...Self.bandCount {
      let share = Double(band) / Double(Self.bandCount)
      let frequency = Self.lowest + share * (Self.highest - Self.lowest)
      edges[band] = min(
        Int((frequency * Double(2 * blockFrames) / sampleRate).rounded()), blockFrames)
    }
  }

  /// [control thread] Frees the memory.
  func deallocate() {
    transform.deallocate()
    memory.deallocate()
  }

  /// [render thread] Forgets the sound and what was found.
  @_noLocks
  mutating func reset() {
    for side in 0..<2 {
      let side = side == 0 ? played : heard
      Samples.clear(side.samples, count: 2 * blockFrames)
      Samples.clear(side.means, count: Self.bandCount)
    }
    for index in 0..<delayCount {
      history[index] = 0
      counts[index] = false
      difference[index] = Float(Self.bandCount) / 2
    }
    (newest, seen) = (0, 0)
  }

  /// [render thread] Takes one block of either side as it was played and heard at the same time, and
  /// answers by how many blocks the latter is later; nil while that is not clear, as while one tone plays.
  @_noLocks
  mutating func find(
    played samples: UnsafePointer<Float>, heard others: UnsafePointer<Float>, isTone: Bool
  ) -> Int? {
    newest = newest == 0 ? delayCount - 1 : newest - 1
    history[newest] = bits(samples, played)
    counts[newest] = power(samples) > Self.audible && !isTone
    let wanted = bits(others, heard)
    guard !isTone else { return nil }
    guard power(others) > Self.faint else { return best() }
    if counts[newest] { seen = min(seen + 1, Self.matchBlocks) }
    let follows = 1 / Float(max(seen, Self.fewest))
    for delay in 0..<delayCount {
      let index = newest + delay < delayCount ? newest + delay : newest + delay - delayCount
      guard counts[index] else { continue }
      let bits = Float((history[index] ^ wanted).nonzeroBitCount)
      difference[delay] += follows * (bits - difference[delay])
    }
    return best()
  }

  @_noLocks
  private func power(_ samples: UnsafePointer<Float>) -> Float {
    Samples.energyAndPeak(samples, count: blockFrames).energy / Float(blockFrames)
  }

  @_noLocks
  private func best() -> Int? {
    var (least, place): (Float, Int) = (.infinity, 0)
    var sum: Float = 0
    for delay in 0..<delayCount {
      sum += difference[delay]
      if difference[delay] < least { (least, place) = (difference[delay], delay) }
    }
    // The fewer blocks were heard, the farther chance reaches.
    let chance = Math.squareRoot(Float(Self.matchBlocks) / Float(max(seen, Self.fewest)))
    return sum / Float(delayCount) - least > Self.clearance * chance ? place : nil
  }

  /// Which bands of the last two blocks are above their mean.
  @_noLocks
  private func bits(_ samples: UnsafePointer<Float>, _ side: Side) -> UInt16 {
    Samples.copy(side.samples + blockFrames, to: side.samples, count: blockFrames)
    Samples.copy(samples, to: side.samples + blockFrames, count: blockFrames)
    for index in 0..<2 * blockFrames { windowed[index] = side.samples[index] * window[index] }
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
      side.means[band] += Self.levelMemory * (level - side.means[band])
      if level > side.means[band] { bits |= 1 << UInt16(band) }
    }
    return bits
  }
}
