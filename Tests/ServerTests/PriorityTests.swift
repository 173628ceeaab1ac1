// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  @Suite("Priority of render threads", .serialized)
  struct PriorityTests {
    /// Runs a stream, and compares what its thread is with what is reported of it.
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
        default: Issue.record("\(device) tells nothing of its thread")
        }
        // Where it may be had, it is had.
        if Self.isPermitted {
          #expect(recorder.priority > 0, "\(device): \(reported.debugDescription)")
        }
      }
    }

    /// Whether this process may run threads ahead of others.
    private static let isPermitted: Bool = OwnThread {
      var parameters = sched_param()
      parameters.sched_priority = 1
      return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters) == 0
    }.join()

    @Test("is what is reported, and real-time where that is permitted, on PipeWire")
    func pipeWire() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      defer { withExtendedLifetime(server) {} }
      try compare("pipewire:null1")
    }

    @Test("is what is reported, and real-time where that is permitted, on JACK")
    func jack() throws {
      let server = try JACKFixture(period: 1_024)
      defer { withExtendedLifetime(server) {} }
      try compare("jack")
    }

    @Test("is what is reported, and real-time where that is permitted, on PulseAudio and ALSA")
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
