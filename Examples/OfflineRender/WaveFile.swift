// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// A stereo WAV file of 32-bit float, written sequentially. It gets its name when it is complete;
/// an existing file stays until then.
final class WaveFile {
  private let file: FileHandle
  private let path: String
  /// The temporary path until it is complete; nil for a device or a pipe, which is written
  /// directly.
  private var partial: String?

  /// Begins a file with this number of frames.
  init(_ path: String, sampleRate: UInt32, frameCount: Int) throws {
    var status = stat()
    let isStream = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    let partial = isStream ? nil : "\(path).partial-\(getpid())"
    let descriptor = open(partial ?? path, O_WRONLY | (isStream ? 0 : O_CREAT | O_TRUNC), 0o666)
    guard descriptor >= 0 else {
      throw Failure("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
    self.path = path
    self.partial = partial
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let byteCount = UInt32(8 * frameCount)
    var header = Data("RIFF".utf8)
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { header.append(contentsOf: $0) }
    }
    append(byteCount + 36)
    header.append(contentsOf: "WAVEfmt ".utf8)
    append(UInt32(16))  // Bytes that follow.
    append(UInt16(3))  // Floating point,
    append(UInt16(2))  // of two channels.
    append(sampleRate)
    append(8 * sampleRate)
    append(UInt16(8))  // Bytes of a frame,
    append(UInt16(32))  // bits of a sample.
    header.append(contentsOf: "data".utf8)
    append(byteCount)
    try write(header)
  }

  deinit { if let partial { unlink(partial) } }

  /// Gives the file its name.
  func finish() throws {
    guard let whole = partial else { return }
    guard rename(whole, path) == 0 else {
      throw Failure("\(path): cannot be written: \(String(cString: strerror(errno)))")
    }
    partial = nil
  }

  /// Writes the next frames.
  func append(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) throws {
    let samples = zip(left, right).flatMap {
      [$0.bitPattern.littleEndian, $1.bitPattern.littleEndian]
    }
    try write(samples.withUnsafeBytes { Data($0) })
  }

  private func write(_ data: Data) throws {
    // By a system call, which reports a full disk.
    var rest = data[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Foundation.write(file.fileDescriptor, $0.baseAddress, $0.count)
      }
      guard count >= 0 else {
        throw Failure("\(path): cannot be written: \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(count)
    }
  }
}
