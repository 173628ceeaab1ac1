// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

@Suite("au join, mix, split, compare, stats, spectrogram and info of files")
struct FileJobTests {
  @Test("joins files without a gap, and adapts rates and channels")
  func join() throws {
    try Jobs.run { jobs in
      try jobs.must(
        "$AU convert in.wav -o one.wav --to 1 && $AU convert in.wav -o two.wav --from 1")
      try jobs.must("$AU join one.wav two.wav -o whole.wav")
      #expect(try jobs.difference("in.wav", "whole.wav") == 0)
      // What encoders add at the ends is left out.
      try jobs.must("$AU convert one.wav -o one.m4a && $AU convert two.wav -o two.m4a")
      try jobs.must("$AU join one.m4a two.m4a -o m4a.wav")
      #expect(try jobs.file("m4a.wav").frameCount == 96_000)
      try jobs.must("$AU convert in.wav -o mono.wav --pick 1 --rate 44100")
      try jobs.must("$AU join in.wav mono.wav -o mixed.wav --bits 32f")
      let joined = try jobs.file("mixed.wav")
      #expect(joined.channels.count == 2 && joined.frameCount == 192_000)
      #expect(
        abs(joined.channels[1].samples[130_000]) > 0 || joined.channels[1].samples[130_001] != 0)
      try jobs.must("cat two.wav | $AU join one.wav - -o piped.wav")
      #expect(try jobs.difference("in.wav", "piped.wav") == 0)
    }
  }

  @Test(
    "join and mix pass a pipe on while it arrives",
    arguments: [
      "join - in.wav -o -", "mix - in.wav --level 0 --level -200 -o -",
      "mix in.wav - --level -200 --level 0 -o -",
    ])
  func pipes(line: String) throws {
    try Jobs.run { jobs in
      // The input ends when the output has begun, or after a minute.
      try jobs.must(
        """
        mkfifo gate && { head -c 288044 in.wav; timeout 60 cat gate > /dev/null; \
        tail -c +288045 in.wav; } | $AU \(line) | { head -c 200000 > begin; echo > gate; cat > end; }
        """)
      try jobs.must("cat begin end > out.wav && $AU join in.wav -o one.wav --bits 32f")
      let (out, whole) = try (jobs.samples("out.wav"), jobs.samples("in.wav"))
      #expect(zip(out, whole).allSatisfy { abs($0 - $1) < 1e-6 })
      #expect(out.count == (line.hasPrefix("join") ? 192_000 : 96_000))
      #expect(try jobs.file("begin").frameCount > 20_000, "written before the input has ended")
    }
  }

  @Test("pictures go to pipes, with nothing after them")
  func pictures() throws {
    try Jobs.run { jobs in
      try jobs.must(
        "$AU spectrogram - -o - < in.wav > piped.png && $AU spectrogram in.wav -o a.png")
      try jobs.must("cmp piped.png a.png || test $(wc -c < piped.png) -gt 2000")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(jobs.folder)/piped.png"))
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(bytes.suffix(8).prefix(4) == Data("IEND".utf8), "nothing follows the picture")
      for line in ["plot lpas -o -", "info in.wav --svg -"] {
        let svg = try jobs.shell("$AU \(line)").output
        #expect(svg.hasPrefix("<") && svg.hasSuffix("</svg>\n"), "\(line): \(svg.suffix(80))")
      }
    }
  }

  @Test("joined files have the markers of all")
  func joinedMarkers() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o a.wav --marker 0.5=one --marker 1.5=two")
      try jobs.must("$AU join a.wav a.wav -o b.wav")
      let report = try jobs.must("$AU info b.wav")
      for text in ["0.5 s one", "1.5 s two", "2.5 s one", "3.5 s two"] {
        #expect(report.contains(text), "\(report)")
      }
      try jobs.must("$AU split b.wav --markers -o parts")
      #expect(try jobs.must("ls parts").split(separator: "\n").count == 5)
      #expect(try jobs.file("parts/b-001.wav").frameCount == 24_000)
      #expect(try jobs.must("$AU info parts/b-003.wav").contains("0.0 s two"))
    }
  }

  @Test("mixes files with gains, as long as the longest")
  func mix() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU convert in.wav -o half.wav --to 1")
      try jobs.must("$AU mix in.wav half.wav --level 0 --level -6 -o mix.wav --bits 32f")
      let (whole, mix) = (try jobs.samples("in.wav"), try jobs.samples("mix.wav"))
      try #require(mix.count == whole.count)
      let gain = 1 + Float(pow(10, -6.0 / 20))
      #expect((0..<48_000).allSatisfy { abs(mix[$0] - gain * whole[$0]) < 1e-6 })
      #expect(mix[48_000...] == whole[48_000...])
      let wrong = try jobs.shell("$AU mix in.wav half.wav in.wav --level 0 --level 1 -o x.wav")
      #expect(wrong.code == 2 && wrong.errors.contains("--level is given 2 times"))
      let loud = try jobs.shell("$AU mix in.wav in.wav --level 20 -o loud.wav --bits 16")
      #expect(loud.code == 0 && loud.errors.contains("beyond full scale"), "\(loud.errors)")
      try jobs.must("$AU mix in.wav in.wav --level 20 -o held.wav --peak -1 --bits 16")
    }
  }

  @Test("splits every n seconds and at silences; the parts are the whole")
  func split() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU split in.wav --every 0.75 -o parts --format flac")
      #expect(try jobs.must("ls parts") == "in-001.flac\nin-002.flac\nin-003.flac\n")
      try jobs.must("$AU join parts -o whole.wav && $AU convert whole.wav -o w.wav --bits 24")
      #expect(try jobs.difference("in.wav", "w.wav") == 0)
      try jobs.must(
        "$AU join in.wav in.wav -o two.wav && $AU split two.wav --silence 100ms -o songs")
      #expect(try jobs.must("ls songs") == "two-001.wav\ntwo-002.wav\n")
      #expect(try jobs.file("songs/two-002.wav").frameCount == 81_600)
      for (line, part, code) in [
        ("split in.wav", "expected one of --every", 2),
        ("split in.wav --markers", "in.wav: has no markers", 1),
        ("split in.wav --every 1 --markers", "expected one of", 2),
        ("split in.wav --every 0.75 -o parts --format flac", "in-001.flac: exists; --force", 1),
        ("split - --every 1 < .", "standard input: Is a directory", 1),
      ] {
        let run = try jobs.shell("$AU \(line)")
        #expect(run.code == Int32(code) && run.errors.contains(part), "\(run.errors)")
      }
      try jobs.must("$AU split in.wav --every 0.75 -o parts --format flac --force")
    }
  }

  @Test("a comparison is within a limit only if everything was compared")
  func within() throws {
    try Jobs.run { jobs in
      try jobs.must(
        "$AU convert in.wav -o silent.wav --to 2400f && $AU convert in.wav -o one.wav --from 24000f "
          + "--to 24001f && $AU convert in.wav -o loud.wav --from 24000f --to 26400f --bits 32f")
      // The last sample is not a number.
      try jobs.must(
        "cp loud.wav odd.wav && printf '\\0\\0\\300\\177' | dd of=odd.wav bs=1 conv=notrunc status=none "
          + "seek=$(($(stat -c %s odd.wav) - 4))")
      for name in ["silent", "one", "loud", "in"] {
        let text = try jobs.must("$AU compare \(name).wav \(name).wav --within -120")
        #expect(text.contains("Identical") && text.contains("yes"), "\(text)")
      }
      for (files, part) in [
        ("silent.wav loud.wav --search 0", "no level relative to silent.wav"),
        ("odd.wav loud.wav --search 0", "1 sample that"), ("odd.wav odd.wav", "1 sample that"),
        ("in.wav loud.wav", "differ in length"), ("loud.wav in.wav", "differ in length"),
      ] {
        let run = try jobs.shell("$AU compare \(files) --within -30")
        #expect(run.code == 1 && run.errors.contains(part), "\(files): \(run.errors)")
      }
      #expect(try jobs.must("$AU compare odd.wav odd.wav").contains("Not numbers"))
    }
  }

  @Test("standard input is read once, and a file is not rendered to itself")
  func sameTwice() throws {
    try Jobs.run { jobs in
      let stats = try jobs.shell("$AU stats - - < in.wav")
      #expect(stats.code == 2 && stats.errors.contains("can be read once"), "\(stats.errors)")
      let render = try jobs.shell("$AU render lowpass,cutoff=800 in.wav ./in.wav")
      #expect(render.code == 1 && render.errors.contains("is the input too"), "\(render.errors)")
    }
  }

  @Test("compares: the same, a copy with fewer bits, an offset, another level, inverted")
  func compare() throws {
    try Jobs.run { jobs in
      #expect(try jobs.must("$AU compare in.wav in.wav").contains("Null test   -inf dB"))
      try jobs.must("$AU convert in.wav -o coarse.wav --bits 16")
      let coarse = try jobs.must("$AU compare in.wav coarse.wav --json")
      struct Report: Decodable {
        let offset: Int
        let isIdentical, isInverted: Bool
        let gain, difference, relativeDifference, matchedDifference: Double?
      }
      func report(_ text: String) throws -> Report {
        try JSONDecoder().decode(Report.self, from: Data(text.utf8))
      }
      // Triangular dither of 16 bits and rounding: -98.1 + 4.8 dB of full scale.
      #expect(try abs((report(coarse).difference ?? 0) + 96.3) < 1, "\(coarse)")
      #expect(try !report(coarse).isIdentical)
      try jobs.must("$AU convert in.wav -o late.wav --from 480f --gain -6 --bits 32f")
      let late = try report(jobs.must("$AU compare in.wav late.wav --json"))
      #expect(late.offset == -480 && abs((late.gain ?? 0) + 6) < 0.01)
      #expect((late.matchedDifference ?? -400) < -100)
      let failed = try jobs.shell("$AU compare in.wav coarse.wav --within -120")
      #expect(failed.code == 1 && failed.errors.contains("above -120 dB"))
      let other = try jobs.shell(
        "$AU convert in.wav -o mono.wav --pick 1 && $AU compare in.wav mono.wav")
      #expect(other.code == 1 && other.errors.contains("in.wav has 2 channels, mono.wav has 1"))
    }
  }

  @Test("measures each channel")
  func stats() throws {
    try Jobs.run { jobs in
      // The left channel has an offset; a tone's crest is 3.01 dB.
      try jobs.must("$AU convert in.wav -o tone.wav --from 0.5 --to 1.5")
      let text = try jobs.must("$AU stats tone.wav --json")
      struct Report: Decodable {
        struct Channel: Decodable {
          let dcOffset, peak, rms, crest, flatFactor: Double
          let clips: Int
        }
        let channels: [Channel]
        let frames: Int
      }
      let report = try JSONDecoder().decode(Report.self, from: Data(text.utf8))
      #expect(report.frames == 48_000)
      #expect(abs(report.channels[0].dcOffset - 100_000 / 8_388_608.0) < 1e-6)
      #expect(abs(report.channels[1].crest - 3.01) < 0.01 && report.channels[1].clips == 0)
      #expect(abs(report.channels[1].peak - 20 * log10(1_000_000 / 8_388_608.0)) < 0.01)
      try jobs.write(
        "clipped.wav", channels: 1,
        (0..<48_000).map { frame in
          Int32(max(-8_388_608, min(8_388_607, 20_000_000 * sin(Double(frame) * 0.01))))
        })
      let clipped = try JSONDecoder().decode(
        Report.self, from: Data(jobs.must("$AU stats clipped.wav --json").utf8))
      #expect(clipped.channels[0].flatFactor > 20 && clipped.channels[0].clips > 10_000)
      #expect(try jobs.must("cat in.wav | $AU stats -").contains("RMS dBFS"))
      #expect(try jobs.must("$AU stats in.wav tone.wav --json").split(separator: "\n").count == 2)
    }
  }

  @Test("draws a spectrogram: PNG, SVG and letters")
  func spectrogram() throws {
    try Jobs.run { jobs in
      try jobs.must("$AU spectrogram in.wav -o s.png --width 200 --height 100")
      let png = try Data(contentsOf: URL(fileURLWithPath: "\(jobs.folder)/s.png"))
      #expect(png.starts(with: [0x89, 0x50, 0x4E, 0x47]) && png.count > 20_000)
      try jobs.must("$AU spectrogram in.wav -o s.svg --width 200 --height 100 --log")
      let svg = try String(contentsOfFile: "\(jobs.folder)/s.svg", encoding: .utf8)
      #expect(svg.contains("<image") && svg.contains("in.wav"))
      // The tones are at the bottom, in the middle of the sound; above is nothing.
      let lines = try jobs.must("$AU spectrogram in.wav --range 60").split(separator: "\n")
      let middle = lines.dropLast().map { Array($0)[40] }
      #expect(middle.suffix(2).contains { "+*#%@".contains($0) }, "\(lines)")
      #expect(middle.prefix(10).allSatisfy { $0 == " " }, "\(lines)")
      let wrong = try jobs.shell("$AU spectrogram in.wav -o s.gif")
      #expect(wrong.code == 2 && wrong.errors.contains(".png or .svg"))
    }
  }

  @Test("a PNG is one that other programs read")
  func png() throws {
    guard FileManager.default.fileExists(atPath: "/usr/bin/ffmpeg") else { return }
    try Jobs.run { jobs in
      try jobs.must("$AU spectrogram in.wav -o s.png --width 300 --height 260")
      let run = try jobs.shell("ffmpeg -v error -i s.png -f rawvideo -pix_fmt rgb24 - | wc -c")
      #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
      let byteCount = 440 * 312 * 3
      #expect(run.output.contains("\(byteCount)"), "\(run.output)")
    }
  }

  @Test("au info: many files, a folder, a pipe, a line of JSON each; the header at once")
  func info() throws {
    try Jobs.run { jobs in
      try jobs.must("mkdir takes && cp in.wav takes/a.wav && $AU convert in.wav -o takes/b.flac")
      let report = try jobs.must("$AU info in.wav takes")
      for part in ["in.wav", "takes/a.wav", "takes/b.flac", "FLAC"] {
        #expect(report.contains(part))
      }
      #expect(!report.contains("LUFS"))
      #expect(try jobs.must("$AU info takes --measure").contains("LUFS"))
      #expect(try jobs.must("$AU info takes in.wav --json").split(separator: "\n").count == 3)
      #expect(try jobs.must("cat in.wav | $AU info -").contains("standard input"))
      let mixed = try jobs.shell("$AU info in.wav none.wav")
      #expect(mixed.code == 1 && mixed.output.contains("96000 frames"))
      #expect(mixed.errors.contains("none.wav") && mixed.errors.contains("1 of 2 files not read"))
    }
  }

  @Test(
    "sets tags, a picture, markers and loops, and shows them", arguments: ["wav", "flac", "m4a"])
  func metadata(ending: String) throws {
    try Jobs.run { jobs in
      try jobs.must("$AU spectrogram in.wav -o cover.png --width 64 --height 32")
      try jobs.must(
        "$AU convert in.wav -o out.\(ending) --tag title=Prelude --picture cover.png "
          + "--marker 0.5=Chorus --loop 0.25/1.5")
      let report = try jobs.must("$AU info out.\(ending)")
      #expect(report.contains("Prelude"), "\(report)")
      if ending != "wav" { #expect(report.contains("PNG, "), "\(report)") }
      if ending == "wav" {
        #expect(report.contains("0.5 s Chorus") && report.contains("0.25 s to 1.5 s"), "\(report)")
      }
      let wrong = try jobs.shell("$AU convert in.wav -o x.wav --marker 3=late")
      #expect(wrong.code == 1 && wrong.errors.contains("--marker 3: is not in the sound"))
    }
  }
}
