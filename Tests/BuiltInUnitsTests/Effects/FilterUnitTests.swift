// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// Second-order filters: their responses, and their changes.
@Suite("Filter units")
struct FilterUnitTests {
  /// A filter with parameter values, and its reference.
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
    "their frequency response is that of the formula", arguments: cases,
    [44_100, 48_000, 96_000, 192_000.0])
  func response(filter: Case, rate: Double) throws {
    let unit = try EffectCase(definition: filter.definition).make(rate: rate)
    for (id, value) in filter.values { try unit.set(id, value) }
    try unit.host.initialize()
    let measured = try impulseResponse(unit, count: 1 << 17).response
    let expected = filter.expected(rate)
    var worst = 0.0
    for (bin, gain) in measured.enumerated() {
      let expectedGain = expected.magnitude(at: Double(bin) * rate / Double(1 << 17))
      // Below this, the rounding of the samples dominates.
      guard expectedGain > 3e-3 else { continue }
      worst = max(worst, abs(decibels(gain / expectedGain)))
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

  @Test("limit values that are out of range")
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

  /// The level far from a tone of 100 Hz while the cutoff is swept, relative to the tone.
  private func zipper(slice: Int, sweep: (EffectUnderTest, Int) throws -> Void) throws -> Double {
    let unit = try EffectCase(definition: .effect(LowPassFilter.self)).make()
    try unit.set(kLowPassParam_CutoffFrequency, 20)
    try unit.host.initialize()
    let tone = Signal.sine(100, amplitude: 0.5, count: 1 << 15)
    let output = try unit.render(tone.floats, slice: slice) { frame in try sweep(unit, frame) }
    let spectrum = Spectrum(Signal(output[0]))
    let first = Int(2_500 / spectrum.binWidth)
    return decibels((spectrum.amplitudes[first...].max() ?? 0) / 0.5)
  }

  @Test("a ramp over the whole range in 50 ms causes no zipper noise", arguments: [64, 512])
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

  @Test("a sweep that the host sets slice by slice causes no zipper noise", arguments: [16, 64])
  func steps(slice: Int) throws {
    let level = try zipper(slice: slice) { unit, frame in
      guard (8_192..<8_192 + 2_400).contains(frame) else { return }
      let value = 20 * pow(1_000, Float(frame - 8_192) / 2_400)
      try unit.set(kLowPassParam_CutoffFrequency, value)
    }
    #expect(level < -90)
  }

  /// The level of a tone in decibels, frame by frame, while a bell around it ramps from 0 to 12 dB
  /// from frame 2,000 to 4,000.
  ///
  /// A sine and a cosine give the amplitude at each frame. The bell is so wide that it has settled
  /// long before the ramp.
  private func rampedLevels(
    _ make: () throws -> (EffectUnderTest, AudioUnitParameterID), slice: Int
  ) throws -> [Double] {
    let sides = try [0, 0.25].map { phase in
      let (unit, gain) = try make()
      let tone = Signal.sine(1_000, amplitude: 0.1, phase: phase, count: 6_000)
      var isScheduled = false
      return try unit.render(tone.floats, slice: slice) { frame in
        guard frame + slice > 2_000, !isScheduled else { return }
        isScheduled = true
        try unit.ramp(gain, from: 0, to: 12, at: 2_000 - frame, frames: 2_000)
      }[0].map(Double.init)
    }
    return zip(sides[0], sides[1]).map { decibels(hypot($0, $1) / 0.1) }
  }

  /// Units with a bell of 1 kHz, and the parameter that is its gain.
  static let bells: [(name: String, make: @Sendable () throws -> EffectUnderTest, gain: UInt32)] = [
    (
      "parametric",
      {
        let unit = try EffectCase(definition: .effect(ParametricEQ.self)).make()
        try unit.set(kParametricEQParam_CenterFreq, 1_000)
        try unit.set(kParametricEQParam_Q, 0.1)
        try unit.host.initialize()
        return unit
      }, kParametricEQParam_Gain
    ),
    (
      "band",
      {
        let unit = try EffectCase(definition: .bandEqualizer).make()
        try unit.set(kAUNBandEQParam_BypassBand + 2, 0)
        try unit.set(kAUNBandEQParam_Frequency + 2, 1_000)
        try unit.set(kAUNBandEQParam_Bandwidth + 2, 5)
        try unit.host.initialize()
        return unit
      }, kAUNBandEQParam_Gain + 2
    ),
    (
      "global gain",
      {
        let unit = try EffectCase(definition: .bandEqualizer).makeReady()
        return unit
      }, kAUNBandEQParam_GlobalGain
    ),
  ]

  @Test(
    "a scheduled ramp is followed from its first frame to its last", arguments: bells.indices,
    [64, 500, 4_096])
  func ramp(index: Int, slice: Int) throws {
    let bell = Self.bells[index]
    let levels = try rampedLevels({ (try bell.make(), bell.gain) }, slice: slice)
    #expect(levels[100..<2_000].allSatisfy { abs($0) < 1e-3 })
    for frame in 2_000..<4_000 {
      let expected = 12 * Double(frame - 2_000) / 2_000
      // A wide bell follows a few frames later.
      #expect(abs(levels[frame] - expected) < 0.15, "frame \(frame)")
      if abs(levels[frame] - expected) >= 0.15 { return }
    }
    #expect(levels[4_100...].allSatisfy { abs($0 - 12) < 0.01 })
    let info = try bell.make().info(bell.gain)
    #expect(info.flags.contains(.flag_CanRamp))
  }

  @Test("a ramp of a graphic equaliser's gain ends at its last frame")
  func graphicRamp() throws {
    let unit = try EffectCase(definition: .filter(GraphicEQ.self)).make()
    try unit.set(kGraphicEQParam_NumberOfBands, 0)
    try unit.host.initialize()
    let tone = Signal.sine(1_000, amplitude: 0.1, count: 9_600)
    let output = Signal(
      try unit.render(tone.floats, slice: 480) { frame in
        if frame == 2_400 { try unit.ramp(5, from: 0, to: 12, frames: 960) }
      }[0])
    #expect(abs(decibels(output[480..<2_400].tone(at: 1_000).amplitude / 0.1)) < 1e-3)
    // Its bell settles within a few milliseconds.
    #expect(abs(decibels(output[3_600..<4_560].tone(at: 1_000).amplitude / 0.1) - 12) < 0.05)
  }

  @Test("a ramp outputs almost the same samples in slices of any size", arguments: [7, 64, 480])
  func rampSlices(slice: Int) throws {
    func render(_ slice: Int) throws -> [Float] {
      let unit = try EffectCase(definition: .effect(LowPassFilter.self)).make()
      try unit.set(kLowPassParam_CutoffFrequency, 200)
      try unit.host.initialize()
      try unit.ramp(kLowPassParam_CutoffFrequency, from: 200, to: 8_000, at: 480, frames: 4_800)
      return try unit.render(quietNoise(9_600), slice: slice)[0]
    }
    // Pieces of a ramp begin where renders do.
    for (one, other) in zip(try render(slice), try render(4_096)) {
      #expect(abs(one - other) < 2e-3)
      if abs(one - other) >= 2e-3 { return }
    }
  }
}
