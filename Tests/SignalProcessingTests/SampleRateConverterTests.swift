// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import SignalProcessing
import Testing

@Suite("Sample-rate converter")
struct SampleRateConverterTests {
  /// Pairs of rates: common, far apart, without a common divisor, and almost equal.
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
    #expect(abs(decibels(fit.amplitude)) < 2e-5)
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

  @Test("has no audible image or alias above -120 dB", arguments: pairs)
  func aliases(input: Double, output: Double) {
    let limit = min(input, output) / 2
    for share in [0.3, 0.7, 0.9, 0.95, 0.99, 1.003, 1.02, 1.1, 1.7, 2.01, 3.3, 5.02, 20.7, 47] {
      let frequency = limit * share
      guard frequency < input / 2 * 0.999 else { continue }
      let signal = convert(
        .sine(frequency, input, count: 250_000), to: output, outputFrames: 1 << 12)
      let own = share < 1 ? [frequency] : []
      // If the lower rate is at least 44 kHz, images and aliases above 20 kHz pass.
      let spectrum = Spectrum(signal)
      let audible = limit < 22_000 ? output : 0.907 * limit
      #expect(decibels(spectrum.highest(except: own, below: audible).amplitude) < -120)
    }
  }

  @Test(
    "tones up to the edge have no image anywhere", arguments: SampleRateConverter.Quality.allCases)
  func images(quality: SampleRateConverter.Quality) {
    let (edge, bound): (Double, Double) =
      switch quality {
      case .low: (18_800, -89.9)
      case .normal: (20_000, -120)
      case .high: (20_300, -140)
      case .mastering: (22_000, -150)
      }
    for (input, output) in [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100)] {
      for share in [0.1, 0.5, 0.9, 0.97, 1] {
        let signal = convert(
          .sine(edge * share, input), to: output, quality: quality, outputFrames: 1 << 13)
        let image = Spectrum(signal).highest(except: [edge * share], below: output).amplitude
        #expect(decibels(image) < bound)
      }
    }
  }

  @Test("mastering keeps tones to 149 dB, and nothing above half the lower rate gets through")
  func mastering() {
    // The last three have too many phases for a row each.
    for (input, output) in [
      (44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100), (44_100, 44_099), (48_000, 44_101),
      (96_000, 44_099),
    ] {
      for frequency in [997.0, 19_500] {
        let signal = convert(
          .sine(frequency, input), to: output, quality: .mastering, outputFrames: 20_000)
        #expect(signal.tone(at: frequency).distortionAndNoise < -149)
      }
      for frequency in [22_100.0, 23_500, 25_000, 26_500, 30_000, 47_000]
      where frequency < input / 2 {
        let rest = convert(.sine(frequency, input), to: output, quality: .mastering)
        #expect(decibels(rest.rms) < -150)
      }
    }
  }

  @Test(
    "attenuates images and aliases by its quality's attenuation",
    arguments: SampleRateConverter.Quality.allCases,
    [(44_100.0, 48_000.0), (96_000, 44_100), (22_050, 48_000), (96_000, 32_000)])
  func qualities(quality: SampleRateConverter.Quality, rates: (Double, Double)) {
    let limit = min(rates.0, rates.1) / 2
    let isOpen = limit > 22_000 && quality != .mastering
    // Single precision limits it to -137 dB.
    let bound = -min(quality.attenuation, 137)
    let fraction = isOpen ? 0.85 : 0.95
    let image = convert(.sine(limit * fraction, rates.0), to: rates.1, quality: quality)
    #expect(decibels(image.tone(at: limit * fraction).residual * 2.0.squareRoot()) < bound)
    if rates.0 > rates.1 {
      let stop = isOpen ? 1.35 : 1.02
      let alias = convert(.sine(limit * stop, rates.0), to: rates.1, quality: quality)
      #expect(decibels(alias.rms * 2.0.squareRoot()) < bound)
    }
    let flat: Double =
      switch quality {
      case .low: isOpen ? 0.775 : 0.78
      case .normal: isOpen ? 0.907 : 0.9
      case .high: isOpen ? 0.92 : 0.93
      case .mastering: 0.905
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

  @Test("has the latency of its quality, in input frames")
  func latencies() {
    let expected: [SampleRateConverter.Quality: [Int]] = [
      .low: [11, 11, 49], .normal: [27, 31, 109], .high: [39, 43, 145], .mastering: [69, 77, 247],
    ]
    for quality in SampleRateConverter.Quality.allCases {
      for (index, rates) in [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100)].enumerated()
      {
        let converter = SampleRateConverter(
          inputRate: rates.0, outputRate: rates.1, channelCount: 1, quality: quality)
        #expect(converter.latencyFrames == expected[quality]?[index])
      }
    }
  }

  @Test(
    "passes the same tones earlier with minimum phase",
    arguments: SampleRateConverter.Quality.allCases,
    [(44_100.0, 48_000.0), (48_000, 44_100), (96_000, 44_100), (44_099.7, 48_000)])
  func minimumPhase(quality: SampleRateConverter.Quality, rates: (Double, Double)) {
    let linear = SampleRateConverter(
      inputRate: rates.0, outputRate: rates.1, channelCount: 1, quality: quality)
    var early = SampleRateConverter(
      inputRate: rates.0, outputRate: rates.1, channelCount: 1, quality: quality, phase: .minimum)
    #expect(early.latency < 0.4 * linear.latency)
    for frequency in [997.0, 10_000, 17_000] {
      early.reset()
      let signal = early.convert(.sine(frequency, rates.0), outputFrames: 4_000).dropping(1_000)
      let fit = signal.tone(at: frequency)
      #expect(abs(decibels(fit.amplitude)) < 0.1)
      // The residual of `low` contains the images that its filter leaves.
      #expect(fit.distortionAndNoise < -min(quality.attenuation, 137) + 1)
    }
    // A slow tone has the reported latency, and a step does not begin before it.
    early.reset()
    let slow = early.convert(.sine(50, rates.0), outputFrames: 10_000).dropping(1_000)
    let expected = 50 * (1_000 / rates.1 - early.latency)
    let error = slow.tone(at: 50).phase - expected
    #expect(abs(error - error.rounded()) < 1e-5)
  }

  @Test("responds to a step immediately with minimum phase, and rings only after it")
  func step() {
    for phase in SampleRateConverter.Phase.allCases {
      var converter = SampleRateConverter(
        inputRate: 44_100, outputRate: 48_000, channelCount: 1, quality: .high, phase: phase)
      let step = Signal([Double](repeating: 0, count: 500) + [Double](repeating: 1, count: 1_000))
      let output = converter.convert(step, outputFrames: 1_000).samples
      let rise = output.firstIndex { $0 > 0.5 } ?? 0
      let before = output.prefix(rise).map(abs).max() ?? 1
      let early = output.prefix(max(0, rise - 8)).map(abs).max() ?? 1
      #expect(phase == .minimum ? early < 0.002 : before > 0.05 && early > 0.01)
      #expect(abs(output[999] - 1) < 1e-5)
    }
  }

  @Test("converts each channel independently", arguments: SampleRateConverter.Quality.allCases)
  func channels(quality: SampleRateConverter.Quality) {
    for (input, output) in [(44_100.0, 48_000.0), (96_000, 44_100), (44_099.7, 48_000)] {
      let tones = [500.0, 3_000, 9_000].map { Signal.sine($0, input).floats }
      let alone = tones.map { tone in
        var converter = SampleRateConverter(
          inputRate: input, outputRate: output, channelCount: 1, quality: quality)
        return converter.convert(Signal(tone), outputFrames: 700).samples
      }
      var converter = SampleRateConverter(
        inputRate: input, outputRate: output, channelCount: 3, quality: quality)
      let memory = UnsafeMutablePointer<Float>.allocate(capacity: 3 * 700)
      defer { memory.deallocate() }
      let needed = converter.inputFramesNeeded(for: 700)
      tones[0].withUnsafeBufferPointer { a in
        tones[1].withUnsafeBufferPointer { b in
          tones[2].withUnsafeBufferPointer { c in
            guard let a = a.baseAddress, let b = b.baseAddress, let c = c.baseAddress else {
              return
            }
            converter.process(
              input: [a, b, c], inputFrames: needed,
              output: [memory, memory + 700, memory + 1_400], outputFrames: 700)
          }
        }
      }
      for channel in 0..<3 {
        let samples = (0..<700).map { Double(memory[channel * 700 + $0]) }
        #expect(samples == alone[channel])
      }
    }
  }

  @Test("makes the same output in slices of any size", arguments: [1, 7, 64, 999], pairs)
  func slices(slice: Int, pair: (Double, Double)) {
    let tone = Signal.sine(min(pair.0, pair.1) / 10, pair.0)
    for (quality, phase) in [
      (SampleRateConverter.Quality.low, SampleRateConverter.Phase.linear), (.normal, .linear),
      (.mastering, .linear), (.normal, .minimum),
    ] {
      var whole = SampleRateConverter(
        inputRate: pair.0, outputRate: pair.1, channelCount: 1, quality: quality, phase: phase)
      let expected = whole.convert(tone, outputFrames: 2_000)
      whole.reset()
      let sliced = whole.convert(tone, outputFrames: 2_000, slice: slice)
      #expect(expected.samples == sliced.samples)
    }
  }

  @Test(
    "makes the same output in slices of changing sizes, mostly of one frame", arguments: pairs)
  func randomSlices(input: Double, output: Double) {
    let tone = Signal.sine(min(input, output) / 10, input, count: 200_000)
    var converter = SampleRateConverter(inputRate: input, outputRate: output, channelCount: 1)
    let expected = converter.convert(tone, outputFrames: 3_000)
    converter.reset()
    var random = Xoshiro256(seed: 9)
    var (samples, read): ([Double], Int) = ([], 0)
    while samples.count < 3_000 {
      let size = random.next() % 3 == 0 ? Int(random.next() % 200) : 1
      let count = min(max(1, size), 3_000 - samples.count)
      let needed = converter.inputFramesNeeded(for: count)
      samples += converter.convert(tone, from: read, outputFrames: count).samples
      read += needed
    }
    #expect(samples == expected.samples)
  }

  @Test(
    "reads exactly as many frames as the ratio requires, in the long run",
    arguments: [1, 64, 441, 1_000])
  func counts(slice: Int) {
    var converter = SampleRateConverter(inputRate: 44_100, outputRate: 48_000, channelCount: 0)
    var frames = 0
    let none = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
    let nowhere = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    defer {
      none.deallocate()
      nowhere.deallocate()
    }
    // A minute; then the next output starts a new input frame, like the first one.
    for start in stride(from: 0, to: 48_000 * 60, by: slice) {
      let count = min(slice, 48_000 * 60 - start)
      let needed = converter.inputFramesNeeded(for: count)
      converter.process(input: none, inputFrames: needed, output: nowhere, outputFrames: count)
      frames += needed
    }
    #expect(frames + converter.inputFramesNeeded(for: 1) == 44_100 * 60 + 1)
  }

  @Test("reports the output that an amount of input is enough for", arguments: pairs)
  func available(input: Double, output: Double) {
    let converter = SampleRateConverter(inputRate: input, outputRate: output, channelCount: 1)
    for frames in [0, 1, 2, 63, 512, 5_000] {
      let outputs = converter.outputFramesAvailable(from: frames)
      #expect(converter.inputFramesNeeded(for: outputs) <= frames)
      #expect(converter.inputFramesNeeded(for: outputs + 1) > frames)
    }
  }

  @Test("replaces missing input by silence, and leaves unneeded input")
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
    _ signal: Signal, to outputRate: Double, quality: SampleRateConverter.Quality = .normal,
    outputFrames: Int = 2_000
  ) -> Signal {
    var converter = SampleRateConverter(
      inputRate: signal.sampleRate, outputRate: outputRate, channelCount: 1, quality: quality)
    let settling = Int((converter.latency * outputRate * 2).rounded(.up)) + 1
    return converter.convert(signal, outputFrames: settling + outputFrames).dropping(settling)
  }
}
