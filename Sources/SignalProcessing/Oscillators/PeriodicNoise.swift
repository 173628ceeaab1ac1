// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Noise whose spectrum is known line by line, because it repeats: a maximum-length sequence, and
/// pink noise.
///
/// The sequence has 2^order - 1 frames of plus or minus one, and equal power in all of its lines
/// except the mean. Its circular autocorrelation is 2^order - 1 where it meets itself, and -1
/// everywhere else. Golomb, "Shift register sequences" (1967).
///
/// The pink noise has 2^order frames, as many as a Fourier transform: its lines, from the first one
/// on, fall by exactly 3.01 dB per octave, and their phases are random. Its RMS is that of a tone
/// oscillator's pink noise.
///
/// Both are read from tables, which take five bytes a frame and some milliseconds: they are made when
/// they are needed, once in a process.
public struct PeriodicNoise: BitwiseCopyable, @unchecked Sendable {
  /// The possible orders.
  public static let orders = 4...20
  /// The order of a tone oscillator, unless another one is chosen.
  public static let standardOrder = 16

  /// The period in frames is two to this power, less one for the sequence.
  public let order: Int
  /// The tables; nil until they are made. They are never freed.
  private let published: UnsafeMutablePointer<Published>

  private typealias Published = Atomic<UnsafeMutablePointer<Tables>?>

  private struct Tables {
    let signs: UnsafePointer<Int8>
    let pink: UnsafePointer<Float>
  }

  /// The shift registers of all orders: a bit for each tap, the last stage first.
  private static let taps: [UInt32] = [
    0x9, 0x12, 0x21, 0x41, 0x8e, 0x108, 0x204, 0x402, 0x829, 0x100d, 0x2015, 0x4001, 0x8016,
    0x1_0004, 0x2_0040, 0x4_0013, 0x8_0004,
  ]

  /// The noise of all orders.
  private static let all = orders.map { PeriodicNoise($0) }
  /// Held while tables are made.
  private static let making = Mutex(())

  /// The noise of an order, clamped to the possible ones. [control thread]
  public static func ofOrder(_ order: Int) -> PeriodicNoise {
    all[min(max(order, orders.lowerBound), orders.upperBound) - orders.lowerBound]
  }

  private init(_ order: Int) {
    self.order = order
    published = .allocate(capacity: 1)
    published.initialize(to: Atomic(nil))
  }

  /// Makes the tables, unless they are there. [control thread]
  public func prepare() {
    Self.making.withLock { _ in
      guard !isReady else { return }
      let tables = UnsafeMutablePointer<Tables>.allocate(capacity: 1)
      tables.initialize(
        to: Tables(
          signs: Self.sequence(order, Self.taps[order - Self.orders.lowerBound]),
          pink: Self.pinkPeriod(1 << order)))
      published.pointee.store(tables, ordering: .releasing)
    }
  }

  /// Whether the tables are there. Until then the noise is silent. [any thread]
  public var isReady: Bool { @_noLocks get { tables != nil } }

  private var tables: UnsafeMutablePointer<Tables>? {
    @_noLocks get { published.pointee.load(ordering: .acquiring) }
  }

  private static func sequence(_ order: Int, _ taps: UInt32) -> UnsafePointer<Int8> {
    let count = 1 << order - 1
    let signs = UnsafeMutablePointer<Int8>.allocate(capacity: count)
    var register: UInt32 = 1
    for frame in 0..<count {
      let bit = register & 1
      signs[frame] = bit == 1 ? 1 : -1
      register >>= 1
      if bit == 1 { register ^= taps }
    }
    return UnsafePointer(signs)
  }

  private static func pinkPeriod(_ count: Int) -> UnsafePointer<Float> {
    let memory = OwnedMemory()
    let transform = RealTransform(count: count)
    defer {
      transform.deallocate()
      memory.deallocate()
    }
    let spectrum = Spectrum(memory, binCount: transform.binCount)
    var random = Xoshiro256(seed: 1)
    var power = 0.0
    for bin in 1..<count / 2 {
      let amplitude = 1 / Double(bin).squareRoot()
      let angle = Double(random.nextSample()) * .pi
      spectrum.real[bin] = Float(amplitude * Math.cosine(angle))
      spectrum.imaginary[bin] = Float(amplitude * Math.sine(angle))
      power += 2 / Double(bin)
    }
    let samples = UnsafeMutablePointer<Float>.allocate(capacity: count)
    transform.inverse(spectrum, samples)
    // The transform divides by the count, and a mean square is that of the lines.
    let scale = Float(ToneOscillator.pinkLevel * Double(count) / power.squareRoot())
    for frame in 0..<count { samples[frame] *= scale }
    return UnsafePointer(samples)
  }

  /// Writes a sequence that has played for `frame` frames. [render thread]
  @_noLocks
  func renderSequence(
    into output: UnsafeMutablePointer<Float>, count: Int, from frame: UInt64, amplitude: Float,
    amplitudeStep: Float
  ) {
    guard let signs = tables?.pointee.signs else { return Samples.clear(output, count: count) }
    let period = 1 << order - 1
    var place = Int(truncatingIfNeeded: frame % UInt64(truncatingIfNeeded: period))
    for index in 0..<count {
      output[index] = Float(signs[place]) * (amplitude + amplitudeStep * Float(index))
      place = place + 1 == period ? 0 : place + 1
    }
  }

  /// Writes pink noise that has played for `frame` frames. [render thread]
  @_noLocks
  func renderPink(
    into output: UnsafeMutablePointer<Float>, count: Int, from frame: UInt64, amplitude: Float,
    amplitudeStep: Float
  ) {
    guard let pink = tables?.pointee.pink else { return Samples.clear(output, count: count) }
    let mask = 1 << order - 1
    let start = Int(truncatingIfNeeded: frame)
    for index in 0..<count {
      let level = amplitude + amplitudeStep * Float(index)
      output[index] = pink[(start &+ index) & mask] * level
    }
  }
}
