// SPDX-License-Identifier: Apache-2.0
@testable import AudioDevices
import AudioTestSupport
import AudioToolbox
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// Four threads start, stop and switch units of one server without coordination.
  @Suite("Storms of starts, stops and switches", .serialized)
  struct StormTests {
    private static let steps = 25 * (rounds / 3)

    /// Uses one unit that all four threads share, and one for each thread.
    private func storm(_ devices: [String], task: PlayingUnit.Task = .sine) throws {
      let shared = try PlayingUnit(devices[0], task, frames: 1_024)
      // The device numbers to choose from.
      let numbers = try devices.map {
        try PlayingUnit($0, task).get(kAudioOutputUnitProperty_CurrentDevice, UInt32(0))
      }
      let threads = (0..<4).map { index in
        OwnThread {
          var refusals: [String] = []
          guard let own = try? PlayingUnit(devices[index % devices.count], task, frames: 1_024)
          else { return ["no unit"] }
          var random = UInt64(index + 1) &* 0x9E37_79B9_7F4A_7C15
          for _ in 0..<Self.steps {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            let unit = random & 8 == 0 ? shared : own
            do {
              switch random % 5 {
              case 0, 1: try unit.start()
              case 2: try unit.stop()
              case 3:
                try unit.stop()
                try unit.set(
                  kAudioOutputUnitProperty_CurrentDevice, numbers[Int(random >> 32) % numbers.count]
                )
              default: _ = try unit.get(kAUDiagnosticsProperty_Xruns, AUDiagnosticsXruns())
              }
            } catch {
              // Another thread has started it meanwhile. Only this error is allowed.
              if !"\(error)".contains("unit runs") { refusals.append("\(error)") }
            }
          }
          try? own.stop()
          return refusals
        }
      }
      for thread in threads {
        let refusals = thread.join()
        #expect(refusals.isEmpty)
      }
      // The units still work.
      try shared.start()
      #expect(shared.waits(forFrames: 9_600))
      try shared.stop()
      let calls = shared.statistics.calls
      usleep(50_000)
      #expect(shared.statistics.calls == calls)
    }

    @Test("PipeWire keeps up with four threads, in one direction and duplex")
    func pipeWire() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      defer { withExtendedLifetime(server) {} }
      try storm(["pipewire:null1", "pipewire:null2"])
      try storm(
        ["pipewire:null1+null1.monitor", "pipewire:null2+null2.monitor"], task: .passThrough)
    }

    @Test("JACK keeps up with four threads")
    func jack() throws {
      let server = try JACKFixture(period: 1_024)
      defer { withExtendedLifetime(server) {} }
      try storm(["jack"])
    }

    @Test("PulseAudio keeps up with four threads")
    func pulse() throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      defer { #expect(server.crashOutput == nil) }
      try storm(["pulse:one", "pulse:two"])
    }

    @Test("ALSA keeps up with four threads")
    func alsa() throws {
      let server = try PulseFixture()
      defer { withExtendedLifetime(server) {} }
      try """
      pcm.first { type null hint.description "First" }
      pcm.second { type null hint.description "Second" }
      """.write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
      try storm(["alsa:first", "alsa:second"])
    }
  }
}
