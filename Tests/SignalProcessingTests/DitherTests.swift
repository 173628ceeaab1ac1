// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
@testable import SignalProcessing
import Testing

@Suite("Dither from 24 to 16 bits")
struct DitherTests {
  private static let count = 1 << 16

  @Test("leaves a noise floor of -96.3 dB, whatever the signal", arguments: [0, 0.000_01, 0.5])
  func noiseFloor(amplitude: Double) {
    let tone = Signal.sine(997, amplitude: amplitude, count: Self.count)
    let error = self.error(of: round(tone, Dither(.triangular)), from: tone)
    // Half a step: a twelfth of its square from rounding, a sixth from the noise.
    #expect(abs(decibels(error.rms) + 96.33) < 0.05)
    #expect(abs(error.samples.reduce(0, +) / Double(Self.count)) < 0.01 * 0x1p-15)
  }

  @Test(
    "keeps a tone below one step at its level, and free of harmonics",
    arguments: [-93.0, -106, -118])
  func linearity(level: Double) {
    let amplitude = 0x1p-15 * (level + 90.31).asGain
    let tone = Signal.sine(1_007, amplitude: amplitude, count: 1 << 19)
    for kind in [Dither.Kind.triangular, .shaped] {
      let rounded = round(tone, Dither(kind))
      // Half a million samples of noise at half a step leave 3e-8, or more in one of three cases.
      #expect(abs(rounded.tone(at: 1_007).amplitude - amplitude) < 1e-7)
      #expect(rounded.tone(at: 3_021).amplitude < 1e-7)
    }
    // Without dither the result is silence or a square wave.
    let bare = round(tone, .none)
    #expect(level < -97 ? bare.rms == 0 : decibels(bare.tone(at: 3_021).amplitude) > -115)
  }

  @Test("none rounds samples to the nearest")
  func none() {
    let tone = Signal.sine(997, amplitude: 0.7, count: 1_000)
    #expect(round(tone, .none).samples == bare(tone).samples)
  }

  @Test("shaped noise is 14 dB weaker up to 5 kHz, and 12.2 dB stronger as a whole")
  func shape() {
    let tone = Signal.sine(997, amplitude: 0.3, sampleRate: 44_100, count: Self.count)
    let flat = error(of: round(tone, Dither(.triangular)), from: tone)
    let shaped = error(of: round(tone, Dither(.shaped)), from: tone)
    #expect(abs(decibels(shaped.rms / flat.rms) - 12.2) < 0.2)
    let (flatBands, shapedBands) = (bands(flat), bands(shaped))
    for kilohertz in 0..<5 {
      #expect(decibels(shapedBands[kilohertz] / flatBands[kilohertz]) < -14)
    }
    #expect(decibels(shapedBands[3] / flatBands[3]) < -20)
  }

  @Test(
    "is the same for a seed, in slices of any size", arguments: [Dither.Kind.triangular, .shaped])
  func cuts(kind: Dither.Kind) {
    let tone = Signal.sine(997, amplitude: 0.3, count: 5_000)
    let whole = round(tone, Dither(kind, seed: 5))
    #expect(round(tone, Dither(kind, seed: 5), slice: 7).samples == whole.samples)
    #expect(round(tone, Dither(kind, seed: 6)).samples != whole.samples)
    var state = DitherState(Dither(kind, seed: 5), channel: 0)
    _ = round(tone, &state, slice: 5_000)
    state.reset()
    #expect(round(tone, &state, slice: 5_000).samples == whole.samples)
  }

  @Test("triangular noise can begin at any frame")
  func frames() {
    let silence = Signal([Double](repeating: 0, count: 3_000))
    var state = DitherState(Dither(.triangular), channel: 1)
    let whole = round(silence, &state, slice: 3_000)
    state.frame = 1_000
    let part = round(silence[1_000..<3_000], &state, slice: 2_000)
    #expect(part.samples == Array(whole.samples[1_000...]))
  }

