// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import AudioTestSupport
import AudioUnitObjects
import Foundation
import Testing

@Suite("A C unit as an object")
struct BridgeTests {
  private func delay() async throws -> AUAudioUnitV2Bridge {
    let unit = try await AUAudioUnit.instantiate(with: .apple(kAudioUnitSubType_SampleDelay))
    let bridge = try #require(unit as? AUAudioUnitV2Bridge)
    let mono = try #require(AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
    try bridge.inputBusses[0].setFormat(mono)
    try bridge.outputBusses[0].setFormat(mono)
    return bridge
  }

  @Test("an object of the base class stands for the C unit too")
  func baseClass() throws {
    let unit = try AUAudioUnit(componentDescription: .apple(kAudioUnitSubType_Delay))
    try unit.allocateRenderResources()
    #expect(try unit.render(64, input: 0.5).allSatisfy { $0.isFinite })
    #expect(unit.audioUnitName == "AUDelay")
  }

  @Test("renders its input, in the order of its life")
  func render() async throws {
    let unit = try await delay()
    #expect(status { _ = try unit.render(16, channels: 1) } == kAudioUnitErr_Uninitialized)
    try unit.allocateRenderResources()
    AudioUnitSetParameter(unit.audioUnit, 0, 0, 0, 10, 0)
    unit.reset()
    let samples = try unit.render(64, channels: 1)
    #expect(samples.firstIndex { $0 != 0 } == 10)
    #expect(
      status { _ = try unit.render(513, channels: 1) } == kAudioUnitErr_TooManyFramesToProcess)
    unit.deallocateRenderResources()
    #expect(status { _ = try unit.render(16, channels: 1) } == kAudioUnitErr_Uninitialized)
  }

  @Test("applies scheduled parameters at their frames", arguments: [0, 7, 100] as [Int64])
  func events(frame: Int64) async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    try unit.inputBusses.setBusCount(1)
    try unit.allocateRenderResources()
    _ = try unit.render(128)
    // The volume of input 0.
    let address = AUParameterAddress(kAudioUnitScope_Input) << 56
    unit.scheduleParameterBlock(1_000 + frame, 0, address, 0.25)
    let samples = try unit.render(256, at: 1_000)
    #expect(frame == 0 || abs(samples[Int(frame) - 1] - 1) < 1e-5)
    #expect(samples[Int(frame)] < 1 || frame == 0 || samples[Int(frame) + 1] < 1)
    #expect(abs(samples[255] - 0.25) < 1e-4)
  }

  @Test("ramps a parameter over its frames")
  func ramp() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MultiChannelMixer, type: kAudioUnitType_Mixer))
    try unit.inputBusses.setBusCount(1)
    try unit.allocateRenderResources()
    _ = try unit.render(128)
    let address = AUParameterAddress(kAudioUnitScope_Input) << 56
    unit.scheduleParameterBlock(AUEventSampleTimeImmediate + 50, 100, address, 0)
    let samples = try unit.render(256, at: 128)
    #expect(abs(samples[49] - 1) < 1e-5)
    #expect(abs(samples[100] - 0.5) < 0.02)
    #expect(abs(samples[155]) < 1e-5)
  }

  @Test("calls observers around renders of any host")
  func observers() async throws {
    let unit = try await delay()
    try unit.allocateRenderResources()
    let record = ObserverRecord()
    let token = unit.token(byAddingRenderObserver: { flags, _, _, _ in
      record.flags.append(flags.rawValue)
    })
    _ = try unit.render(16, channels: 1)
    #expect(record.flags == [4, 8])
    unit.removeRenderObserver(token)
    _ = try unit.render(16, at: 16, channels: 1)
    #expect(record.flags.count == 2)
  }

  @Test("plays notes that are scheduled")
  func midi() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_MIDISynth, type: kAudioUnitType_MusicDevice))
    #expect(unit.isMusicDeviceOrEffect)
    #expect(unit.virtualMIDICableCount == 1)
    #expect(unit.scheduleMIDIEventBlock != nil)
  }

  @Test("an output unit knows its sides")
  func output() async throws {
    let unit = try await AUAudioUnit.instantiate(
      with: .apple(kAudioUnitSubType_RemoteIO, type: kAudioUnitType_Output))
    #expect(unit.canPerformOutput)
    #expect(unit.isOutputEnabled)
    #expect(!unit.isInputEnabled)
    #expect(!unit.isRunning)
    #expect(status { try unit.startHardware() } == kAudioUnitErr_Uninitialized)
    let effect = try await delay()
    #expect(!effect.canPerformOutput)
    #expect(status { try effect.startHardware() } == kAudio_UnimplementedError)
    #expect(status { try effect.setDeviceID(1) } == kAudio_UnimplementedError)
  }

  @Test("a node of an engine has its unit as an object, or its subclass")
  func node() async throws {
    let node = AVAudioUnitDelay()
    let bridge = try #require(node.auAudioUnit as? AUAudioUnitV2Bridge)
    #expect(bridge.audioUnit == node.audioUnit)
    #expect(node.auAudioUnit === bridge)
    AUAudioUnit.registerSubclass(
      GainUnit.self, as: .test("brg1"), name: "Tests: Gain", version: 1)
    let own = try await AVAudioUnit.instantiate(with: .test("brg1"))
    let object = try #require(own.auAudioUnit as? GainUnit)
    object.parameterTree?.parameter(withAddress: GainUnit.gain)?.value = 2
    var value: Float = 0
    AudioUnitGetParameter(own.audioUnit, 3, 0, 0, &value)
    #expect(value == 2)
  }
}
