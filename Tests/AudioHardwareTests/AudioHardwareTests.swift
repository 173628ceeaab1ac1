// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Synchronization
import Testing

@Suite("Audio objects")
struct AudioHardwareTests {
  /// A file device, which no other test uses.
  func withDevice(
    _ tape: Tape = Tape(), frames: Int = 512, channels: Int = 2,
    _ body: (AudioObject) throws -> Void
  ) throws {
    try onDevice(tape, frames: frames, channels: channels) {
      let devices = try AudioObject.system.list(
        kAudioHardwarePropertyDevices, of: AudioObjectID(0))
      let device = try #require(
        devices.map(AudioObject.init).first {
          try $0.text(kAudioDevicePropertyDeviceUID) == "file:\(tape.path)"
        })
      try body(device)
    }
  }

  @Test("the system lists devices and names the default ones")
  func system() throws {
    try withDevice { device in
      for selector in [
        kAudioHardwarePropertyDefaultOutputDevice, kAudioHardwarePropertyDefaultSystemOutputDevice,
        kAudioHardwarePropertyDefaultInputDevice,
      ] {
        #expect(try AudioObject.system.value(selector, of: AudioObjectID(0)) == device.id)
      }
      let unit = try HostedUnit(kAudioUnitSubType_HALOutput)
      #expect(
        try unit.get(kAudioOutputUnitProperty_CurrentDevice, as: AudioDeviceID(0)) == device.id)
    }
  }

  @Test("a device has its name, channels, rates and cycle sizes")
  func device() throws {
    try withDevice(frames: 256, channels: 3) { device in
      #expect(try !device.text(kAudioObjectPropertyName).isEmpty)
      #expect(try device.text(kAudioObjectPropertyManufacturer) == "file")
      #expect(try device.value(kAudioDevicePropertyNominalSampleRate, of: 0.0) == 48_000)
      let rates = try device.value(
        kAudioDevicePropertyAvailableNominalSampleRates, of: AudioValueRange())
      #expect(rates.mMinimum <= 44_100 && rates.mMaximum >= 96_000)
      #expect(try device.value(kAudioDevicePropertyBufferFrameSize, of: UInt32(0)) == 256)
      #expect(try device.channelCount(kAudioObjectPropertyScopeOutput) == 3)
      // Without a file to play, its input is silent.
      #expect(try device.channelCount(kAudioObjectPropertyScopeInput) == 3)
      #expect(try device.channelCount(kAudioObjectPropertyScopeGlobal) == 0)
      let name = try device.list(kAudioDevicePropertyDeviceName, of: CChar(0))
      let text = String(decoding: name.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
      #expect(try text == device.text(kAudioObjectPropertyName))
      #expect(name.last == 0)
      let streams = try device.list(
        kAudioDevicePropertyStreams, of: AudioStreamID(0), kAudioObjectPropertyScopeOutput)
      #expect(streams.count == 1)
      let stream = AudioObject(id: try #require(streams.first))
      #expect(try stream.value(kAudioStreamPropertyDirection, of: UInt32(9)) == 0)
      let format = try stream.value(
        kAudioStreamPropertyVirtualFormat, of: AudioStreamBasicDescription())
      #expect(format.mChannelsPerFrame == 3 && format.mSampleRate == 48_000)
    }
  }

  @Test("a UID is translated to its device, and an unknown one to none")
  func translation() throws {
    try withDevice { device in
      func number(_ uid: String) throws -> AudioObjectID {
        var address = AudioObject.system.address(kAudioHardwarePropertyTranslateUIDToDevice)
        var text: Unmanaged<CFString>? = Unmanaged.passRetained(uid as CFString)
        defer { text?.release() }
        var found = AudioObjectID(99)
        var size = UInt32(MemoryLayout.size(ofValue: found))
        try check(
          AudioObjectGetPropertyData(
            AudioObject.system.id, &address, UInt32(MemoryLayout.size(ofValue: text)), &text,
            &size, &found))
        return found
      }
      let own = try number(device.text(kAudioDevicePropertyDeviceUID))
      let unknown = try number("pulse:theremin")
      #expect(own == device.id)
      #expect(unknown == kAudioObjectUnknown)
    }
  }

  @Test("a requested cycle size and rate apply from the next start on")
  func requests() throws {
    try withDevice { device in
      #expect(device.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(192)) == noErr)
      #expect(device.setting(kAudioDevicePropertyNominalSampleRate, to: 32_000.0) == noErr)
      #expect(try device.value(kAudioDevicePropertyBufferFrameSize, of: UInt32(0)) == 192)
      let callback = HostCallback()
      let unit = try HostedUnit()
      try unit.setFormat(.linear(32_000))
      try unit.setCallback(callback)
      try unit.initialize()
      try unit.start()
      #expect(wait { callback.frames > 1_000 })
      try unit.stop()
      #expect(callback.calls.allSatisfy { $0.frames == 192 })
      #expect(try unit.get(kAudioDevicePropertyBufferFrameSize, as: UInt32(0)) == 192)
      #expect(try unit.format(kAudioUnitScope_Output).mSampleRate == 32_000)
    }
  }

  /// A listener that does not return until it is released.
  private final class SlowListener: Sendable {
    let hasBegun = Atomic(false)
    let mayEnd = Atomic(false)

    static let function: AudioObjectPropertyListenerProc = { _, _, _, context in
      guard let context else { return noErr }
      let me = Unmanaged<SlowListener>.fromOpaque(context).takeUnretainedValue()
      me.hasBegun.store(true, ordering: .releasing)
      _ = wait { me.mayEnd.load(ordering: .acquiring) }
      return noErr
    }
  }

  @Test("a slow listener does not delay a unit that its own callback stops")
  func slowListener() throws {
    try withDevice { device in
      let listener = SlowListener()
      let context = Unmanaged.passUnretained(listener).toOpaque()
      var address = device.address(kAudioDevicePropertyBufferFrameSize)
      try check(
        AudioObjectAddPropertyListener(device.id, &address, SlowListener.function, context))
      #expect(device.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(192)) == noErr)
      #expect(wait { listener.hasBegun.load(ordering: .acquiring) })

      let (unit, box) = (try HostedUnit(), UnitBox())
      box.set(unit.handle)
      let changes = try PropertyChangeCounter(unit, kAudioOutputUnitProperty_IsRunning)
      try unit.setCallback(HostCallback { _ in AudioOutputUnitStop(box.handle) })
      try unit.initialize()
      try unit.start()
      // The listener is called for the start and for the stop.
      #expect(wait { changes.count >= 2 })
      #expect(try !unit.isRunning)

      listener.mayEnd.store(true, ordering: .releasing)
      try check(
        AudioObjectRemovePropertyListener(device.id, &address, SlowListener.function, context))
    }
  }

  @Test("wrong calls return the documented errors, and change nothing")
  func errors() throws {
    try withDevice { device in
      var size: UInt32 = 4
      var value: UInt32 = 7
      var address = device.address(kAudioHardwarePropertyDevices)
      #expect(
        AudioObjectGetPropertyData(device.id, &address, 0, nil, &size, &value)
          == kAudioHardwareUnknownPropertyError)
      #expect(!AudioObjectHasProperty(device.id, &address))
      #expect(
        AudioObjectGetPropertyData(12_345, &address, 0, nil, &size, &value)
          == kAudioHardwareBadObjectError)
      address = device.address(kAudioDevicePropertyNominalSampleRate)
      #expect(
        AudioObjectGetPropertyData(device.id, &address, 0, nil, &size, &value)
          == kAudioHardwareBadPropertySizeError)
      #expect(
        device.setting(kAudioDevicePropertyNominalSampleRate, to: UInt32(48_000))
          == kAudioHardwareBadPropertySizeError)
      #expect(
        device.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(0))
          == kAudioHardwareIllegalOperationError)
      #expect(
        device.setting(kAudioDevicePropertyDeviceUID, to: UInt(0))
          == kAudioHardwareUnsupportedOperationError)
      #expect(
        AudioObject.system.setting(
          kAudioHardwarePropertyDefaultOutputDevice, to: AudioObjectID(123_456)) != noErr)
      var isSettable = true
      address = device.address(kAudioDevicePropertyDeviceUID)
      #expect(AudioObjectIsPropertySettable(device.id, &address, &isSettable) == noErr)
      #expect(!isSettable)
      #expect(value == 7)
    }
  }
}