  @Test("is white, and independent between channels")
  func independence() {
    let silence = Signal([Double](repeating: 0.000_011, count: Self.count))
    let errors = (0..<4).map { channel in
      var state = DitherState(Dither(.triangular, seed: 3), channel: channel)
      return error(of: round(silence, &state, slice: Self.count), from: silence).samples
    }
    let power = errors[0].reduce(0) { $0 + $1 * $1 }
    for lag in 0..<20 {
      for other in lag == 0 ? 1..<4 : 0..<4 {
        let product = zip(errors[0].dropFirst(lag), errors[other]).reduce(0) { $0 + $1.0 * $1.1 }
        // Five times the deviation that chance gives.
        #expect(abs(product / power) < 5 / Double(Self.count).squareRoot())
      }
    }
  }

  @Test("has no tone in its spectrum", arguments: 0..<4)
  func spectrum(channel: Int) {
    let silence = Signal([Double](repeating: 0.000_011, count: Self.count))
    var state = DitherState(Dither(.triangular, seed: 3), channel: channel)
    let error = error(of: round(silence, &state, slice: Self.count), from: silence)
    let powers = Spectrum(error).amplitudes.dropFirst(20).map { $0 * $0 }
    let mean = powers.reduce(0, +) / Double(powers.count)
    // Chance exceeds this in one of ten thousand spectra.
    #expect(powers.allSatisfy { $0 < 20 * mean })
  }

  @Test("never leaves the range, and recovers from clipping")
  func clipping() {
    let loud = Signal([2, -2, .infinity, -.infinity, .nan] + [Double](repeating: 1, count: 500))
    for kind in Dither.Kind.allCases {
      let rounded = round(
        Signal(loud.samples + Signal.sine(500, amplitude: 0.1).samples), Dither(kind))
      #expect(rounded.samples.allSatisfy { $0 >= -1 && $0 <= 32_767 / 32_768.0 })
      let tone = rounded.dropping(1_000)
      #expect(decibels(tone.tone(at: 500).amplitude / 0.1) < 0.001)
      #expect(tone.tone(at: 500).distortionAndNoise < -60)
    }
  }

  @Test("is not applied to floats and to formats that can represent a Float32")
  func needless() {
    let samples: [Float] = [0.1, -0.7, 1e-9]
    for format in [SampleFormat.float32, .float64, .int32] {
      var state = DitherState(Dither(.triangular), channel: 0)
      var (with, without) = ([UInt8](repeating: 0, count: 24), [UInt8](repeating: 0, count: 24))
      let size = format.containerBytes
      format.encode(samples, count: 3, to: &with, stride: size, dither: &state)
      format.encode(samples, count: 3, to: &without, stride: size)
      #expect(with == without)
      #expect(state.frame == 0)
    }
  }

  @Test(
    "gives the same bits with and without the C kernels", arguments: [1, 2, 3, 9, 300],
    Dither.Kind.allCases)
  func kernels(channelCount: Int, kind: Dither.Kind) {
    var random = Xoshiro256(seed: 4)
    let frames = 700
    let channels = (0..<channelCount).map { _ in
      (0..<frames).map { frame -> Float in
        let special: [Float] = [.nan, .infinity, -.infinity, 1, -1, 3e38]
        return frame % 97 == 5 ? special[frame / 97 % 6] : random.nextSample()
      }
    }
    let formats: [SampleFormat] = [
      .int16, .int24, SampleFormat(.signedInteger, bits: 16, isBigEndian: true),
      SampleFormat(.unsignedInteger, bits: 8),
      SampleFormat(.signedInteger, bits: 20, containerBytes: 3, isAlignedHigh: true),
    ]
    for format in formats {
      for bits in [0, 7] {
        var states = (0..<channelCount).map { channel in
          var state = DitherState(Dither(kind, seed: 3, bits: bits), channel: channel)
          // The number's upper half changes on the way.
          state.frame = 0xffff_ff00
          return state
        }
        var references = states
        let size = format.containerBytes
        var encoded = [UInt8](repeating: 0, count: frames * channelCount * size)
        var expected = encoded
        let memory = channels.map { channel in
          let copy = UnsafeMutablePointer<Float>.allocate(capacity: frames)
          copy.initialize(from: channel, count: frames)
          return UnsafePointer(copy)
        }
        defer { for pointer in memory { pointer.deallocate() } }
        encoded.withUnsafeMutableBytes { bytes in
          guard let to = bytes.baseAddress else { return }
          memory.withUnsafeBufferPointer {
            guard let channels = $0.baseAddress else { return }
            format.encode(
              channels, channelCount: channelCount, frameCount: frames, interleaved: to,
              dither: &states)
          }
        }
        expected.withUnsafeMutableBytes { bytes in
          guard let to = bytes.baseAddress else { return }
          for channel in 0..<channelCount {
            format.encodeStrided(
              memory[channel], count: frames, to: to + channel * size,
              stride: channelCount * size, dither: &references[channel])
          }
        }
        #expect(encoded == expected)
      }
    }
  }

