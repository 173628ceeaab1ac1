// SPDX-License-Identifier: Apache-2.0
import AVFoundation

/// A band-pass by overlap-add: windows of the input are transformed, all other frequencies set to
/// zero, and the windows transformed back and added.
struct Spectrum {
  static let size = 1_024
  /// Frames between the starts of two windows.
  static let hop = size / 4

  /// The bins in the band.
  private let bins: ClosedRange<Int>
  private let window: UnsafeMutablePointer<Float>
  private let input: UnsafeMutablePointer<Float>
  private let output: UnsafeMutablePointer<Float>
  private let real: UnsafeMutablePointer<Float>
  private let imaginary: UnsafeMutablePointer<Float>
  private let turns: UnsafeMutablePointer<(cos: Float, sin: Float)>
  /// Frames since the start of the last window.
  private var place = 0

  init(passing band: ClosedRange<Double>, sampleRate: Double) {
    let width = sampleRate / Double(Self.size)
    bins = Int((band.lowerBound / width).rounded())...Int((band.upperBound / width).rounded())
    func memory() -> UnsafeMutablePointer<Float> {
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: Self.size)
      memory.initialize(repeating: 0, count: Self.size)
      return memory
    }
    (window, input, output, real, imaginary) = (memory(), memory(), memory(), memory(), memory())
    turns = .allocate(capacity: Self.size / 2)
    for index in 0..<Self.size {
      // The square root of a Hann window: it is applied twice, and four overlapping windows add up
      // to 2.
      window[index] = Float(sin(.pi * (Double(index) + 0.5) / Double(Self.size)))
      if index < Self.size / 2 {
        let angle = -2 * .pi * Double(index) / Double(Self.size)
        (turns + index).initialize(to: (Float(cos(angle)), Float(sin(angle))))
      }
    }
  }

  func deallocate() {
    for memory in [window, input, output, real, imaginary] { memory.deallocate() }
    turns.deallocate()
  }

  static let process: Process = { memory, samples, count in
    let me = memory.assumingMemoryBound(to: Spectrum.self)
    for frame in 0..<count { samples[frame] = me.pointee.next(samples[frame]) }
  }

  /// Processes one sample, with a delay of one window.
  private mutating func next(_ sample: Float) -> Float {
    let (size, hop) = (Self.size, Self.hop)
    input[size - hop + place] = sample
    let result = output[place]
    place += 1
    guard place == hop else { return result }
    place = 0
    (output).update(from: output + hop, count: size - hop)
    (output + size - hop).update(repeating: 0, count: hop)
    for index in 0..<size { (real[index], imaginary[index]) = (window[index] * input[index], 0) }
    transform()
    for bin in 0...size / 2 where !bins.contains(bin) {
      for mirrored in [bin, (size - bin) % size] { (real[mirrored], imaginary[mirrored]) = (0, 0) }
    }
    // The inverse transform: the transform of the conjugate, divided by its size.
    for index in 0..<size { imaginary[index] = -imaginary[index] }
    transform()
    for index in 0..<size { output[index] += window[index] * real[index] / Float(2 * size) }
    input.update(from: input + hop, count: size - hop)
    return result
  }

  /// The discrete Fourier transform, in place (Cooley and Tukey, 1965).
  private func transform() {
    var mirrored = 0
    for index in 1..<Self.size {
      var bit = Self.size / 2
      while mirrored & bit != 0 {
        mirrored ^= bit
        bit /= 2
      }
      mirrored |= bit
      guard index < mirrored else { continue }
      (real[index], real[mirrored]) = (real[mirrored], real[index])
      (imaginary[index], imaginary[mirrored]) = (imaginary[mirrored], imaginary[index])
    }
    var half = 1
    while half < Self.size {
      for start in stride(from: 0, to: Self.size, by: 2 * half) {
        for index in 0..<half {
          let turn = turns[index * Self.size / (2 * half)]
          let (upper, lower) = (start + index, start + index + half)
          let x = real[lower] * turn.cos - imaginary[lower] * turn.sin
          let y = real[lower] * turn.sin + imaginary[lower] * turn.cos
          (real[lower], imaginary[lower]) = (real[upper] - x, imaginary[upper] - y)
          (real[upper], imaginary[upper]) = (real[upper] + x, imaginary[upper] + y)
        }
      }
      half *= 2
    }
  }
}
