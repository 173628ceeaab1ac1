// SPDX-License-Identifier: Apache-2.0
@testable import AVFAudio
import AudioDevices
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// Servers that have sinks and no other devices: their monitors are no input.
  @Suite("A server without an input", .serialized)
  struct NoInputTests {
    /// Plays clicks through a unit that passes its input to its output, and records with programs.
    private func expectSilence(_ backend: String, monitor: String, folder: String) throws {
      let unit = try PlayingUnit(backend, .loop, frames: 512)
      try unit.start()
      #expect(unit.waits(forFrames: 60_000, seconds: 60))
      try unit.stop()
      let statistics = unit.statistics
      #expect(statistics.sentAt >= 0, "no click was sent")
      #expect(statistics.delays.count == 0, "\(statistics.delays)")
      #expect(statistics.failures == 0)
      let hasInput = try unit.get(
        kAudioOutputUnitProperty_HasIO, UInt32(9), kAudioUnitScope_Input, 1)
      #expect(hasInput == 0)

      let listener = try PlayingUnit(backend, .capture, playsOutput: false)
      let error = #expect(throws: ServerFailure.self) { try listener.start() }
      #expect(error?.description.contains("has no input") == true, "\(error.debugDescription)")
      let named = try PlayingUnit(monitor, .capture, playsOutput: false)
      try named.start()
      #expect(named.waits(forFrames: 4_800, seconds: 60))
      try named.stop()

      try withServerSession(backend) { session, _ in
        #expect(!session.isInputAvailable)
        #expect(!session.availableCategories.contains(.record))
        try session.setCategory(.playAndRecord)
        #expect(session.currentRoute.inputs.isEmpty && session.availableInputs == [])
        try session.setActive(true)
        try session.setCategory(.record)
        #expect(throws: (any Error).self) { try session.setActive(true) }
      }
      let record = try ServerProcess(
        [program("au"), "record", "--seconds", "1", "\(folder)/input.wav"],
        environment: ["AUDIOTOOLBOX_DEVICE": backend], folder: folder)
      let printed = record.result()
      #expect(record.code != 0 && printed.contains("has no input"), "\(printed)")
      let devices = try ServerProcess(
        [program("au"), "devices"], environment: ["AUDIOTOOLBOX_DEVICE": backend], folder: folder
      ).result()
      #expect(devices.contains(monitor) && !devices.contains("default input"), "\(devices)")
    }

    @Test("on PipeWire, sound that is passed through does not feed back")
    func pipeWire() throws {
      let server = try PipeWireFixture()
      try expectSilence("pipewire", monitor: "pipewire:null1.monitor", folder: server.folder)
    }

    @Test("on PulseAudio, sound that is passed through does not feed back")
    func pulse() throws {
      let server = try PulseFixture()
      try expectSilence("pulse", monitor: "pulse:one.monitor", folder: server.folder)
    }

    @Test("a monitor cannot become the default input")
    func choice() throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      var environment = DeviceEnvironment()
      environment.device = DeviceName("pulse")
      try environment.use {
        var address = AudioObjectPropertyAddress(
          mSelector: kAudioHardwarePropertyDefaultInputDevice,
          mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
        let system = AudioObjectID(kAudioObjectSystemObject)
        var device = AudioObjectID(7)
        var size: UInt32 = 4
        #expect(AudioObjectGetPropertyData(system, &address, 0, nil, &size, &device) == noErr)
        #expect(device == kAudioObjectUnknown)
        #expect(wait { (try? HardwareObject("pulse:one.monitor")) != nil })
        var monitor = try HardwareObject("pulse:one.monitor").id
        #expect(
          AudioObjectSetPropertyData(system, &address, 0, nil, 4, &monitor)
            == kAudioHardwareUnsupportedOperationError)
      }
    }
  }
}
