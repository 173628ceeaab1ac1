// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Invalid calls of CoreAudio functions: each returns its error immediately.
@Suite("Bad calls to the functions of devices")
struct HardwareArgumentTests {
  private struct Row {
    let call: String
    let status: OSStatus
    let expected: Set<OSStatus>

    init(_ call: String, _ status: OSStatus, _ expected: OSStatus...) {
      (self.call, self.status, self.expected) = (call, status, Set(expected))
    }
  }

  /// A null pointer of any type, as a C program can pass it.
  private func null<Pointer>() -> Pointer { unsafeBitCast(UInt(0), to: Pointer.self) }

  private func expect(_ rows: [Row]) {
    for row in rows {
      #expect(row.expected.contains(row.status), "\(row.call): \(row.status)")
    }
  }

  /// The number of no object.
  private static let stale = AudioObjectID(54_321)
  private static let property: AudioObjectPropertyListenerProc = { _, _, _, _ in noErr }
  private static let system: AudioHardwarePropertyListenerProc = { _, _ in noErr }
  private static let device: AudioDevicePropertyListenerProc = { _, _, _, _, _ in noErr }
  private static let stream: AudioStreamPropertyListenerProc = { _, _, _, _ in noErr }
  private static let function: AudioDeviceIOProc = { _, _, _, _, _, _, _ in noErr }

  /// Runs `body` with its own device and the device's output stream.
  private func withDevice(_ body: (AudioObjectID, AudioStreamID) throws -> Void) throws {
    try onDevice(Tape(), clock: .paced) {
      let device = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      let stream = try AudioObject(id: device).value(
        kAudioDevicePropertyStreams, of: AudioStreamID(0), kAudioObjectPropertyScopeOutput)
      try body(device, stream)
    }
  }

  private func address(
    _ selector: AudioObjectPropertySelector,
    _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal, _ element: UInt32 = 0
  ) -> AudioObjectPropertyAddress {
    AudioObjectPropertyAddress(mSelector: selector, mScope: scope, mElement: element)
  }

