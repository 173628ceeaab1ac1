// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
@testable import AudioHardware
@testable import AudioSupport
import AudioTestSupport
import AudioToolbox
@testable import AudioUnitCore
@testable import OutputUnits
import Testing

@Suite("Voice processing unit that loses its device")
struct VoiceRecoveryTests {
  @Test("ducks the other units of the device on which it recovers, and of no other")
  func ducking() throws {
    let (first, second) = (Tape(), Tape())
    try onDevice(first, clock: .paced) {
      let hosted = try HostedUnit(kAudioUnitSubType_VoiceProcessingIO)
      try hosted.setCallback(HostCallback())
      try hosted.initialize()
      try hosted.start()
      let entered = try #require(Handles.units.enter(hosted.handle))
      defer { Handles.units.leave(hosted.handle) }
      let unit = try #require(entered.takeUnretainedValue() as? OutputUnit)
      func current() throws -> DeviceConnection { try #require(unit.client.connection) }
      func ducking(of connection: DeviceConnection) -> Float {
        VoiceDucking.of(connection.device.outputUID).gain
      }

      let lost = try current()
      #expect(ducking(of: lost) < 1)
      // The environment now selects another device, as if it had become the default.
      let name = DeviceName("file:\(second.path)")
      unit.client.lock.withLock { unit.client.run?.request.environment.device = name }
      #expect(unit.client.scheduleRecovery(stall: 1, checksDevices: false))
      #expect(wait { unit.client.recovery.isIdle })
      let found = try current()
      #expect(unit.client.state == .running)
      #expect(found.device.outputUID == "file:\(second.path)")
      #expect(ducking(of: found) < 1)
      #expect(ducking(of: lost) == 1)
      try hosted.stop()
      #expect(ducking(of: found) == 1)
    }
  }
}
