// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// Delays and rooms as units; `SignalProcessingTests` tests their algorithms.
@Suite("Delay and reverberation units")
struct DelayReverbUnitTests {
  private func make(
    _ definition: UnitDefinition, rate: Double = 48_000, _ values: [AudioUnitParameterID: Float]
  ) throws -> EffectUnderTest {
    let unit = try EffectCase(definition: definition).make(rate: rate)
    for (id, value) in values { try unit.set(id, value) }
    try unit.host.initialize()
    return unit
  }

  private func impulse(_ count: Int) -> [Float] { [1] + Array(repeating: 0, count: count - 1) }

  @Test(
    "a delay repeats an impulse at its time", arguments: [0.001, 0.25, 0.012_34, 1.9],
    [44_100, 96_000.0])
  func delayTime(seconds: Double, rate: Double) throws {
    let unit = try make(.effect(Delay.self), rate: rate, [0: 100, 1: Float(seconds), 2: 0])
    let output = Signal(try unit.render(impulse(Int(2 * rate)))[0])
    let place = try #require(output.indexOfPeak)
    #expect(abs(Double(place) - seconds * rate) <= 1)
  }

  @Test("each echo is fainter by the feedback", arguments: [50, -80, 25, -10] as [Float])
  func feedback(percent: Float) throws {
    let unit = try make(.effect(Delay.self), [0: 100, 1: 0.01, 2: percent, 3: 24_000])
    let output = try unit.render(impulse(4_800))[0]
    for echo in 1..<8 {
      let expected = pow(Double(percent) / 100, Double(echo - 1))
      #expect(abs(Double(output[echo * 480]) - expected) < 1e-6)
      #expect(output[(echo * 480 + 1)..<((echo + 1) * 480)].allSatisfy { $0 == 0 })
    }
  }

  @Test("a unit passes its input unchanged at 0 % wet", arguments: [0, 1])
  func dry(index: Int) throws {
    let definition: UnitDefinition = [.effect(Delay.self), .effect(Reverb2.self)][index]
    let unit = try make(definition, [0: 0])
    let input = quietNoise(9_600)
    #expect(try unit.render(input) == [input, input])
    // At 100 % wet there is silence until the first echo.
    let wet = try make(definition, index == 0 ? [0: 100, 1: 0.1] : [0: 100, 2: 0.1, 3: 0.2])
    #expect(try wet.render(input)[0].prefix(4_700).allSatisfy { $0 == 0 })
  }

  @Test("a sample delay delays by its number of frames", arguments: [0, 1, 777, 48_000])
  func sampleDelay(frames: Int) throws {
    let unit = try make(.effect(SampleDelay.self), [0: Float(frames)])
    let input = quietNoise(52_000)
    let expected = Array(repeating: 0, count: frames) + input.dropLast(frames)
    #expect(try unit.render(input)[1] == expected)
    #expect(try unit.info(0).maxValue == 48_000)
  }

  @Test("report tails that follow their parameters")
  func tails() throws {
    let delay = try make(.effect(Delay.self), [1: 0.5, 2: 0, 3: 24_000])
    #expect(abs(try delay.tail - 0.5) < 1e-3)
    try delay.set(2, 50)
    #expect(abs(try delay.tail - 10.5) < 0.51, "twenty echoes until -120 dB")
    let samples = try make(.effect(SampleDelay.self), [0: 4_800])
    #expect(abs(try samples.tail - 0.1) < 1e-6)
    let room = try make(.effect(Reverb2.self), [4: 1, 5: 0.5])
    let short = try room.tail
    #expect((2...2.5).contains(short))
    try room.set(4, 3)
    #expect(abs(try room.tail - short - 4) < 1e-6)
  }

