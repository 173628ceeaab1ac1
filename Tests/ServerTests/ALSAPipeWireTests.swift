// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import CServerEnvironment
import Foundation
import Testing

extension Servers {
  /// ALSA with PipeWire's plug-in, as on desktops without PulseAudio.
  @Suite("ALSA with PipeWire's plug-in", .serialized)
  struct ALSAPipeWireTests {
    private let server: PipeWireFixture

    init() throws {
      server = try PipeWireFixture(quantum: 1_024)
      let plugin = try #require(
        Self.plugin, "libasound_module_pcm_pipewire.so is missing: `make setup` fetches it")
      let text = """
        pcm_type.pipewire { lib "\(plugin)" }
        pcm.speakers { type pipewire playback_node "null1" }
        """
      try text.write(
        toFile: String(cString: alsa_configuration_file()), atomically: true, encoding: .utf8)
    }

    /// The path of the plug-in. Its package conflicts with PulseAudio, so `make setup` unpacks it
    /// elsewhere.
    private static let plugin: String? = {
      let libraries = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
      let folders = ["/usr/local/lib/alsa-lib"] + libraries.map { "/usr/lib/\($0)/alsa-lib" }
      return folders.map { "\($0)/libasound_module_pcm_pipewire.so" }
        .first { FileManager.default.fileExists(atPath: $0) }
    }()

    @Test("a unit plays a tone in tune and without a gap")
    func tone() throws {
      let unit = try PlayingUnit("alsa:speakers", frames: 1_024)
      try unit.start()
      try expectTone(late: { unit.lateCycles }) {
        try SinkRecorder("pipewire:null1.monitor").recording(seconds: 1.2)
      }
      try unit.stop()
      let calls = unit.statistics.calls
      usleep(50_000)
      #expect(unit.statistics.calls == calls)
      #expect(unit.statistics.breaks == 0 && unit.statistics.heapOperations == 0)
    }
  }
}
