// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  @Suite("Priority of render threads", .serialized)
  struct PriorityTests {
    /// Runs a stream and compares the real priority of its thread with the reported one.
    private func compare(_ device: String) throws {
      try onDevice(device, frames: 1_024) {
        let recorder = StreamRecorder()
        let name = DeviceName(device)
        let backend = try Backends.named(name.backend)
        let stream = try backend.open(
          StreamRequest(uid: name.device == nil ? nil : device), recorder)
        try stream.start()
        #expect(wait { recorder.playedFrames > 4_800 })
        let reported = stream.scheduling
        stream.stop()
        switch reported {
        case .realTime(let priority): #expect(recorder.priority == priority, "\(device)")
        case .ordinary: #expect(recorder.priority == 0, "\(device)")
        default: Issue.record("\(device) reports no scheduling of its thread")
        }
        // If real-time priority is permitted, the thread has it.
        if Self.isPermitted {
          #expect(recorder.priority > 0, "\(device): \(reported.debugDescription)")
        }
      }
    }

    /// Whether this process may use real-time priorities.
    private static let isPermitted: Bool = OwnThread {
      var parameters = sched_param()
      parameters.sched_priority = 1
      return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
    }.join()

    @Test("equals the reported one, and is real-time if permitted, on PipeWire")
    func pipeWire() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      defer { withExtendedLifetime(server) {} }
      try compare("pipewire:null1")
    }

    @Test("equals the reported one, and is real-time if permitted, on JACK")
    func jack() throws {
      let server = try JACKFixture(period: 1_024)
      defer { withExtendedLifetime(server) {} }
      try compare("jack")
    }

    @Test("equals the reported one, and is real-time if permitted, on PulseAudio and ALSA")
    func pulse() throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      try "pcm.null { type null }\n".write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
      try compare("pulse:one")
      try compare("alsa:null")
      try compare("null")
    }
  }
}
