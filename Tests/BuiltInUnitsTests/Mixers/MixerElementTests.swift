// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Buses of mixers")
struct MixerElementTests {
  /// The results of setting the number of buses of a scope.
  private func statuses(_ unit: HostedUnit, _ scope: AudioUnitScope, _ counts: [UInt32])
    -> [OSStatus]
  { counts.map { unit.setting(kAudioUnitProperty_ElementCount, to: $0, scope) } }

  private let answers = [
    kAudioUnitErr_InvalidPropertyValue, noErr, kAudioUnitErr_InvalidPropertyValue, noErr,
  ]

  @Test(
    "are 8 inputs by default, and 1 to 1,024; the last one sounds like the first",
    arguments: [
      kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer,
      kAudioUnitSubType_MatrixMixer, kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer,
    ])
  func inputs(subType: OSType) throws {
    let unit = try HostedUnit(subType, type: kAudioUnitType_Mixer)
    let scope = kAudioUnitScope_Input
    #expect(try unit.get(kAudioUnitProperty_ElementCount, as: UInt32(0), scope) == 8)
    #expect(statuses(unit, scope, [0, 1, 1_025, 1_024]) == answers)
    let mixer = try MixerHost(subType, inputs: 1_024)
    for bus in [0, 511, 1_023] { try mixer.feed(bus) { channel, _ in channel == 0 ? 0.25 : 0 } }
    if subType == kAudioUnitSubType_MatrixMixer {
      let volume = AudioUnitParameterID(kMatrixMixerParam_Volume)
      try mixer.set(volume, 1, kAudioUnitScope_Output, 0)
      for channel in [0, 1_022, 2_046] as [UInt32] {
        try mixer.set(volume, 1, scope, channel)
        try mixer.set(volume, 1, kAudioUnitScope_Global, channel << 16)
      }
    }
    try mixer.initialize()
    let rendered = try mixer.render(1_000)
    #expect(rendered[0].samples[500...].allSatisfy { $0 == 0.75 })
    #expect(rendered[1].samples.allSatisfy { $0 == 0 })
    #expect(statuses(mixer.unit, scope, [3]) == [kAudioUnitErr_Initialized])
  }

  @Test("need at most 4 GiB together; a refusal reports the required memory")
  func memory() throws {
    let unit = try MixerHost(inputs: 1_024).unit
    try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(1_048_576))
    #expect(AudioUnitInitialize(unit.handle) == kAudio_MemFullError)
    let text = AUDiagnosticsCopyLastExplanation()?.takeRetainedValue().description ?? ""
    #expect(text.contains("8.0 GiB") && text.contains("at most 4.0 GiB"), "\(text)")
    #expect(try unit.get(kAudioUnitProperty_Latency, as: 1.0) == 0)
    try unit.set(kAudioUnitProperty_MaximumFramesPerSlice, to: UInt32(512))
    try unit.initialize()
  }

  @Test("are exactly one output, except in the matrix mixer: 1 to 1,024")
  func outputs() throws {
    for subType in [
      kAudioUnitSubType_MultiChannelMixer, kAudioUnitSubType_StereoMixer,
      kAudioUnitSubType_3DMixer, kAudioUnitSubType_SpatialMixer,
    ] {
      let unit = try HostedUnit(subType, type: kAudioUnitType_Mixer)
      #expect(
        statuses(unit, kAudioUnitScope_Output, [2]) == [kAudioUnitErr_PropertyNotWritable])
    }
    let mixer = try MixerHost(kAudioUnitSubType_MatrixMixer, inputs: 1)
    #expect(statuses(mixer.unit, kAudioUnitScope_Output, [0, 1, 1_025, 1_024]) == answers)
    for bus in 0..<1_024 as Range<UInt32> {
      try mixer.unit.setFormat(.linear(48_000), kAudioUnitScope_Output, bus)
    }
    try mixer.feed(0) { channel, _ in channel == 0 ? 0.25 : 0.5 }
    let volume = AudioUnitParameterID(kMatrixMixerParam_Volume)
    try mixer.set(volume, 1, kAudioUnitScope_Input, 1)
    try mixer.set(volume, 1, kAudioUnitScope_Output, 2_046)
    try mixer.set(volume, 1, kAudioUnitScope_Global, 1 << 16 | 2_046)
    try mixer.initialize()
    let last = try mixer.render(64, bus: 1_023)
    #expect(last[0].samples == Array(repeating: 0.5, count: 64))
    #expect(last[1].samples == Array(repeating: 0, count: 64))
  }

  @Test("are up to 1,024 outputs of a multisplitter; the last one is like the first")
  func splitter() throws {
    let splitter = try MixerHost(kAudioUnitSubType_MultiSplitter)
    let unit = splitter.unit
    #expect(
      try unit.get(kAudioUnitProperty_ElementCount, as: UInt32(0), kAudioUnitScope_Output) == 2)
    #expect(statuses(unit, kAudioUnitScope_Output, [0, 1, 1_025, 1_024]) == answers)
    #expect(statuses(unit, kAudioUnitScope_Input, [2]) == [kAudioUnitErr_PropertyNotWritable])
    for bus in 0..<1_024 as Range<UInt32> {
      try unit.setFormat(.linear(48_000), kAudioUnitScope_Output, bus)
    }
    let source = try splitter.feed(0) { channel, frame in Float(frame) + 0.25 * Float(channel) }
    try splitter.initialize()
    let rendered = try splitter.render(64, bus: 1_023)
    for channel in 0..<2 {
      let expected = (0..<64).map { Double($0) + 0.25 * Double(channel) }
      #expect(rendered[channel].samples == expected)
    }
    #expect(source.frames == 64)
  }
}
