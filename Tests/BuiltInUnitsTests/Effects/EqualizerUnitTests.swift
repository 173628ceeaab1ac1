// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import AudioSupport
import AudioUnitCore
@testable import BuiltInUnits
import Foundation
import Testing

/// Equalisers with many bands: their measured and their reported responses.
@Suite("Equaliser units")
struct EqualizerUnitTests {
  private static let nband = EffectCase(definition: .bandEqualizer)
  private static let graphic = EffectCase(definition: .filter(GraphicEQ.self))
  private static let listener = EffectCase(definition: .filter(IPodEQ.self))

  private func equalizer(_ bands: Int = 16, rate: Double = 48_000) throws -> EffectUnderTest {
    let unit = try Self.nband.make(rate: rate)
    try unit.host.set(kAUNBandEQProperty_NumberOfBands, to: UInt32(bands))
    return unit
  }

  private func set(
    _ unit: EffectUnderTest, band: Int, type: Int, frequency: Float, gain: Float = 0,
    bandwidth: Float = 0.5
  ) throws {
    let band = AudioUnitParameterID(band)
    try unit.set(kAUNBandEQParam_BypassBand + band, 0)
    try unit.set(kAUNBandEQParam_FilterType + band, Float(type))
    try unit.set(kAUNBandEQParam_Frequency + band, frequency)
    try unit.set(kAUNBandEQParam_Gain + band, gain)
    try unit.set(kAUNBandEQParam_Bandwidth + band, bandwidth)
  }

  /// Gains measured from the impulse response, at multiples of the rate over 2^16.
  private func measured(_ unit: EffectUnderTest) throws -> [Double] {
    var impulse = [Float](repeating: 0, count: 1 << 16)
    impulse[0] = 0.01
    return Signal(try unit.render(impulse, slice: 4096)[0]).response.map { $0 * 100 }
  }

  /// Gains as reported by the unit, at the same frequencies.
  private func reported(_ unit: EffectUnderTest, _ bins: [Int]) throws -> [Double] {
    let width = unit.rate / Double(1 << 16)
    var table = bins.map {
      AudioUnitFrequencyResponseBin(mFrequency: Double($0) * width, mMagnitude: -1)
    }
    table.append(AudioUnitFrequencyResponseBin(mFrequency: -1, mMagnitude: 77))
    var size = UInt32(table.count * MemoryLayout<AudioUnitFrequencyResponseBin>.stride)
    try check(
      AudioUnitGetProperty(
        unit.host.handle, kAudioUnitProperty_FrequencyResponse, kAudioUnitScope_Output, 0, &table,
        &size))
    #expect(table.last?.mMagnitude == 77, "the bin after the end is left alone")
    return table.dropLast().map(\.mMagnitude)
  }

  private let bins = (1...400).map { Int(8 * pow(1.0175, Double($0))) }

  @Test("each type of band has the response of its formula, and reports it", arguments: 0...10)
  func types(type: Int) throws {
    let unit = try equalizer()
    try set(unit, band: 3, type: type, frequency: 900, gain: -9, bandwidth: 1.5)
    try unit.host.initialize()
    let q = 1 / (2 * sinh(log(2) / 2 * 1.5))
    let (flat, rate) = (sqrt(0.5), 48_000.0)
    let expected: CookbookFilter =
      switch type {
      case 0: .bell(900, q: q, decibels: -9, rate: rate)
      case 1: .lowPass(900, q: flat, rate: rate)
      case 2: .highPass(900, q: flat, rate: rate)
      case 3: .lowPass(900, q: q, rate: rate)
      case 4: .highPass(900, q: q, rate: rate)
      case 5: .bandPass(900, q: q, rate: rate)
      case 6: .bandStop(900, q: q, rate: rate)
      case 7: .lowShelf(900, q: flat, decibels: -9, rate: rate)
      case 8: .highShelf(900, q: flat, decibels: -9, rate: rate)
      case 9: .lowShelf(900, q: q, decibels: -9, rate: rate)
      default: .highShelf(900, q: q, decibels: -9, rate: rate)
      }
    let (response, answer) = (try measured(unit), try reported(unit, bins))
    for (bin, reported) in zip(bins, answer) {
      let expectedGain = expected.magnitude(at: Double(bin) * rate / Double(1 << 16))
      guard expectedGain > 3e-3 else { continue }
      // The edges of a band are exact in the unit, and almost exact in the formula.
      #expect(abs(decibels(reported / expectedGain)) < 0.03, "reported at bin \(bin)")
      #expect(abs(decibels(response[bin] / reported)) < 0.01, "measured at bin \(bin)")
    }
  }

