// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// Opens a path as `open` does, and again if a signal interrupts it; −1: `errno` has the reason.
package func openPath(_ path: String, _ flags: CInt) -> CInt {
  while true {
    let descriptor = open(path, flags | O_CLOEXEC, 0o666)
    if descriptor >= 0 || errno != EINTR { return descriptor }
  }
}

/// An open regular file, and its path for error messages.
struct OpenFile: ~Copyable {
  let path: String
  private let descriptor: CInt

  /// Opens an existing file to read it.
  init(reading path: String) throws(AudioError) {
    try self.init(path, O_RDONLY)
  }

  /// Opens a file to write it, creating it if necessary; keeps its contents.
  init(writing path: String) throws(AudioError) {
    try self.init(path, O_RDWR | O_CREAT)
  }

  /// Opens an existing file to read and write it; keeps its contents.
  init(updating path: String) throws(AudioError) {
    try self.init(path, O_RDWR)
  }

  /// Creates a file, or empties an existing one.
  init(emptying path: String, mustBeNew: Bool) throws(AudioError) {
    if mustBeNew, FileIdentity(path: path) != nil {
      throw .filePermissions.because(
        "\(path): exists; kAudioFileFlags_EraseFile allows replacing it")
    }
    try self.init(path, O_RDWR | O_CREAT | O_TRUNC)
  }

  /// Creates a file that must not exist yet; nil when it does. It is locked as long as it is open: a
  /// temporary file that nobody has locked was left by a process that ended.
  init?(making path: String, reportedAs name: String) throws(AudioError) {
    let descriptor = openPath(path, O_RDWR | O_CREAT | O_EXCL)
    guard descriptor >= 0 else {
      if errno == EEXIST { return nil }
      throw .system(errno, "cannot be written in its folder", name)
    }
    // Some file systems have no locks.
    _ = flock(descriptor, LOCK_EX)
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_nlink == 0 {
      // Another process took it for such a file, before it was locked.
      _ = close(descriptor)
      return nil
    }
    self.path = name
    self.descriptor = descriptor
  }

  /// Creates a file without a name, which the system removes when it is closed.
  init(temporaryReportedAs name: String) throws(AudioError) {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(folder)/audiotoolbox-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    self.path = name
    guard descriptor >= 0 else { throw .system(errno, "has no temporary file in \(folder)", name) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(&path)
  }

  /// Opens a pipe or device, which is written from beginning to end; "-" is the standard output.
  init(stream path: String) throws(AudioError) {
    let isStandard = path == "-"
    let descriptor =
      isStandard
      ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3) : openPath(path, O_WRONLY | O_NOCTTY)
    let name = isStandard ? "standard output" : path
    guard descriptor >= 0 else { throw .system(errno, "cannot be opened", name) }
    guard isatty(descriptor) == 0 else {
      _ = close(descriptor)
      throw .invalidFilePath.because("\(name): is a terminal; name a file or a pipe")
    }
    self.path = name
    self.descriptor = descriptor
  }

  // Opening a pipe without a reader must not block: hence O_NONBLOCK, which regular files ignore.
  private init(_ path: String, _ flags: CInt) throws(AudioError) {
    let descriptor = openPath(path, flags | O_NONBLOCK)
    guard descriptor >= 0 else { throw .system(errno, "cannot be opened", path) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      _ = close(descriptor)
      throw .invalidFilePath.because("\(path): is not a regular file")
    }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { _ = close(descriptor) }

  private func status() throws(AudioError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw .system(errno, "has no known length", path)
    }
    return status
  }

  func byteCount() throws(AudioError) -> Int { min(Int(try status().st_size), Limits.count) }

  /// The file, independent of its path; no file when the system cannot tell.
  var identity: FileIdentity { (try? status()).map(FileIdentity.init) ?? .none }

  /// Reads at most `bytes.count` bytes from `offset`; returns how many.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(AudioError) -> Int {
    var done = 0
    while done < bytes.count {
      let part = UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = pread(descriptor, part.baseAddress, part.count, off_t(offset + done))
      if count == 0 { break }
      if count > 0 {
        done += count
      } else if errno != EINTR {
        throw .system(errno, "cannot be read at byte \(offset + done)", path)
      }
    }
    return done
  }

  /// Writes all bytes at `offset`.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    try write(bytes, at: offset) { pwrite(descriptor, $0.baseAddress, $0.count, off_t($1)) }
  }

  /// Appends all bytes; `offset`, the number of bytes before them, is for error messages.
  func append(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    try write(bytes, at: offset) { bytes, _ in
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int,
    _ writeSome: (UnsafeRawBufferPointer, Int) -> Int
  ) throws(AudioError) {
    var done = 0
    while done < bytes.count {
      let count = writeSome(UnsafeRawBufferPointer(rebasing: bytes[done...]), offset + done)
      if count > 0 {
        done += count
      } else if count == 0 || errno != EINTR {
        throw .system(
          count == 0 ? ENOSPC : errno, "cannot be written at byte \(offset + done)", path)
      }
    }
  }

  /// Waits until the disk has all bytes.
  func synchronize() throws(AudioError) {
    guard fsync(descriptor) == 0 else { throw .system(errno, "cannot be written", path) }
  }

  /// Copies the owner and the permissions of another file, as far as the process may.
  func inherit(_ other: stat) {
    _ = fchown(descriptor, other.st_uid, other.st_gid)
    _ = fchmod(descriptor, other.st_mode & 0o7777)
  }

  /// Truncates the file, or extends it with zeros.
  func resize(to byteCount: Int) throws(AudioError) {
    guard ftruncate(descriptor, off_t(byteCount)) == 0 else {
      throw .system(errno, "cannot be resized", path)
    }
  }
}

/// The identity of a file, independent of its path, and its length.
public struct FileIdentity: Equatable, Sendable {
  let device: UInt
  let inode: UInt
  let byteCount: Int

  /// No file.
  static let none = FileIdentity(stat())

  fileprivate init(_ status: stat) {
    device = UInt(status.st_dev)
    inode = UInt(status.st_ino)
    byteCount = Int(status.st_size)
  }

  /// [control thread] The file at a path; nil when there is none.
  public init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Whether both are the same file, even at different lengths.
  public func isSameFile(as other: Self) -> Bool {
    device == other.device && inode == other.inode
  }
}

extension AudioError {
  /// The error for a failed system call on a file.
  static func system(_ code: CInt, _ what: String, _ path: String) -> Self {
    let error: Self =
      switch code {
      case ENOENT: .fileNotFound
      case EACCES, EPERM, EROFS: .filePermission
      case ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: .invalidFilePath
      case ENOSPC, EDQUOT, ENOMEM: .outOfMemory
      case EMFILE, ENFILE: Self(status: kAudio_TooManyFilesOpenError)
      default: .invalidFile
      }
    return error.because("\(path): \(what): \(String(cString: strerror(code)))")
  }
}
