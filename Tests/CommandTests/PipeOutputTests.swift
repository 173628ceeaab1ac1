// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("Sound in pipes")
struct PipeOutputTests {
  @Test(
    "has the file type of --format, and is the same as in a file",
    arguments: [
      "wav", "flac", "caf", "w64", "rf64", "bw64", "au", "m4a", "mp4", "aac", "mp3", "opus", "ogg",
    ])
  func kinds(kind: String) throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o file.\(kind)")
      try jobs.must("cat in.wav | $AU convert - -o - -f \(kind) | cat > pipe.\(kind)")
      #expect(try jobs.samples("pipe.\(kind)") == jobs.samples("file.\(kind)"))
      let (file, pipe) = (
        try jobs.must("$AU info file.\(kind)"), try jobs.must("cat pipe.\(kind) | $AU info -")
      )
      let kindOf = { (text: String) in
        text.split(separator: "\n").first { $0.hasPrefix("Kind") }?.filter { $0 != " " }
      }
      #expect(kindOf(file) == kindOf(pipe))
    }
  }

  @Test(
    "is that of other commands too",
    arguments: [
      "render lowpass in.wav - --format flac", "render lowpass in.wav -o - --format flac",
      "join in.wav in.wav -o - --format flac", "mix in.wav in.wav --level -12 -o - --format flac",
      "convert in.wav - --format flac", "convert in.wav -o /dev/stdout --format flac",
    ])
  func commands(line: String) throws {
    try Jobs.run { jobs in
      try jobs.shell("$AU \(line) | cat > out.flac").requireSuccess()
      #expect(try jobs.must("head -c 4 out.flac") == "fLaC")
    }
  }

  @Test("keeps tags and pictures in compressed files")
  func tags() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o - -f flac --tag title=Prelude | cat > out.flac")
      #expect(try jobs.must("$AU info out.flac").contains("Prelude"))
    }
  }

  @Test("an extension of another type is refused, and so is an unknown type")
  func contradictions() throws {
    try Jobs.run { jobs in
      let other = try jobs.shell("$AU convert in.wav -o out.flac -f wav")
      #expect(other.code == 1 && other.errors.contains("requested type is .wav"), "\(other.errors)")
      try jobs.must("$AU convert in.wav -o out.flac -f flac")
      let unknown = try jobs.shell("$AU convert in.wav -o - -f xyz > out")
      #expect(
        unknown.code == 2 && unknown.errors.contains("choose .wav, .flac"), "\(unknown.errors)")
    }
  }

  @Test("a full disk, a reader that ends, and a missing folder for the collected file")
  func ends() throws {
    try Jobs.run { jobs in
      let full = try jobs.shell("$AU convert in.wav -o - -f flac > /dev/full")
      #expect(full.code == 75 && full.errors.contains("No space left"), "\(full.errors)")
      let head = try jobs.shell("$AU convert in.wav -o - -f flac | head -c 4")
      #expect(head.output == "fLaC")
      let folder = try jobs.shell("TMPDIR=/nowhere $AU convert in.wav -o - -f flac | cat")
      #expect(folder.errors.contains("has no temporary file in /nowhere"), "\(folder.errors)")
    }
  }

  @Test(
    "an input that is none is named as standard input, and nothing else",
    arguments: ["info -", "stats -", "convert - -o out.wav", "play -", "spectrogram -"])
  func names(line: String) throws {
    try Jobs.run { jobs in
      for input in ["/dev/null", "one", "text"] {
        try jobs.must("printf x > one && printf 'no sound' > text")
        let run = try jobs.shell("AUDIOTOOLBOX_DEVICE=null $AU \(line) < \(input)")
        #expect(run.code == 1, "\(line) \(input)")
        #expect(run.errors.contains("standard input: "), "\(line) \(input): \(run.errors)")
        #expect(!run.errors.contains("/proc"), "\(line) \(input): \(run.errors)")
        #expect(!run.errors.contains("1 bytes"), "\(line) \(input): \(run.errors)")
      }
    }
  }
}

extension Run {
  fileprivate func requireSuccess() throws { try #require(code == 0, "\(errors)") }
}
