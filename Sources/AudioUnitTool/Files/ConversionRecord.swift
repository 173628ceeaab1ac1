// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// What the files of folders were converted from, so that an interrupted run is resumed, and files are
/// converted again when the options, the input or another file that is named in the options have changed, or when
/// the output was shortened. Each folder has a hidden file with lines for its outputs: name, input, options, and
/// the sizes and times of files. The last line of a name counts.
final class ConversionRecord: Sendable {
  static let fileName = ".au-convert"

  /// The options of this run, and the states of the files in them.
  private let options: String

  /// What a file was made of.
  struct Origin: Equatable {
    fileprivate let input: String
    fileprivate let options: String
    /// The size of the input, and when it was changed.
    fileprivate let state: String
  }

  private struct Entry: Equatable {
    let origin: Origin
    /// The size of the output.
    let size: String
  }

  /// For each folder, what its files were made of.
  private let known: Mutex<[String: [String: Entry]]> = Mutex([:])

  /// A record for a run with these options, of which each has its text as it was typed. Texts that are, or
  /// contain, the path of a file stand for its content, too: `--picture=a.jpg`, `unit,table=b.txt`.
  init(_ title: String = "", options: [String]) {
    let texts = options.flatMap { option -> [String] in
      let files = Self.paths(in: option).compactMap(Self.state)
      return [option] + files
    }
    self.options = ([title] + texts).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The parts of an option that may be paths.
  private static func paths(in option: String) -> [String] {
    let value = option.split(separator: "=", maxSplits: 1).last.map(String.init) ?? option
    let parts = option.split { $0 == "=" || $0 == "," }.map(String.init)
    return [value] + parts.filter { $0 != value }
  }

  /// The size of a regular file and when it was changed; nil if there is none.
  private static func state(_ path: String) -> String? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return "\(status.st_size)@\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// What an output is made of now. Called before its input is read, so that a change meanwhile is noticed
  /// by the next run.
  func origin(of task: ConversionList.Task) -> Origin {
    Origin(
      input: URL(fileURLWithPath: task.input).path, options: options,
      state: Self.state(task.input) ?? "")
  }

  /// Whether an output is there, whole, and was made of the same.
  func isUpToDate(_ task: ConversionList.Task, _ origin: Origin) -> Bool {
    guard !origin.state.isEmpty, let size = Self.size(task.output), size != "0" else {
      return false
    }
    let (folder, name) = Self.parts(task.output)
    let entry = Entry(origin: origin, size: size)
    return known.withLock { Self.entries(of: folder, &$0)[name] == entry }
  }

  private static func size(_ path: String) -> String? {
    state(path)?.split(separator: "@").first.map(String.init)
  }

  /// Notes that an output is complete.
  func add(_ task: ConversionList.Task, _ origin: Origin) {
    let (folder, name) = Self.parts(task.output)
    let entry = Entry(origin: origin, size: Self.size(task.output) ?? "")
    known.withLock { known in
      guard Self.entries(of: folder, &known)[name] != entry else { return }
      known[folder, default: [:]][name] = entry
      let fields = [name, origin.input, origin.options, origin.state, entry.size].map(Self.escaped)
      // Without the record, files are only converted again.
      Self.append(fields.joined(separator: "\t") + "\n", to: "\(folder)/\(Self.fileName)")
    }
  }

  private static func append(_ line: String, to path: String) {
    let descriptor = openPath(path, O_WRONLY | O_CREAT | O_APPEND)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(line.utf8)
    while write(descriptor, bytes, bytes.count) < 0, errno == EINTR {}
  }

  /// A text without the characters that separate fields and lines.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\t": result += "\\t"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// The text that `escaped` was made of.
  private static func unescaped(_ text: Substring) -> String {
    var (result, isEscape) = ("", false)
    for scalar in text.unicodeScalars {
      if isEscape {
        let meant: Unicode.Scalar =
          switch scalar {
          case "t": "\t"
          case "n": "\n"
          case "r": "\r"
          default: scalar
          }
        result.unicodeScalars.append(meant)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func parts(_ path: String) -> (folder: String, name: String) {
    let url = URL(fileURLWithPath: path)
    return (url.deletingLastPathComponent().path, url.lastPathComponent)
  }

  private static func entries(
    of folder: String, _ known: inout [String: [String: Entry]]
  ) -> [String: Entry] {
    if let entries = known[folder] { return entries }
    let data = FileManager.default.contents(atPath: "\(folder)/\(fileName)") ?? Data()
    var entries: [String: Entry] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(unescaped)
      guard fields.count == 5 else { continue }
      entries[fields[0]] = Entry(
        origin: Origin(input: fields[1], options: fields[2], state: fields[3]), size: fields[4])
    }
    known[folder] = entries
    return entries
  }
}
