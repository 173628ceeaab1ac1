// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@testable import AudioUnitTool

/// Many files with `au convert` and `au render`, on one machine or several.
@Suite("Batches of files")
struct BatchTests {
  private static let fileCount = 40
  private static let convert = "convert --rate 16000 --bits 16"
  private static let render = "render hpas,cutoff=80 lmtr --tail 0 --bits 16"

  /// Runs `body` in a folder with a folder `in` of short tones, some of them in a folder of their own.
  private func withTones(_ body: (String) throws -> Void) throws {
    try withFolder { folder in
      let line = """
        mkdir -p in/deep && "$AU" tone 440 --seconds 0.02 -o in/0.wav &&
        for i in $(seq 1 \(Self.fileCount - 1)); do
          cp in/0.wav in/$([ $((i % 4)) = 0 ] && echo deep/)$i.wav
        done
        """
      let made = try shell(line, in: folder)
      try #require(made.code == 0, "\(made.errors)")
      try body(folder)
    }
  }

  private func shell(_ line: String, in folder: String) throws -> Run {
    try Run(
      path: "/bin/bash", ["-c", "cd '\(folder)' && \(line)"], environment: ["AU": Run.path("au")])
  }

  @Test(
    "whose shards never overlap, and together make the same files", arguments: [convert, render])
  func shards(command: String) throws {
    try withTones { folder in
      let whole = try shell("\"$AU\" \(command) in -o whole", in: folder)
      #expect(whole.code == 0, "\(whole.errors)")
      var written: [String] = []
      for shard in 1...4 {
        let run = try shell(
          "\"$AU\" \(command) in -o parts --shard \(shard)/4 --json", in: folder)
        #expect(run.code == 0, "\(run.errors)")
        let lines = run.output.split(separator: "\n")
        #expect(lines.count >= 2 && lines.allSatisfy { $0.contains("\"written\"") }, "\(lines)")
        written += lines.map(String.init)
      }
      #expect(written.count == Self.fileCount && Set(written).count == Self.fileCount)
      let same = try shell("diff -r --exclude='.au-*' whole parts", in: folder)
      #expect(same.code == 0, "\(same.output)")
    }
  }

  @Test("that are in a folder, whatever extension they have that can be written")
  func endings() throws {
    let endings = [
      "wav", "wave", "bwf", "rf64", "bw64", "w64", "aiff", "aif", "aifc", "caf", "au", "snd",
      "flac", "m4a", "m4b", "m4r", "mp4", "aac", "adts", "ogg", "oga", "opus", "mp3",
    ]
    try withFolder { folder in
      let line = """
        mkdir in && for e in \(endings.joined(separator: " ")); do
          "$AU" tone 440 --seconds 0.02 -o in/$e.$e || exit 1
        done; "$AU" convert in -o out && ls out
        """
      let run = try shell(line, in: folder)
      #expect(run.code == 0, "\(run.errors)")
      let names = Set(run.output.split(separator: "\n").map(String.init))
      #expect(Set(endings.map { "\($0).wav" }).isSubset(of: names), "\(names)")
    }
  }

  @Test("in which a file's shard does not depend on the other files, nor on the folder's place")
  func stableShards() throws {
    try withTones { folder in
      let first = try shell(
        "\"$AU\" \(Self.convert) in -o one --shard 1/3 | sed 's,^.*/one/,,' | sort", in: folder)
      let second = try shell(
        "rm in/?.wav && mv in elsewhere && \"$AU\" \(Self.convert) $PWD/elsewhere -o two "
          + "--shard 1/3 --jobs 1 | sed 's,^.*/two/,,' | sort", in: folder)
      #expect(second.code == 0, "\(second.errors)")
      let (all, rest) = (
        Set(first.output.split(separator: "\n")), Set(second.output.split(separator: "\n"))
      )
      #expect(!rest.isEmpty && rest.isSubset(of: all))
      #expect(all.subtracting(rest).allSatisfy { $0.count == "0.wav".count })
    }
  }

