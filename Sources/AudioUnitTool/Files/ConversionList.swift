// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CommandSupport
import PlainText

/// The list of inputs with their outputs.
enum ConversionList {
  struct Task: Sendable {
    let input: String
    let output: String
    /// What distinguishes it in its batch, on every machine: its path in the folder that was given.
    var name = ""
    /// Changes that only this file gets; nil: those of the settings.
    var edit: Edit?
    /// Several inputs that become one sound; nil: only `input`.
    var combined: (inputs: [String], combination: CombinedInput.Combination)?
  }

  /// Files that belong together.
  struct Batch: Sendable {
    var tasks: [Task]
    /// Whether they are the files of a folder, or several files: an interrupted run is resumed.
    let isResumable: Bool
    /// The folders of all outputs, also of those that another part of the batch makes, and the one that
    /// was given.
    let folders: Set<String>

    init(tasks: [Task], isResumable: Bool, output: String? = nil) {
      (self.tasks, self.isResumable) = (tasks, isResumable)
      let given = output.map { URL(fileURLWithPath: $0).path }
      folders = ConversionList.folders(tasks).union(given.map { [$0] } ?? [])
    }
  }

  /// The extensions of sound files in folders.
  private static let endings = Set(
    Recording.kinds + ["wave", "bwf", "aif", "snd", "oga", "m4r", "adts", "mov", "mp1", "mp2"])