  @Test("a room decays in its decay time", arguments: [0.5, 1, 2.5])
  func decay(seconds: Double) throws {
    let unit = try make(
      .effect(Reverb2.self), [0: 100, 4: Float(seconds), 5: Float(seconds)])
    let output = try unit.render(impulse(Int(seconds * 72_000)))
    var energy = output[0].map { Double($0) * Double($0) }
    for index in energy.indices.dropLast().reversed() { energy[index] += energy[index + 1] }
    func time(_ level: Double) throws -> Double {
      Double(try #require(energy.firstIndex { 10 * log10($0 / energy[0] + 1e-30) < level }))
        / 48_000
    }
    #expect(abs(2 * (try time(-35) - time(-5)) / seconds - 1) < 0.05)
    // Mono is supported too, and mono to stereo.
    for channels in [(1, 1), (1, 2)] {
      let other = try EffectCase(definition: .effect(Reverb2.self)).make(channels: channels)
      try other.host.initialize()
      let rendered = try other.render(impulse(9_600))
      #expect(rendered.count == channels.1 && rendered.allSatisfy { Signal($0).rms > 1e-4 })
      if channels.1 == 2 { #expect(rendered[0] != rendered[1]) }
    }
  }

  @Test("another variation is another room with the same decay")
  func variations() throws {
    func response(_ variation: Float) throws -> [Float] {
      try make(.effect(Reverb2.self), [6: variation]).render(impulse(24_000))[0]
    }
    let (first, second) = (try response(1), try response(2))
    #expect(first != second)
    #expect(try response(1) == first)
    #expect(abs(decibels(Signal(first).rms / Signal(second).rms)) < 1.5)
  }

  @Test("the large room of MatrixReverb decays in the time of its size", arguments: [0.6, 1.5, 3])
  func largeRoom(seconds: Double) throws {
    let unit = try make(
      .effect(MatrixReverb.self), [0: 100, 1: 100, 3: Float(seconds), 10: 1, 13: 1])
    let output = try unit.render(impulse(Int(seconds * 72_000)))
    var energy = output[0].map { Double($0) * Double($0) }
    for index in energy.indices.dropLast().reversed() { energy[index] += energy[index + 1] }
    func time(_ level: Double) throws -> Double {
      Double(try #require(energy.firstIndex { 10 * log10($0 / energy[0] + 1e-30) < level }))
        / 48_000
    }
    #expect(abs(2 * (try time(-35) - time(-5)) / seconds - 1) < 0.05)
    // There is silence during the pre-delay and the large delay.
    let start = Int((0.025 + 0.035) * 48_000)
    #expect(output[0].prefix(start).allSatisfy { $0 == 0 })
  }

  @Test("MatrixReverb has its equaliser in the response, and the small room first")
  func matrixReverb() throws {
    func response(_ values: [AudioUnitParameterID: Float]) throws -> Signal {
      Signal(try make(.effect(MatrixReverb.self), values).render(impulse(32_768))[0])
    }
    let flat = try response([1: 100])
    let raised = try response([1: 100, 14: 1_000, 15: 1, 16: 12])
    let edges = [900, 1_100, 4_000, 8_000.0]
    func level(_ signal: Signal, _ band: Int) -> Double {
      Signal(signal.samples + signal.samples).powerDensities(between: edges)[band]
    }
    #expect(abs(level(raised, 0) - level(flat, 0) - 12) < 1)
    #expect(abs(level(raised, 2) - level(flat, 2)) < 0.5)
    let small = try response([1: 0])
    let first = try #require(small.samples.firstIndex { $0 != 0 })
    #expect((1_200...1_900).contains(first), "after the pre-delay and the shortest line")
    #expect(small[0..<9_600].rms > 30 * small[19_200..<28_800].rms)
  }

  @Test("both reverberation units have the thirteen named rooms", arguments: [0, 1])
  func rooms(index: Int) throws {
    let definition: UnitDefinition = [.effect(Reverb2.self), .effect(MatrixReverb.self)][index]
    let presets = definition.factoryPresets
    #expect(presets.map(\.number) == Array(0...12))
    #expect(presets[0].name == "Small Room" && presets[8].name == "Cathedral")
    let unit = try make(definition, [:])
    func tail(_ number: Int32) throws -> Double {
      var preset = AUPreset()
      preset.presetNumber = number
      try unit.host.set(kAudioUnitProperty_PresentPreset, to: preset)
      return try unit.tail
    }
    let (small, hall, cathedral) = (try tail(0), try tail(4), try tail(8))
    #expect(small < hall && hall < cathedral)
  }
}
