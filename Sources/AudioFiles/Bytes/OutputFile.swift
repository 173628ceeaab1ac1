// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// A file that is being written.
///
/// A new file has a temporary name in the same folder ("tone.wav.partial-1f3a9c"), and is renamed
/// when it is complete. Until then an existing file of the final name is untouched: a full disk, a
/// signal or a crash destroys nothing. Pipes and devices are written directly, from beginning to
/// end.
struct OutputFile: ~Copyable {
  private enum State {
    /// It already has its final name, and grows.
    case named
    /// It has a temporary path until it is complete.
    case partial(temporaryPath: String, target: String)
    case stream
    /// A temporary file without a name, which is copied to a pipe when it is complete.
    case collected(for: Pipe)
  }

  /// The pipe that gets a file at the end.
  private final class Pipe {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }
  }

  private let file: OpenFile
  private var state: State
  /// Whether its bytes are on the disk before it gets its final name.
  private let isSynchronized: Bool

  /// Opens a file to write it in place, creating it if necessary.
  init(updating path: String) throws(AudioError) {
    file = try OpenFile(writing: path)
    state = .named
    isSynchronized = false
  }

  /// Starts a file; "-" is the standard output.
  ///
  /// - Parameters:
  ///   - path: Its final name; the folders of the path must exist.
  ///   - isSynchronized: Whether its bytes are on the disk before it gets its final name.
  ///   - isCollected: Whether a pipe gets the bytes at the end, because earlier ones will be changed.
  ///   - check: Throws when an existing file must not be replaced.
  /// - Throws: When the path cannot be written, or the error of `check`.
  init(
    creating path: String, isSynchronized: Bool = false, isCollected: Bool = false,
    replacing check: (borrowing OpenFile) throws(AudioError) -> Void
  ) throws(AudioError) {
    var old = stat()
    let exists = path != "-" && stat(path, &old) == 0
    let isPipe = path == "-" || exists && Self.isStream(old)
    if isPipe, isCollected {
      let pipe = Pipe(try OpenFile(stream: path))
      file = try OpenFile(temporaryReportedAs: pipe.file.path)
      state = .collected(for: pipe)
      self.isSynchronized = false
      return
    }
    if isPipe {
      file = try OpenFile(stream: path)
      state = .stream
      self.isSynchronized = false
      return
    }
    let target = try Self.target(path, exists: exists)
    if exists {
      // Opened for writing, because a file without write permission must not be replaced either.
      try check(try OpenFile(writing: target))
    }
    let partial = try Self.partial(target, reportedAs: path)
    if exists { partial.file.inherit(old) }
    state = .partial(temporaryPath: partial.temporaryPath, target: target)
    self.isSynchronized = isSynchronized
    file = partial.file
  }

  deinit {
    if case .partial(let temporaryPath, _) = state { unlink(temporaryPath) }
  }

  /// The path as given, for error messages.
  var path: String { file.path }

  /// The file's identity, and its length.
  var identity: FileIdentity { file.identity }

  func byteCount() throws(AudioError) -> Int { try file.byteCount() }

  /// False when written bytes cannot be overwritten.
  var isSeekable: Bool { if case .stream = state { false } else { true } }

  /// Writes all bytes at `offset`, which must be the end in a stream.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    if isSeekable {
      try file.write(bytes, at: offset)
    } else {
      try file.append(bytes, at: offset)
    }
  }

  /// Writes all bytes at `offset`, which must be the end in a stream.
  func write(_ bytes: [UInt8], at offset: Int) throws(AudioError) {
    try bytes.withUnsafeBufferPointer { bytes throws(AudioError) in
      try write(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }

  /// Reads at most `bytes.count` bytes from `offset`; returns how many.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(AudioError) -> Int {
    try file.read(bytes, at: offset)
  }

  /// Truncates the file, or extends it with zeros.
  func resize(to byteCount: Int) throws(AudioError) {
    if isSeekable { try file.resize(to: byteCount) }
  }

  /// Completes the file and gives it its final name.
  mutating func finish() throws(AudioError) {
    switch state {
    case .named, .stream: break
    case .collected(let pipe):
      try copy(to: pipe.file)
      state = .named
    case .partial(let temporaryPath, let target):
      try finish(temporaryPath, target)
      state = .named
    }
  }

  private func copy(to stream: borrowing OpenFile) throws(AudioError) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { bytes.deallocate() }
    var position = 0
    while case let count = try file.read(bytes, at: position), count > 0 {
      try stream.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: position)
      position += count
    }
  }

  private func finish(_ temporaryPath: String, _ target: String) throws(AudioError) {
    if isSynchronized { try file.synchronize() }
    guard rename(temporaryPath, target) == 0 else {
      throw .system(errno, "cannot be renamed to its final name", path)
    }
    if isSynchronized { Self.synchronizeFolder(of: target) }
  }

  /// Has the disk keep the new name, too. Not every file system can do that.
  private static func synchronizeFolder(of path: String) {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let folder = open(slash == path.startIndex ? "." : String(path[..<slash]), O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Whether a file is a pipe or a character device, such as a terminal, null or full. Block
  /// devices are never written to.
  private static func isStream(_ status: stat) -> Bool {
    [S_IFIFO, S_IFCHR].contains(status.st_mode & S_IFMT)
  }

  /// The target of a symbolic link, so that the link is preserved.
  private static func target(_ path: String, exists: Bool) throws(AudioError) -> String {
    guard exists else {
      var status = stat()
      if lstat(path, &status) == 0 {
        throw .invalidFilePath.because("\(path): is a link that leads nowhere")
      }
      return path
    }
    guard let name = realpath(path, nil) else { throw .system(errno, "cannot be found", path) }
    defer { free(name) }
    return String(cString: name)
  }

  private struct Partial: ~Copyable {
    let file: OpenFile
    let temporaryPath: String
  }

  /// Creates a temporary file in the folder of the target.
  private static func partial(
    _ target: String, reportedAs path: String
  ) throws(AudioError) -> Partial {
    let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    // File systems accept names of up to 255 bytes.
    let name = String(decoding: target[slash...].utf8.prefix(220), as: UTF8.self)
    for _ in 0..<100 {
      let number = String(UInt32.random(in: 0x10_0000...0xff_ffff), radix: 16)
      let temporaryPath = "\(target[..<slash])\(name).partial-\(number)"
      if let file = try OpenFile(making: temporaryPath, reportedAs: path) {
        return Partial(file: file, temporaryPath: temporaryPath)
      }
    }
    throw .invalidFile.because("\(path): its folder is full of unfinished files")
  }
}
