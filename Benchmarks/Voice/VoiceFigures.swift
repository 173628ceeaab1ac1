// SPDX-License-Identifier: Apache-2.0
import Foundation
import SignalProcessing

/// The quality of the output for a call.
struct VoiceFigures: CustomStringConvertible {
  /// Echo loss in decibels.
  private var start = 0.0
  private var soon = 0.0
  private var settled = 0.0
  private var changed = 0.0
  private var soonChanged = 0.0
  /// The near talker during double talk: change of level, and distance of the log spectra, in
  /// decibels.
  private var level = 0.0
  private var distance = 0.0

  /// The figures of an output that lags by `latency` frames; nil: found by correlation with the
  /// near talker.
  init(_ call: VoiceCall, _ output: [Float], latency: Int?) {
    let rate = call.setup.rate
    func part(_ start: Double, _ end: Double, of samples: [Float], late: Int = 0) -> [Float] {
      (Int(start * rate)..<Int(end * rate)).map { frame in
        frame + late < samples.count ? samples[frame + late] : 0
      }
    }
    func energy(_ samples: [Float]) -> Double { samples.reduce(1e-12) { $0 + Double($1 * $1) } }
    let late = latency ?? Self.latency(part(12.5, 16.5, of: call.near), output, Int(12.5 * rate))
    func loss(_ start: Double, _ end: Double) -> Double {
      let before = energy(part(start, end, of: call.microphone))
      return 10 * log10(before / energy(part(start, end, of: output, late: late)))
    }
    (start, soon, settled) = (loss(1, 3), loss(2, 4), loss(8, 12))
    (changed, soonChanged) = (loss(24, 26), loss(26, 28))
    let (reference, actual) = (
      part(17.5, 24, of: call.near), part(17.5, 24, of: output, late: late)
    )
    level = 10 * log10(energy(actual) / energy(reference))
    distance = Self.distance(reference, actual, rate)
  }

  var description: String {
    String(
      format: "%5.0f %5.0f %5.0f %7.0f %5.0f %9.1f /%4.1f", start, soon, settled, changed,
      soonChanged, level, distance)
  }

  /// The names of the columns.
  static let title = "  1-3 s 2-4 s 8-12 s  changed 2 s later  both speak"

  /// The lag of the output, in frames, at which it is most similar to a reference.
  private static func latency(_ reference: [Float], _ output: [Float], _ start: Int) -> Int {
    let correlation = (0..<2_000).map { late in
      reference.indices.reduce(0.0) { sum, frame in
        let place = start + frame + late
        return sum + Double(reference[frame] * (place < output.count ? output[place] : 0))
      }
    }
    return correlation.indices.max { correlation[$0] < correlation[$1] } ?? 0
  }

  /// The root mean square of the spectral differences in decibels, in windows of 32 ms below 8 kHz,
  /// where the reference is within 20 dB of its loudest.
  private static func distance(_ reference: [Float], _ actual: [Float], _ rate: Double) -> Double {
    let length = Int(512 * rate / 16_000)
    let size = length <= 512 ? 512 : 2_048
    let bins = Int(Double(size / 2) * min(1, 8_000 / (rate / 2)))
    let transform = FourierTransform(count: size)
    let frames = stride(from: 0, to: reference.count - length, by: length / 2).map { start in
      (
        power(transform, reference[start..<start + length], bins),
        power(transform, actual[start..<start + length], bins)
      )
    }
    let levels = frames.map { $0.0.reduce(0, +) }
    let floor = 1e-5 * (frames.compactMap { $0.0.max() }.max() ?? 0)
    let loudest = levels.max() ?? 0
    let distances = zip(frames, levels).compactMap { frame, level -> Double? in
      guard level > 0.01 * loudest else { return nil }
      let squares = zip(frame.0, frame.1).map { pow(10 * log10(($0 + floor) / ($1 + floor)), 2) }
      return (squares.reduce(0, +) / Double(bins)).squareRoot()
    }
    return distances.reduce(0, +) / Double(max(distances.count, 1))
  }

  private static func power(
    _ transform: borrowing FourierTransform, _ samples: ArraySlice<Float>, _ bins: Int
  ) -> [Double] {
    var real = [Double](repeating: 0, count: transform.count)
    var imaginary = real
    for (index, sample) in samples.enumerated() {
      let turn = 2 * Double.pi * Double(index) / Double(samples.count)
      real[index] = Double(sample) * (0.5 - 0.5 * cos(turn))
    }
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let real = real.baseAddress, let imaginary = imaginary.baseAddress else { return }
        transform.forward(real, imaginary)
      }
    }
    return (0..<bins).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
  }
}