  @Test("a null address, size, value or function is a parameter error")
  func nulls() throws {
    try withDevice { device, stream in
      var name = address(kAudioObjectPropertyName)
      var (size, value, flag) = (UInt32(8), UInt(0), false)
      var (id, time, data) = (AudioDeviceIOProcID?.none, AudioTimeStamp(), AudioBufferList())
      let nowhere: UnsafeMutablePointer<AudioObjectID> = null()
      #expect(!AudioObjectHasProperty(device, null()))
      AudioObjectShow(kAudioObjectUnknown)
      let bad = kAudio_ParamError
      expect([
        Row("settable 1", AudioObjectIsPropertySettable(device, null(), &flag), bad),
        Row("settable 2", AudioObjectIsPropertySettable(device, &name, null()), bad),
        Row("size 1", AudioObjectGetPropertyDataSize(device, null(), 0, nil, &size), bad),
        Row("size 2", AudioObjectGetPropertyDataSize(device, &name, 0, nil, null()), bad),
        Row("get 1", AudioObjectGetPropertyData(device, null(), 0, nil, &size, &value), bad),
        Row("get 2", AudioObjectGetPropertyData(device, &name, 0, nil, null(), &value), bad),
        Row("get 3", AudioObjectGetPropertyData(device, &name, 0, nil, &size, null()), bad),
        Row("set 1", AudioObjectSetPropertyData(device, null(), 0, nil, 4, &value), bad),
        Row("set 2", AudioObjectSetPropertyData(device, &name, 0, nil, 4, null()), bad),
        Row("add 1", AudioObjectAddPropertyListener(device, null(), Self.property, nil), bad),
        Row("add 2", AudioObjectAddPropertyListener(device, &name, null(), nil), bad),
        Row("remove 1", AudioObjectRemovePropertyListener(device, null(), Self.property, nil), bad),
        Row("remove 2", AudioObjectRemovePropertyListener(device, &name, null(), nil), bad),
        Row("remove 3", AudioObjectRemovePropertyListener(device, &name, Self.property, nil), bad),
        Row("create 1", AudioDeviceCreateIOProcID(device, null(), nil, &id), bad),
        Row("create 2", AudioDeviceCreateIOProcID(device, Self.function, nil, null()), bad),
        Row("destroy", AudioDeviceDestroyIOProcID(device, null()), bad),
        Row("now", AudioDeviceGetCurrentTime(device, null()), bad),
        Row("translate 1", AudioDeviceTranslateTime(device, null(), &time), bad),
        Row("translate 2", AudioDeviceTranslateTime(device, &time, null()), bad),
        Row("nearest", AudioDeviceGetNearestStartTime(device, null(), 0), bad),
        Row("read 1", AudioDeviceRead(device, null(), &data), bad),
        Row("read 2", AudioDeviceRead(device, &time, null()), bad),
        Row("aggregate 2", AudioHardwareCreateAggregateDevice([:] as CFDictionary, nowhere), bad),
        Row(
          "old add", AudioHardwareAddPropertyListener(kAudioHardwarePropertyDevices, null(), nil),
          bad),
        Row(
          "old remove", AudioHardwareRemovePropertyListener(kAudioHardwarePropertyDevices, null()),
          bad),
        Row(
          "old get 1", AudioHardwareGetProperty(kAudioHardwarePropertyDevices, null(), &value), bad),
        Row(
          "old get 2", AudioHardwareGetProperty(kAudioHardwarePropertyDevices, &size, null()), bad),
        Row(
          "old set", AudioHardwareSetProperty(kAudioHardwarePropertyDefaultOutputDevice, 4, null()),
          bad),
        Row(
          "device add",
          AudioDeviceAddPropertyListener(device, 0, false, name.mSelector, null(), nil), bad),
        Row(
          "device remove",
          AudioDeviceRemovePropertyListener(device, 0, false, name.mSelector, null()), bad),
        Row(
          "device get", AudioDeviceGetProperty(device, 0, false, name.mSelector, null(), &value),
          bad),
        Row(
          "device set", AudioDeviceSetProperty(device, nil, 0, false, name.mSelector, 8, null()),
          bad),
        Row("device add function", AudioDeviceAddIOProc(device, null(), nil), bad),
        Row(
          "stream add", AudioStreamAddPropertyListener(stream, 0, name.mSelector, null(), nil), bad),
        Row(
          "stream remove", AudioStreamRemovePropertyListener(stream, 0, name.mSelector, null()), bad
        ),
        Row("stream get", AudioStreamGetProperty(stream, 0, name.mSelector, &size, null()), bad),
        Row("stream set", AudioStreamSetProperty(stream, nil, 0, name.mSelector, 8, null()), bad),
      ])
    }
  }

