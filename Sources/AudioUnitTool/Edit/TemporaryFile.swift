// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A file without a name, for what does not fit into memory; the system removes it when it is closed.
final class TemporaryFile {
  private let descriptor: Int32
  /// Its path while it is open.
  let path: String
  private var size = 0

  init() throws(Failure) {
    var name = Array("\(NSTemporaryDirectory())/au-XXXXXX".utf8CString)
    descriptor = mkstemp(&name)
    let given = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard descriptor >= 0 else { throw Failure("\(given): \(Self.reason)") }
    unlink(given)
    path = "/proc/self/fd/\(descriptor)"
  }

  /// A file with all that can be read from a descriptor, until its end, after some bytes.
  convenience init(input: Int32, after beginning: [UInt8] = []) throws(Failure) {
    try self.init()
    do {
      try beginning.withUnsafeBytes { bytes in try append(bytes) }
    } catch { throw Failure("\(error)") }
    try append(all: input)
  }

  deinit { close(descriptor) }

  private static var reason: String { String(cString: strerror(errno)) }

  /// Adds bytes to the end.
  func append(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = pwrite(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(size + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure("\(NSTemporaryDirectory()): \(Self.reason)") }
      done += count
    }
    size += done
  }

  /// Adds all that can be read from a descriptor, which is standard input, until its end.
  func append(all source: Int32) throws(Failure) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { memory.deallocate() }
    while true {
      let count = Foundation.read(source, memory.baseAddress, memory.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure("standard input: \(Self.reason)") }
      if count == 0 { return }
      try append(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }
  }

  /// Fills memory with bytes from a place.
  func read(_ bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = pread(
        descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure("\(NSTemporaryDirectory()): \(Self.reason)") }
      done += count
    }
  }
}