  @Test("rounds to fewer bits than the format has, and leaves the others zero")
  func fewerBits() {
    let samples = Signal.sine(997, amplitude: 0.4, count: 2_000).floats
    func encode(_ format: SampleFormat, _ bits: Int) -> [Int32] {
      var state = DitherState(Dither(.triangular, bits: bits), channel: 0)
      var words = [UInt8](repeating: 0, count: samples.count * 4)
      format.encode(
        samples, count: samples.count, to: &words, stride: format.containerBytes, dither: &state)
      let size = format.containerBytes
      return samples.indices.map { index in
        (0..<size).reduce(Int32(0)) {
          $0 | Int32(words[index * size + $1]) << Int32(8 * ($1 + 4 - size))
        }
      }
    }
    let short = encode(.int16, 0)
    #expect(encode(.int24, 16) == short)
    #expect(encode(.int32, 16) == short)
    #expect(encode(.int16, 24) == short)
  }

  /// Rounds a 24-bit signal to 16 bits.
  private func round(_ signal: Signal, _ dither: Dither, slice: Int = .max) -> Signal {
    var state = DitherState(dither, channel: 0)
    return round(signal, &state, slice: slice)
  }

  private func round(_ signal: Signal, _ state: inout DitherState, slice: Int) -> Signal {
    var source = [UInt8](repeating: 0, count: signal.count * 3)
    SampleFormat.int24.encode(signal.samples, count: signal.count, to: &source, stride: 3)
    var words = [Int16](repeating: 0, count: signal.count)
    source.withUnsafeBytes { source in
      words.withUnsafeMutableBytes { words in
        guard let from = source.baseAddress, let to = words.baseAddress else { return }
        for start in stride(from: 0, to: signal.count, by: min(slice, signal.count)) {
          let count = min(slice, signal.count - start)
          SampleFormat.int24.convert(
            from + start * 3, stride: 3, to: .int16, at: to + start * 2, stride: 2, count: count,
            dither: &state)
        }
      }
    }
    return Signal(words.map { Double($0) * 0x1p-15 }, sampleRate: signal.sampleRate)
  }

  private func bare(_ signal: Signal) -> Signal {
    Signal(
      signal.samples.map {
        let fine = ($0 * 0x1p23).rounded(.toNearestOrEven) * 0x1p-23
        return (fine * 0x1p15).rounded(.toNearestOrEven) * 0x1p-15
      }, sampleRate: signal.sampleRate)
  }

  private func error(of rounded: Signal, from signal: Signal) -> Signal {
    // The signal at 24 bits.
    let fine = signal.samples.map { ($0 * 0x1p23).rounded(.toNearestOrEven) * 0x1p-23 }
    return Signal(zip(rounded.samples, fine).map { $0 - $1 }, sampleRate: signal.sampleRate)
  }

  /// Level in each kilohertz band.
  private func bands(_ signal: Signal) -> [Double] {
    let spectrum = Spectrum(signal)
    var powers = [Double](repeating: 0, count: 23)
    for (bin, amplitude) in spectrum.amplitudes.enumerated().dropFirst(20) {
      powers[Int(Double(bin) * spectrum.binWidth / 1_000)] += amplitude * amplitude
    }
    return powers.map { $0.squareRoot() }
  }
}

extension Double {
  /// The gain for a level in decibels.
  fileprivate var asGain: Double { Math.power(10, self / 20) }
}
