// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Glibc

/// The aggregate devices of this process and of the user. Those that are not private are stored in
/// a file, `audiotoolbox/aggregates` in the configuration folder.
enum AggregateList {
  private static let privateAggregates = Guarded<[Aggregate]>([])
  private static let writing = Guarded(())

  /// [control thread] All aggregates.
  static var all: [Aggregate] { read() + privateAggregates.withLock { $0.copied() } }

  /// [control thread] The aggregate with a UID.
  static func find(_ uid: String) -> Aggregate? { all.first { $0.uid == uid } }

  /// [control thread] Adds an aggregate, or replaces the one with its UID.
  static func set(_ aggregate: Aggregate) throws(AudioError) {
    if aggregate.isPrivate {
      return privateAggregates.withLock { list in
        list.removeAll { $0.uid == aggregate.uid }
        list.append(aggregate)
      }
    }
    try change { list in
      if let index = list.firstIndex(where: { $0.uid == aggregate.uid }) {
        list[index] = aggregate
      } else {
        list.append(aggregate)
      }
    }
  }

  /// [control thread] Removes an aggregate.
  static func remove(_ uid: String) throws(AudioError) {
    let wasPrivate = privateAggregates.withLock { list in
      let count = list.count
      list.removeAll { $0.uid == uid }
      return list.count < count
    }
    if !wasPrivate { try change { $0.removeAll { $0.uid == uid } } }
  }

  // MARK: The file

  private static func change(_ body: (inout [Aggregate]) -> Void) throws(AudioError) {
    try writing.withLock { (_) throws(AudioError) in
      var list = read()
      body(&list)
      try write(list)
    }
  }

  private static var folder: String? {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    let settings = variable("XDG_CONFIG_HOME") ?? variable("HOME").map { "\($0)/.config" }
    return settings.map { "\($0)/audiotoolbox" }
  }

  /// One line per field: a keyword, a space, and a text in which line ends and backslashes are
  /// escaped.
  private static func text(_ list: [Aggregate]) -> String {
    // Scalars, because a character may join a line end or a space with what follows it.
    func escaped(_ text: String) -> String {
      text.unicodeScalars.map { scalar in
        switch scalar {
        case "\\": "\\\\"
        case "\n": "\\n"
        default: String(scalar)
        }
      }.joined()
    }
    return list.map { it in
      let parts = it.parts.map {
        "\($0.correctsDrift ? "corrected" : "plain") \(escaped($0.uid))\n"
      }
      return "device \(escaped(it.uid))\nname \(escaped(it.name))\nmain \(escaped(it.mainUID))\n"
        + "stacked \(it.isStacked ? "yes" : "no")\n" + parts.joined()
    }.joined()
  }

  private static func read() -> [Aggregate] {
    guard let path = folder.map({ "\($0)/aggregates" }), let file = fopen(path, "r") else {
      return []
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < 1 << 20 {
      let count = fread(&buffer, 1, buffer.count, file)
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    return parse(String(decoding: bytes, as: UTF8.self))
  }

  /// Parses the file and skips lines that are not fields.
  static func parse(_ text: String) -> [Aggregate] {
    func plain(_ text: Substring.UnicodeScalarView) -> String {
      var (plain, isEscaped) = (String.UnicodeScalarView(), false)
      for scalar in text {
        if isEscaped {
          plain.append(scalar == "n" ? "\n" : scalar)
        } else if scalar != "\\" {
          plain.append(scalar)
        }
        isEscaped = scalar == "\\" && !isEscaped
      }
      return String(plain)
    }
    var list: [Aggregate] = []
    for line in text.unicodeScalars.split(separator: "\n") {
      guard let space = line.firstIndex(of: " ") else { continue }
      let (field, value) = (String(line[..<space]), plain(line[line.index(after: space)...]))
      if field == "device" {
        list.append(
          Aggregate(
            uid: value, name: value, parts: [], mainUID: "", isPrivate: false, isStacked: false))
      }
      guard !list.isEmpty else { continue }
      let last = list.count - 1
      func add(_ part: Aggregate.Part) {
        guard !list[last].parts.contains(where: { $0.uid == part.uid }) else { return }
        guard list[last].parts.count < Aggregate.mostParts else { return }
        list[last].parts.append(part)
      }
      switch field {
      case "name": list[last].name = value
      case "main": list[last].mainUID = value
      case "stacked": list[last].isStacked = value == "yes"
      case "corrected": add(.init(uid: value, correctsDrift: true))
      case "plain": add(.init(uid: value, correctsDrift: false))
      default: break
      }
    }
    for index in list.indices {
      let parts = list[index].parts.map(\.uid)
      if !parts.contains(list[index].mainUID) { list[index].mainUID = parts.first ?? "" }
    }
    return list
  }

  private static func write(_ list: [Aggregate]) throws(AudioError) {
    guard let folder else {
      throw failure("there is no configuration folder: set HOME or XDG_CONFIG_HOME")
    }
    let parent = String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.endIndex))
    mkdir(parent, 0o755)
    mkdir(folder, 0o755)
    // Written to a temporary file first, so that programs that read meanwhile find the old file
    // complete.
    let path = "\(folder)/aggregates"
    let new = "\(path).\(getpid())"
    guard let file = fopen(new, "w") else { throw failure("\(new) cannot be written") }
    let bytes = Array(text(list).utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten, rename(new, path) == 0 else {
      unlink(new)
      throw failure("\(path) cannot be written")
    }
  }

  private static func failure(_ reason: String) -> AudioError {
    AudioError(status: kAudioHardwareUnspecifiedError).because(reason)
  }
}
