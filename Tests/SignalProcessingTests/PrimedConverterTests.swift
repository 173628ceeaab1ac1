// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import Foundation
import SignalProcessing
import Testing

@Suite("Primed sample-rate converter")
struct PrimedConverterTests {
  @Test(
    "gives each frame of a tone at its time", arguments: SampleRateConverter.Quality.allCases,
    [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100), (44_099.7, 48_000)])
  func time(quality: SampleRateConverter.Quality, rates: (Double, Double)) {
    var converter = SampleRateConverter(
      inputRate: rates.0, outputRate: rates.1, channelCount: 1, quality: quality)
    converter.prime()
    let count = 4_000
    let needed = converter.inputFramesNeeded(for: count)
    var input = (0..<needed).map { Float(sin(2 * .pi * 997 * Double($0) / rates.0)) }
    var output = [Float](repeating: 0, count: count)
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        guard let source = input.baseAddress, var destination = output.baseAddress else { return }
        var readable = UnsafePointer(source)
        converter.process(
          input: &readable, inputFrames: needed, output: &destination, outputFrames: count)
      }
    }
    // After this the filter no longer contains the silence before the first frame.
    for frame in 2_000..<count {
      let exact = sin(2 * .pi * 997 * Double(frame) / rates.1)
      #expect(abs(Double(output[frame]) - exact) < 1e-4)
    }
  }

  @Test(
    "begins at the requested phase, in slices of any size",
    arguments: [0.25, 0.5, 0.9],
    [
      (44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100), (44_100, 88_200),
      (44_099.7, 48_000),
    ])
  func initialPhase(requested: Double, rates: (Double, Double)) {
    for quality in [SampleRateConverter.Quality.normal, .mastering] {
      func output(slice: Int) -> (samples: [Float], phase: Double) {
        var converter = SampleRateConverter(
          inputRate: rates.0, outputRate: rates.1, channelCount: 1, quality: quality,
          initialPhase: requested)
        converter.prime()
        let input = Signal.sine(997, rates.0, count: 20_000)
        return (
          converter.convert(input, outputFrames: 4_000, slice: slice).samples.map { Float($0) },
          converter.initialPhase
        )
      }
      let (samples, phase) = output(slice: 4_000)
      // Rounded to the nearest possible position: twice the spacing at least.
      #expect(abs(phase - requested) <= (rates == (44_100, 88_200) ? 0.4 : 0.007))
      for frame in 2_000..<4_000 {
        let exact = sin(2 * .pi * 997 * (Double(frame) / rates.1 + phase / rates.0))
        #expect(abs(Double(samples[frame]) - exact) < 1e-4)
      }
      #expect(output(slice: 7).samples == samples)
    }
  }
}
