// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation

@testable import SignalProcessing

/// Measurements of rooms, and a room for comparison.
extension ReverberationTests {
  /// Decay time of 60 dB from the slope of an energy decay between -5 and -35 dB, by least squares.
  static func decayTime(_ energy: [Double], sampleRate: Double = 48_000) -> Double {
    var remaining = energy
    for index in remaining.indices.dropLast().reversed() {
      remaining[index] += remaining[index + 1]
    }
    let levels = remaining.map { 10 * log10($0 / remaining[0] + 1e-30) }
    let first = levels.firstIndex { $0 < -5 } ?? 0
    let last = levels.firstIndex { $0 < -35 } ?? levels.count
    let middle = Double(last - first - 1) / 2
    var (products, squares) = (0.0, 0.0)
    for index in first..<last {
      let x = Double(index - first) - middle
      products += x * levels[index]
      squares += x * x
    }
    return -60 / (products / squares * sampleRate)
  }

  /// A soft step from 0 to 1 at an edge, so that the filter does not ring longer than a room.
  static func slope(_ frequency: Double, _ edge: Double) -> Double {
    let x = min(max((frequency / edge - 0.75) / 0.5, 0), 1)
    return pow(sin(x * .pi / 2), 2)
  }

  /// The part of a signal between two frequencies. The signal is padded with as much silence, which
  /// receives the filter's pre-echo.
  static func band(_ signal: [Float], _ low: Double, _ high: Double) -> [Double] {
    var real = signal.map(Double.init) + [Double](repeating: 0, count: signal.count)
    var imaginary = [Double](repeating: 0, count: real.count)
    fourierTransform(&real, &imaginary)
    for bin in 0..<real.count {
      let frequency = Double(min(bin, real.count - bin)) * 48_000 / Double(real.count)
      let weight = slope(frequency, low) * (1 - slope(frequency, high))
      real[bin] *= weight
      imaginary[bin] *= weight
    }
    imaginary = imaginary.map { -$0 }
    fourierTransform(&real, &imaginary)
    return real.prefix(signal.count).map { $0 / Double(real.count) }
  }

  /// The left channel of Freeverb, in the public domain since 2000: eight combs, four all-passes;
  /// here all combs have the same decay time.
  static func freeverb(decay: Double, count: Int) -> [Float] {
    let scale = 48_000 / 44_100.0
    var sum = [Float](repeating: 0, count: count)
    for length in [1116, 1188, 1277, 1356, 1422, 1491, 1557, 1617] {
      let delay = Int(Double(length) * scale)
      let gain = Float(pow(10, -3 * Double(delay) / 48_000 / decay))
      var level: Float = 1
      for index in Swift.stride(from: delay, to: count, by: delay) {
        sum[index] += level
        level *= gain
      }
    }
    for length in [556, 441, 341, 225] {
      let delay = Int(Double(length) * scale)
      var past = [Float](repeating: 0, count: delay)
      for index in sum.indices {
        let old = past[index % delay]
        past[index % delay] = sum[index] + old * 0.5
        sum[index] = old - sum[index]
      }
    }
    return sum
  }

  /// Abel and Huang's normalized echo density ("A simple, robust measure of reverberation echo
  /// density", 2006) of 20 ms starting at a frame: 1 is as dense as noise.
  static func echoDensity(_ response: [Float], at frame: Int) -> Double {
    let count = 960
    var (weights, outside, power) = (0.0, 0.0, 0.0)
    let window = (0..<count).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(count)) }
    for index in 0..<count {
      weights += window[index]
      power += window[index] * pow(Double(response[frame + index]), 2)
    }
    let deviation = (power / weights).squareRoot()
    for index in 0..<count where Double(abs(response[frame + index])) > deviation {
      outside += window[index]
    }
    return outside / weights / 0.317_3
  }

  /// Geometric over arithmetic mean of the power spectrum after 100 ms, averaged over the octaves
  /// from 125 Hz to 8 kHz. Noise has 0.56; a ringing sound has less.
  static func flatness(_ response: [Float]) -> Double {
    var real = response[4_800..<4_800 + (1 << 17)].map(Double.init)
    var imaginary = [Double](repeating: 0, count: real.count)
    fourierTransform(&real, &imaginary)
    let octaves = (0..<6).map { octave in
      let first = Int(125 * exp2(Double(octave)) * Double(real.count) / 48_000)
      let powers = (first..<2 * first).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
      let mean = powers.reduce(0, +) / Double(powers.count)
      return exp(powers.reduce(0) { $0 + log($1 + 1e-300) } / Double(powers.count)) / mean
    }
    return octaves.reduce(0, +) / 6
  }
}
