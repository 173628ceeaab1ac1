// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// What the files of folders were converted with, so that an interrupted run is resumed, and files are
/// converted again when the options or the input have changed. Each folder has a hidden file with lines for
/// its outputs: name, input and options. The last line of a name counts.
final class ConversionRecord: Sendable {
  static let fileName = ".au-convert"

  /// The options of this run.
  private let options: String
  /// What a file was made of.
  private struct Entry: Equatable {
    let input: String
    let options: String
  }

  /// For each folder, what its files were made of.
  private let known: Mutex<[String: [String: Entry]]> = Mutex([:])

  init(options: String) { self.options = options }

  /// Whether an output is newer than its input, and was made of it with the same options.
  func isUpToDate(_ task: ConversionList.Task) -> Bool {
    var (input, output) = (stat(), stat())
    guard stat(task.input, &input) == 0, stat(task.output, &output) == 0 else { return false }
    guard output.st_mode & S_IFMT == S_IFREG, output.st_size > 0 else { return false }
    let (old, new) = (input.st_mtim, output.st_mtim)
    guard (new.tv_sec, new.tv_nsec) > (old.tv_sec, old.tv_nsec) else { return false }
    let (folder, name) = Self.parts(task.output)
    let entry = entry(task)
    return known.withLock { Self.entries(of: folder, &$0)[name] == entry }
  }

  /// Notes that an output is complete.
  func add(_ task: ConversionList.Task) {
    let (folder, name) = Self.parts(task.output)
    let entry = entry(task)
    known.withLock { known in
      guard Self.entries(of: folder, &known)[name] != entry else { return }
      known[folder, default: [:]][name] = entry
      let fields = [name, entry.input, entry.options].map(Self.escaped)
      // Without the record, files are only converted again.
      Self.append(fields.joined(separator: "\t") + "\n", to: "\(folder)/\(Self.fileName)")
    }
  }

  private func entry(_ task: ConversionList.Task) -> Entry {
    Entry(input: URL(fileURLWithPath: task.input).path, options: options)
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
      guard fields.count == 3 else { continue }
      entries[fields[0]] = Entry(input: fields[1], options: fields[2])
    }
    known[folder] = entries
    return entries
  }
}