  @Test(
    "refuse parts that do not exist, with 2",
    arguments: ["0/4", "5/4", "1", "1/0", "a/b", "-1/2", "1/2/3", "1/9999999999999999999", ""])
  func noShards(shard: String) throws {
    let run = try Run("au", ["convert", "in", "-o", "out/", "--shard=\(shard)"])
    #expect(run.code == 2 && run.errors.contains("such as 2/8"), "\(run.errors)")
  }

  @Test("of a list, from a file or a pipe, with lines or zero bytes", arguments: [convert, render])
  func lists(command: String) throws {
    try withTones { folder in
      let line = "\"$AU\" \(command) --list paths -o listed in/1.wav --json"
      let run = try shell("find in/deep -name '*.wav' >paths && \(line)", in: folder)
      #expect(run.code == 0, "\(run.errors)")
      #expect(run.output.split(separator: "\n").count == 1 + 9)
      let zeros = try shell(
        "cp in/2.wav $'in/a\\nb.wav' && find in -name '*b.wav' -print0 | "
          + "\"$AU\" \(command) --list - -o piped && ls piped/*b.wav | wc -l", in: folder)
      #expect(zeros.code == 0, "\(zeros.errors)")
      #expect(zeros.output.hasSuffix("2\n"), "\(zeros.output)")
      let empty = try shell("\"$AU\" \(command) --list /dev/null -o none", in: folder)
      #expect(empty.code == 0 && empty.output.isEmpty, "\(empty.errors)")
      let missing = try shell("\"$AU\" \(command) --list nowhere -o none", in: folder)
      #expect(missing.code == 1 && missing.errors.contains("nowhere"))
      let none = try shell("\"$AU\" \(command) -o none", in: folder)
      #expect(none.code == 2 && none.errors.contains("IN is missing"), "\(none.errors)")
    }
  }

  @Test("continue with files that changed, or whose options changed", arguments: [convert, render])
  func resuming(command: String) throws {
    try withTones { folder in
      let states = { (options: String) in
        let run = try shell("\"$AU\" \(command) in -o out --json \(options)", in: folder)
        return ["kept", "written"].map { state in
          run.output.components(separatedBy: "\"\(state)\"").count - 1
        }
      }
      #expect(try states("") == [0, Self.fileCount])
      #expect(try states("--jobs 1 --fsync") == [Self.fileCount, 0])
      #expect(try states("--bits 24") == [0, Self.fileCount])
      #expect(try states("--bits 24 --shard 1/1") == [Self.fileCount, 0])
      _ = try shell("touch in/1.wav && rm out/2.wav", in: folder)
      #expect(try states("--bits 24") == [Self.fileCount - 2, 2])
      // By another file, which is older, and as long.
      _ = try shell("touch -d 2001-01-01 in/2.wav && mv in/2.wav in/1.wav", in: folder)
      #expect(try states("--bits 24") == [Self.fileCount - 2, 1])
      _ = try shell("truncate -s 100 out/3.wav", in: folder)
      #expect(try states("--bits 24") == [Self.fileCount - 2, 1])
      #expect(try states("--bits 24 --overwrite") == [0, Self.fileCount - 1])
    }
  }

  @Test(
    "end with 1 if some files failed, and name them in their lines", arguments: [convert, render])
  func failures(command: String) throws {
    try withTones { folder in
      let run = try shell(
        "echo nonsense >in/bad.wav; \"$AU\" \(command) in -o out --json", in: folder)
      #expect(run.code == 1 && run.errors.contains("1 of 41 files not"), "\(run.errors)")
      let failed = run.output.split(separator: "\n").filter { $0.contains("\"failed\"") }
      #expect(failed.count == 1 && failed.allSatisfy { $0.contains("bad.wav") })
      #expect(!run.output.contains("tryAgain"))
      #expect(try shell("ls out/*.wav out/*/*.wav | wc -l", in: folder).output == "40\n")
    }
  }