  @Test(
    "64 bands match the reported response and coefficients",
    arguments: [44_100, 48_000, 96_000, 192_000.0])
  func manyBands(rate: Double) throws {
    let unit = try equalizer(64, rate: rate)
    for band in 0..<64 {
      try set(
        unit, band: band, type: band % 5 == 4 ? 8 : 0, frequency: 60 * pow(1.08, Float(band)),
        gain: Float(band % 7) - 3, bandwidth: 0.3)
    }
    try unit.set(kAUNBandEQParam_GlobalGain, -6)
    try unit.host.initialize()
    let (response, answer) = (try measured(unit), try reported(unit, bins))
    let coefficients = try unit.host.getArray(
      kAUNBandEQProperty_BiquadCoefficients, of: Float64(0), kAudioUnitScope_Global, 0)
    #expect(coefficients.count == 5 * 64)
    for (bin, reported) in zip(bins, answer) {
      #expect(abs(decibels(response[bin] / reported)) < 0.01, "bin \(bin)")
      let w = 2 * Double.pi * Double(bin) / Double(1 << 16)
      var gain = pow(10, -6.0 / 20)
      for band in 0..<64 {
        let c = coefficients[(5 * band)..<(5 * band + 5)].map { $0 }
        gain *=
          hypot(c[0] + c[1] * cos(w) + c[2] * cos(2 * w), c[1] * sin(w) + c[2] * sin(2 * w))
          / hypot(1 + c[3] * cos(w) + c[4] * cos(2 * w), c[3] * sin(w) + c[4] * sin(2 * w))
      }
      #expect(abs(decibels(gain / reported)) < 0.01)
    }
  }

  @Test("6 dB at one frequency do not affect sound two decades away")
  func oneBand() throws {
    let unit = try equalizer()
    try set(unit, band: 0, type: 0, frequency: 100, gain: 6)
    try unit.host.initialize()
    func level(_ frequency: Double) throws -> Double {
      try unit.reset()
      let tone = Signal.sine(frequency, amplitude: 0.25)
      let output = Signal(try unit.render(tone.floats)[0])[24_000..<48_000]
      return decibels(output.tone(at: frequency).amplitude / 0.25)
    }
    #expect(abs(try level(100) - 6) < 0.1)
    #expect(abs(try level(10_000)) < 0.05)
  }

