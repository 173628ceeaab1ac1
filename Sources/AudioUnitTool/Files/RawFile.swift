// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file of bytes that gets its name when it is complete. Until then it has a temporary name in the same
/// folder, and an existing file is untouched. Pipes and devices are written from beginning to end.
final class RawFile {
  private let path: String
  private var descriptor: Int32
  /// The temporary path, and the final one; nil for a stream, and when the file is complete.
  private var partial: (path: String, target: String)?
  /// Whether its bytes are on the disk before it gets its name.
  private let isSynchronized: Bool

  /// Begins a file; "-" is standard output.
  init(
    _ path: String, isSynchronized: Bool = false, makesFolders: Bool = true
  ) throws(Failure) {
    self.isSynchronized = isSynchronized
    self.path = path == "-" ? "standard output" : path
    var old = stat()
    let exists = path != "-" && stat(path, &old) == 0
    if path == "-" || exists && Self.isStream(old) {
      descriptor = try Self.stream(path)
      return
    }
    let target = try Self.target(path, exists: exists, makesFolders: makesFolders)
    if exists { try Self.checkFile(target, path) }
    let made = try Self.partial(target, path)
    (descriptor, partial) = (made.descriptor, (made.path, target))
    if exists {
      // The owner and the permissions are kept as far as the process may.
      _ = fchown(descriptor, old.st_uid, old.st_gid)
      _ = fchmod(descriptor, old.st_mode & 0o7777)
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let partial { unlink(partial.path) }
  }

  /// Whether a file is a pipe or a character device. Block devices are never written to.
  static func isStream(_ status: stat) -> Bool {
    [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// Adds bytes to the end.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = Foundation.write(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path, count == 0 ? ENOSPC : errno) }
      done += count
    }
  }

  /// Completes the file and gives it its name.
  func finish() throws(Failure) {
    guard descriptor >= 0 else { return }
    if isSynchronized, partial != nil, fsync(descriptor) != 0 { throw Self.failure(path, errno) }
    let isClosed = close(descriptor) == 0
    let closing = errno
    descriptor = -1
    guard isClosed else { throw Self.failure(path, closing) }
    guard let partial else { return }
    guard rename(partial.path, partial.target) == 0 else { throw Self.failure(path, errno) }
    self.partial = nil
  }

  private static func failure(_ path: String, _ code: Int32) -> Failure {
    Failure(
      "\(path): cannot be written: \(String(cString: strerror(code)))",
      isTemporary: [ENOSPC, EDQUOT, ENOMEM, EMFILE, ENFILE].contains(code))
  }

  private static func stream(_ path: String) throws(Failure) -> Int32 {
    let opened =
      path == "-"
      ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : openPath(path, O_WRONLY | O_NOCTTY)
    let code = errno
    let name = path == "-" ? "standard output" : path
    guard opened >= 0 else { throw failure(name, code) }
    guard isatty(opened) == 0 else {
      close(opened)
      throw Failure("\(name): is a terminal; name a file or a pipe")
    }
    return opened
  }

  /// The target of a link, so that the link is kept.
  private static func target(
    _ path: String, exists: Bool, makesFolders: Bool
  ) throws(Failure) -> String {
    guard exists else {
      var status = stat()
      if lstat(path, &status) == 0 { throw Failure("\(path): is a link that leads nowhere") }
      if makesFolders {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      }
      return path
    }
    guard let name = realpath(path, nil) else { throw failure(path, errno) }
    defer { free(name) }
    return String(cString: name)
  }

  /// Refuses what is not a file, and a file that must not be written.
  private static func checkFile(_ target: String, _ path: String) throws(Failure) {
    let opened = openPath(target, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    guard opened >= 0 else { throw failure(path, errno) }
    defer { close(opened) }
    var status = stat()
    guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw Failure("\(path): is not a regular file")
    }
  }

  /// Creates a file with a temporary name in the folder of the target.
  private static func partial(
    _ target: String, _ path: String
  ) throws(Failure) -> (descriptor: Int32, path: String) {
    let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    // File systems accept names of up to 255 bytes.
    let stem = String(decoding: target[slash...].utf8.prefix(220), as: UTF8.self)
    for _ in 0..<100 {
      let number = String(UInt32.random(in: 0x10_0000...0xff_ffff), radix: 16)
      let name = "\(target[..<slash])\(stem).partial-\(number)"
      let opened = openPath(name, O_WRONLY | O_CREAT | O_EXCL)
      if opened >= 0 {
        // What nobody has locked was abandoned.
        _ = flock(opened, LOCK_EX)
        return (opened, name)
      }
      guard errno == EEXIST else { throw failure(path, errno) }
    }
    throw Failure("\(path): its folder is full of unfinished files")
  }
}
