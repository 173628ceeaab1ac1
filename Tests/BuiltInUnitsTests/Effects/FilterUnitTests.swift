// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// Filters of one section: what they pass, and how they change.
@Suite("Filter units")
struct FilterUnitTests {
  /// A filter with parameters, and the formula that it should follow.
  struct Case: Sendable, CustomTestStringConvertible {
    var definition: UnitDefinition
    var values: [AudioUnitParameterID: Float]
    var expected: @Sendable (_ rate: Double) -> CookbookFilter
    var testDescription: String {
      let values = values.sorted { $0.key < $1.key }.map { "\($0.value)" }
      return definition.identity.name + " " + values.joined(separator: ", ")
    }
  }

  private static func q(_ cents: Double) -> Double { 1 / (2 * sinh(log(2) / 2 * cents / 1200)) }

  static let cases: [Case] = [
    Case(definition: .effect(LowPassFilter.self), values: [0: 800, 1: 6]) {
      .lowPass(800, q: pow(10, 0.3), rate: $0)
    },
    Case(definition: .effect(LowPassFilter.self), values: [0: 20, 1: 0]) {
      .lowPass(20, q: 1, rate: $0)
    },
    Case(definition: .effect(LowPassFilter.self), values: [:]) { .lowPass(6900, q: 1, rate: $0) },
    Case(definition: .effect(HighPassFilter.self), values: [0: 5_000, 1: -6]) {
      .highPass(5_000, q: pow(10, -0.3), rate: $0)
    },
    Case(definition: .effect(HighPassFilter.self), values: [0: 30, 1: 6]) {
      .highPass(30, q: pow(10, 0.3), rate: $0)
    },
    Case(definition: .effect(BandPassFilter.self), values: [0: 200, 1: 1200]) {
      .bandPass(200, q: q(1200), rate: $0)
    },
    Case(definition: .effect(HighShelfFilter.self), values: [0: 12_000, 1: -15]) {
      .highShelf(12_000, q: sqrt(0.5), decibels: -15, rate: $0)
    },
    Case(definition: .effect(LowShelfFilter.self), values: [0: 120, 1: 24]) {
      .lowShelf(120, q: sqrt(0.5), decibels: 24, rate: $0)
    },
    Case(definition: .effect(ParametricEQ.self), values: [0: 3_000, 1: 5, 2: 12]) {
      .bell(3_000, q: 5, decibels: 12, rate: $0)
    },
    Case(definition: .effect(ParametricEQ.self), values: [0: 20, 1: 0.5, 2: -20]) {
      .bell(20, q: 0.5, decibels: -20, rate: $0)
    },
  ]

  private func impulseResponse(_ unit: EffectUnderTest, count: Int) throws -> Signal {
    var impulse = [Float](repeating: 0, count: count)
    impulse[0] = 1
    return Signal(try unit.render(impulse, slice: 4096)[0], sampleRate: unit.rate)
  }

  @Test(
    "their impulse response is that of the formula, at every frequency", arguments: cases,
    [44_100, 48_000, 96_000, 192_000.0])
  func response(filter: Case, rate: Double) throws {
    let unit = try EffectCase(definition: filter.definition).make(rate: rate)
    for (id, value) in filter.values { try unit.set(id, value) }
    try unit.host.initialize()
    let measured = try impulseResponse(unit, count: 1 << 17).response
    let expected = filter.expected(rate)
    var worst = 0.0
    for (bin, gain) in measured.enumerated() {
      let wanted = expected.magnitude(at: Double(bin) * rate / Double(1 << 17))
      // Below this it is the rounding of the samples that is measured.
      guard wanted > 3e-3 else { continue }
      worst = max(worst, abs(decibels(gain / wanted)))
    }
    #expect(worst < 0.01)
  }

