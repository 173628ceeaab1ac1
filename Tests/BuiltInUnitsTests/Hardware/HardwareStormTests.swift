// SPDX-License-Identifier: Apache-2.0
import AudioDevices
@testable import AudioHardware
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// Concurrent calls on device objects from four threads; `make sanitize` checks for data races.
@Suite("A storm of listeners and device changes")
struct HardwareStormTests {
  /// Counts the calls of a listener, and the calls after its removal.
  private final class CallCounter: Sendable {
    let calls = Atomic(0)
    let late = Atomic(0)
    let isRemoved = Atomic(false)

    static let function: AudioObjectPropertyListenerProc = { _, _, _, me in
      guard let me else { return kAudio_ParamError }
      let it = Unmanaged<CallCounter>.fromOpaque(me).takeUnretainedValue()
      it.calls.wrappingAdd(1, ordering: .relaxed)
      if it.isRemoved.load(ordering: .acquiring) { it.late.wrappingAdd(1, ordering: .relaxed) }
      return noErr
    }
  }

  private static let rounds = 40

  /// Adds and removes listeners of one property and of all properties.
  private static func listen(_ device: AudioObjectID, _ failures: Failures) {
    for round in 0..<rounds {
      let counter = CallCounter()
      var address = AudioObjectPropertyAddress(
        mSelector: round % 2 == 0
          ? kAudioDevicePropertyBufferFrameSize : kAudioObjectPropertySelectorWildcard,
        mScope: kAudioObjectPropertyScopeGlobal, mElement: 0)
      let context = Unmanaged.passUnretained(counter).toOpaque()
      if AudioObjectAddPropertyListener(device, &address, CallCounter.function, context) != noErr {
        failures.add()
      }
      usleep(500)
      if AudioObjectRemovePropertyListener(device, &address, CallCounter.function, context) != noErr
      {
        failures.add()
      }
      counter.isRemoved.store(true, ordering: .releasing)
      usleep(200)
      if counter.late.load(ordering: .relaxed) > 0 { failures.add() }
      withExtendedLifetime(counter) {}
    }
  }

  /// Sets cycle sizes and volumes.
  private static func change(_ device: AudioObjectID, _ failures: Failures) {
    let object = AudioObject(id: device)
    for round in 0..<rounds * 2 {
      let frames = UInt32(128 << (round % 3))
      if object.setting(kAudioDevicePropertyBufferFrameSize, to: frames) != noErr {
        failures.add()
      }
      var address = object.address(
        kAudioDevicePropertyVolumeScalar, kAudioObjectPropertyScopeOutput)
      var volume = Float(round % 5) / 4
      if AudioObjectSetPropertyData(device, &address, 0, nil, 4, &volume) != noErr {
        failures.add()
      }
      usleep(300)
    }
  }

  /// Makes, starts and ends functions.
  private static func run(_ device: AudioObjectID, _ failures: Failures) {
    for _ in 0..<rounds / 2 {
      var id: AudioDeviceIOProcID?
      let status = AudioDeviceCreateIOProcID(device, { _, _, _, _, _, _, _ in noErr }, nil, &id)
      guard status == noErr, let id, AudioDeviceStart(device, id) == noErr else {
        failures.add()
        continue
      }
      var time = AudioTimeStamp()
      _ = AudioDeviceGetCurrentTime(device, &time)
      if AudioDeviceDestroyIOProcID(device, id) != noErr {
        failures.add()
      }
    }
  }

  /// Makes and destroys aggregates of the device, so that devices appear and disappear.
  private static func assemble(_ uid: String, _ failures: Failures) {
    for round in 0..<rounds / 2 {
      let description: [String: Any] = [
        kAudioAggregateDeviceUIDKey: "storm-\(getpid())-\(round)",
        kAudioAggregateDeviceIsPrivateKey: 1,
        kAudioAggregateDeviceSubDeviceListKey: [[kAudioSubDeviceUIDKey: uid]],
      ]
      var id = AudioObjectID(0)
      if AudioHardwareCreateAggregateDevice(description as CFDictionary, &id) != noErr {
        failures.add()
        continue
      }
      _ = AudioObjects.text(of: id)
      if AudioHardwareDestroyAggregateDevice(id) != noErr {
        failures.add()
      }
    }
  }

  @Test("from four threads: every call succeeds, and no listener is called after its removal")
  func storm() throws {
    let tape = Tape()
    try onDevice(tape, frames: 256, clock: .paced) {
      let device = try AudioObject.system.value(
        kAudioHardwarePropertyDefaultOutputDevice, of: AudioObjectID(0))
      let uid = try AudioObject(id: device).text(kAudioDevicePropertyDeviceUID)
      // It runs all the time, so that a single recording is made.
      #expect(AudioDeviceStart(device, nil) == noErr)
      let failures = Failures()
      let works: [@Sendable () -> Void] = [
        { Self.listen(device, failures) }, { Self.change(device, failures) },
        { Self.run(device, failures) }, { Self.assemble(uid, failures) },
      ]
      let context = DeviceContext.current
      let threads = works.map { work in
        OwnThread { context.use { work() } }
      }
      for thread in threads { thread.join() }
      #expect(failures.count == 0)
      #expect(AudioDeviceStop(device, nil) == noErr)
      #expect(try AudioObject(id: device).text(kAudioDevicePropertyDeviceUID) == uid)
    }
  }

  /// Counts failed calls.
  private final class Failures: Sendable {
    private let value = Atomic(0)
    var count: Int { value.load(ordering: .relaxed) }
    func add() { value.wrappingAdd(1, ordering: .relaxed) }
  }
}
