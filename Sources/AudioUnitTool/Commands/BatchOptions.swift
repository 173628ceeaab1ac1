// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import Foundation
import PlainText

/// The options of commands that make a file of each of many.
enum BatchOptions {
  static let output = Option<String?>(
    "output", "OUT", .path("the path of a file, or of a folder; - for a pipe"),
    "the file or folder to write, or - for a pipe (default: beside the input)")
  static let kind = Option<String?>(
    "format", "KIND",
    .text(
      "an extension, such as wav, flac, m4a, opus, mp3 or caf",
      limits: ", such as wav, flac, m4a, opus, mp3 or caf",
      .words(Recording.kinds)),
    "the file type in a folder, or in a pipe (default: wav)")
  static let list = Option<String?>(
    "list", "FILE", .path("the path of a text with a path in each line; - for a pipe"),
    "read the paths of more inputs from the lines of a file, or - for a pipe")
  static let shard = Option<Shard?>(
    "shard", "I/N", .shard,
    "only part I of N of the files; several machines share the work")
  static let overwrite = Flag(
    "overwrite", "write again what an earlier run has written with the same options")
  static let force = Flag("force", "replace an input by its output")
  static let synchronized = Flag(
    "fsync", "have the disk keep each file before it gets its name")
  static let json = Flag("json", "print a line of JSON for each file")

  /// The options that change no byte of the outputs.
  static let aboutTheRun: [any Parameter] = [
    output, list, shard, overwrite, force, synchronized, json,
  ]

  /// The type of files whose name does not say it.
  ///
  /// - Throws: If such files cannot be written.
  static func fileKind(_ values: Values) throws -> Recording.Kind? {
    try values[kind].map { try Recording.kind($0, of: "--format \(Excerpt.name($0))") }
  }

  /// What a help text says about many files.
  static let discussion = """
    A file gets its name when it is complete; until then its name ends in .partial- and six digits, and \
    the next run removes what a killed one has left. Of several files, those are skipped that an earlier \
    run has written with the same options, unless the input or another file that an option names has \
    changed, so that an interrupted run can be resumed: the file \(ConversionRecord.fileName) in the folder \
    remembers the options, and the sizes and times of the files. The written files do not depend on the \
    number of jobs or on earlier runs.

    --shard 2/8 takes about an eighth of the files, always the same ones: the names decide, so that the parts \
    never overlap and together are all. The exit status is 0 if all files are there, 1 if some have failed, \
    and 75 if the command should be called again, because there was no place or memory for some.
    """

  /// The inputs: those of the command line, then those of the list.
  ///
  /// - Throws: If there is none of both.
  static func inputs(_ values: Values, _ argument: RepeatedArgument<String>) throws -> [String] {
    let given = values[argument]
    guard let path = values[list] else {
      guard !given.isEmpty else {
        throw UsageError(
          "\(argument.name) is missing: expected \(argument.expected ?? "a path"), or --list")
      }
      return given
    }
    guard path != "-" || !given.contains("-") else {
      throw UsageError("-: standard input is the list, and cannot be an input too")
    }
    return given + (try paths(path))
  }

  /// The paths in a list: lines, or texts that end in a zero byte, as `find -print0` writes them.
  private static func paths(_ path: String) throws -> [String] {
    // A pipe, too, as shells give it for <(find …).
    let file = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
    guard let file, let data = try? file.readToEnd() ?? Data() else {
      throw Failure("\(path): the list cannot be read")
    }
    let separator: UInt8 = data.contains(0) ? 0 : 0x0A
    return data.split(separator: separator).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The files with their outputs.
  static func batch(_ values: Values, _ argument: RepeatedArgument<String>) throws
    -> ConversionList.Batch
  {
    var batch = try ConversionList.batch(
      try inputs(values, argument), output: values[output], kind: values[kind],
      replacesInput: values[force], isList: values.has(list))
    if let shard = values[shard] { batch.tasks.removeAll { !shard.contains($0.name) } }
    return batch
  }

  /// Works on all files, and throws if any failed.
  static func perform(_ run: ConversionRun, jobs: Int, _ action: String) throws {
    guard !run.perform(jobs: jobs) else { return }
    throw Failure(
      "\(run.failureCount) of \(Numbers.count(run.tasks.count, "file")) not \(action)"
        + (run.hasTemporaryFailures ? "; try again" : ""),
      isTemporary: run.hasTemporaryFailures)
  }
}
