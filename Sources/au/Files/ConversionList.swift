// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// The list of inputs with their outputs.
enum ConversionList {
  struct Task: Sendable {
    let input: String
    let output: String
  }

  /// The extensions of sound files in folders.
  private static let endings: Set<String> = [
    "wav", "wave", "bwf", "rf64", "w64", "aif", "aiff", "aifc", "caf", "au", "snd", "flac", "ogg",
    "oga", "opus", "mp3", "m4a", "mp4", "aac",
  ]

  /// The sound files at a path: the file itself, or those of a folder, in order.
  static func soundFiles(_ path: String) throws(Failure) -> [String] {
    guard isFolder(path) else { return [path] }
    let entries = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let found = entries.sorted().filter {
      endings.contains(URL(fileURLWithPath: $0).pathExtension.lowercased())
    }
    guard !found.isEmpty else { throw Failure("there is no sound file in \(path)") }
    return found.map { "\(path)/\($0)" }
  }

  /// The files at some paths, in order, each with the path of its output.
  static func tasks(
    _ inputs: [String], output: String?, kind: String?
  ) throws(Failure) -> [Task] {
    var found: [(path: String, relative: String)] = []
    for input in inputs {
      guard isFolder(input) else {
        found.append((input, URL(fileURLWithPath: input).lastPathComponent))
        continue
      }
      let entries =
        FileManager.default.enumerator(atPath: input)?.compactMap { $0 as? String } ?? []
      for entry in entries.sorted()
      where endings.contains(URL(fileURLWithPath: entry).pathExtension.lowercased()) {
        found.append(("\(input)/\(entry)", entry))
      }
    }
    guard !found.isEmpty else {
      throw Failure("there is no sound file in \(inputs.joined(separator: ", "))")
    }
    let isOne = found.count == 1 && !isFolder(inputs[0])
    if isOne, let output, !isFolder(output), !output.hasSuffix("/") {
      return [Task(input: found[0].path, output: output)]
    }
    let ending = kind ?? "wav"
    var inputsByOutput: [String: String] = [:]
    var tasks: [Task] = []
    for (path, relative) in found {
      let folder = output ?? URL(fileURLWithPath: path).deletingLastPathComponent().path
      let name = output == nil ? URL(fileURLWithPath: path).lastPathComponent : relative
      let place = URL(fileURLWithPath: folder).appendingPathComponent(name)
        .deletingPathExtension().appendingPathExtension(ending).path
      if let other = inputsByOutput[place] {
        throw Failure(
          "\(place): both \(other) and \(path) would be converted to it")
      }
      guard !isSame(place, path) else {
        throw Failure("\(path): would overwrite itself; name another folder with --output")
      }
      inputsByOutput[place] = path
      tasks.append(Task(input: path, output: place))
    }
    return tasks
  }

  private static func isSame(_ one: String, _ other: String) -> Bool {
    URL(fileURLWithPath: one).resolvingSymlinksInPath()
      == URL(fileURLWithPath: other).resolvingSymlinksInPath()
  }

  /// Whether a path is that of a folder.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
