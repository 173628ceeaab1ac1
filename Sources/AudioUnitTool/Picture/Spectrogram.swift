// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The spectrum of a sound over time: levels in columns, by Fourier transforms with a Hann window.
struct Spectrogram {
  /// The frames of a transform.
  static let size = 2_048

  let sampleRate: Double
  let frameCount: Int
  /// For each column the power of each bin, relative to a full-scale sine.
  private(set) var columns: [[Float]]

  /// Measures a sound of `frameCount` frames; the channels are averaged by power.
  init(of sound: any SoundStream, frameCount: Int, columnCount: Int) throws(Failure) {
    sampleRate = sound.sampleRate
    self.frameCount = frameCount
    let (size, channels) = (Self.size, sound.channelCount)
    let count = max(1, min(columnCount, frameCount))
    columns = Array(repeating: Array(repeating: 0, count: size / 2 + 1), count: count)
    var weights = [Float](repeating: 0, count: count)
    // A transform every quarter of its length, but at least four for a column.
    let hop = max(1, min(size / 4, frameCount / count / 4))
    let transform = RealTransform(count: size)
    defer { transform.deallocate() }
    let memory = OwnedMemory()
    defer { memory.deallocate() }
    let samples = memory.array(size, of: Float(0))
    let spectrum = Spectrum(memory, binCount: size / 2 + 1)
    let window = (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size)) }
    // The last frames of each channel; the sound is surrounded by silence.
    var recent = [[Double]](
      repeating: Array(repeating: 0, count: size / 2), count: channels)
    var center = 0
    let scale = Float(16 / (Double(size) * Double(size) * Double(channels)))
    func measure(_ columns: inout [[Float]]) {
      while recent[0].count >= size, center < frameCount {
        let column = min(count - 1, center * count / max(1, frameCount))
        for channel in 0..<channels {
          for index in 0..<size { samples[index] = Float(recent[channel][index] * window[index]) }
          transform.forward(samples, spectrum)
          for bin in 0...size / 2 {
            let (real, imaginary) = (spectrum.real[bin], spectrum.imaginary[bin])
            columns[column][bin] += scale * (real * real + imaginary * imaginary)
          }
        }
        weights[column] += 1
        center += hop
        for channel in 0..<channels { recent[channel].removeFirst(min(hop, recent[channel].count)) }
      }
    }
    try sound.forEachBlock { block, length in
      for channel in 0..<channels {
        recent[channel] += (0..<length).map { frame in
          let sample = block.samples[frame * channels + channel]
          return sample.isFinite ? sample : 0
        }
      }
      measure(&columns)
    }
    for channel in 0..<channels { recent[channel] += Array(repeating: 0, count: 2 * size) }
    measure(&columns)
    for column in 0..<count where weights[column] > 0 {
      for bin in columns[column].indices { columns[column][bin] /= weights[column] }
    }
    // Where a transform is longer than a column, a column without one shows what is before it.
    for column in 1..<max(2, count) where column < count && weights[column] == 0 {
      columns[column] = columns[column - 1]
    }
  }

  /// The level in decibels at a column and within a range of frequencies, its loudest bin.
  func level(_ column: Int, _ frequencies: ClosedRange<Double>) -> Double {
    let width = sampleRate / Double(Self.size)
    let first = min(Self.size / 2, Int(saturating: (frequencies.lowerBound / width).rounded()))
    let last = max(
      first, min(Self.size / 2, Int(saturating: (frequencies.upperBound / width).rounded())))
    let power = columns[column][first...last].max() ?? 0
    return power > 0 ? 10 * log10(Double(power)) : -400
  }
}
