// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioTestSupport
import AudioToolbox
import CRealTime
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// A program that needs more time per cycle than there is, for as long as it runs. The result is
  /// gaps, and nothing worse.
  @Suite("Overload", .serialized)
  struct OverloadTests {
    /// Seconds of overload. The kernel ends a process after one second in which a real-time thread
    /// has not waited.
    private static let duration = (minutes == nil ? 2.0 : 10.0)

    /// Runs a stream whose callback takes 1.3 times the duration of a cycle.
    private func overload(_ device: String) throws {
      try onDevice(device, frames: 512) {
        let name = DeviceName(device)
        let handler = OverloadedHandler(load: 1.3)
        let stream = try Backends.named(name.backend).open(
          StreamRequest(uid: name.device == nil ? nil : device), handler)
        try stream.start()
        let begin = rt_host_time()
        usleep(UInt32(Self.duration * 1_000_000))
        // It is still called: often enough for the counts below, even if other programs leave it
        // little time.
        #expect(wait { handler.statistics.frames > 40 * 512 }, "\(device)")
        let seconds = Double(rt_host_time() - begin) * 1e-9
        let statistics = handler.statistics
        stream.stop()
        // But it is called less often than a device that keeps up.
        let share = Double(statistics.frames) / (seconds * stream.device.sampleRate)
        #expect(share < 0.95, "\(device): \(share) of the cycles")
        #expect(stream.xrunCount + (stream.serverXrunCount ?? 0) > 10, "\(device)")
        // Frames follow one another, and their times follow the clock.
        #expect(statistics.breaks == 0, "\(device)")
        #expect(statistics.largestLag < 2, "\(device): \(statistics.largestLag) s behind")
        // The kernel shares the processor of an ordinary thread with others.
        #expect(
          statistics.priority == 0 || statistics.longestRun < 0.6,
          "\(device): \(statistics.longestRun) s without a pause")
        #expect(handler.events.isEmpty, "\(device): \(handler.events)")
      }
    }

    @Test("is survived without a server", arguments: ["null", "file:"])
    func withoutServer(device: String) throws {
      let folder = String(cString: server_folder())
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try overload(device == "null" ? device : "\(device)\(folder)/overload.wav")
    }

    @Test(
      "is survived on ALSA and PulseAudio", arguments: ["alsa:null", "alsa:speakers", "pulse:one"])
    func pulse(device: String) throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      try "pcm.null { type null }\npcm.speakers { type pulse device one }\n".write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
      try overload(device)
    }

    @Test("is survived on JACK")
    func jack() throws {
      let server = try JACKFixture(period: 512)
      defer { withExtendedLifetime(server) {} }
      try overload("jack")
    }

    @Test("is survived on PipeWire")
    func pipeWire() throws {
      let server = try PipeWireFixture(quantum: 512)
      defer { withExtendedLifetime(server) {} }
      try overload("pipewire:null1")
    }
  }
}
