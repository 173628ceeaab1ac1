// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Glibc

/// Whole files. [control thread]
package enum FileBytes {
  /// The bytes of a file, if there are not more than a limit.
  package static func read(_ path: String, limit: Int) throws(AudioError) -> [UInt8] {
    guard let file = fopen(path, "re") else { throw failure(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&part, 1, part.count, file)
      guard count > 0 else { break }
      guard bytes.count + count <= limit else {
        throw .outOfMemory.because("\(path): more than \(limit) bytes")
      }
      bytes += part[..<count]
    }
    guard ferror(file) == 0 else { throw failure(path) }
    return bytes
  }

  /// Writes a file. With `replaces`, an existing one is replaced, otherwise it is an error.
  package static func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws(AudioError) {
    guard let file = fopen(path, replaces ? "we" : "wxe") else { throw failure(path) }
    let count = fwrite(bytes, 1, bytes.count, file)
    guard fclose(file) == 0, count == bytes.count else { throw failure(path) }
  }

  private static func failure(_ path: String) -> AudioError {
    let code = errno
    let error: AudioError =
      switch code {
      case ENOENT: .fileNotFound
      case EACCES, EPERM, EROFS, EEXIST: .filePermission
      case ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP: .invalidFilePath
      default: .invalidFile
      }
    return error.because("\(path): \(String(cString: strerror(code)))")
  }
}
