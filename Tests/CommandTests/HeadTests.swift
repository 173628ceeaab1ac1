// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite("AUDIOTOOLBOX_HEAD")
struct HeadTests {
  private static let description = """
    {
      "nodes": {
        "tone": {
          "unit": "augn tone", "outputs": [{ "format": { "channels": 1 } }],
          "parameters": { "waveform": "saw" }
        },
        "mixer": {
          "unit": "aumx 3dmx",
          "inputs": [{
            "format": { "channels": 1 },
            "properties": { "spatializationAlgorithm": "HRTF" }, "parameters": { "azimuth": 60 }
          }]
        },
        "out": { "unit": "default output" }
      },
      "connections": ["tone -> mixer:0", "mixer -> out"]
    }
    """

  /// The rendered file, and the messages about the HRTF.
  private func rendered(_ head: String?) throws -> (file: Data, log: String) {
    try withFolder { folder in
      try Self.description.write(toFile: "\(folder)/graph.json", atomically: true, encoding: .utf8)
      var environment = ["AUDIOTOOLBOX_LOG": "1"]
      environment["AUDIOTOOLBOX_HEAD"] = head
      let run = try Run(
        "au",
        ["graph", "\(folder)/graph.json", "--output", "\(folder)/head.wav", "--seconds", "0.2"],
        environment: environment)
      #expect(run.code == 0, "\(run.errors)")
      return (try Data(contentsOf: URL(fileURLWithPath: "\(folder)/head.wav")), run.errors)
    }
  }

  @Test("selects an HRTF file, or the spherical head")
  func choice() throws {
    let own = try rendered(nil)
    #expect(own.log.contains("libmysofa/default.sofa"))
    let sphere = try rendered("sphere")
    #expect(sphere.log.contains("a spherical head: AUDIOTOOLBOX_HEAD is"))
    #expect(sphere.file != own.file)
    let missing = try rendered("/nowhere/head.sofa")
    #expect(missing.log.contains("a spherical head: /nowhere/head.sofa cannot be read"))
    #expect(missing.file == sphere.file)
    // An empty variable counts as unset.
    #expect(try rendered("").file == own.file)
  }
}
