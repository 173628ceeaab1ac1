// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioUnit classes against their units")
struct UnitConformanceTests {
  /// A class, its unit, and the same change in both.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let type: OSType
    let subType: OSType
    let node: @Sendable () -> AVAudioUnit
    /// Applies one of several settings to the node, and to the unit.
    let change: @Sendable (AVAudioUnit, Int) -> Void
    let reference: @Sendable (ReferenceUnit, Int) -> Void
  }

  static func steps(_ number: Int, _ values: [Float]) -> Float { values[number % values.count] }

  static let cases: [Case] = [
    Case(
      testDescription: "AVAudioUnitDelay", type: kAudioUnitType_Effect,
      subType: kAudioUnitSubType_Delay, node: { AVAudioUnitDelay() },
      change: { node, number in
        guard let delay = node as? AVAudioUnitDelay else { return }
        delay.delayTime = TimeInterval(steps(number, [0.01, 0.02, 0.005]))
        delay.feedback = steps(number, [20, -40])
        delay.lowPassCutoff = steps(number, [5_000, 900])
        delay.wetDryMix = steps(number, [100, 30, 70])
      },
      reference: { unit, number in
        unit.set(kDelayParam_DelayTime, to: steps(number, [0.01, 0.02, 0.005]))
        unit.set(kDelayParam_Feedback, to: steps(number, [20, -40]))
        unit.set(kDelayParam_LopassCutoff, to: steps(number, [5_000, 900]))
        unit.set(kDelayParam_WetDryMix, to: steps(number, [100, 30, 70]))
      }),
    Case(
      testDescription: "AVAudioUnitDistortion", type: kAudioUnitType_Effect,
      subType: kAudioUnitSubType_Distortion, node: { AVAudioUnitDistortion() },
      change: { node, number in
        guard let distortion = node as? AVAudioUnitDistortion else { return }
        if number % 3 == 0 { distortion.loadFactoryPreset(.multiEcho1) }
        distortion.preGain = steps(number, [-6, 3])
        distortion.wetDryMix = steps(number, [50, 80, 20])
      },
      reference: { unit, number in
        if number % 3 == 0 { unit.load(preset: 12) }
        unit.set(kDistortionParam_SoftClipGain, to: steps(number, [-6, 3]))
        unit.set(kDistortionParam_FinalMix, to: steps(number, [50, 80, 20]))
      }),
    Case(
      testDescription: "AVAudioUnitEQ", type: kAudioUnitType_Effect,
      subType: kAudioUnitSubType_NBandEQ, node: { AVAudioUnitEQ(numberOfBands: 3) },
      change: { node, number in
        guard let equalizer = node as? AVAudioUnitEQ else { return }
        equalizer.globalGain = steps(number, [0, -6])
        let band = equalizer.bands[2]
        (band.bypass, band.filterType) = (false, number % 2 == 0 ? .parametric : .highShelf)
        band.frequency = steps(number, [500, 2_000, 90])
        band.gain = steps(number, [6, -12])
        band.bandwidth = steps(number, [0.5, 2])
      },
      reference: { unit, number in
        unit.set(kAUNBandEQParam_GlobalGain, to: steps(number, [0, -6]))
        unit.set(kAUNBandEQParam_BypassBand + 2, to: 0)
        unit.set(kAUNBandEQParam_FilterType + 2, to: steps(number, [0, 8]))
        unit.set(kAUNBandEQParam_Frequency + 2, to: steps(number, [500, 2_000, 90]))
        unit.set(kAUNBandEQParam_Gain + 2, to: steps(number, [6, -12]))
        unit.set(kAUNBandEQParam_Bandwidth + 2, to: steps(number, [0.5, 2]))
      }),
    Case(
      testDescription: "AVAudioUnitReverb", type: kAudioUnitType_Effect,
      subType: kAudioUnitSubType_Reverb2, node: { AVAudioUnitReverb() },
      change: { node, number in
        guard let reverb = node as? AVAudioUnitReverb else { return }
        if number % 3 == 0 { reverb.loadFactoryPreset(.cathedral) }
        reverb.wetDryMix = steps(number, [40, 90])
      },
      reference: { unit, number in
        if number % 3 == 0 { unit.load(preset: 8) }
        unit.set(kReverb2Param_DryWetMix, to: steps(number, [40, 90]))
      }),
    Case(
      testDescription: "AVAudioUnitTimePitch", type: kAudioUnitType_FormatConverter,
      subType: kAudioUnitSubType_NewTimePitch, node: { AVAudioUnitTimePitch() },
      change: { node, number in
        guard let pitch = node as? AVAudioUnitTimePitch else { return }
        pitch.rate = steps(number, [1.5, 0.75])
        pitch.pitch = steps(number, [300, -200])
        pitch.overlap = steps(number, [8, 4])
      },
      reference: { unit, number in
        unit.set(kNewTimePitchParam_Rate, to: steps(number, [1.5, 0.75]))
        unit.set(kNewTimePitchParam_Pitch, to: steps(number, [300, -200]))
        unit.set(kNewTimePitchParam_Overlap, to: steps(number, [8, 4]))
      }),
    Case(
      testDescription: "AVAudioUnitVarispeed", type: kAudioUnitType_FormatConverter,
      subType: kAudioUnitSubType_Varispeed, node: { AVAudioUnitVarispeed() },
      change: { node, number in
        (node as? AVAudioUnitVarispeed)?.rate = steps(number, [1.25, 0.5, 2])
      },
      reference: { unit, number in
        unit.set(kVarispeedParam_PlaybackRate, to: steps(number, [1.25, 0.5, 2]))
      }),
  ]

  @Test("a node renders what its unit renders, to the bit", arguments: cases)
  func same(_ test: Case) throws {
    let offline = try Offline()
    let node = test.node()
    test.change(node, 0)
    try offline.play(through: node)
    let unit = try ReferenceUnit(test.type, test.subType)
    test.reference(unit, 0)
    let samples = try offline.render(6_000, slice: 500)
    #expect(samples == (try unit.render(6_000, slice: 500)))
    #expect(samples[0].contains { $0 != 0 })
  }

  @Test(
    "parameters move as they do in the unit, at every slice size", arguments: cases,
    [1, 7, 64, 1_000])
  func moving(_ test: Case, slice: Int) throws {
    let offline = try Offline()
    let node = test.node()
    try offline.play(through: node)
    let unit = try ReferenceUnit(test.type, test.subType)
    let slices = slice == 1 ? 300 : slice == 7 ? 150 : 12
    var samples: [[Float]] = [[], []]
    for number in 0..<slices {
      test.change(node, number)
      let more = try offline.render(slice, slice: slice)
      for channel in 0..<2 { samples[channel] += more[channel] }
    }
    let expected = try unit.render(slices * slice, slice: slice) { test.reference(unit, $0) }
    #expect(samples == expected)
  }

  @Test("values stay when a node is connected elsewhere, detached and attached", arguments: cases)
  func reconnected(_ test: Case) throws {
    let offline = try Offline()
    let engine = offline.engine
    let node = test.node()
    test.change(node, 1)
    try offline.play(through: node)
    _ = try offline.render(1_000)
    let source = try #require(engine.inputConnectionPoint(for: node, inputBus: 0)?.node)
    engine.disconnectNodeOutput(node)
    engine.disconnectNodeInput(node)
    engine.detach(node)
    engine.attach(node)
    engine.connect(source, to: node, format: offline.format)
    engine.connect(node, to: engine.mainMixerNode, format: offline.format)
    _ = try offline.render(1_000)
    let values = try parameters(of: node).map { value($0, node.audioUnit) }
    let other = test.node()
    test.change(other, 1)
    #expect(values == (try parameters(of: other).map { value($0, other.audioUnit) }))
  }

  private func parameters(of node: AVAudioUnit) throws -> [AudioUnitParameterID] {
    var size: UInt32 = 0
    let (id, scope) = (kAudioUnitProperty_ParameterList, kAudioUnitScope_Global)
    try #require(
      AudioUnitGetPropertyInfo(node.audioUnit, id, scope, 0, &size, nil) == noErr)
    var ids = [AudioUnitParameterID](repeating: 0, count: Int(size) / 4)
    try #require(AudioUnitGetProperty(node.audioUnit, id, scope, 0, &ids, &size) == noErr)
    return ids
  }

  private func value(_ id: AudioUnitParameterID, _ unit: AudioUnit) -> Float {
    var value: Float = .nan
    AudioUnitGetParameter(unit, id, kAudioUnitScope_Global, 0, &value)
    return value
  }

  @Test("a bypassed node passes its input", arguments: cases)
  func bypassed(_ test: Case) throws {
    let offline = try Offline()
    let node = test.node()
    test.change(node, 0)
    let effect = node as? AVAudioUnitEffect
    let timeEffect = node as? AVAudioUnitTimeEffect
    #expect(effect?.bypass ?? timeEffect?.bypass == false)
    effect?.bypass = true
    timeEffect?.bypass = true
    #expect(effect?.bypass ?? timeEffect?.bypass == true)
    try offline.play(through: node)
    let samples = try offline.render(20_000)[0]
    // A time effect keeps its latency.
    let delay = try #require(samples.firstIndex { $0 != 0 }) - 1
    #expect(Array(samples[delay...]) == Counter.samples(20_000 - delay))
  }
}
