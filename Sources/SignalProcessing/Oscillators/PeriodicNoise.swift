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
public struct PeriodicNoise: BitwiseCopyable, @unchecked Sendable {
  /// The possible orders.
  public static let orders = 4...20
  /// The order of a tone oscillator, unless another one is chosen.
  public static let standardOrder = 16

  /// The period in frames is two to this power, less one for the sequence.
  public let order: Int
  private let signs: UnsafePointer<Int8>
  private let pink: UnsafePointer<Float>

  /// The shift registers of all orders: a bit for each tap, the last stage first.
  private static let taps: [UInt32] = [
    0x9, 0x12, 0x21, 0x41, 0x8e, 0x108, 0x204, 0x402, 0x829, 0x100d, 0x2015, 0x4001, 0x8016,
    0x1_0004, 0x2_0040, 0x4_0013, 0x8_0004,
  ]

  /// The tables that were made, one for each order. They are never freed.
  private static let made = Mutex<[PeriodicNoise?]>(Array(repeating: nil, count: orders.count))

  /// The noise of an order, clamped to the possible ones; made on first use. [control thread]
  public static func ofOrder(_ order: Int) -> PeriodicNoise {
    let order = min(max(order, orders.lowerBound), orders.upperBound)
    return made.withLock { made in
      let index = order - orders.lowerBound
      let noise = made[index] ?? PeriodicNoise(order, taps: taps[index])
      made[index] = noise
      return noise
    }
  }

  private init(_ order: Int, taps: UInt32) {
    self.order = order
    signs = UnsafePointer(Self.sequence(order, taps))
    pink = UnsafePointer(Self.pinkPeriod(1 << order))
  }

  private static func sequence(_ order: Int, _ taps: UInt32) -> UnsafeMutablePointer<Int8> {
    let count = 1 << order - 1
    let signs = UnsafeMutablePointer<Int8>.allocate(capacity: count)
    var register: UInt32 = 1
    for frame in 0..<count {
      let bit = register & 1
      signs[frame] = bit == 1 ? 1 : -1
      register >>= 1
      if bit == 1 { register ^= taps }
    }
    return signs
  }

  private static func pinkPeriod(_ count: Int) -> UnsafeMutablePointer<Float> {
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
    return samples
  }

  /// Writes a sequence that has played for `frame` frames. [render thread]
  @_noLocks
  func renderSequence(
    into output: UnsafeMutablePointer<Float>, count: Int, from frame: UInt64, amplitude: Float,
    amplitudeStep: Float
  ) {
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
    let mask = 1 << order - 1
    let start = Int(truncatingIfNeeded: frame)
    for index in 0..<count {
      let level = amplitude + amplitudeStep * Float(index)
      output[index] = pink[(start &+ index) & mask] * level
    }
  }
}
