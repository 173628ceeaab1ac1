// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// The installed programs, on servers of the tests.
  @Suite("Programs on sound servers", .serialized)
  struct ProgramTests {
    /// A tone of 440 Hz at a quarter of full scale.
    private func tone(
      _ device: String?, seconds: Int = 60, by launcher: [String] = [],
      environment: [String: String] = [:], folder: String
    ) throws -> ServerProcess {
      let words = ["tone", "--level", "-12.041199826559248", "--seconds", "\(seconds)"]
      return try ServerProcess(
        launcher + [program("au")] + words + (device.map { ["--device", $0] } ?? []),
        environment: environment.merging(["AUDIOTOOLBOX_FRAMES": "1024"]) { $1 }, folder: folder)
    }

    // MARK: Stopped and continued

    /// Stops a program for longer than the timeout of a server, continues it and records its sound.
    private func pause(
      _ program: ServerProcess, when plays: () throws -> Bool, late: () throws -> Int = { 0 },
      listen: () throws -> Recording
    ) throws {
      defer { program.end(by: SIGINT) }
      #expect(try wait(until: plays), "\(program.output)")
      program.send(SIGSTOP)
      usleep(1_500_000)
      program.send(SIGCONT)
      try expectTone(late: late) { try listen() }
      #expect(program.isRunning, "\(program.output)")
    }

    @Test("continue to play on PipeWire after they were stopped and continued")
    func pausedOnPipeWire() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let program = try tone("pipewire", folder: server.folder)
      try pause(program) {
        try server.run("pw-link", "-l").contains("|-> null1:playback_FL")
      } listen: {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 1.2)
      }
    }

    @Test("continue to play on PulseAudio after they were stopped and continued")
    func pausedOnPulse() throws {
      let server = try PulseFixture(countsUnderruns: true)
      let program = try tone("pulse:one", folder: server.folder)
      try pause(program) {
        try server.run("pactl", "list", "sink-inputs").contains("application.name")
      } late: {
        server.underruns
      } listen: {
        Recording(channels: try server.recording("one") { usleep(1_200_000) })
      }
    }

    @Test("continue to play on JACK after they were stopped and continued")
    func pausedOnJACK() throws {
      let server = try JACKFixture(period: 1_024)
      let program = try tone("jack", folder: server.folder)
      try pause(program) {
        try server.tool("jack_lsp", "-c").contains("   au:output_1")
      } listen: {
        let recorder = try JACKPeer("recorder", records: true)
        guard wait(until: { !recorder.ports("^au.*:output_1$").isEmpty }),
          let output = recorder.ports("^au.*:output_1$").first
        else { return Recording(channels: []) }
        #expect(recorder.connect(output, recorder.portName))
        #expect(wait { recorder.count >= 56_000 })
        return Recording(channels: [recorder.signal]) { recorder.lostCycles }
      }
    }

    @Test("a tone waits for its server longer than for a device that does not answer")
    func patience() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let program = try tone(nil, seconds: 5, folder: server.folder)
      let recorder = try PipeWireRecorder(server)
      #expect(wait { (recorder.channels(end: false).first?.trimmed.count ?? 0) > 4_800 })
      _ = recorder.channels()
      server.stop()
      #expect(wait { program.output.contains("silent: ") })
      // Until it no longer waits for its server and looks for another one.
      usleep(5_600_000)
      #expect(program.isRunning)
      #expect(!program.output.contains("no sound device"), "\(program.output)")
      try server.start()
      #expect(wait { program.output.contains("plays again") })
      _ = program.result()
      #expect(program.code == 0, "\(program.output)")
    }

    // MARK: Without a server

    @Test(
      "do not print PipeWire's warnings if there is no server",
      arguments: [false, true])
    func quiet(hasSocket: Bool) throws {
      let folder = String(cString: server_folder())
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(atPath: folder) }
      // A killed server leaves its socket, so a client tries to connect.
      if hasSocket {
        try "".write(toFile: "\(folder)/pipewire-0", atomically: true, encoding: .utf8)
      }
      func printed(_ environment: [String: String]) throws -> String {
        try ServerProcess(
          [program("au"), "devices"],
          environment: environment.merging(["PIPEWIRE_CONFIG_DIR": "/nonexistent"]) { $1 },
          folder: folder
        ).result()
      }
      let text = try printed([:])
      #expect(text.contains("pipewire"), "\(text)")
      #expect(!text.contains("[W]") && !text.contains("[E]"), "\(text)")
      // The warnings are printed on request.
      if hasSocket { #expect(try printed(["AUDIOTOOLBOX_LOG": "1"]).contains("pw.")) }
    }

    // MARK: Hot plug

    @Test(
      "au devices --watch reports an added and a removed sink, and a new default",
      arguments: [
        false, true,
      ])
    func watch(asJSON: Bool) throws {
      let server = try PipeWireFixture()
      let program = try ServerProcess(
        [program("au"), "devices", "--watch"] + (asJSON ? ["--json"] : []), folder: server.folder)
      defer { program.end(by: SIGINT) }
      func hasReported(_ change: String, _ uid: String) -> Bool {
        program.output.split(separator: "\n").contains { line in
          guard asJSON else { return line.hasPrefix("\(change): \(uid) (") }
          let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
          let fields = object as? [String: Any]
          let device = fields?["device"] as? [String: Any]
          return fields?["change"] as? String == change && device?["uid"] as? String == uid
        }
      }
      func isReported(_ change: String, _ uid: String) -> Bool { wait { hasReported(change, uid) } }
      // It reports changes only after its first listing. Later ones are reported, however late.
      if !asJSON { #expect(wait { program.output.contains("pipewire:null2") }) }
      #expect(
        try wait(seconds: 60) {
          try server.addSink("extra")
          let arrives = wait(seconds: 3) { hasReported("arrived", "pipewire:extra") }
          try server.remove("extra")
          // A sink that returns immediately does not count as removed.
          usleep(1_000_000)
          return arrives
        })
      #expect(isReported("arrived", "pipewire:extra"), "\(program.output)")
      #expect(isReported("left", "pipewire:extra"), "\(program.output)")
      try server.makeDefault("null2")
      #expect(isReported("default output", "pipewire:null2"), "\(program.output)")
    }

    // MARK: JACK through PipeWire

    @Test(
      "plays in tune under pw-jack, with a named device and by default",
      arguments: ["jack:Sink null1", nil])
    func pwJACK(device: String?) throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let program = try tone(
        device, by: ["pw-jack"], environment: server.environment, folder: server.folder)
      defer { program.end(by: SIGINT) }
      #expect(
        try wait { try server.run("pw-link", "-l").contains("|-> null1:playback_FL") },
        "\(program.output)")
      // The links belong to JACK's ports, not to a stream.
      #expect(try server.run("pw-link", "-o").contains("au:output_1"))
      try expectTone(late: { 0 }) {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 1.2)
      }
      #expect(program.isRunning, "\(program.output)")
    }

    @Test("lists PipeWire's sinks as JACK's under pw-jack")
    func pwJACKDevices() throws {
      let server = try PipeWireFixture(quantum: 1_024)
      let program = try ServerProcess(
        ["pw-jack", program("au"), "devices"], environment: server.environment,
        folder: server.folder)
      let printed = program.result()
      #expect(program.code == 0)
      for uid in ["> jack:Sink null1", "jack:Sink null2", "pipewire:null1"] {
        #expect(printed.contains(uid), "\(printed)")
      }
    }
  }
}