  /// Whether a path has the extension of a sound file.
  static func isSoundName(_ path: String) -> Bool {
    endings.contains(URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  /// The sound files at a path: the file itself, or those of a folder, in order.
  static func soundFiles(_ path: String) throws(Failure) -> [String] {
    guard isFolder(path) else { return [path] }
    let entries = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    let found = entries.sorted().filter(isSoundName)
    guard !found.isEmpty else { throw Failure("there is no sound file in \(path)") }
    return found.map { "\(path)/\($0)" }
  }

  /// The sound files at some paths, in order.
  static func soundFiles(in paths: [String]) throws(Failure) -> [String] {
    var found: [String] = []
    for path in paths { found += try soundFiles(path) }
    return found
  }

  /// The files at some paths, in order, each with the path of its output.
  ///
  /// - Parameters:
  ///   - given: Files and folders; "-" is standard input.
  ///   - givenOutput: A file for a single file, or else a folder; nil: the folder of each input.
  ///   - kind: The extension of outputs in folders; nil: wav.
  ///   - replacesInput: Whether a file may be converted to itself.
  ///   - isList: Whether there may be any number of inputs, so that the output is a folder.
  /// - Returns: The files with their outputs.
  /// - Throws: If there is no file, or two would become one.
  static func batch(
    _ given: [String], output givenOutput: String?, kind: String?, replacesInput: Bool,
    isList: Bool = false
  ) throws -> Batch {
    var (inputs, output) = (given, givenOutput)
    if output == nil, !isList, let last = try outputAtEnd(of: inputs, kind: kind) {
      inputs.removeLast()
      output = last
    }
    var found: [(path: String, relative: String)] = []
    for input in inputs {
      guard isFolder(input) else {
        found.append((input, URL(fileURLWithPath: input).lastPathComponent))
        continue
      }
      for path in try inputFiles(input, output: output) {
        found.append((path, String(path.dropFirst(input.count + 1))))
      }
    }
    let isOne = !isList && found.count == 1 && !isFolder(inputs[0])
    if let output { try checkFolder(output, count: found.count, isOne: isOne) }
    if isOne, let output, !isFolder(output), !output.hasSuffix("/") {
      guard replacesInput || !isSame(output, found[0].path) else {
        throw Failure("\(output): is the input too; --force replaces it")
      }
      let task = Task(input: found[0].path, output: output, name: found[0].relative)
      return Batch(tasks: [task], isResumable: false)
    }
    if found.contains(where: { $0.path == "-" }) {
      guard isOne, output == nil else {
        throw UsageError(
          "- is standard input, which is converted alone: name its output, such as -o -")
      }
      return Batch(tasks: [Task(input: "-", output: "-")], isResumable: false)
    }
    let ending = kind ?? "wav"
    let resolvedInputs = Set(found.map { resolved($0.path) })
    var inputsByOutput: [String: String] = [:]
    var tasks: [Task] = []
    for (path, relative) in found {
      let folder = output ?? URL(fileURLWithPath: path).deletingLastPathComponent().path
      let name = output == nil ? URL(fileURLWithPath: path).lastPathComponent : relative
      let place = URL(fileURLWithPath: folder).appendingPathComponent(name)
        .deletingPathExtension().appendingPathExtension(ending).path
      if let other = inputsByOutput[place] {
        // Named twice, such as by itself and by its folder.
        if other == path { continue }
        throw Failure(
          "\(place): both \(other) and \(path) would be converted to it")
      }
      guard replacesInput || !isSame(place, path) else {
        throw Failure(
          "\(path): would overwrite itself; name another folder with --output, or use --force")
      }
      guard replacesInput || !resolvedInputs.contains(resolved(place)) else {
        throw Failure(
          "\(place): \(path) would be converted to it, but it is an input too; --force replaces it")
      }
      inputsByOutput[place] = path
      tasks.append(Task(input: path, output: place, name: relative))
    }
    return Batch(tasks: tasks, isResumable: !isOne, output: output)
  }

  /// The sound files of a folder. If the folder to write to is in it, its files are outputs of an earlier
  /// run, and left out.
  private static func inputFiles(_ folder: String, output: String?) throws(Failure) -> [String] {
    let files = try soundFiles(folder)
    guard let output, output != "-" else { return files }
    let target = resolved(output) + "/"
    let source = resolved(folder)
    guard target != source + "/", target.hasPrefix(source == "/" ? "/" : source + "/") else {
      return files
    }
    let inputs = files.filter { !resolved($0).hasPrefix(target) }
    guard !inputs.isEmpty else { throw Failure("there is no sound file in \(folder)") }
    return inputs
  }

  /// The path of a file, without links.
  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// The last of two paths, if it is meant as the output: the first is a sound file, and the second
  /// could become one.
  ///
  /// - Throws: If the second exists: then it may be an input too. And if there are more, where sox writes
  ///   them one after the other.
  private static func outputAtEnd(of inputs: [String], kind: String?) throws -> String? {
    guard inputs.count > 1, let last = inputs.last, !isFolder(inputs[0]) else { return nil }
    // The type of files in folders; then all are inputs.
    if kind != nil { return inputs.count == 2 && last == "-" ? last : nil }
    let exists = FileManager.default.fileExists(atPath: last)
    guard inputs.count == 2 else {
      guard last == "-" || isSoundName(last), !exists else { return nil }
      let problem =
        last == "-" ? "- is one output" : "\(Excerpt.quoted(last)) does not exist"
      throw UsageError(
        "\(problem): `au join` writes files one after the other, and `au mix` adds them, each with -o "
          + "\(Excerpt.name(last)); -o FOLDER/ converts each of them")
    }
    if last == "-" { return last }
    guard isSoundName(last) else { return nil }
    guard !exists else {
      throw UsageError(
        "\(last) exists: write `au convert \(inputs[0]) -o \(last)` to replace it, or name a folder "
          + "with --output to convert both")
    }
    return last
  }

  /// Refuses a folder whose name is that of a sound file, which is probably a mistake.
  private static func checkFolder(_ output: String, count: Int, isOne: Bool) throws(Failure) {
    guard output != "-", !output.hasSuffix("/"), isSoundName(output) else { return }
    if isFolder(output) {
      throw Failure("\(output): is a folder; write \(output)/ to convert into it")
    }
    guard isOne else {
      throw Failure(
        "\(output): is one file for \(Numbers.count(count, "input")); name a folder, \(output)/, or use "
          + "`au join` to write them one after the other")
    }
  }

  /// The folders of the outputs.
  static func folders(_ tasks: [Task]) -> Set<String> {
    Set(
      tasks.filter { $0.output != "-" }.map {
        URL(fileURLWithPath: $0.output).deletingLastPathComponent().path
      })
  }

  /// Refuses an output that cannot be written, before anything is read or measured.
  static func checkTarget(_ path: String) throws(Failure) {
    guard path != "-" else { return }
    var status = stat()
    if stat(path, &status) == 0 {
      guard access(path, W_OK) == 0 else {
        throw Failure("\(path): \(String(cString: strerror(errno)))")
      }
      // Pipes and devices are written to, and the others replaced.
      if RawFile.isStream(status) { return }
    }
    // A link is kept: the file that it leads to is replaced.
    var folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      folder.deleteLastPathComponent()
    }
    guard access(folder.path, W_OK) == 0 else {
      let reason = String(cString: strerror(errno))
      throw Failure("\(path): the folder \(folder.path) cannot be written to: \(reason)")
    }
  }

  /// Whether two paths are those of one file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one != "-" && other != "-"
      && URL(fileURLWithPath: one).resolvingSymlinksInPath()
        == URL(fileURLWithPath: other).resolvingSymlinksInPath()
  }

  /// Whether a path is that of a folder.
  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
