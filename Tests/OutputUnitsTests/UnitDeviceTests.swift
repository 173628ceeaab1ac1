// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Testing

@Suite("Output units have the properties of their device")
struct UnitDeviceTests {
  private static let (global, input, output) = (
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output
  )

  @Test("with the same values, sizes and writability", arguments: deviceUnits)
  func answers(subType: OSType) throws {
    try onDevice(frames: 256) {
      let unit = try HostedUnit(subType)
      let device = AudioObject(
        id: try unit.get(kAudioOutputUnitProperty_CurrentDevice, as: AudioDeviceID(0)))
      for (selector, isSettable) in [
        (kAudioDevicePropertyBufferFrameSize, true), (kAudioDevicePropertyBufferSize, true),
        (kAudioDevicePropertyBufferFrameSizeRange, false), (kAudioDevicePropertyLatency, false),
        (kAudioDevicePropertySafetyOffset, false), (kAudioDevicePropertyVolumeScalar, true),
        (kAudioDevicePropertyMute, true), (kAudioDevicePropertyDeviceIsRunning, false),
        (kAudioDevicePropertyPreferredChannelLayout, false),
        (kAudioDevicePropertyNominalSampleRate, true),
        (kAudioDevicePropertyAvailableNominalSampleRates, false),
        (kAudioDevicePropertyStreamConfiguration, false),
      ] {
        var (size, isWritable) = (UInt32(0), DarwinBoolean(!isSettable))
        try check(
          AudioUnitGetPropertyInfo(unit.handle, selector, Self.output, 0, &size, &isWritable))
        let own = try unit.getArray(selector, of: UInt8(0), Self.output, 0)
        let devices = try device.list(selector, of: UInt8(0), kAudioObjectPropertyScopeOutput)
        #expect(own == devices, "property \(selector)")
        #expect(Int(size) == devices.count && isWritable.boolValue == isSettable)
      }
      for selector in [kAudioObjectPropertyName, kAudioDevicePropertyDeviceUID] {
        var text: Unmanaged<CFString>?
        var size = UInt32(MemoryLayout.size(ofValue: text))
        try check(
          AudioUnitGetProperty(unit.handle, selector, Self.global, 0, &text, &size))
        let own = String(describing: try #require(text).takeRetainedValue())
        #expect(try own == device.text(selector))
      }
    }
  }

  @Test(
    "a cycle size can be set in any scope and at both elements, and applies from the next start",
    arguments: [global, input, output], [0, 1] as [AudioUnitElement])
  func cycleSize(scope: AudioUnitScope, element: AudioUnitElement) throws {
    let tape = Tape()
    try onDevice(tape) {
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      let property = kAudioDevicePropertyBufferFrameSize
      try unit.set(property, to: UInt32(192), scope, element)
      #expect(try unit.get(property, as: UInt32(0), scope, element) == 192)
      let callback = HostCallback()
      try unit.setFormat(.linear(48_000))
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 1_000 })
      try unit.stop()
      #expect(callback.calls.allSatisfy { $0.frames == 192 })
      #expect(
        unit.setting(property, to: UInt32(0), scope, element)
          == kAudioHardwareIllegalOperationError)
      #expect(unit.setting(property, to: UInt32(1), 3, 0) == kAudioUnitErr_InvalidScope)
    }
  }

  @Test("the volume that is set through a unit scales its sound")
  func volume() throws {
    let tape = Tape()
    try onDevice(tape, rate: 44_100) {
      let unit = try HostedUnit(kAudioUnitSubType_DefaultOutput)
      try unit.set(kAudioDevicePropertyVolumeScalar, to: Float32(0.25))
      #expect(
        unit.setting(kAudioDevicePropertyVolumeScalar, to: Float32(0.5), Self.input, 1)
          == kAudioHardwareUnknownPropertyError)
      try play([[Float](repeating: 0.5, count: 4_000)], on: unit)
    }
    #expect(try tape.samples()[0].prefix(3_000).suffix(500).allSatisfy { $0 == 0.125 })
  }

  @Test("listeners of a unit are called when a property of its device changes, until removed")
  func listeners() throws {
    try onDevice(Tape()) {
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      try unit.setCallback(HostCallback())
      try unit.initialize()
      try unit.start()
      let properties = [
        kAudioDevicePropertyBufferFrameSize, kAudioDevicePropertyVolumeScalar,
        kAudioDevicePropertyMute,
      ]
      let counters = try properties.map { try PropertyChangeCounter(unit, $0) }
      #expect(counters.allSatisfy { $0.count == 0 })
      try unit.set(properties[0], to: UInt32(320))
      #expect(wait { counters[0].count == 1 })
      try unit.set(properties[1], to: Float32(0.5))
      #expect(wait { counters[1].count == 1 })
      try unit.set(properties[2], to: UInt32(1))
      #expect(wait { counters[2].count == 1 })
      #expect(counters[0].count == 1)
      // A change by the unit itself is reported too.
      let running = try PropertyChangeCounter(unit, kAudioDevicePropertyDeviceIsRunning)
      try unit.stop()
      #expect(wait { running.count == 1 })
      for (id, counter) in zip(properties, counters) {
        try check(
          AudioUnitRemovePropertyListenerWithUserData(
            unit.handle, id, PropertyChangeCounter.function,
            Unmanaged.passUnretained(counter).toOpaque()))
      }
    }
  }

  @Test("properties that devices do not have are unknown to units too")
  func unknown() throws {
    try onDevice {
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      #expect(
        unit.setting(kAudioHardwarePropertyDevices, to: UInt32(0))
          == kAudioUnitErr_InvalidProperty)
      #expect(
        unit.setting(kAudioDevicePropertyLatency, to: UInt32(0))
          == kAudioHardwareUnsupportedOperationError)
      let generic = try HostedUnit(kAudioUnitSubType_GenericOutput)
      #expect(
        generic.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(64))
          == kAudioUnitErr_InvalidProperty)
    }
  }
}
