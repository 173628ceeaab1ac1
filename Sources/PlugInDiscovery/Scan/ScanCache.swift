// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import Glibc

/// The results of scans, in a file of the user: a line for each file, followed by one for each plug-in
/// in it, with fields between tabs.
struct ScanCache: Equatable, Sendable {
  /// Its path.
  let path: String

  /// The cache in a user's folder; nil if the environment names none.
  init?(environment: (String) -> String?) {
    let caches = environment("XDG_CACHE_HOME") ?? environment("HOME").map { "\($0)/.cache" }
    guard let caches else { return nil }
    path = "\(caches)/audiotoolbox/plug-ins"
  }

  /// Its first line. Another version of the format, or another kind of machine, has another one.
  private static let heading = "swift-audiotoolbox plug-ins 2 \(SearchFolders.triplet)"
  /// A larger file is not read, in bytes.
  private static let sizeLimit = 1 << 26

  /// [control thread] The files in it; none if there is no cache, or it was damaged.
  func read() -> [ScannedFile] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var status = stat()
    guard fstat(fileno(file), &status) == 0, status.st_size <= Self.sizeLimit else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    guard fread(&bytes, 1, bytes.count, file) == bytes.count else { return [] }
    return Self.parse(bytes)
  }

  /// The files in the bytes of a cache; lines that are damaged are left out.
  static func parse(_ bytes: [UInt8]) -> [ScannedFile] {
    var files: [ScannedFile] = []
    var rest = bytes[...]
    var isFirst = true
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let line = rest[..<end]
      rest = rest[(end + 1)...]
      if isFirst {
        guard line.elementsEqual(heading.utf8) else { return [] }
        isFirst = false
      } else if let file = file(line) {
        files.append(file)
      } else if let last = files.indices.last,
        let plugIn = ScanFields.plugIn(line, format: files[last].format, path: files[last].path)
      {
        files[last].plugIns.append(plugIn)
      }
    }
    return files
  }

  private static func file(_ line: ArraySlice<UInt8>) -> ScannedFile? {
    var fields = LineFields(line)
    guard fields.next().elementsEqual("file".utf8),
      let format: UInt32 = ScanFields.number(fields.next())
    else { return nil }
    var stamp = FileStamp()
    stamp.size = ScanFields.number(fields.next()) ?? 0
    stamp.time = ScanFields.number(fields.next()) ?? 0
    stamp.inode = ScanFields.number(fields.next()) ?? 0
    let isBlocked = fields.next().elementsEqual("1".utf8)
    let (path, reason) = (fields.next(), fields.next())
    guard fields.isWhole else { return nil }
    return ScannedFile(
      format: AUPlugInFormats(rawValue: format), path: ScanFields.text(path), stamp: stamp,
      reason: ScanFields.text(reason), isBlocked: isBlocked)
  }

  /// [control thread] Replaces it; a program that reads meanwhile gets all of the old one.
  func write(_ files: [ScannedFile]) throws(AudioError) {
    var text = Self.heading + "\n"
    for file in files {
      let stamp = file.stamp
      text += "file\t\(file.format.rawValue)\t\(stamp.size)\t\(stamp.time)\t\(stamp.inode)\t"
      text += "\(file.isBlocked ? 1 : 0)\t\(ScanFields.escaped(file.path))\t"
      text += "\(ScanFields.escaped(file.reason))\n"
      for plugIn in file.plugIns { text += ScanFields.line(plugIn) + "\n" }
    }
    let folder = path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)
    mkdir(String(folder.prefix(upTo: folder.lastIndex(of: "/") ?? folder.startIndex)), 0o700)
    mkdir(String(folder), 0o700)
    // A name of its own: another thread or program may be writing, too.
    var name = Array("\(path).XXXXXX".utf8CString)
    let descriptor = mkstemp(&name)
    guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0,
      let file = fdopen(descriptor, "w")
    else {
      let failure = failure(path)
      if descriptor >= 0 { close(descriptor) }
      throw failure
    }
    let bytes = Array(text.utf8)
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten, rename(name, path) == 0 else {
      let failure = failure(path)
      unlink(name)
      throw failure
    }
  }

  private func failure(_ path: String) -> AudioError {
    .filePermission.because("\(path): \(String(cString: strerror(errno)))")
  }
}
