// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

extension Servers {
  /// Expects `au devices --watch`, which begins while there is no server, to report a device each time
  /// that its server comes and goes.
  fileprivate static func expectReports(
    of uid: String, folder: String, start: () throws -> Void, stop: () throws -> Void,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    try stop()
    let program = try ServerProcess([program("au"), "devices", "--watch"], folder: folder)
    defer { program.end(by: SIGINT) }
    func count(_ change: String) -> Int {
      program.output.split(separator: "\n").count { $0.hasPrefix("\(change): \(uid) (") }
    }
    #expect(wait { !program.output.isEmpty }, sourceLocation: place)
    for round in 1...2 {
      try start()
      #expect(wait { count("arrived") == round }, "\(program.output)", sourceLocation: place)
      try stop()
      #expect(wait { count("left") == round }, "\(program.output)", sourceLocation: place)
    }
  }

  @Suite("A server that starts after the program", .serialized)
  struct ServerReturn {
    @Test("PulseAudio's sinks are reported, each time")
    func pulse() throws {
      let server = try PulseFixture(hasListeners: false)
      try Servers.expectReports(
        of: "pulse:one", folder: server.folder, start: { try server.start() },
        stop: { server.stop() })
    }

    @Test("JACK's ports are reported, each time")
    func jack() throws {
      let server = try JACKFixture()
      try Servers.expectReports(
        of: "jack:system", folder: server.folder, start: { try server.start() },
        stop: { server.stop(by: SIGTERM) })
    }
  }

  @Suite("PipeWire that starts after the program", .serialized)
  struct PipeWireReturn {
    @Test("its sinks are reported, each time")
    func sinks() throws {
      let server = try PipeWireFixture()
      try Servers.expectReports(
        of: "pipewire:null1", folder: server.folder, start: { try server.start() },
        stop: { server.stop() })
    }
  }
}