  @Test(
    "end with 75 if there was no place, and continue when there is", arguments: [convert, render])
  func noPlace(command: String) throws {
    try withTones { folder in
      // A file that is always full.
      let full = "mkdir out && ln -s /dev/full out/1.wav"
      let run = try shell("\(full) && \"$AU\" \(command) in -o out", in: folder)
      #expect(run.code == 75 && run.errors.contains("try again"), "\(run.code) \(run.errors)")
      let again = try shell("\"$AU\" \(command) in -o out --json | grep failed", in: folder)
      #expect(again.output.contains("\"tryAgain\":true"), "\(again.output)")
      let rest = try shell("rm out/1.wav && \"$AU\" \(command) in -o out --json", in: folder)
      #expect(rest.code == 0, "\(rest.errors)")
      #expect(rest.output.contains("\"kept\"") && rest.output.contains("\"written\""))
    }
  }

  @Test("leave nothing that looks like sound when they are killed; the next run removes it")
  func killed() throws {
    try withTones { folder in
      let line = """
        "$AU" tone 440 --seconds 600 --rate 96000 -o in/long.wav
        "$AU" \(Self.convert) in -o out >/dev/null & it=$!
        until [ "$(find out -name '*.partial-*' -size +100k 2>/dev/null)" ] || ! kill -0 $it; do sleep 0.01; done
        kill -KILL $it; wait $it 2>/dev/null; ls out
        """
      let run = try shell(line, in: folder)
      let names = run.output.split(separator: "\n").map(String.init)
      #expect(names.contains { $0.hasPrefix("long.wav.partial-") }, "\(names)")
      #expect(!names.contains("long.wav"))
      // What another process is writing has its lock.
      let next = try shell(
        "exec 9>out/other.wav.partial-abcdef && flock 9 && : >out/own.partial-wav && "
          + "\"$AU\" \(Self.convert) in/1.wav -o out/ && ls out", in: folder)
      #expect(next.code == 0, "\(next.errors)")
      #expect(!next.output.contains("long.wav.partial"), "\(next.output)")
      #expect(next.output.contains("other.wav.partial-abcdef"), "\(next.output)")
      #expect(next.output.contains("own.partial-wav"), "\(next.output)")
    }
  }

  @Test("remove what killed runs have left in folders in which a part has nothing to write")
  func abandonedElsewhere() throws {
    try withTones { folder in
      let run = try shell(
        """
        mkdir -p out/deep && : >out/a.wav.partial-abcdef && : >out/deep/b.wav.partial-123456
        "$AU" \(Self.convert) in -o out --shard 1/500 >/dev/null && find out -name '*.partial-*'
        """, in: folder)
      #expect(run.code == 0 && run.output.isEmpty, "\(run.output) \(run.errors)")
    }
  }

  @Test("notice another content of a file that an option names")
  func filesInOptions() throws {
    try withTones { folder in
      let path = "\(folder)/in/1.wav"
      let (named, part) = ("--picture=\(path)", "UNIT=effect,level=2,table=\(path)")
      let task = ConversionList.Task(input: "\(folder)/in/2.wav", output: "\(folder)/out.wav")
      let origins = {
        [[named], [part], ["--rate=16000"]].map { ConversionRecord(options: $0).origin(of: task) }
      }
      let before = origins()
      #expect(before == origins())
      _ = try shell("echo more >>in/1.wav", in: folder)
      let after = origins()
      #expect(after[0] != before[0] && after[1] != before[1] && after[2] == before[2])
    }
  }

  @Test("render as single files do, with units whose names are no files")
  func rendersAsOne() throws {
    try withTones { folder in
      let run = try shell(
        "\"$AU\" \(Self.render) in -o many && \"$AU\" \(Self.render) in/1.wav one.wav && "
          + "cmp one.wav many/1.wav && \"$AU\" \(Self.render) in/1.wav -o other.wav && "
          + "cmp one.wav other.wav", in: folder)
      #expect(run.code == 0, "\(run.output) \(run.errors)")
      for (line, code, part) in [
        ("render in/1.wav in -o out", 2, "UNIT is missing"),
        ("render nowhere in -o out", 1, "There is no unit"),
        ("render rvb2 in/1.wav out.wav --shard 1/2", 2, "--shard has no effect"),
        ("render rvb2 in -o in", 1, "would overwrite itself"),
      ] as [(String, Int32, String)] {
        let run = try shell("\"$AU\" \(line)", in: folder)
        #expect(run.code == code && run.errors.contains(part), "\(line): \(run.code) \(run.errors)")
      }
    }
  }
}
