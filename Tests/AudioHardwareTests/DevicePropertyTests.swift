// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

// Properties of devices other than names and rates.
extension AudioHardwareTests {
  private static let output = kAudioObjectPropertyScopeOutput

  @Test("objects have a class and an owner, and are owned by that owner")
  func ownership() throws {
    try withDevice { device in
      func kind(of object: AudioObject) throws -> AudioClassID {
        try object.value(kAudioObjectPropertyClass, of: AudioClassID(0))
      }
      func owner(_ object: AudioObject) throws -> AudioObjectID {
        try object.value(kAudioObjectPropertyOwner, of: AudioObjectID(9))
      }
      let parts = try device.list(kAudioObjectPropertyOwnedObjects, of: AudioObjectID(0))
        .map(AudioObject.init)
      let owned = try AudioObject.system.list(
        kAudioObjectPropertyOwnedObjects, of: AudioObjectID(0))
      #expect(try kind(of: .system) == kAudioSystemObjectClassID)
      #expect(try kind(of: device) == kAudioDeviceClassID)
      #expect(try owner(device) == AudioObjectID(kAudioObjectSystemObject))
      #expect(owned.contains(device.id))
      // The others are controls.
      #expect(try parts.filter { try kind(of: $0) == kAudioStreamClassID }.count == 2)
      #expect(parts.count > 2)
      for part in parts { #expect(try owner(part) == device.id) }
    }
  }

  @Test("channels have names and labels, and a missing channel has none")
  func channels() throws {
    try withDevice { device in
      let layout = try device.list(
        kAudioDevicePropertyPreferredChannelLayout, of: UInt32(0), Self.output)
      // Tag, bitmap, count; then five words for each channel, the label first.
      #expect(layout.count == 3 + 2 * 5)
      #expect(layout[0] == kAudioChannelLayoutTag_UseChannelDescriptions && layout[2] == 2)
      #expect(layout[3] == kAudioChannelLabel_Left && layout[8] == kAudioChannelLabel_Right)
      var address = device.address(kAudioObjectPropertyElementName, Self.output)
      for (element, isThere) in [(1, true), (2, true), (3, false)] {
        address.mElement = UInt32(element)
        #expect(AudioObjectHasProperty(device.id, &address) == isThere)
      }
    }
  }

  @Test("the latency of an idle device is one cycle, and its buffer size follows its cycle size")
  func cycles() throws {
    try withDevice(frames: 256) { device in
      func number(_ selector: AudioObjectPropertySelector) throws -> UInt32 {
        try device.value(selector, of: UInt32(99), Self.output)
      }
      let (latency, offset) = (
        try number(kAudioDevicePropertyLatency), try number(kAudioDevicePropertySafetyOffset)
      )
      #expect(latency == 256 && offset == 0)
      let bytes = try number(kAudioDevicePropertyBufferSize)
      #expect(bytes == 256 * 2 * 4)
      #expect(device.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(128)) == noErr)
      let fewer = try number(kAudioDevicePropertyBufferSize)
      #expect(fewer == 128 * 2 * 4)
    }
  }

  @Test("the volume of a device scales the sound of this process, and mute silences it")
  func volume() throws {
    let tape = Tape()
    try withDevice(tape) { device in
      func set<Value: BitwiseCopyable>(_ selector: AudioObjectPropertySelector, _ value: Value)
        -> OSStatus
      {
        var (address, value) = (device.address(selector, Self.output), value)
        return AudioObjectSetPropertyData(
          device.id, &address, 0, nil, UInt32(MemoryLayout<Value>.size), &value)
      }
      #expect(
        set(kAudioDevicePropertyVolumeScalar, Float(2)) == kAudioHardwareIllegalOperationError)
      #expect(set(kAudioDevicePropertyVolumeScalar, Float(0.5)) == noErr)
      let decibels = try device.value(kAudioDevicePropertyVolumeDecibels, of: Float(0), Self.output)
      #expect(abs(decibels + 6.02) < 0.01)
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      let callback = HostCallback { moment in
        moment.fill { _, _ in 0.5 }
        return noErr
      }
      try unit.setFormat(.linear(48_000), kAudioUnitScope_Input, 0)
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9)) == 1)
      #expect(wait { callback.frames >= 4_096 })
      #expect(set(kAudioDevicePropertyMute, UInt32(1)) == noErr)
      let count = callback.frames
      #expect(wait { callback.frames >= count + 4_096 })
      try unit.stop()
      #expect(try device.value(kAudioDevicePropertyDeviceIsRunning, of: UInt32(9)) == 0)
      try unit.dispose()
    }
    let samples = try tape.samples()[0]
    #expect(samples.prefix(1_000).allSatisfy { $0 == 0.25 })
    #expect(samples.suffix(1_000).allSatisfy { $0 == 0 })
    // The fade is as long as a slice.
    let steps = zip(samples, samples.dropFirst()).map { abs($1 - $0) }
    #expect(steps.max() ?? 1 < 0.25 / 400)
  }

  @Test("the run loop of listeners is NULL, and another is refused")
  func runLoop() throws {
    let system = AudioObject.system
    #expect(try system.value(kAudioHardwarePropertyRunLoop, of: UInt(9)) == 0)
    #expect(system.setting(kAudioHardwarePropertyRunLoop, to: UInt(0)) == noErr)
    #expect(
      system.setting(kAudioHardwarePropertyRunLoop, to: UInt(16))
        == kAudioHardwareIllegalOperationError)
  }

  @Test("the deprecated functions return the same values")
  func deprecated() throws {
    try withDevice { device in
      var (size, isWritable) = (UInt32(0), false)
      #expect(
        AudioDeviceGetPropertyInfo(
          device.id, 0, false, kAudioDevicePropertyBufferFrameSize, &size, &isWritable) == noErr)
      #expect(size == 4 && isWritable)
      var frames = UInt32(0)
      #expect(
        AudioDeviceGetProperty(
          device.id, 0, false, kAudioDevicePropertyBufferFrameSize, &size, &frames) == noErr)
      #expect(frames == 512)
      var found = AudioDeviceID(0)
      size = 4
      #expect(
        AudioHardwareGetProperty(kAudioHardwarePropertyDefaultOutputDevice, &size, &found) == noErr)
      #expect(found == device.id)
      frames = 1_024
      #expect(
        AudioDeviceSetProperty(
          device.id, nil, 0, false, kAudioDevicePropertyBufferFrameSize, 4, &frames) == noErr)
      let now = try device.value(kAudioDevicePropertyBufferFrameSize, of: UInt32(0))
      #expect(now == 1_024)
    }
  }
}
