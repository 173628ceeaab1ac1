// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("The queue examples")
struct QueueExampleTests {
  private static let ffmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  /// A second of 440 Hz in a file type.
  private func tone(_ path: String, _ folder: String, _ encoder: [String]) throws {
    let plain = "\(folder)/plain.wav"
    let run = try Run(
      "au", ["tone", "440", "--seconds", "1", "-o", encoder.isEmpty ? path : plain])
    try #require(run.code == 0, "\(run.errors)")
    guard !encoder.isEmpty else { return }
    let coding = try Run(
      path: "/usr/bin/ffmpeg", ["-v", "error", "-nostdin", "-y", "-i", plain] + encoder + [path])
    try #require(coding.code == 0, "\(coding.errors)")
  }

  /// Expects a tenth of a second of the tone without a gap. The gaps depend on the machine.
  private func expectTone(_ sound: Signal, amplitude: Double) throws {
    let fits = stride(from: 0, through: sound.count - 4_800, by: 2_400).map {
      sound[$0..<$0 + 4_800].tone(at: 440)
    }
    let best = try #require(fits.min { $0.residual - $0.amplitude < $1.residual - $1.amplitude })
    #expect(abs(best.amplitude - amplitude) < 0.01 * amplitude)
    #expect(best.residual < 0.02 * amplitude)
  }

  private func expectTone(_ name: String, _ encoder: [String] = []) throws {
    try withFolder { folder in
      try tone("\(folder)/\(name)", folder, encoder)
      let run = try Run(
        "QueuePlayer", ["\(folder)/\(name)", "0.5"],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": "fast",
        ])
      #expect(run.code == 0, "\(run.errors)")
      let played = try RecordedFile("\(folder)/played.wav").channels[0]
      // The MP3 encoder attenuates by 5 %.
      try expectTone(played, amplitude: name.hasSuffix(".mp3") ? 0.0475 : 0.05)
      // All of the file is played, on a busy machine possibly later.
      #expect(played.samples.filter { abs($0) > 0.0005 }.count > 46_000)
    }
  }

  @Test(
    "the player plays uncompressed and lossless files unchanged", arguments: ["wav", "flac"])
  func plain(ending: String) throws { try expectTone("a.\(ending)") }

  @Test(
    "the player plays MP3 and AAC", .enabled(if: Self.ffmpeg, "needs ffmpeg"),
    arguments: [("a.mp3", "libmp3lame"), ("a.m4a", "aac"), ("a.aac", "aac")])
  func compressed(name: String, codec: String) throws {
    try expectTone(name, ["-c:a", codec, "-b:a", "128k"])
  }

  @Test("the recorder writes a WAV file of the input")
  func recorder() throws {
    try withFolder { folder in
      let input = "\(folder)/in.wav"
      let made = try Run("au", ["tone", "440", "--seconds", "60", "-o", input])
      try #require(made.code == 0, "\(made.errors)")
      let run = try Run(
        "QueueRecorder", ["\(folder)/take.wav", "1"],
        environment: ["AUDIOTOOLBOX_DEVICE": "file:,\(input)"])
      #expect(run.code == 0, "\(run.errors)")
      try expectTone(try Tape(path: "\(folder)/take.wav").signal(), amplitude: 0.1)
    }
  }

  @Test("report what they cannot open")
  func refusals() throws {
    for (program, words) in [
      ("QueuePlayer", ["/nowhere/a.wav"]), ("QueueRecorder", ["/nowhere/a.wav", "1"]),
    ] {
      let run = try Run(program, words, environment: ["AUDIOTOOLBOX_DEVICE": "null"])
      #expect(run.code != 0 && !run.errors.isEmpty, "\(program)")
    }
  }
}