  @Test("the number of no object is a bad object, or a bad device")
  func staleNumbers() throws {
    var name = address(kAudioObjectPropertyName)
    var (size, value, flag) = (UInt32(8), UInt(0), false)
    var (id, data) = (AudioDeviceIOProcID?.none, AudioBufferList())
    var (time, other) = (AudioTimeStamp(), AudioTimeStamp())
    let (object, device) = (kAudioHardwareBadObjectError, kAudioHardwareBadDeviceError)
    for stale in [Self.stale, 0, 63, .max, 1 << 30, 1 << 29 | 7, 1 << 28 | 99] {
      #expect(!AudioObjectHasProperty(stale, &name))
      expect([
        Row("settable", AudioObjectIsPropertySettable(stale, &name, &flag), object),
        Row("size", AudioObjectGetPropertyDataSize(stale, &name, 0, nil, &size), object),
        Row("get", AudioObjectGetPropertyData(stale, &name, 0, nil, &size, &value), object),
        Row("set", AudioObjectSetPropertyData(stale, &name, 0, nil, 8, &value), object),
        Row(
          "add", AudioObjectAddPropertyListener(stale, &name, Self.property, nil), object,
          kAudioHardwareUnknownPropertyError),
        Row("create", AudioDeviceCreateIOProcID(stale, Self.function, nil, &id), device),
        Row(
          "destroy", AudioDeviceDestroyIOProcID(stale, Self.function), device,
          kAudioHardwareIllegalOperationError),
        Row("start", AudioDeviceStart(stale, nil), device),
        Row(
          "start at", AudioDeviceStartAtTime(stale, nil, &time, 0), device,
          kAudioHardwareNotRunningError),
        Row("stop", AudioDeviceStop(stale, nil), device),
        Row("now", AudioDeviceGetCurrentTime(stale, &time), device),
        Row("translate", AudioDeviceTranslateTime(stale, &time, &other), device),
        Row("nearest", AudioDeviceGetNearestStartTime(stale, &time, 0), device),
        Row("read", AudioDeviceRead(stale, &time, &data), device),
        Row("aggregate", AudioHardwareDestroyAggregateDevice(stale), object),
        Row(
          "info", AudioDeviceGetPropertyInfo(stale, 0, false, name.mSelector, &size, &flag), object),
        Row(
          "old get", AudioDeviceGetProperty(stale, 0, false, name.mSelector, &size, &value), object),
        Row(
          "old set", AudioDeviceSetProperty(stale, nil, 0, false, name.mSelector, 8, &value), object
        ),
        Row("old add", AudioDeviceAddIOProc(stale, Self.function, nil), device),
        Row(
          "old remove", AudioDeviceRemoveIOProc(stale, Self.function), device,
          kAudioHardwareIllegalOperationError),
        Row(
          "stream info", AudioStreamGetPropertyInfo(stale, 0, name.mSelector, &size, &flag), object),
        Row("stream get", AudioStreamGetProperty(stale, 0, name.mSelector, &size, &value), object),
        Row("stream set", AudioStreamSetProperty(stale, nil, 0, name.mSelector, 8, &value), object),
      ])
      #expect(
        AudioDeviceAddPropertyListener(stale, 0, false, name.mSelector, Self.device, nil) != noErr)
      #expect(AudioStreamAddPropertyListener(stale, 0, name.mSelector, Self.stream, nil) != noErr)
    }
  }

  @Test("a wrong size, and a scope or element without the property, are refused")
  func wrongPlaces() throws {
    try withDevice { device, stream in
      var value = UInt64(0)
      let unknown = kAudioHardwareUnknownPropertyError
      for (selector, scope, element) in [
        (kAudioDevicePropertyVolumeScalar, kAudioObjectPropertyScopeGlobal, UInt32(7)),
        (kAudioDevicePropertyVolumeScalar, kAudioObjectPropertyScopePlayThrough, 0),
        (kAudioObjectPropertyElementName, kAudioObjectPropertyScopeOutput, 3),
        (kAudioObjectPropertyElementName, kAudioObjectPropertyScopeOutput, .max),
        (kAudioHardwarePropertyDevices, kAudioObjectPropertyScopeGlobal, 0),
        (kAudioStreamPropertyDirection, kAudioObjectPropertyScopeGlobal, 0),
        (0, kAudioObjectPropertyScopeGlobal, 0), (.max, 0, .max),
      ] as [(UInt32, UInt32, UInt32)] {
        var address = address(selector, scope, element)
        var size = UInt32(8)
        #expect(
          AudioObjectGetPropertyData(device, &address, 0, nil, &size, &value) == unknown,
          "\(selector) \(scope) \(element)")
        #expect(AudioObjectSetPropertyData(device, &address, 0, nil, 8, &value) == unknown)
        #expect(!AudioObjectHasProperty(device, &address))
      }
      // Too small, too large, and zero.
      for (object, selector, bytes) in [
        (device, kAudioDevicePropertyNominalSampleRate, 8),
        (device, kAudioDevicePropertyBufferFrameSize, 4), (device, kAudioObjectPropertyName, 8),
        (stream, kAudioStreamPropertyVirtualFormat, 40), (device, kAudioDevicePropertyHogMode, 4),
      ] as [(AudioObjectID, AudioObjectPropertySelector, UInt32)] {
        var address = address(selector)
        var memory = [UInt64](repeating: 0x5555_5555_5555_5555, count: 8)
        for wrong in [0, bytes - 1] {
          var size = wrong
          #expect(
            AudioObjectGetPropertyData(object, &address, 0, nil, &size, &memory)
              == kAudioHardwareBadPropertySizeError, "\(selector) \(wrong)")
          #expect(memory.allSatisfy { $0 == 0x5555_5555_5555_5555 })
        }
        for wrong in [0, bytes - 1, bytes + 1, 63] {
          let status = AudioObjectSetPropertyData(object, &address, 0, nil, wrong, &memory)
          #expect(
            [kAudioHardwareBadPropertySizeError, kAudioHardwareUnsupportedOperationError]
              .contains(status), "\(selector) \(wrong): \(status)")
        }
      }
      // A stream is not a device.
      #expect(AudioDeviceStart(stream, nil) == kAudioHardwareBadDeviceError)
      var (id, time) = (AudioDeviceIOProcID?.none, AudioTimeStamp())
      #expect(
        AudioDeviceCreateIOProcID(stream, Self.function, nil, &id) == kAudioHardwareBadDeviceError)
      #expect(AudioDeviceGetCurrentTime(stream, &time) == kAudioHardwareBadDeviceError)
    }
  }

  @Test("a device is read only with the right list of buffers")
  func wrongLists() throws {
    try withDevice { device, _ in
      #expect(AudioDeviceStart(device, nil) == noErr)
      var time = AudioTimeStamp()
      #expect(
        wait { AudioDeviceGetCurrentTime(device, &time) == noErr && time.mSampleTime > 4_000 })
      time.mSampleTime = 100
      time.mFlags = .sampleTimeValid
      var memory = [Float](repeating: 0, count: 64)
      memory.withUnsafeMutableBytes { memory in
        func read(_ buffers: UInt32, _ channels: UInt32, _ data: UnsafeMutableRawPointer?)
          -> OSStatus
        {
          var list = AudioBufferList(
            mNumberBuffers: buffers,
            mBuffers: AudioBuffer(mNumberChannels: channels, mDataByteSize: 64, mData: data))
          return AudioDeviceRead(device, &time, &list)
        }
        for (buffers, channels) in [(0, 2), (2, 2), (.max, 2), (1, 0), (1, 1), (1, 3)]
          as [(UInt32, UInt32)]
        {
          #expect(
            read(buffers, channels, memory.baseAddress) == kAudioHardwareBadPropertySizeError,
            "\(buffers) \(channels)")
        }
        #expect(read(1, 2, nil) == kAudioHardwareBadPropertySizeError)
        #expect(read(1, 2, memory.baseAddress) == noErr)
        time.mFlags = []
        #expect(read(1, 2, memory.baseAddress) == kAudioHardwareIllegalOperationError)
      }
      #expect(AudioDeviceStop(device, nil) == noErr)
    }
  }

  @Test("the functions of the system object return the right errors")
  func others() {
    #expect(
      AudioHardwareRemovePropertyListener(kAudioHardwarePropertyDevices, Self.system) != noErr)
    var (size, flag) = (UInt32(0), false)
    #expect(
      AudioHardwareGetPropertyInfo(0, &size, &flag) == kAudioHardwareUnknownPropertyError)
    #expect(AudioHardwareGetPropertyInfo(kAudioHardwarePropertyDevices, nil, nil) == noErr)
  }
}
