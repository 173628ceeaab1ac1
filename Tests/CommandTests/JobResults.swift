// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import Foundation
import Testing

/// What `au` and another program have made of the same job, in folders with their names.
struct JobResults {
  let jobs: Jobs
  let program: String
  /// The extension of the sound that they write, out.ENDING.
  let ending: String
  /// What they print.
  let text: String
  let theirText: String

  /// Compares them as a cell of docs/JOBS.md says.
  func compare(_ how: String) throws {
    switch how {
    case "exact": try #expect(difference().isIdentical, "\(program)")
    case "parts, exact": try compareParts(limit: nil)
    case "parts, -60 dB": try compareParts(limit: -60)
    case "loudness": try compareLoudness()
    case "onsets": try compareOnsets()
    case "levels": try compareLevels()
    case "difference": try compareDifference()
    case "picture": try comparePictures()
    default:
      let limit = try #require(Double(how.prefix { $0 != " " }), "\(how) compares nothing")
      let found = try difference(isAligned: how.hasSuffix("aligned"))
      #expect((found.relativeDifference ?? -400) <= limit, "\(program): \(found)")
      #expect(found.missingFrames <= 5, "\(program): \(found)")
    }
  }

  private struct Difference: Decodable {
    let isIdentical: Bool
    let relativeDifference: Double?
    let frames, missingFrames: Int
  }

  private func difference(
    _ theirs: String? = nil, _ ours: String? = nil, isAligned: Bool = false
  ) throws -> Difference {
    let (first, second) = (theirs ?? "\(program)/out.\(ending)", ours ?? "au/out.\(ending)")
    let output = try jobs.must(
      "$AU compare \(first) \(second) --search \(isAligned ? 0.1 : 0) --json")
    return try JSONDecoder().decode(Difference.self, from: Data(output.utf8))
  }

  /// The parts that a program has written, in order; sox makes an empty one at the end.
  private func parts(_ folder: String) throws -> [String] {
    let inputs = ["in.wav", "two.wav", "near.wav", "gaps.wav"]
    return try FileManager.default.contentsOfDirectory(atPath: "\(jobs.folder)/\(folder)")
      .filter { $0.hasSuffix(".wav") && !inputs.contains($0) }.sorted().map { "\(folder)/\($0)" }
      .filter { try jobs.file($0).frameCount > 0 }
  }

  /// With a limit, each part; without, all of them together, because ffmpeg splits between packets.
  private func compareParts(limit: Double?) throws {
    let (theirs, ours) = (try parts(program), try parts("au"))
    try #require(theirs.count == ours.count && ours.count > 1, "\(theirs) \(ours)")
    guard let limit else {
      for (list, name) in [(theirs, "theirs"), (ours, "ours")] {
        try jobs.must("$AU join \(list.joined(separator: " ")) -o \(name).wav")
      }
      return try #expect(difference("theirs.wav", "ours.wav").isIdentical)
    }
    for (their, our) in zip(theirs, ours) {
      let found = try difference(their, our, isAligned: true)
      #expect((found.relativeDifference ?? -400) <= limit, "\(their), \(our): \(found)")
      // sox leaves a fiftieth of a second of the silence.
      #expect(found.missingFrames <= 960, "\(their), \(our): \(found)")
    }
  }

  /// Loudness and true peak of both, as ffmpeg measures them.
  private func compareLoudness() throws {
    let figures = try [program, "au"].map { folder in
      let run = try jobs.shell(
        "ffmpeg -i \(folder)/out.wav -af ebur128=peak=true -f null - < /dev/null")
      return try (last("I:", in: run.errors), last("Peak:", in: run.errors))
    }
    #expect(abs(figures[1].0 + 23) <= 0.1, "\(figures)")
    #expect(abs(figures[0].0 - figures[1].0) <= 0.3, "\(program): \(figures)")
    #expect(figures[1].1 <= -1, "\(figures)")
  }

