// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Text in a file or a pipe.
enum TextFile {
  /// More than any description has, so that an endless device is not read forever.
  private static let most = 1 << 26

  /// The text of a UTF-8 file.
  static func contents(of path: String) throws(Failure) -> String {
    let file = openPath(path, O_RDONLY)
    guard file >= 0 else { throw unreadable(path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= most else { throw Failure("Can't read \(path): more than 64 MiB") }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("\(path): line \(lineOfInvalidByte(bytes)): not UTF-8")
    }
    return text
  }

  /// Writes a file, or replaces one when the new one is complete; "-" is standard output.
  static func write(_ text: String, to path: String) throws(Failure) {
    try write(text.utf8, to: path)
  }

  /// As above, with bytes.
  static func write(_ bytes: some Sequence<UInt8>, to path: String) throws(Failure) {
    let file = try RawFile(path, makesFolders: false)
    try Array(bytes).withUnsafeBufferPointer { bytes throws(Failure) in
      try file.write(UnsafeRawBufferPointer(bytes))
    }
    try file.finish()
  }

  private static func unreadable(_ path: String) -> Failure {
    Failure("Can't read \(path): \(String(cString: strerror(errno)))")
  }

  /// The line of the first byte that is not valid UTF-8.
  private static func lineOfInvalidByte(_ bytes: [UInt8]) -> Int {
    var (decoder, rest, line) = (UTF8(), bytes.makeIterator(), 1)
    while case .scalarValue(let scalar) = decoder.decode(&rest) { if scalar == "\n" { line += 1 } }
    return line
  }
}