  @Test("has as many bands as the host sets, up to 64, and only their parameters")
  func bandCount() throws {
    let unit = try Self.nband.make()
    #expect(try unit.host.get(kAUNBandEQProperty_MaxNumberOfBands, as: UInt32(0)) == 64)
    #expect(try unit.host.get(kAUNBandEQProperty_NumberOfBands, as: UInt32(0)) == 16)
    #expect(try unit.parameters.count == 1 + 5 * 16)
    let changes = try PropertyChangeCounter(unit.host, kAudioUnitProperty_ParameterList)
    try unit.host.set(kAUNBandEQProperty_NumberOfBands, to: UInt32(3))
    #expect(changes.count == 1)
    #expect(try unit.parameters.count == 1 + 5 * 3)
    #expect(
      AudioUnitSetParameter(
        unit.host.handle, kAUNBandEQParam_Gain + 3, kAudioUnitScope_Global, 0, 1, 0)
        == kAudioUnitErr_InvalidParameter)
    for count in [0, 65] as [UInt32] {
      #expect(
        unit.host.setting(kAUNBandEQProperty_NumberOfBands, to: count)
          == kAudioUnitErr_InvalidPropertyValue)
    }
    try unit.host.initialize()
    #expect(
      unit.host.setting(kAUNBandEQProperty_NumberOfBands, to: UInt32(8))
        == kAudioUnitErr_Initialized)
  }

  @Test("groups its parameters by band, and hosts read the groups' names")
  func clumps() throws {
    let unit = try equalizer(4)
    for kind in [
      kAUNBandEQParam_BypassBand, kAUNBandEQParam_FilterType, kAUNBandEQParam_Frequency,
      kAUNBandEQParam_Gain, kAUNBandEQParam_Bandwidth,
    ] {
      #expect(try unit.info(kind + 2).clumpID == 3)
    }
    #expect(try unit.info(kAUNBandEQParam_GlobalGain).clumpID == 0)
    #expect(try unit.clumpName(3) == "Band 3")
    #expect(try unit.clumpName(3, length: 4) == "Band")
    #expect(throws: CallFailure.self) { try unit.clumpName(5) }
  }

  @Test("a saved state includes the number of bands")
  func state() throws {
    let unit = try equalizer(40)
    try set(unit, band: 39, type: 0, frequency: 500, gain: 7)
    let state = try #require(
      try unit.host.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none))
    defer { Unmanaged<AnyObject>.fromOpaque(state).release() }
    let other = try Self.nband.make()
    try other.host.set(kAudioUnitProperty_ClassInfo, to: state)
    #expect(try other.host.get(kAUNBandEQProperty_NumberOfBands, as: UInt32(0)) == 40)
    #expect(try other.value(kAUNBandEQParam_Gain + 39) == 7)
    let busy = try Self.nband.makeReady()
    #expect(
      busy.host.setting(kAudioUnitProperty_ClassInfo, to: state) == kAudioUnitErr_Initialized)
  }

  @Test("the graphic equaliser has the gain of each slider at its frequency", arguments: [0, 1])
  func graphicGains(bands: Int) throws {
    let unit = try Self.graphic.make()
    try unit.set(kGraphicEQParam_NumberOfBands, Float(bands))
    let frequencies = bands == 0 ? GraphicBands.octaves : GraphicBands.thirds
    // Neighbouring bands that counteract each other, and ones that add up.
    let gains = frequencies.indices.map { Float([12, 12, 12, -12, 6, -9, 0][$0 % 7]) }
    for (band, gain) in gains.enumerated() { try unit.set(AudioUnitParameterID(band), gain) }
    try unit.host.initialize()
    let (response, answer) = (try measured(unit), try reported(unit, bins))
    for (frequency, gain) in zip(frequencies, gains) where frequency < 21_000 {
      let bin = frequency / 48_000 * Double(1 << 16)
      let (low, part) = (Int(bin), bin - bin.rounded(.down))
      let level =
        decibels(response[low]) * (1 - part) + decibels(response[low + 1]) * part
      #expect(abs(level - Double(gain)) < 0.3, "\(frequency) Hz")
    }
    for (bin, reported) in zip(bins, answer) {
      #expect(abs(decibels(response[bin] / reported)) < 0.01)
    }
  }

  @Test(
    "the graphic equaliser has a flat response if its sliders are equal", arguments: [0, 1],
    [12, -12, 6] as [Float])
  func levelSliders(bands: Int, gain: Float) throws {
    let unit = try Self.graphic.make()
    try unit.set(kGraphicEQParam_NumberOfBands, Float(bands))
    for band in 0..<31 { try unit.set(AudioUnitParameterID(band), gain) }
    try unit.host.initialize()
    let response = try measured(unit)
    for bin in response.indices {
      let frequency = Double(bin) * 48_000 / Double(1 << 16)
      guard frequency > 32, frequency < 15_900 else { continue }
      #expect(abs(decibels(response[bin]) - Double(gain)) < 0.6, "\(frequency) Hz")
    }
  }

  @Test("the graphic equaliser names its sliders by their frequencies")
  func sliderNames() {
    let names = GraphicEQ.Parameter.allCases.map(\.spec.name)
    #expect(names[0] == "20 Hz (of 10 bands: 31.5 Hz)")
    #expect(names[9] == "160 Hz (of 10 bands: 16k Hz)")
    #expect(names[17] == "1k Hz" && names[12] == "315 Hz" && names[30] == "20k Hz")
  }

  @Test("the listener's equaliser amplifies no tone")
  func headroom() throws {
    let unit = try Self.listener.makeReady()
    for preset in IPodEQ.factoryPresets {
      var selection = AUPreset()
      selection.presetNumber = preset.number
      try unit.host.set(kAudioUnitProperty_PresentPreset, to: selection)
      try unit.reset()
      let highest = try measured(unit).dropFirst(20).max() ?? 0
      #expect(decibels(highest) < 0.1, "\(preset.name)")
      #expect(decibels(highest) > -1.5, "\(preset.name)")
    }
  }

  @Test("the listener's equaliser has its curves as presets, and supports one and two channels")
  func presets() throws {
    let unit = try Self.listener.makeReady()
    #expect(try unit.parameters.isEmpty)
    #expect(IPodEQ.factoryPresets.count >= 20)
    let names = Set(IPodEQ.factoryPresets.map(\.name))
    #expect(names.isSuperset(of: ["Rock", "Pop", "Jazz", "Classical", "Flat"]))
    #expect(
      try unit.host.get(kAudioUnitProperty_ElementCount, as: UInt32(0), kAudioUnitScope_Input) == 1)
    #expect(
      try unit.host.get(kAudioUnitProperty_ElementCount, as: UInt32(0), kAudioUnitScope_Output) == 1
    )
    var curves: [[Double]] = []
    for preset in IPodEQ.factoryPresets {
      var selection = AUPreset()
      selection.presetNumber = preset.number
      try unit.host.set(kAudioUnitProperty_PresentPreset, to: selection)
      #expect(
        try unit.host.get(kAudioUnitProperty_PresentPreset, as: AUPreset()).presetNumber
          == preset.number)
      try unit.reset()
      let response = try measured(unit)
      let reported = try reported(unit, bins)
      for (bin, reported) in zip(bins, reported) {
        #expect(abs(decibels(response[bin] / reported)) < 0.01)
      }
      curves.append(bins.map { decibels(response[$0]) })
    }
    // Only the two flat curves are equal.
    for (index, curve) in curves.enumerated() {
      for other in curves[..<index] {
        let distance = zip(curve, other).map { abs($0 - $1) }.max() ?? 0
        #expect(distance > 0.5 || curve.allSatisfy { abs($0) < 0.01 })
      }
    }
    for channels in [3, 8] {
      let other = try Self.listener.make(channels: (channels, channels))
      #expect(AudioUnitInitialize(other.host.handle) == kAudioUnitErr_FormatNotSupported)
    }
    let uneven = try Self.listener.make(channels: (2, 1))
    #expect(AudioUnitInitialize(uneven.host.handle) == kAudioUnitErr_FormatNotSupported)
  }

  @Test("the listener's equaliser requires equal formats on both sides")
  func formats() throws {
    for channels in [1, 2] {
      let unit = try Self.listener.make(channels: (channels, channels))
      try unit.host.initialize()
      let input = quietNoise(2_000)
      #expect(try unit.render(input) == Array(repeating: input, count: channels))
    }
    for (input, output) in [(1, 2), (2, 1)] {
      let unit = try Self.listener.make(channels: (input, output))
      #expect(AudioUnitInitialize(unit.host.handle) == kAudioUnitErr_FormatNotSupported)
    }
    // A rate on one side only is a mismatch too.
    let unit = try Self.listener.make()
    try unit.host.setFormat(.linear(44_100, channels: 2))
    #expect(AudioUnitInitialize(unit.host.handle) == kAudioUnitErr_FormatNotSupported)
  }

  @Test("a saved state restores the preset and its sound")
  func presetState() throws {
    let unit = try Self.listener.makeReady()
    var selection = AUPreset()
    selection.presetNumber = 17
    try unit.host.set(kAudioUnitProperty_PresentPreset, to: selection)
    let state = try #require(
      try unit.host.get(kAudioUnitProperty_ClassInfo, as: UnsafeRawPointer?.none))
    defer { Unmanaged<AnyObject>.fromOpaque(state).release() }
    let other = try Self.listener.makeReady()
    try other.host.set(kAudioUnitProperty_ClassInfo, to: state)
    #expect(
      try other.host.get(kAudioUnitProperty_PresentPreset, as: AUPreset()).presetNumber == 17)
    #expect(try other.render(quietNoise(4_000)) == unit.render(quietNoise(4_000)))
  }

  @Test("another preset in every slice for ten seconds makes no click")
  func restless() throws {
    let unit = try Self.listener.makeReady()
    let tone = Signal.sine(440, amplitude: 0.25, count: 1 << 19)
    var number: Int32 = 0
    let output = try unit.render(tone.floats, slice: 512) { _ in
      var selection = AUPreset()
      selection.presetNumber = number
      number = (number + 7) % 23
      try unit.host.set(kAudioUnitProperty_PresentPreset, to: selection)
    }
    // A click is broadband: it would show far above the tone, where the curves' changes do not.
    let spectrum = Spectrum(Signal(output[0]))
    let high = spectrum.amplitudes[Int(3_000 / spectrum.binWidth)...].max() ?? 0
    #expect(decibels(high / 0.25) < -80)
    var largest = 0.0
    for start in stride(from: 0, to: output[0].count - 4_096, by: 2_048) {
      let part = Signal(Array(output[0][start..<start + 4_096]))
      let spectrum = Spectrum(part)
      largest = max(largest, spectrum.amplitudes[Int(4_000 / spectrum.binWidth)...].max() ?? 0)
    }
    #expect(decibels(largest / 0.25) < -60)
  }
}
