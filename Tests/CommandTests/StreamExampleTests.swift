// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("The stream player")
struct StreamExampleTests {
  private static let ffmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  /// What is played while a shell command writes to the player.
  private func play(
    _ type: String, _ encoder: [String], _ writing: (String) -> String, clock: String
  ) throws -> Signal {
    try withFolder { folder in
      let (plain, coded) = ("\(folder)/plain.wav", "\(folder)/coded.\(type)")
      let made = try Run("au", ["tone", "440", "--seconds", "3", "-o", plain])
      try #require(made.code == 0, "\(made.errors)")
      let coding = try Run(
        path: "/usr/bin/ffmpeg", ["-v", "error", "-nostdin", "-i", plain] + encoder + [coded])
      try #require(coding.code == 0, "\(coding.errors)")
      let run = try Run(
        path: "/bin/sh", ["-c", "\(writing(coded)) | '\(Run.path("StreamPlayer"))' -"],
        environment: [
          "AUDIOTOOLBOX_DEVICE": "file:\(folder)/played.wav", "AUDIOTOOLBOX_CLOCK": clock,
        ])
      #expect(run.code == 0, "\(run.errors)")
      return try RecordedFile("\(folder)/played.wav").channels[0]
    }
  }

  @Test(
    "plays a pipe to its end", .enabled(if: Self.ffmpeg, "needs ffmpeg"),
    arguments: [
      ("mp3", ["-c:a", "libmp3lame", "-b:a", "128k"]), ("aac", ["-c:a", "aac", "-b:a", "128k"]),
      ("wav", ["-c:a", "pcm_s16le"]), ("aiff", ["-c:a", "pcm_s16be"]),
    ] as [(String, [String])])
  func pipe(type: String, encoder: [String]) throws {
    let sound = try play(type, encoder, { "cat '\($0)'" }, clock: "fast")
    let loud = sound.samples.filter { abs($0) > 0.0005 }.count
    #expect(loud > 138_000 && loud < 147_000, "\(loud) frames")
    // The gaps depend on the machine: a tenth of a second without one.
    let fits = stride(from: 0, through: sound.count - 4_800, by: 2_400).map {
      sound[$0..<$0 + 4_800].tone(at: 440)
    }
    let best = try #require(fits.min { $0.residual - $0.amplitude < $1.residual - $1.amplitude })
    #expect(abs(decibels(best.amplitude / 0.1)) < 0.6 && best.residual < 0.02 * best.amplitude)
  }

  @Test(
    "plays what has arrived while the rest is still being written",
    .enabled(if: Self.ffmpeg, "needs ffmpeg"))
  func unfinished() throws {
    let sound = try play(
      "mp3", ["-c:a", "libmp3lame", "-b:a", "128k"],
      { "{ head -c 24000 '\($0)'; sleep 4; tail -c +24001 '\($0)'; }" }, clock: "paced")
    // One and a half seconds of sound, then a gap, then the rest.
    let loud = sound.samples.indices.filter { abs(sound.samples[$0]) > 0.0005 }
    let gap = try #require(zip(loud, loud.dropFirst()).max { $0.1 - $0.0 < $1.1 - $1.0 })
    #expect(gap.1 - gap.0 > 48_000, "a gap of \(gap.1 - gap.0) frames")
    #expect(loud.filter { $0 < gap.1 }.count > 48_000)
    #expect(loud.filter { $0 >= gap.1 }.count > 48_000)
  }

  @Test("reports what it cannot play")
  func refusals() throws {
    let environment = ["AUDIOTOOLBOX_DEVICE": "null"]
    let missing = try Run("StreamPlayer", ["/nowhere/a.mp3"], environment: environment)
    #expect(missing.code == 1)
    #expect(missing.errors == "StreamPlayer: /nowhere/a.mp3: No such file or directory\n")
    let nothing = try Run("StreamPlayer", ["/dev/null"], environment: environment)
    #expect(nothing.code == 1)
    #expect(nothing.errors == "StreamPlayer: The stream ended before its sound began.\n")
    #expect(try Run("StreamPlayer", [], environment: environment).code == 64)
    let text = try Run(
      path: "/bin/sh", ["-c", "yes nonsense | head -c 200000 | '\(Run.path("StreamPlayer"))' -"],
      environment: environment)
    #expect(text.code == 1 && text.errors.hasPrefix("StreamPlayer: "), "\(text.errors)")
  }
}
