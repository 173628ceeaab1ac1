// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Functions of a program that devices call. Each lets another thread make every call and waits for
/// it; then it makes the calls itself.
@Suite("While a function of the program is called: devices", .timeLimit(.minutes(60)))
struct HardwareFunctionTests {
  private static let listener: AudioObjectPropertyListenerProc = { _, _, _, me in
    guard let me else { return kAudio_ParamError }
    Unmanaged<FunctionWatch>.fromOpaque(me).takeUnretainedValue().wasCalled("listener")
    return noErr
  }

  private static let ioFunction: AudioDeviceIOProc = { _, _, _, _, _, _, me in
    guard let me else { return kAudio_ParamError }
    Unmanaged<FunctionWatch>.fromOpaque(me).takeUnretainedValue().wasCalled("IOProc")
    return noErr
  }

  /// Every call that reads or changes a device, or makes and ends an object on it.
  private static func calls(_ device: AudioObjectID) -> [MeanwhileCall] {
    let object = AudioObject(id: device)
    let context = DeviceContext.current
    func call(_ name: String, _ body: @escaping @Sendable () throws -> Void) -> MeanwhileCall {
      MeanwhileCall(name) {
        context.use { try? body() }
      }
    }
    return [
      call("HasProperty") {
        var address = object.address(kAudioDevicePropertyBufferFrameSize)
        _ = AudioObjectHasProperty(device, &address)
        var settable = DarwinBoolean(false)
        _ = AudioObjectIsPropertySettable(device, &address, &settable)
      },
      call("GetPropertyData") {
        _ = try object.value(kAudioDevicePropertyBufferFrameSize, of: UInt32(0))
        _ = try object.value(kAudioDevicePropertyLatency, of: UInt32(0))
        _ = try object.text(kAudioDevicePropertyDeviceUID)
      },
      call("the list of devices") {
        _ = try AudioObject.system.list(kAudioHardwarePropertyDevices, of: AudioObjectID(0))
      },
      call("SetPropertyData") {
        _ = object.setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(256))
      },
      call("a volume") {
        var address = object.address(
          kAudioDevicePropertyVolumeScalar, kAudioObjectPropertyScopeOutput)
        var volume = Float(0.5)
        _ = AudioObjectSetPropertyData(device, &address, 0, nil, 4, &volume)
      },
      call("Add and RemovePropertyListener") {
        let other: AudioObjectPropertyListenerProc = { _, _, _, _ in noErr }
        var address = object.address(kAudioDevicePropertyBufferFrameSize)
        _ = AudioObjectAddPropertyListener(device, &address, other, nil)
        _ = AudioObjectRemovePropertyListener(device, &address, other, nil)
      },
      // Stopping waits for the current cycle.
      call("an IOProc") {
        var id: AudioDeviceIOProcID?
        _ = AudioDeviceCreateIOProcID(device, { _, _, _, _, _, _, _ in noErr }, nil, &id)
        guard let id else { return }
        _ = AudioDeviceStart(device, id)
        Thread.detachNewThread {
          _ = AudioDeviceStop(device, id)
          _ = AudioDeviceDestroyIOProcID(device, id)
        }
      },
      call("GetCurrentTime") {
        var time = AudioTimeStamp()
        _ = AudioDeviceGetCurrentTime(device, &time)
      },
      call("an aggregate") {
        let description: [String: Any] = [
          kAudioAggregateDeviceUIDKey: "meanwhile-\(UUID().uuidString)",
          kAudioAggregateDeviceIsPrivateKey: 1,
          kAudioAggregateDeviceSubDeviceListKey: [
            [kAudioSubDeviceUIDKey: try object.text(kAudioDevicePropertyDeviceUID)]
          ],
        ]
        var id = AudioObjectID(0)
        _ = AudioHardwareCreateAggregateDevice(description as CFDictionary, &id)
        _ = AudioHardwareDestroyAggregateDevice(id)
      },
    ]
  }

  private func withDevice(_ body: (AudioObjectID) throws -> Void) throws {
    try onDevice(Tape(), frames: 512, clock: .paced) {
      try body(
        try AudioObject.system.value(
          kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0)))
    }
  }

  private func waits(for watch: FunctionWatch) -> Bool {
    for _ in 0..<24_000 where watch.callCount == 0 { usleep(5_000) }
    return watch.callCount > 0
  }

  @Test("every call returns, and no lock is held, in a property listener")
  func listening() throws {
    try withDevice { device in
      let watch = FunctionWatch()
      watch.arm("listener", Self.calls(device))
      let context = Unmanaged.passUnretained(watch).toOpaque()
      var address = AudioObject(id: device).address(kAudioDevicePropertyBufferFrameSize)
      try #require(
        AudioObjectAddPropertyListener(device, &address, Self.listener, context) == noErr)
      let status = AudioObject(id: device)
        .setting(kAudioDevicePropertyBufferFrameSize, to: UInt32(1_024))
      #expect(status == noErr)
      #expect(waits(for: watch))
      #expect(watch.problems.isEmpty)
      #expect(
        AudioObjectRemovePropertyListener(device, &address, Self.listener, context) == noErr)
    }
  }

  @Test("every call returns, and no lock is held, in an IOProc")
  func running() throws {
    try withDevice { device in
      let watch = FunctionWatch()
      watch.arm("IOProc", Self.calls(device))
      let context = Unmanaged.passUnretained(watch).toOpaque()
      var id: AudioDeviceIOProcID?
      try #require(AudioDeviceCreateIOProcID(device, Self.ioFunction, context, &id) == noErr)
      #expect(AudioDeviceStart(device, id) == noErr)
      #expect(waits(for: watch))
      #expect(watch.problems.isEmpty)
      #expect(AudioDeviceStop(device, id) == noErr)
      if let id { #expect(AudioDeviceDestroyIOProcID(device, id) == noErr) }
    }
  }
}
