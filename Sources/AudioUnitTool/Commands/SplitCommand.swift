// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// `au split`.
enum SplitCommand {
  private static let input = Argument<String>(
    "IN", .path("the path of a sound file; - for a pipe"), "a sound file")
  private static let output = Option<String?>(
    "output", "FOLDER", .path("the path of a folder"),
    "the folder to write to (default: that of the input)")
  private static let kind = Option<String?>(
    "format", "KIND",
    .text(
      "an extension, such as wav, flac or m4a", .words(Recording.kinds)),
    "the file type of the parts (default: that of the input)")
  private static let every = Option<Double?>(
    "every", "SECONDS", .seconds(in: 0.01...86_400), "a part for each such time")
  private static let silence = Option<Double?>(
    "silence", "SECONDS", .seconds(in: 0.01...3_600),
    "split at every silence of at least this length; it is left out")
  private static let threshold = Option<Double>(
    "silence-level", "DB", .level(in: -150...0), default: -60,
    "what is below this on all channels is silence")
  private static let markers = Flag("markers", "split at the markers")
  private static let force = Flag("force", "replace parts that exist")
  private static let jobs = Option<Int>(
    "jobs", "N", .wholeNumber(of: "files", in: 1...64),
    default: ProcessInfo.processInfo.activeProcessorCount, "how many parts to write at a time")

  /// Splits a sound file.
  static let command = Command(
    "split", "split a sound file at silences, at markers or every n seconds",
    discussion: """
      The parts are IN-001, IN-002 and so on. Samples keep their values in lossless file types. Tags are \
      copied; markers and loops go to the part that they are in.
      """,
    parameters: [output, kind, every, silence, threshold, markers] + OutputOptions.format
      + [OutputOptions.noTags, force, jobs, input],
    examples: [
      .init("au split tape.wav --silence 2s -o songs/ --format flac", "A file for each song."),
      .init("au split lecture.mp3 --every 10min -o parts/ --format opus", "Parts of ten minutes."),
      .init("au split album.flac --markers", "A file from each marker to the next."),
    ]
  ) { values in
    let chosen = [values.has(every), values.has(silence), values[markers]].filter { $0 }.count
    guard chosen == 1 else {
      throw UsageError("expected one of --every, --silence and --markers, which say where to split")
    }
    if values.has(threshold), !values.has(silence) {
      throw UsageError("--silence-level has no effect without --silence")
    }
    let spool = values[input] == "-" ? try TemporaryFile(input: STDIN_FILENO) : nil
    let path = spool?.path ?? values[input]
    let source = try SoundInput(path, ConversionSettings(), isStreamed: false)
    let ranges = try parts(source, values)
    let given = URL(fileURLWithPath: values[input] == "-" ? "part.wav" : values[input])
    let folder = values[output] ?? (spool == nil ? given.deletingLastPathComponent().path : ".")
    let stem = given.deletingPathExtension().lastPathComponent
    let ending = values[kind] ?? given.pathExtension
    let digits = max(3, "\(ranges.count)".count)
    let tasks = ranges.enumerated().map { index, range in
      let number = String(repeating: "0", count: digits - "\(index + 1)".count) + "\(index + 1)"
      let step = CutStep(
        part: SoundPart(
          from: SoundPosition(frame: range.lowerBound), to: SoundPosition(frame: range.upperBound)))
      return ConversionList.Task(
        input: path, output: "\(folder)/\(stem)-\(number).\(ending)", edit: Edit(steps: [step]))
    }
    if !values[force] {
      for task in tasks where FileManager.default.fileExists(atPath: task.output) {
        throw Failure("\(task.output): exists; --force replaces it")
      }
    }
    let run = ConversionRun(tasks, OutputOptions.settings(values), isJSON: false)
    try withExtendedLifetime(spool) {
      guard run.perform(jobs: values[jobs]) else {
        throw Failure("\(run.failureCount) of \(Numbers.count(tasks.count, "part")) not written")
      }
    }
  }

  /// The parts, in frames.
  private static func parts(_ source: SoundInput, _ values: Values) throws(Failure) -> [Range<Int>]
  {
    let sound = try source.open()
    let rate = sound.sampleRate
    guard let length = sound.frameCount, length > 0 else {
      throw Failure("\(source.title): has no frames")
    }
    var parts: [Range<Int>] = []
    if let seconds = values[every] {
      let step = max(1, Int(saturating: (seconds * rate).rounded()))
      parts = stride(from: 0, to: length, by: step).map { $0..<min(length, $0 + step) }
    } else if let seconds = values[silence] {
      parts = try loudParts(
        of: sound, SilenceThreshold(values[threshold]),
        pause: max(1, Int(saturating: (seconds * rate).rounded())))
      guard !parts.isEmpty else {
        throw Failure("\(source.title): is silent from beginning to end")
      }
    } else {
      let frames = source.markerFrames.map { Int(saturating: $0.rounded()) }
        .filter { $0 > 0 && $0 < length }
      guard !frames.isEmpty else { throw Failure("\(source.title): has no markers to split at") }
      let borders = [0] + Set(frames).sorted() + [length]
      parts = zip(borders, borders.dropFirst()).map { $0..<$1 }
    }
    guard parts.count <= 100_000 else {
      throw Failure("\(source.title): would become \(parts.count) files")
    }
    return parts
  }

  /// The parts between silences that have at least `pause` frames.
  private static func loudParts(
    of sound: any SoundStream, _ threshold: SilenceThreshold, pause: Int
  ) throws(Failure) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var (position, begin, lastLoud) = (0, -1, -1)
    try sound.forEachBlock { block, count in
      for frame in 0..<count
      where !threshold.isSilent(block.samples + frame * block.channelCount, block.channelCount) {
        let place = position + frame
        if begin >= 0, place - lastLoud > pause {
          parts.append(begin..<lastLoud + 1)
          begin = place
        } else if begin < 0 {
          begin = place
        }
        lastLoud = place
      }
      position += count
    }
    if begin >= 0 { parts.append(begin..<lastLoud + 1) }
    return parts
  }
}
