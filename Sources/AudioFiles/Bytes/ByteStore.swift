// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers
import Glibc

/// Storage for the bytes of a sound file: a file, or storage behind the program's functions.
package protocol ByteStore: AnyObject {
  /// Its name in messages, such as a path.
  var name: String { get }
  var isWritable: Bool { get }
  /// False when written bytes cannot be overwritten.
  var isSeekable: Bool { get }
  /// Whether bytes that were never written occupy no space.
  var isSparse: Bool { get }

  /// [control thread] The current length.
  func byteCount() throws(AudioError) -> Int
  /// [control thread] Reads the bytes available from `offset`; returns their number.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(AudioError) -> Int
  /// [control thread] Writes all bytes at `offset`.
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError)
  /// [control thread] Truncates the store, or extends it with zeros.
  func resize(to byteCount: Int) throws(AudioError)
  /// [control thread] Completes the store: a new file gets its final name.
  func finish() throws(AudioError)
  /// [control thread] Throws while bytes before `end` may still arrive. Bytes that never arrive are
  /// simply missing when read.
  func require(_ end: Int) throws(AudioError)
  /// [control thread] Replaces all bytes with those that `body` writes to another store. If
  /// possible the replacement is atomic: a killed process leaves either the old bytes or the new
  /// ones.
  func rewrite(_ body: (any ByteStore) throws(AudioError) -> Void) throws(AudioError)
}

extension ByteStore {
  package var isSparse: Bool { false }
  package func require(_ end: Int) throws(AudioError) {}

  /// [control thread] Copies a range of another store's bytes to `offset`.
  func copy(
    from source: any ByteStore, _ range: Range<Int>, to offset: Int
  ) throws(AudioError) {
    var position = range.lowerBound
    while position < range.upperBound {
      let part = try source.bytes(at: position, min(1 << 20, range.upperBound - position))
      guard !part.isEmpty else {
        throw .damagedFile.because("\(source.name): ends at byte \(position)")
      }
      try write(part, at: offset + position - range.lowerBound)
      position += part.count
    }
  }
  /// [control thread] Reads at most `count` bytes from `offset`; fewer at the end.
  func bytes(at offset: Int, _ count: Int) throws(AudioError) -> [UInt8] {
    guard offset >= 0, count > 0, let end = (Outside(offset) + count).value else { return [] }
    try require(end)
    var bytes = [UInt8](repeating: 0, count: count)
    let found = try bytes.withUnsafeMutableBufferPointer { bytes throws(AudioError) in
      try read(UnsafeMutableRawBufferPointer(bytes), at: offset)
    }
    if found < count { bytes.removeLast(count - found) }
    return bytes
  }

  /// [control thread] Writes all bytes at `offset`.
  func write(_ bytes: [UInt8], at offset: Int) throws(AudioError) {
    try bytes.withUnsafeBufferPointer { bytes throws(AudioError) in
      try write(UnsafeRawBufferPointer(bytes), at: offset)
    }
  }
}

/// An existing file, to be read or changed in place.
package final class FileStore: ByteStore {
  private var file: OpenFile
  package let isWritable: Bool
  package var name: String { file.path }
  package var isSeekable: Bool { true }
  package var isSparse: Bool { true }

  /// [control thread] Opens a file.
  package init(_ path: String, writable: Bool = false) throws(AudioError) {
    file = writable ? try OpenFile(updating: path) : try OpenFile(reading: path)
    isWritable = writable
  }

  /// [control thread] Creates a file in place, or empties an existing one.
  package init(creating path: String, erases: Bool) throws(AudioError) {
    file = try OpenFile(emptying: path, mustBeNew: !erases)
    isWritable = true
  }

  package var identity: FileIdentity { file.identity }
  package func byteCount() throws(AudioError) -> Int { try file.byteCount() }
  package func read(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int { try file.read(bytes, at: offset) }
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    try file.write(bytes, at: offset)
  }
  package func resize(to byteCount: Int) throws(AudioError) { try file.resize(to: byteCount) }
  package func finish() throws(AudioError) {}

  /// Writes the new bytes to a temporary file in the same folder, which then replaces this one.
  package func rewrite(
    _ body: (any ByteStore) throws(AudioError) -> Void
  ) throws(AudioError) {
    guard let current = FileIdentity(path: name), current.isSameFile(as: identity) else {
      throw .invalidFile.because("\(name): was renamed or removed since it was opened")
    }
    let made = OutputStore(try OutputFile(creating: name) { _ in })
    try body(made)
    try made.finish()
    file = try OpenFile(updating: name)
  }
}