  /// The last number after a word.
  private func last(_ word: String, in text: String) throws -> Double {
    let part = try #require(text.components(separatedBy: word).last, "\(text)")
    return try #require(part.split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) })
  }

  /// Where tones begin, in frames, and their frequency: which sample is where is each program's own.
  private func compareOnsets() throws {
    func tones(_ folder: String) throws -> (onsets: [Int], frequency: Double, frames: Int) {
      let samples = try jobs.samples("\(folder)/out.wav")
      var (onsets, last) = ([Int](), -100_000)
      for (frame, sample) in samples.enumerated() where abs(sample) > 0.02 {
        if frame - last > 4_000 { onsets.append(frame) }
        last = frame
      }
      let start = try #require(onsets.first) + 3_000
      let crossings = (start..<start + 6_000).filter { samples[$0 - 1] < 0 && samples[$0] >= 0 }
      let periods = Double(crossings.count - 1)
      let span = try Double(#require(crossings.last) - #require(crossings.first))
      return (onsets, 48_000 * periods / span, samples.count)
    }
    let (theirs, ours) = (try tones(program), try tones("au"))
    try #require(theirs.onsets.count == 6 && ours.onsets.count == 6, "\(theirs) \(ours)")
    for (their, our) in zip(theirs.onsets, ours.onsets) {
      #expect(abs(their - our) <= 2_880, "\(program): \(their) and \(our), a sixteenth of a second")
    }
    #expect(abs(theirs.frequency / ours.frequency - 1) < 0.001, "\(theirs) \(ours)")
    #expect(abs(theirs.frames - ours.frames) <= 480, "\(theirs.frames) \(ours.frames)")
  }

  /// Peak and RMS of all channels, in decibels: sox prints them first, ffmpeg last.
  private func compareLevels() throws {
    for (ours, sox, ffmpeg) in [
      ("Peak dBFS", "Pk lev dB", "Peak level dB:"), ("RMS dBFS", "RMS lev dB", "RMS level dB:"),
      ("DC offset", "DC offset", "DC offset:"),
    ] where program == "sox" || ours != "DC offset" {
      let own = try column(ours, in: text, ours == "DC offset" ? 1 : 0)
      let their = try program == "sox" ? column(sox, in: theirText, 0) : last(ffmpeg, in: theirText)
      #expect(abs(own - their) <= 0.011, "\(program): \(ours)")
    }
  }

  /// A number of the line that begins with a title.
  private func column(_ title: String, in text: String, _ index: Int) throws -> Double {
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(title) }, "\(text)")
    let numbers = line.dropFirst(title.count).split(separator: " ").compactMap { Double($0) }
    return try #require(numbers.indices.contains(index) ? numbers[index] : nil, "\(line)")
  }

  /// The RMS of the difference relative to that of the first file.
  private func compareDifference() throws {
    let own = try last("Null test", in: text)
    if program == "sox" {
      let whole = try jobs.shell("sox base/in.wav -n stat").errors
      func rms(_ text: String) throws -> Double {
        let line = try #require(
          text.split(separator: "\n").first { $0.hasPrefix("RMS     amplitude") })
        return try last(":", in: String(line))
      }
      let their = try 20 * log10(rms(theirText) / rms(whole))
      return #expect(abs(own - their) <= 0.06, "\(own), \(their)")
    }
    // The ratio of asdr has been printed in decibels of power and, by older versions, in twice as many.
    let their = try last("SDR ch0:", in: theirText)
    #expect(abs(own + their) <= 0.06 || abs(own + their / 2) <= 0.06, "\(own), \(their)")
  }

  private func comparePictures() throws {
    for folder in [program, "au"] {
      let url = URL(fileURLWithPath: "\(jobs.folder)/\(folder)/out.png")
      let bytes = try Data(contentsOf: url)
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 2_000, "\(folder)")
    }
  }
}
