// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import SignalProcessing

@Suite("True-peak meter")
struct TruePeakMeterTests {
  /// Tones with known values between the samples, at frequencies in cycles per sample.
  private struct Tones {
    let frequencies: [Double]
    let phases: [Double]
    /// Frames after which a strike has decayed by a factor of e.
    let decay: Double?

    func callAsFunction(_ time: Double) -> Double {
      var sum = 0.0
      for (frequency, phase) in zip(frequencies, phases) {
        sum += sin(2 * .pi * (frequency * time + phase))
      }
      guard let decay else { return sum }
      // Strikes that begin within eight frames, so that little is above half the rate.
      let place = time.truncatingRemainder(dividingBy: 700)
      return sum * exp(-place / decay) * (place < 8 ? 0.5 - 0.5 * cos(.pi * place / 8) : 1)
    }
  }

  private static func tones(_ range: ClosedRange<Double>, decay: Double? = nil) -> Tones {
    let count = 24
    let step = (range.upperBound - range.lowerBound) / Double(count)
    return Tones(
      frequencies: (0..<count).map { range.lowerBound + step * (Double($0) + 0.37) },
      phases: (0..<count).map { (Double($0 * $0) * 0.618_034).truncatingRemainder(dividingBy: 1) },
      decay: decay)
  }

  @Test(
    "is within 0.1 dB of ideal interpolation of bright sound",
    arguments: [
      (0.1...0.3, nil), (0.3...0.45, nil), (0.2...0.49, nil), (0.2...0.45, 90), (0.3...0.45, 250),
    ] as [(ClosedRange<Double>, Double?)])
  func bright(range: ClosedRange<Double>, decay: Double?) throws {
    let tones = Self.tones(range, decay: decay)
    let count = 2_800
    let samples = (0..<count).map { Float(tones(Double($0))) }
    var ideal = 0.0
    // The ends are left out: there, interpolation sees that the sound begins and ends.
    for point in 400 * 16..<2_500 * 16 { ideal = max(ideal, abs(tones(Double(point) / 16))) }
    let meter = TruePeakMeter()
    var faded = samples
    for frame in 0..<count {
      let edge = Double(min(frame, count - 1 - frame))
      faded[frame] *= Float(edge < 300 ? 0.5 - 0.5 * cos(.pi * edge / 300) : 1)
    }
    meter.measure(faded, count: count)
    let level = try #require(meter.finish())
    #expect(abs(level - 20 * log10(ideal)) < 0.1)
  }

  @Test("finds the peak of a tone anywhere between samples", arguments: [0.125, 0.25, 0.45, 0.49])
  func tone(frequency: Double) throws {
    for phase in [0.0, 0.0625, 0.125, 0.2] {
      let meter = TruePeakMeter()
      let samples = (0..<6_000).map { frame -> Float in
        // Faded in and out: a sudden end would have a peak of its own.
        let edge = Double(min(frame, 5_999 - frame, 1_000)) / 1_000
        let fade = 0.5 - 0.5 * cos(.pi * edge)
        return Float(fade * sin(2 * .pi * (frequency * Double(frame) + phase)))
      }
      meter.measure(samples, count: 6_000)
      #expect(abs(try #require(meter.finish())) < 0.03)
    }
  }

  @Test("does not depend on the size of the parts, and counts the last samples")
  func parts() {
    let samples = (0..<3_000).map { Float(sin(Double($0 * $0) * 0.01)) }
    let whole = TruePeakMeter()
    whole.measure(samples, count: 3_000)
    let pieces = TruePeakMeter()
    samples.withUnsafeBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      for frame in stride(from: 0, to: 3_000, by: 100) { pieces.measure(start + frame, count: 100) }
    }
    #expect(whole.finish() == pieces.finish())
    // Between two equal samples at the end is a peak of 2.1 dB.
    let end = TruePeakMeter()
    end.measure([0, 0, 1, 1], count: 4)
    #expect((end.finish() ?? 0) > 2)
  }

  @Test("takes what is not finite for silence")
  func notFinite() {
    let meter = TruePeakMeter()
    meter.measure([.nan, .infinity, -.infinity], count: 3)
    #expect(meter.finish() == nil)
    meter.measure([0.5], count: 1)
    #expect(abs((meter.finish() ?? 0) + 6.02) < 0.01)
  }
}
