// SPDX-License-Identifier: Apache-2.0

import AudioTestSupport
import CKernels
import Foundation
import Testing

@testable import SignalProcessing

@Suite("Reverberation")
struct ReverberationTests {
  typealias Settings = LateReverberation.Settings

  struct Room: CustomTestStringConvertible, Sendable {
    var shortest: Double
    var longest: Double
    var low: Double
    var high: Double
    var variation = 1
    var testDescription: String { "\(shortest)-\(longest) s, \(low) and \(high) s, \(variation)" }

    var settings: Settings {
      var settings = Settings()
      settings.shortest = shortest
      settings.longest = longest
      settings.lowDecay = low
      settings.highDecay = high
      settings.variation = variation
      return settings
    }
  }

  /// Both output channels for a left and a right input.
  static func render(
    _ left: [Float], _ right: [Float], slice: Int = 480, settings: (Int) -> Settings
  ) -> [[Float]] {
    var room = LateReverberation(longest: 1, sampleRate: 48_000)
    defer { room.deallocate() }
    var (first, second) = (left, right)
    var frame = 0
    while frame < left.count {
      let run = min(slice, left.count - frame)
      room.set(settings(frame))
      first.withUnsafeMutableBufferPointer { leftOutput in
        second.withUnsafeMutableBufferPointer { rightOutput in
          guard let one = leftOutput.baseAddress, let two = rightOutput.baseAddress else { return }
          room.render(one + frame, two + frame, into: one + frame, two + frame, count: run)
        }
      }
      frame += run
    }
    return [first, second]
  }

  static func impulseResponses(_ room: Room, count: Int) -> [[Float]] {
    var impulse = [Float](repeating: 0, count: count)
    impulse[0] = 1
    let nothing = [Float](repeating: 0, count: count)
    return render(impulse, nothing) { _ in room.settings }
      + render(nothing, impulse) { _ in room.settings }
  }

  // MARK: Decay

  /// The energy decay of a band that the parameters prescribe.
  private func lawfulDecay(_ room: Room, _ low: Double, _ high: Double, count: Int) -> [Double] {
    let step = 48
    let times = (0..<40).map { index in
      let frequency = low + (high - low) * (Double(index) + 0.5) / 40
      let share = pow(sin(.pi * frequency / 48_000), 2)
      return 1 / (1 / room.low + (1 / room.high - 1 / room.low) * share)
    }
    return (0..<count / step).map { index in
      let time = Double(index * step) / 48_000
      return times.reduce(0) { $0 + exp(-13.815_510_6 * time / $1) }
    }
  }

  @Test(
    "falls by 60 dB in the time that is set, in every octave",
    arguments: [
      Room(shortest: 0.008, longest: 0.05, low: 1, high: 0.5),
      Room(shortest: 0.012, longest: 0.09, low: 1.4, high: 0.4),
      Room(shortest: 0.008, longest: 0.05, low: 1, high: 1.5, variation: 77),
    ])
  func decay(room: Room) {
    let count = 1 << 16
    let responses = Self.impulseResponses(room, count: count)
    for centre in [125.0, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000] {
      let (low, high) = (centre / 2.0.squareRoot(), centre * 2.0.squareRoot())
      var energy = [Double](repeating: 0, count: count)
      for response in responses {
        for (index, sample) in Self.band(response, low, high).enumerated() {
          energy[index] += sample * sample
        }
      }
      let measured = Self.decayTime(energy)
      let lawful = Self.decayTime(
        lawfulDecay(room, low, high, count: count), sampleRate: 1_000)
      #expect(abs(measured / lawful - 1) < 0.05, "\(centre) Hz: \(measured) of \(lawful) s")
    }
  }

  // MARK: Density and colour compared with Freeverb

