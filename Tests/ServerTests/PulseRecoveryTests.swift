// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

extension Servers {
  /// What goes wrong while a tone plays, three times each; `make soak` does it a hundred times.
  @Suite("PulseAudio, when something goes wrong (Soak)", .serialized)
  struct PulseRecoveryTests {
    /// Disturbs a tone again and again; each time it plays again, on the sink that `disturb` names.
    private func disturb(
      _ device: String, _ disturb: (PulseFixture, Int) throws -> String
    ) throws {
      let server = try PulseFixture()
      let unit = try PlayingUnit(device, frames: 1_024)
      try unit.start()
      #expect(unit.waits(forFrames: 24_000))
      var held: PulseHeld?
      var sink = "one"
      for round in 0..<rounds {
        sink = try disturb(server, round)
        #expect(unit.waits(forFrames: 12_000), "round \(round)")
        let heard = try server.recording(sink) { _ = unit.waits(forFrames: 24_000) }
        #expect(heard[0].trimmed.count > 12_000, "round \(round): silence on \(sink)")
        // The first round makes what is made once.
        if let held { #expect(wait { PulseHeld() == held }, "\(PulseHeld()), at first \(held)") }
        held = held ?? PulseHeld()
      }
      let recorded = try server.recording(sink) { _ = unit.waits(forFrames: 60_000) }
      for channel in recorded { Servers.expectTone(Servers.lastSecond(channel)) }
      try unit.stop()
      let calls = unit.books.calls
      usleep(50_000)
      #expect(unit.books.calls == calls)
      #expect(unit.books.breaks == 0)
    }

    @Test("plays again when the server was killed and has come back")
    func killed() throws {
      try disturb("pulse:one") { server, _ in
        server.stop()
        usleep(200_000)
        try server.start()
        return "one"
      }
    }

    @Test("waits for the sink that it was told to use")
    func removed() throws {
      try disturb("pulse:two") { server, _ in
        try server.remove("two")
        usleep(300_000)
        try server.addSink("two")
        return "two"
      }
    }

    @Test("follows the default sink")
    func moved() throws {
      try disturb("pulse") { server, round in
        let sink = round % 2 == 0 ? "two" : "one"
        try server.makeDefault(sink)
        return sink
      }
    }

    @Test("goes on when the server has hung")
    func hung() throws {
      try disturb("pulse:one") { server, _ in
        server.hang(true)
        usleep(1_200_000)
        server.hang(false)
        return "one"
      }
    }
  }
}

/// What this process holds of PulseAudio.
private struct PulseHeld: Equatable, CustomStringConvertible {
  var threads = PulseHeld.entries("/proc/self/task").count { task in
    let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
    return name?.hasPrefix("audio pulse") ?? false
  }
  var descriptors = PulseHeld.entries("/proc/self/fd").count { number in
    let target = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/self/fd/\(number)")
    return target?.contains("pulse") ?? false
  }

  var description: String { "\(threads) threads, \(descriptors) descriptors" }

  private static func entries(_ folder: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
  }
}
