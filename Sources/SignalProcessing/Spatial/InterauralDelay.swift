// SPDX-License-Identifier: Apache-2.0

/// Measures by how much one ear's response is later than the other's below 1.5 kHz, where the
/// phases of both ears tell the direction of a sound.
///
/// It is the lag at which the responses, from 200 to 1,500 Hz, correlate best. Below 200 Hz a
/// measurement is unreliable. Katz and Noisternig, "A comparative study of interaural time delay
/// estimation methods", J. Acoust. Soc. Am. 135 (2014).
struct InterauralDelay: ~Copyable {
  private static let lowest = 200.0
  private static let spacing = 50.0
  private static let frequencyCount = 27
  /// Numbers of a spectrum: a multiple of eight, the last ones are zero.
  private static let stride = 32
  /// Seconds between the lags that are compared, and their number on either side.
  private static let lagStep = 10e-6
  private static let lagCount = 110

  private let memory = OwnedMemory()
  private let sampleCount: Int
  /// Cosines and sines of each sample's phase at each frequency, and of each lag's.
  private let samples: UnsafeMutablePointer<Double>
  private let lags: UnsafeMutablePointer<Double>
  private let spectra: UnsafeMutablePointer<Double>
  private let scores: UnsafeMutablePointer<Double>

  /// [control thread] Makes a measure for responses of `sampleCount` samples.
  init(sampleRate: Double, sampleCount: Int) {
    self.sampleCount = sampleCount
    samples = memory.array(2 * Self.stride * sampleCount, of: 0)
    let width = 2 * Self.lagCount + 1
    lags = memory.array(2 * Self.frequencyCount * width, of: 0)
    spectra = memory.array(4 * Self.stride, of: 0)
    scores = memory.array(width, of: 0)
    for index in 0..<Self.frequencyCount {
      let angle = 2 * .pi * (Self.lowest + Self.spacing * Double(index))
      for sample in 0..<sampleCount {
        let place = angle * Double(sample) / sampleRate
        samples[2 * Self.stride * sample + index] = Math.cosine(place)
        samples[2 * Self.stride * sample + Self.stride + index] = -Math.sine(place)
      }
      for lag in 0..<width {
        let place = angle * Self.lagStep * Double(lag - Self.lagCount)
        lags[2 * index * width + lag] = Math.cosine(place)
        lags[(2 * index + 1) * width + lag] = Math.sine(place)
      }
    }
  }

  deinit { memory.deallocate() }

  /// The seconds by which the left ear's response is later than the right ear's.
  func seconds(left: some Sequence<Float>, right: some Sequence<Float>) -> Double {
    spectra.initialize(repeating: 0, count: 4 * Self.stride)
    add(left, to: spectra)
    add(right, to: spectra + 2 * Self.stride)
    let width = 2 * Self.lagCount + 1
    scores.initialize(repeating: 0, count: width)
    for index in 0..<Self.frequencyCount {
      let (a, b) = (spectra[index], spectra[Self.stride + index])
      let (c, d) = (spectra[2 * Self.stride + index], spectra[3 * Self.stride + index])
      // The left spectrum times the conjugate of the right one.
      let (real, imaginary) = (a * c + b * d, b * c - a * d)
      let cosines = lags + 2 * index * width
      let sines = cosines + width
      for lag in 0..<width { scores[lag] += real * cosines[lag] - imaginary * sines[lag] }
    }
    var best = 0
    for lag in 1..<width where scores[lag] > scores[best] { best = lag }
    var place = Double(best - Self.lagCount)
    if best > 0, best < width - 1 {
      let (before, top, after) = (scores[best - 1], scores[best], scores[best + 1])
      let bend = before - 2 * top + after
      if bend < 0 { place += (before - after) / (2 * bend) }
    }
    return place * Self.lagStep
  }

  /// Adds the spectrum of a response, no longer than `sampleCount`.
  private func add(_ response: some Sequence<Float>, to spectrum: UnsafeMutablePointer<Double>) {
    var row = samples
    for value in response {
      let value = Double(value)
      for index in 0..<2 * Self.stride { spectrum[index] += value * row[index] }
      row += 2 * Self.stride
    }
  }
}