  @Test(
    "is denser than Freeverb, and rings less where Freeverb rings",
    arguments: [(1, 0.54, 0.55), (3, 0.53, 0.41)])
  func besideFreeverb(decay: Double, flatness: Double, freeverb: Double) {
    let count = 1 << 18
    let room = Room(shortest: 0.008, longest: 0.05, low: decay, high: decay)
    let ours = Self.impulseResponses(room, count: count)[0]
    let theirs = Self.freeverb(decay: decay, count: count)
    let milliseconds = [40, 80, 160]
    let densities = milliseconds.map { Self.echoDensity(ours, at: $0 * 48) }
    let others = milliseconds.map { Self.echoDensity(theirs, at: $0 * 48) }
    // The figures of docs/PERFORMANCE.md.
    for density in densities { #expect(abs(density - 1) < 0.05) }
    for (density, stated) in zip(others, [0.44, 0.74, 0.70]) {
      #expect(abs(density - stated) < 0.02)
    }
    #expect(abs(Self.flatness(ours) - flatness) < 0.01)
    #expect(abs(Self.flatness(theirs) - freeverb) < 0.01)
  }

  // MARK: Other properties

  @Test(
    "keeps the level of steady noise, at any damping",
    arguments: [(0.4, 0.4), (1, 1), (1, 0.5), (4, 1), (0.3, 0.6)])
  func level(decay: Double, high: Double) {
    var random = Xoshiro256(seed: 4)
    let count = 48_000 + Int(decay * 48_000)
    let left = (0..<count).map { _ in random.nextSample() * 0.25 }
    let right = (0..<count).map { _ in random.nextSample() * 0.25 }
    let room = Room(shortest: 0.008, longest: 0.05, low: decay, high: high)
    let output = Self.render(left, right) { _ in room.settings }
    let wet = output.map { Signal($0).dropping(count - 48_000).rms }
    for rms in wet { #expect(abs(decibels(rms / Signal(left).rms)) < 0.3) }
    // The two channels have little in common.
    let product = zip(output[0], output[1]).suffix(48_000).reduce(0) { $0 + Double($1.0 * $1.1) }
    #expect(abs(product / 48_000 / (wet[0] * wet[1])) < 0.2)
  }

  @Test("produces the same bits in slices of any size", arguments: [1, 7, 64, 480])
  func slices(slice: Int) {
    var random = Xoshiro256(seed: 6)
    let left = (0..<20_160).map { _ in random.nextSample() }
    func sound(_ slice: Int) -> [[Float]] {
      Self.render(left, left.reversed(), slice: slice) { frame in
        var settings = Room(shortest: 0.001, longest: 0.03, low: 1, high: 0.3).settings
        // Other surfaces, then another room.
        if frame >= 6_720 { settings.lowDecay = 3 }
        if frame >= 13_440 { settings.longest = 0.05 }
        return settings
      }
    }
    // The changes are at frames where slices of every length begin.
    let isSame = sound(slice) == sound(6_720)
    #expect(isSame)
  }

  @Test("sounds after a reset as a new one does, with the same settings and with others")
  func reset() {
    let count = 4_800
    var random = Xoshiro256(seed: 7)
    let input = (0..<count).map { _ in random.nextSample() }
    let rooms = [
      Room(shortest: 0.001, longest: 0.03, low: 1, high: 0.3).settings,
      Room(shortest: 0.001, longest: 0.03, low: 2, high: 0.3).settings,
      Room(shortest: 0.002, longest: 0.05, low: 2, high: 0.3).settings,
    ]
    func render(_ reverberation: inout LateReverberation, _ settings: LateReverberation.Settings)
      -> [Float]
    {
      var left = [Float](repeating: 0, count: count)
      var right = left
      reverberation.set(settings)
      reverberation.render(input, input, into: &left, &right, count: count)
      return left + right
    }
    var used = LateReverberation(longest: 0.1, sampleRate: 48_000)
    defer { used.deallocate() }
    for settings in rooms + [rooms[0], rooms[0]] {
      var new = LateReverberation(longest: 0.1, sampleRate: 48_000)
      defer { new.deallocate() }
      used.reset()
      let isSame = render(&used, settings) == render(&new, settings)
      #expect(isSame)
    }
  }

  @Test("changes to other surfaces and another room without a click")
  func changes() {
    let tone = Signal.sine(441, amplitude: 0.25, count: 1 << 17).floats
    let output = Self.render(tone, tone) { frame in
      var settings = Room(shortest: 0.008, longest: 0.05, low: 1, high: 0.5).settings
      if frame >= 24_000 {
        settings.lowDecay = frame / 2_400 % 2 == 0 ? 0.3 : 5
        settings.diffusion = frame / 2_400 % 2 == 0 ? 0.7 : 0.2
      }
      if frame >= 72_000 { settings.longest = 0.02 + 0.01 * Double(frame / 4_800 % 3) }
      return settings
    }
    for side in output {
      let spectrum = Spectrum(Signal(Array(side[24_000...])))
      let above = spectrum.amplitudes.enumerated().filter {
        Double($0.offset) * spectrum.binWidth > 8_000
      }
      let power = above.reduce(0) { $0 + $1.element * $1.element }
      let level = decibels(power.squareRoot() / 0.25)
      #expect(level < -70)
    }
  }

  @Test("keeps its level while its size changes")
  func movingSize() {
    var random = Xoshiro256(seed: 9)
    let input = (0..<144_000).map { _ in random.nextSample() * 0.25 }
    let output = Self.render(input, input.reversed(), slice: 256) { frame in
      var settings = Room(shortest: 0.008, longest: 0.05, low: 1, high: 0.5).settings
      if (48_000..<96_000).contains(frame) {
        settings.longest = 0.05 + 0.2 * Double(frame - 48_000) / 48_000
      }
      return settings
    }
    for side in output {
      for start in stride(from: 24_000, to: 144_000, by: 1_200) {
        let level = decibels(Signal(Array(side[start..<start + 1_200])).rms / 0.144)
        #expect(level > -9 && level < 4, "at \(start)")
      }
    }
  }

  @Test(
    "keeps the sound in the room when its size changes, to shorter or longer lines",
    arguments: [0.02, 0.3])
  func otherSize(longest: Double) {
    var impulse = [Float](repeating: 0, count: 48_000)
    impulse[0] = 1
    func energy(_ changed: Double) -> Double {
      let output = Self.render(impulse, impulse) { frame in
        var settings = Room(shortest: 0.008, longest: 0.05, low: 2, high: 2).settings
        if frame >= 9_600 { settings.longest = changed }
        return settings
      }
      return output.reduce(0) { $0 + Signal($1).dropping(14_400).rms }
    }
    #expect(abs(decibels(energy(longest) / energy(0.05))) < 6)
  }

  @Test("rings no more than noise, even at a long decay", arguments: [1, 2, 3])
  func ringing(variation: Int) {
    // The strongest line of a third-octave band over the median, for the rest of the decay.
    func ringing(_ samples: ArraySlice<Float>) -> Double {
      var real = samples.enumerated().map {
        Double($0.element) * (0.5 - 0.5 * cos(2 * .pi * Double($0.offset) / Double(samples.count)))
      }
      var imaginary = [Double](repeating: 0, count: real.count)
      fourierTransform(&real, &imaginary)
      var highest = 0.0
      var first = 100 * real.count / 48_000
      while first < 10_000 * real.count / 48_000 {
        let end = first * 126 / 100
        let powers = (first..<end).map { real[$0] * real[$0] + imaginary[$0] * imaginary[$0] }
        highest = max(highest, (powers.max() ?? 0) / powers.sorted()[powers.count / 2])
        first = end
      }
      return 10 * log10(highest)
    }
    let decay = 10.0
    let room = Room(shortest: 0.008, longest: 0.05, low: decay, high: decay, variation: variation)
    let response = Self.impulseResponses(room, count: 48_000 + 1 << 17)[0]
    let even = response.enumerated().map {
      $0.element * Float(exp(6.907_8 * Double($0.offset) / 48_000 / decay))
    }
    // Noise has 12.8 dB by this measure.
    #expect(ringing(even[48_000..<48_000 + 1 << 17]) < 14.5)
  }

  @Test("diffuses its input without colouring it")
  func diffuser() {
    var impulse = [Float](repeating: 0, count: 8_192)
    impulse[0] = 1
    var diffuser = Diffuser([53, 101, 163, 241], gain: 0.6)
    defer { diffuser.deallocate() }
    impulse.withUnsafeMutableBufferPointer { samples in
      guard let base = samples.baseAddress else { return }
      for part in 0..<8 { diffuser.render(base + part * 1_024, count: 1_024) }
    }
    var real = impulse.map(Double.init)
    var imaginary = [Double](repeating: 0, count: real.count)
    fourierTransform(&real, &imaginary)
    for (one, other) in zip(real, imaginary) { #expect(abs(hypot(one, other) - 1) < 1e-4) }
    #expect(impulse.filter { abs($0) > 1e-3 }.count > 100)
  }

  @Test(
    "has kernels with the same bits as their Swift versions", arguments: [1, 5, 32, 127])
  func references(count: Int) {
    var random = Xoshiro256(seed: UInt64(count))
    let past = (0..<count + 6).map { _ in random.nextSample() }
    let taps: [Float] = [0.7, 0.2, 0.05, 0.01]
    var (kernel, reference) = (
      [Float](repeating: 0, count: count), [Float](repeating: 0, count: count)
    )
    kernel_symmetric_filter(&kernel, count, past, taps)
    ReverbOracle.filter(past, taps, into: &reference, count: count)
    let isSame = kernel == reference
    #expect(isSame)
    let lineOutputs = (0..<16 * 128).map { _ in random.nextSample() }
    let angles = (0..<count).map { _ in random.nextSample() }
    func run(_ body: (UnsafePointer<NetworkRun>) -> Void) -> [[Float]] {
      var lines = [Float](repeating: 0, count: 16 * 200)
      var (left, right) = (past, Array(past.reversed()))
      lineOutputs.withUnsafeBufferPointer { lineOutputs in
        angles.withUnsafeBufferPointer { angles in
          lines.withUnsafeMutableBufferPointer { lines in
            left.withUnsafeMutableBufferPointer { left in
              right.withUnsafeMutableBufferPointer { right in
                guard let rows = lineOutputs.baseAddress, let angle = angles.baseAddress,
                  let line = lines.baseAddress, let one = left.baseAddress,
                  let two = right.baseAddress
                else { return }
                var run = NetworkRun(
                  count: count, lineOutputs: rows, row: 128, lines: line, distance: 200,
                  cosines: (angle, angle), sines: (angle, angle),
                  input: (UnsafePointer(one), UnsafePointer(two)), output: (one, two))
                body(&run)
              }
            }
          }
        }
      }
      return [lines, left, right]
    }
    let isAlike = run { kernel_network($0) } == run { ReverbOracle.mix($0) }
    #expect(isAlike)
  }
}
