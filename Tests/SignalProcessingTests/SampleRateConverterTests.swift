// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Sample-rate converter")
struct SampleRateConverterTests {
  /// Pairs of rates: usual, large, small, without a common measure, and next to each other.
  static let pairs: [(Double, Double)] = [
    (44_100, 48_000), (48_000, 44_100), (96_000, 44_100), (44_100, 192_000), (192_000, 44_100),
    (8_000, 384_000), (384_000, 8_000), (11_025, 384_000), (352_800, 48_000), (44_100, 44_101),
    (44_099.7, 48_000), (96_000, 44_056.3),
  ]

  @Test("keeps a tone's purity to 130 dB", arguments: pairs)
  func purity(input: Double, output: Double) {
    let frequency = min(997, min(input, output) / 8)
    let fit = convert(.sine(frequency, input), to: output).tone(at: frequency)
    #expect(fit.distortionAndNoise < -130)
    #expect(abs(decibels(fit.amplitude)) < 1e-5)
  }

  @Test("passes 0.9 of the lower band within 0.1 dB", arguments: pairs)
  func passBand(input: Double, output: Double) {
    let edge = 0.9 * min(input, output) / 2
    for share in [0.1, 0.5, 0.8, 1] {
      let fit = convert(.sine(edge * share, input), to: output).tone(at: edge * share)
      #expect(abs(decibels(fit.amplitude)) < 0.1)
      #expect(fit.residual < 1e-6)
    }
  }

  @Test("has no image or alias above -120 dB", arguments: pairs)
  func aliases(input: Double, output: Double) {
    let limit = min(input, output) / 2
    for share in [0.3, 0.7, 0.95, 0.99, 1.003, 1.02, 1.1, 1.7, 2.01, 3.3, 5.02, 20.7, 47] {
      let frequency = limit * share
      guard frequency < input / 2 * 0.999 else { continue }
      let signal = convert(.sine(frequency, input), to: output)
      let rest = share < 1 ? signal.tone(at: frequency).residual : signal.rms
      #expect(decibels(rest * 2.0.squareRoot()) < -120)
    }
  }

  @Test(
    "attenuates as its quality says", arguments: SampleRateConverter.Quality.allCases,
    [(44_100.0, 48_000.0), (96_000, 44_100)])
  func qualities(quality: SampleRateConverter.Quality, rates: (Double, Double)) {
    let limit = min(rates.0, rates.1) / 2
    // What single precision leaves is at -137 dB.
    let bound = -min(quality.attenuation, 137)
    let image = convert(.sine(limit * 0.95, rates.0), to: rates.1, quality: quality)
    #expect(decibels(image.tone(at: limit * 0.95).residual * 2.0.squareRoot()) < bound)
    if rates.0 > rates.1 {
      let alias = convert(.sine(limit * 1.02, rates.0), to: rates.1, quality: quality)
      #expect(decibels(alias.rms * 2.0.squareRoot()) < bound)
    }
    let flat: Double =
      switch quality {
      case .low: 0.78
      case .normal: 0.9
      case .high: 0.93
      case .mastering: 0.95
      }
    let edge = convert(.sine(limit * flat, rates.0), to: rates.1, quality: quality)
    #expect(abs(decibels(edge.tone(at: limit * flat).amplitude)) < 0.1)
  }

  @Test("delays by its latency", arguments: pairs)
  func latency(input: Double, output: Double) {
    let frequency = min(input, output) / 64
    var converter = SampleRateConverter(inputRate: input, outputRate: output, channelCount: 1)
    let delay = Int((converter.latency * output).rounded(.up)) * 2
    let signal = converter.convert(.sine(frequency, input), outputFrames: delay + 2_000)
    let fit = signal.dropping(delay).tone(at: frequency)
    let expected = frequency * (Double(delay) / output - converter.latency)
    let error = fit.phase - expected
    #expect(abs(error - error.rounded()) < 1e-6)
  }

  @Test("has at most 64 input frames of latency from 44.1 to 48 kHz")
  func normalLatency() {
    let converter = SampleRateConverter(inputRate: 44_100, outputRate: 48_000, channelCount: 1)
    #expect(converter.latencyFrames <= 64)
  }

  @Test("makes the same output in slices of any size", arguments: [1, 7, 64, 999], pairs)
  func slices(slice: Int, pair: (Double, Double)) {
    let tone = Signal.sine(min(pair.0, pair.1) / 10, pair.0)
    var whole = SampleRateConverter(inputRate: pair.0, outputRate: pair.1, channelCount: 1)
    var parts = SampleRateConverter(inputRate: pair.0, outputRate: pair.1, channelCount: 1)
    let expected = whole.convert(tone, outputFrames: 2_000)
    let sliced = parts.convert(tone, outputFrames: 2_000, slice: slice)
    #expect(expected.samples == sliced.samples)
  }

