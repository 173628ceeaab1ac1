// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import Foundation
import Synchronization
import Testing

/// The captured frames of a function on a device, and checks of its times.
// The device's thread writes, others read later.
private final class Captured: @unchecked Sendable {
  let samples = UnsafeMutablePointer<Float>.allocate(capacity: Captured.capacity)
  let count = Atomic(0)
  let calls = Atomic(0)
  let backward = Atomic(0)
  var lastSample = -1.0
  var lastHost: UInt64 = 0
  static let capacity = 48_000 * 60

  deinit { samples.deallocate() }

  static let function: AudioDeviceIOProc = { _, _, input, time, output, _, me in
    guard let me else { return kAudio_ParamError }
    let it = Unmanaged<Captured>.fromOpaque(me).takeUnretainedValue()
    if time.pointee.mSampleTime <= it.lastSample || time.pointee.mHostTime <= it.lastHost {
      it.backward.wrappingAdd(1, ordering: .relaxed)
    }
    (it.lastSample, it.lastHost) = (time.pointee.mSampleTime, time.pointee.mHostTime)
    it.calls.wrappingAdd(1, ordering: .relaxed)
    let inputs = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: input))
    if let buffer = inputs.first, let data = buffer.mData?.assumingMemoryBound(to: Float.self) {
      let channels = Int(buffer.mNumberChannels)
      let place = it.count.load(ordering: .relaxed)
      let frames = min(Int(buffer.mDataByteSize) / 4 / channels, capacity - place)
      for frame in 0..<frames { it.samples[place + frame] = data[frame * channels] }
      it.count.store(place + frames, ordering: .relaxed)
    }
    for buffer in UnsafeMutableAudioBufferListPointer(output) {
      guard let data = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      for index in 0..<Int(buffer.mDataByteSize) / 4 { data[index] = 0.25 }
    }
    return noErr
  }

  var callCount: Int { calls.load(ordering: .relaxed) }
}

extension Servers {
  @Suite("Functions on the devices of servers", .serialized)
  struct IOProcServerTests {
    /// Runs a function on a device while `body` runs.
    private func run(_ uid: String, _ body: (AudioObjectID, Captured) throws -> Void) throws {
      let device = try HardwareObject(uid).id
      let captured = Captured()
      var id: AudioDeviceIOProcID?
      let context = Unmanaged.passUnretained(captured).toOpaque()
      #expect(AudioDeviceCreateIOProcID(device, Captured.function, context, &id) == noErr)
      #expect(AudioDeviceStart(device, id) == noErr)
      try body(device, captured)
      let name = try #require(id)
      #expect(AudioDeviceDestroyIOProcID(device, name) == noErr)
      withExtendedLifetime(captured) {}
    }

    @Test("captures exactly the samples that another JACK client sends")
    func capture() throws {
      let server = try JACKFixture(period: 512)
      defer { withExtendedLifetime(server) {} }
      try onDevice("jack") {
        try run("jack:system") { _, captured in
          let source = try JACKPeer("source", records: false)
          for input in source.ports(":input_[12]$") {
            #expect(source.connect(source.portName, input))
          }
          Servers.expectEverySample(late: { source.lostCycles }) {
            let begin = captured.count.load(ordering: .relaxed)
            #expect(wait { captured.count.load(ordering: .relaxed) > begin + 60_000 })
            let end = captured.count.load(ordering: .relaxed)
            return (end - 40_000..<end).map { captured.samples[$0] }[...]
          }
        }
      }
    }

    /// Expects that the functions are called again after the server is killed and restarted, and
    /// that time never goes back.
    private func expectReturn(
      _ uid: String, kill: () throws -> Void, restart: () throws -> Void
    ) throws {
      try run(uid) { device, captured in
        #expect(wait { captured.callCount > 10 })
        var time = AudioTimeStamp()
        #expect(AudioDeviceGetCurrentTime(device, &time) == noErr)
        let before = time.mSampleTime
        try kill()
        usleep(300_000)
        let calls = captured.callCount
        try restart()
        #expect(wait { captured.callCount > calls + 5 })
        #expect(captured.backward.load(ordering: .relaxed) == 0)
        #expect(AudioDeviceGetCurrentTime(device, &time) == noErr)
        #expect(time.mSampleTime > before)
      }
    }

    @Test("functions are called again after a JACK server is killed and restarted")
    func jackReturns() throws {
      let server = try JACKFixture(period: 512)
      try onDevice("jack") {
        try expectReturn(
          "jack:system", kill: { server.stop() }, restart: { try server.start(period: 512) })
      }
    }

    @Test("functions are called again after a PipeWire server is killed and restarted")
    func pipeWireReturns() throws {
      let server = try PipeWireFixture()
      try onDevice("pipewire") {
        try expectReturn("pipewire:null1", kill: { server.stop() }, restart: { try server.start() })
      }
    }

    @Test("functions are called again after a PulseAudio server is killed and restarted")
    func pulseReturns() throws {
      let server = try PulseFixture()
      try onDevice("pulse") {
        try expectReturn("pulse:one", kill: { server.stop() }, restart: { try server.start() })
      }
    }

    @Test("an aggregate of a sink and another sink's monitor captures the monitor on one clock")
    func aggregate() throws {
      let server = try PipeWireFixture()
      defer { withExtendedLifetime(server) {} }
      try onDevice("pipewire") {
        let description: [String: Any] = [
          kAudioAggregateDeviceUIDKey: "server-test", kAudioAggregateDeviceIsPrivateKey: 1,
          kAudioAggregateDeviceSubDeviceListKey: [
            [kAudioSubDeviceUIDKey: "pipewire:null1"],
            [kAudioSubDeviceUIDKey: "pipewire:null2.monitor"],
          ],
        ]
        var id = AudioObjectID(0)
        #expect(AudioHardwareCreateAggregateDevice(description as CFDictionary, &id) == noErr)
        try run("pipewire:null2") { _, _ in
          try run("server-test") { _, captured in
            // The sound that the other function plays to null2 comes back through its monitor.
            #expect(
              wait {
                let count = captured.count.load(ordering: .relaxed)
                return count > 24_000 && abs(captured.samples[count - 1] - 0.25) < 0.01
              })
          }
        }
        #expect(AudioHardwareDestroyAggregateDevice(id) == noErr)
      }
    }
  }
}