  @Test("a band-pass is 3 dB down at the edges of its band", arguments: [600, 2_400.0])
  func edges(cents: Double) throws {
    let unit = try EffectCase(definition: .effect(BandPassFilter.self)).make()
    try unit.set(kBandpassParam_CenterFrequency, 9_000)
    try unit.set(kBandpassParam_Bandwidth, Float(cents))
    try unit.host.initialize()
    let response = try impulseResponse(unit, count: 1 << 16).response
    let width = 48_000 / Double(1 << 16)
    let inside = response.indices.filter { response[$0] > sqrt(0.5) }
    let (low, high) = (try #require(inside.first), try #require(inside.last))
    #expect(abs(1200 * log2(Double(high) / Double(low)) - cents) < 2)
    #expect(abs((response.max() ?? 0) - 1) < 1e-4)
    let peak = response.indices.max { response[$0] < response[$1] } ?? 0
    #expect(abs(Double(peak) * width - 9_000) < 10)
  }

  @Test("limit what hosts store out of range")
  func limits() throws {
    func render(_ values: [(AudioUnitParameterID, Float)]) throws -> [[Float]] {
      let unit = try EffectCase(definition: .effect(LowPassFilter.self)).make()
      for (id, value) in values { try unit.set(id, value) }
      try unit.host.initialize()
      return try unit.render(quietNoise(2_000))
    }
    #expect(try render([(0, 1), (1, 90)]) == render([(0, 10), (1, 40)]))
    #expect(try render([(0, -5), (1, -90)]) == render([(0, 10), (1, -20)]))
  }

  /// The level of what is not near a tone of 100 Hz while a cutoff is swept, against the tone's.
  private func zipper(slice: Int, sweep: (EffectUnderTest, Int) throws -> Void) throws -> Double {
    let unit = try EffectCase(definition: .effect(LowPassFilter.self)).make()
    try unit.set(kLowPassParam_CutoffFrequency, 20)
    try unit.host.initialize()
    let tone = Signal.sine(100, amplitude: 0.5, count: 1 << 15)
    let heard = try unit.render(tone.floats, slice: slice) { frame in try sweep(unit, frame) }
    let spectrum = Spectrum(Signal(heard[0]))
    let first = Int(2_500 / spectrum.binWidth)
    return decibels((spectrum.amplitudes[first...].max() ?? 0) / 0.5)
  }

  @Test("a sweep over the whole range in 50 ms leaves nothing but the sweep", arguments: [64, 512])
  func sweep(slice: Int) throws {
    let level = try zipper(slice: slice) { unit, frame in
      guard frame == 8_192 else { return }
      var event = AudioUnitParameterEvent()
      event.parameter = kLowPassParam_CutoffFrequency
      event.eventType = .parameterEvent_Ramped
      event.eventValues.ramp.durationInFrames = 2_400
      event.eventValues.ramp.startValue = 20
      event.eventValues.ramp.endValue = 20_000
      try check(AudioUnitScheduleParameters(unit.host.handle, &event, 1))
    }
    #expect(level < -90)
  }

  @Test("so does one that the host sets slice by slice", arguments: [16, 64])
  func steps(slice: Int) throws {
    let level = try zipper(slice: slice) { unit, frame in
      guard (8_192..<8_192 + 2_400).contains(frame) else { return }
      let value = 20 * pow(1_000, Float(frame - 8_192) / 2_400)
      try unit.set(kLowPassParam_CutoffFrequency, value)
    }
    #expect(level < -90)
  }

  @Test("a change is heard in the slice after it")
  func promptness() throws {
    let unit = try EffectCase(definition: .effect(LowPassFilter.self)).make()
    try unit.host.initialize()
    let tone = Signal.sine(10_000, amplitude: 0.5, count: 512).floats
    let before = try unit.render(tone)
    try unit.set(kLowPassParam_CutoffFrequency, 100)
    let after = try unit.render(tone)
    #expect(zip(before[0][100...], after[0][100...]).contains { abs($0 - $1) > 0.01 })
  }
}