/// A file that is being created.
package final class OutputStore: ByteStore {
  private var file: OutputFile
  package var isWritable: Bool { true }
  package var name: String { file.path }
  package var isSeekable: Bool { file.isSeekable }
  package var isSparse: Bool { file.isSeekable }

  init(_ file: consuming OutputFile) { self.file = file }

  package var identity: FileIdentity { file.identity }
  package func byteCount() throws(AudioError) -> Int { try file.byteCount() }
  package func read(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int { try file.read(bytes, at: offset) }
  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    try file.write(bytes, at: offset)
  }
  package func resize(to byteCount: Int) throws(AudioError) { try file.resize(to: byteCount) }
  package func finish() throws(AudioError) { try file.finish() }
}

/// Bytes that the program stores, accessed through its functions. The lock of the file is released
/// while one of them is called.
package final class CallbackStore: ByteStore {
  private let context: UnsafeMutableRawPointer
  private let reading: AudioFile_ReadProc
  private let writing: AudioFile_WriteProc?
  private let size: AudioFile_GetSizeProc
  private let setSize: AudioFile_SetSizeProc?

  /// The lock of the file; nil until it is open.
  var lock: FileLock?

  package let name = "the program's file"
  package var isWritable: Bool { writing != nil }
  package var isSeekable: Bool { true }

  package init(
    _ context: UnsafeMutableRawPointer, reading: @escaping AudioFile_ReadProc,
    writing: AudioFile_WriteProc?, size: @escaping AudioFile_GetSizeProc,
    setSize: AudioFile_SetSizeProc?
  ) {
    self.context = context
    self.reading = reading
    self.writing = writing
    self.size = size
    self.setSize = setSize
  }

  /// Runs `body`, which calls a function of the program, without the file's lock.
  private func callProgram<Result>(_ body: @escaping () -> Result) throws(AudioError) -> Result {
    let result: Result? =
      if let lock {
        lock.callProgram { AudioSupport.callProgram(body) }
      } else {
        AudioSupport.callProgram(body)
      }
    guard let result else {
      throw AudioError(status: kAudioFileUnspecifiedError).because(
        "\(name): a function of the program threw an exception")
    }
    return result
  }

  package func byteCount() throws(AudioError) -> Int {
    min(max(0, Int(try callProgram { [self] in size(context) })), Limits.count)
  }

  package func read(
    _ bytes: UnsafeMutableRawBufferPointer, at offset: Int
  ) throws(AudioError) -> Int {
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      var count: UInt32 = 0
      let requested = UInt32(clamping: min(bytes.count - done, 1 << 30))
      let status = try withUnsafeMutablePointer(to: &count) { count throws(AudioError) in
        try callProgram { [context, reading, done] in
          reading(context, Int64(offset + done), requested, start + done, count)
        }
      }
      // Some functions report the end of the file as an error although they read bytes.
      guard status == noErr || status == kAudioFileEndOfFileError else {
        throw AudioError(status: status).because(
          "\(name): the read function failed at byte \(offset + done)")
      }
      if count == 0 { break }
      done += min(Int(count), Int(requested))
      if status != noErr { break }
    }
    return done
  }

  package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(AudioError) {
    guard let writing else { throw .filePermissions.because("\(name): has no write function") }
    var done = 0
    while done < bytes.count, let start = bytes.baseAddress {
      var count: UInt32 = 0
      let requested = UInt32(clamping: min(bytes.count - done, 1 << 30))
      let status = try withUnsafeMutablePointer(to: &count) { count throws(AudioError) in
        try callProgram { [context, done] in
          writing(context, Int64(offset + done), requested, start + done, count)
        }
      }
      guard status == noErr, count > 0 else {
        throw AudioError(status: status == noErr ? kAudioFileUnspecifiedError : status).because(
          "\(name): the write function failed at byte \(offset + done)")
      }
      done += min(Int(count), Int(requested))
    }
  }

  package func resize(to byteCount: Int) throws(AudioError) {
    guard let setSize else {
      throw .filePermissions.because("\(name): has no function to set its size")
    }
    let status = try callProgram { [context] in setSize(context, Int64(byteCount)) }
    guard status == noErr else {
      throw AudioError(status: status).because(
        "\(name): the function to set the size failed for \(byteCount) bytes")
    }
  }

  package func finish() throws(AudioError) {}
}
