// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import Foundation
import Testing

@Suite("Buses of a unit")
struct BusTests {
  private func format(_ channels: UInt32, _ rate: Double = 48_000) throws -> AVAudioFormat {
    try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
  }

  @Test("know their place, their side and their unit")
  func places() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("bus1")
    #expect(unit.inputBusses.count == 1)
    #expect(unit.inputBusses[0].busType == .input)
    #expect(unit.outputBusses[0].busType == .output)
    #expect(unit.inputBusses[0].ownerAudioUnit === unit)
    #expect(unit.outputBusses.map(\.index) == [0])
    #expect(unit.inputBusses[0].name == "In")
    #expect(!unit.inputBusses.isCountChangeable)
    #expect(
      status { try unit.inputBusses.setBusCount(2) } == kAudioUnitErr_PropertyNotWritable)
  }

  @Test("a format is refused by the counts of channels, by the unit, and while it is fixed")
  func formats() async throws {
    let unit: GainUnit = try await AUAudioUnit.registered("bus2")
    let bus = unit.outputBusses[0]
    bus.supportedChannelCounts = [1, 2]
    bus.maximumChannelCount = 2
    let quad = AVAudioFormat(
      standardFormatWithSampleRate: 48_000,
      channelLayout: try #require(
        AVAudioChannelLayout(layoutTag: kAudioChannelLayoutTag_Quadraphonic)))
    #expect(status { try bus.setFormat(quad) } == kAudioUnitErr_FormatNotSupported)
    unit.refusesFormats = true
    #expect(status { try bus.setFormat(format(1)) } == kAudioUnitErr_FormatNotSupported)
    #expect(bus.format.channelCount == 2)
    unit.refusesFormats = false
    try unit.allocateRenderResources()
    try bus.setFormat(format(2))
    #expect(status { try bus.setFormat(format(2, 44_100)) } == kAudioUnitErr_Initialized)
    unit.deallocateRenderResources()
    try bus.setFormat(format(2, 44_100))
    #expect(bus.format.sampleRate == 44_100)
  }

  @Test("those of a C unit have its formats and names")
  func bridged() async throws {
    let unit = try await AUAudioUnit.instantiate(with: .apple(kAudioUnitSubType_LowPassFilter))
    try unit.outputBusses[0].setFormat(format(1, 44_100))
    #expect(unit.outputBusses[0].format.channelCount == 1)
    unit.inputBusses[0].name = "Side"
    #expect(unit.inputBusses[0].name == "Side")
    #expect(status { try unit.allocateRenderResources() } == kAudioUnitErr_FormatNotSupported)
    try unit.inputBusses[0].setFormat(format(1, 44_100))
    try unit.allocateRenderResources()
    #expect(status { try unit.inputBusses[0].setFormat(format(2)) } != noErr)
  }

  @Test("a mixer's number of inputs can be changed")
  func count() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    #expect(unit.inputBusses.isCountChangeable)
    try unit.inputBusses.setBusCount(3)
    #expect(unit.inputBusses.count == 3)
    #expect(Array(unit.inputBusses).map(\.index) == [0, 1, 2])
    #expect(unit.inputBusses[2].ownerAudioUnit === unit)
  }
}

extension AudioComponentDescription {
  /// A built-in component.
  static func apple(_ subType: OSType, type: OSType = kAudioUnitType_Effect) -> Self {
    Self(
      componentType: type, componentSubType: subType,
      componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0, componentFlagsMask: 0)
  }
}
