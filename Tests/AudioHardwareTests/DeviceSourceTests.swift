// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

// Data and clock sources, object classes without objects, and the main volume.
extension AudioHardwareTests {
  private static let output = kAudioObjectPropertyScopeOutput

  @Test(
    "an endpoint has one data source and a device one clock, with a name; no other can be selected",
    arguments: [
      (
        kAudioDevicePropertyDataSource, kAudioDevicePropertyDataSources,
        kAudioDevicePropertyDataSourceNameForIDCFString
      ),
      (
        kAudioDevicePropertyClockSource, kAudioDevicePropertyClockSources,
        kAudioDevicePropertyClockSourceNameForIDCFString
      ),
    ])
  func sources(
    current: AudioObjectPropertySelector, list: AudioObjectPropertySelector,
    name: AudioObjectPropertySelector
  ) throws {
    try withDevice { device in
      let source = try device.value(current, of: UInt32(0), Self.output)
      #expect(try device.list(list, of: UInt32(0), Self.output) == [source])
      for (id, status) in [(source, noErr), (source + 1, kAudioHardwareIllegalOperationError)] {
        var (id, text) = (id, Unmanaged<CFString>?.none)
        var address = device.address(name, Self.output)
        let result = withUnsafeMutablePointer(to: &id) { id in
          withUnsafeMutablePointer(to: &text) { text in
            var translation = AudioValueTranslation(
              mInputData: id, mInputDataSize: 4, mOutputData: text, mOutputDataSize: 8)
            var size = UInt32(MemoryLayout.size(ofValue: translation))
            return AudioObjectGetPropertyData(device.id, &address, 0, nil, &size, &translation)
          }
        }
        #expect(result == status)
        #expect((text?.takeRetainedValue() as? String)?.isEmpty == (status == noErr ? false : nil))
        address.mSelector = current
        #expect(AudioObjectSetPropertyData(device.id, &address, 0, nil, 4, &id) == status)
      }
    }
  }

  @Test(
    "there are no boxes, clock devices, transport managers and play-through volumes")
  func otherKinds() throws {
    for selector in [
      kAudioHardwarePropertyBoxList, kAudioHardwarePropertyClockDeviceList,
      kAudioHardwarePropertyTransportManagerList,
    ] {
      #expect(try AudioObject.system.list(selector, of: AudioObjectID(0)).isEmpty)
    }
    for selector in [
      kAudioHardwarePropertyTranslateUIDToBox, kAudioHardwarePropertyTranslateUIDToClockDevice,
      kAudioHardwarePropertyTranslateBundleIDToPlugIn,
    ] {
      #expect(try AudioObject.system.value(selector, of: AudioObjectID(9)) == kAudioObjectUnknown)
    }
    try withDevice { device in
      var address = device.address(
        kAudioDevicePropertyVolumeScalar, kAudioObjectPropertyScopePlayThrough)
      #expect(!AudioObjectHasProperty(device.id, &address))
    }
  }

  /// Counts the calls of an older kind of listener.
  private final class OlderListener: Sendable {
    let callCount = Atomic(0)

    static let function: AudioDevicePropertyListenerProc = { _, channel, isInput, property, data in
      guard channel == 0, !isInput, property == kAudioDevicePropertyMute, let data else { return 1 }
      Unmanaged<OlderListener>.fromOpaque(data).takeUnretainedValue()
        .callCount.wrappingAdd(1, ordering: .acquiringAndReleasing)
      return noErr
    }
  }

  @Test("a listener of the older kind is called with channel and direction, until it is removed")
  func olderListener() throws {
    try withDevice { device in
      let listener = OlderListener()
      func set(muted: UInt32) throws {
        var muted = muted
        try check(
          AudioDeviceSetProperty(
            device.id, nil, 0, false, kAudioDevicePropertyMute, 4, &muted))
      }
      try check(
        AudioDeviceAddPropertyListener(
          device.id, 0, false, kAudioDevicePropertyMute, OlderListener.function,
          Unmanaged.passUnretained(listener).toOpaque()))
      try set(muted: 1)
      #expect(wait { listener.callCount.load(ordering: .acquiring) > 0 })
      try check(
        AudioDeviceRemovePropertyListener(
          device.id, 0, false, kAudioDevicePropertyMute, OlderListener.function))
      #expect(
        AudioDeviceRemovePropertyListener(
          device.id, 0, false, kAudioDevicePropertyMute, OlderListener.function)
          == kAudio_ParamError)
      let count = listener.callCount.load(ordering: .acquiring)
      try set(muted: 0)
      #expect(listener.callCount.load(ordering: .acquiring) == count)
    }
  }

  @Test("the volume of a device as a whole is the volume of its output")
  func mainVolume() throws {
    try withDevice { device in
      var address = device.address(
        kAudioHardwareServiceDeviceProperty_VirtualMainVolume, Self.output)
      #expect(AudioHardwareServiceHasProperty(device.id, &address))
      var (volume, size) = (Float32(0.25), UInt32(4))
      try check(
        AudioHardwareServiceSetPropertyData(device.id, &address, 0, nil, size, &volume))
      #expect(
        try device.value(kAudioDevicePropertyVolumeScalar, of: Float32(9), Self.output) == 0.25)
      volume = 0
      try check(
        AudioHardwareServiceGetPropertyData(device.id, &address, 0, nil, &size, &volume))
      #expect(volume == 0.25)
    }
  }
}