  @Test("takes exactly as many frames as the ratio, for ever", arguments: [1, 64, 441, 1_000])
  func counts(slice: Int) {
    var converter = SampleRateConverter(inputRate: 44_100, outputRate: 48_000, channelCount: 0)
    var frames = 0
    let none = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
    let nowhere = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    defer {
      none.deallocate()
      nowhere.deallocate()
    }
    // A minute; then the next output starts a new input frame, as the very first did.
    for start in stride(from: 0, to: 48_000 * 60, by: slice) {
      let count = min(slice, 48_000 * 60 - start)
      let needed = converter.inputFramesNeeded(for: count)
      converter.process(input: none, inputFrames: needed, output: nowhere, outputFrames: count)
      frames += needed
    }
    #expect(frames + converter.inputFramesNeeded(for: 1) == 44_100 * 60 + 1)
  }

  @Test("knows how much output an amount of input makes", arguments: pairs)
  func available(input: Double, output: Double) {
    let converter = SampleRateConverter(inputRate: input, outputRate: output, channelCount: 1)
    for frames in [0, 1, 2, 63, 512, 5_000] {
      let outputs = converter.outputFramesAvailable(from: frames)
      #expect(converter.inputFramesNeeded(for: outputs) <= frames)
      #expect(converter.inputFramesNeeded(for: outputs + 1) > frames)
    }
  }

  @Test("puts silence in the place of input that is missing, and leaves what it has no use for")
  func shortAndLongInput() {
    var converter = SampleRateConverter(inputRate: 44_100, outputRate: 48_000, channelCount: 1)
    let ones = [Float](repeating: 1, count: 1_000)
    var output = [Float](repeating: .nan, count: 480)
    #expect(converter.process(ones, frames: 100, into: &output) == 100)
    #expect(output.allSatisfy { $0.isFinite })
    #expect(abs(output[479]) < 1e-6)
    let needed = converter.inputFramesNeeded(for: 480)
    #expect(needed < 1_000)
    #expect(converter.process(ones, frames: 1_000, into: &output) == needed)
  }

  @Test("begins again after a reset", arguments: [(44_100.0, 48_000.0), (44_099.7, 48_000)])
  func reset(input: Double, output: Double) {
    var converter = SampleRateConverter(inputRate: input, outputRate: output, channelCount: 1)
    let tone = Signal.sine(1_000, input)
    let first = converter.convert(tone, outputFrames: 1_000)
    converter.reset()
    #expect(converter.convert(tone, outputFrames: 1_000).samples == first.samples)
  }

  @Test("passes samples unchanged between equal rates")
  func identity() {
    var converter = SampleRateConverter(inputRate: 48_000, outputRate: 48_000, channelCount: 1)
    let tone = Signal.sine(1_000, 48_000)
    let output = converter.convert(tone, outputFrames: 1_000)
    #expect(converter.latencyFrames == 0)
    #expect(output.samples == tone.floats.prefix(1_000).map(Double.init))
  }

  @Test("follows a drifting clock without a step", arguments: [-300.0, 50, 1_000])
  func adjustment(partsPerMillion: Double) {
    var converter = SampleRateConverter(
      inputRate: 48_000, outputRate: 48_000, channelCount: 1, isAdjustable: true)
    let tone = Signal.sine(1_000, 48_000)
    let read = converter.inputFramesNeeded(for: 5_000)
    let before = converter.convert(tone, outputFrames: 5_000)
    converter.ratioAdjustment = partsPerMillion
    let after = converter.convert(tone, from: read, outputFrames: 40_000)
    let faster = 1_000 * (1 + partsPerMillion * 1e-6)
    #expect(abs(after.tone(near: 1_000).frequency - faster) < 1e-4)
    #expect(after.tone(at: faster).distortionAndNoise < -130)
    let joint = Signal(before.samples.suffix(500) + after.samples.prefix(500))
    #expect(joint.largestBend(frequency: max(1_000, faster), amplitude: 1) < 1.001)
  }

  private func convert(
    _ signal: Signal, to outputRate: Double, quality: SampleRateConverter.Quality = .normal
  ) -> Signal {
    var converter = SampleRateConverter(
      inputRate: signal.sampleRate, outputRate: outputRate, channelCount: 1, quality: quality)
    let settling = Int((converter.latency * outputRate * 2).rounded(.up)) + 1
    return converter.convert(signal, outputFrames: settling + 2_000).dropping(settling)
  }
}
