// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import ExampleSupport

/// A stereo WAV file of 32-bit float, written from its beginning to its end.
final class WaveFile {
  private let file: FileHandle
  private let path: String

  /// Begins a file of so many frames; what was there is lost.
  init(_ path: String, sampleRate: UInt32, frameCount: Int) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o666)
    guard descriptor >= 0 else {
      throw Failure("Can't write \(path): \(String(cString: strerror(errno)))")
    }
    self.path = path
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let byteCount = UInt32(8 * frameCount)
    var header = Data("RIFF".utf8)
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { header.append(contentsOf: $0) }
    }
    append(byteCount + 36)
    header.append(contentsOf: "WAVEfmt ".utf8)
    append(UInt32(16))  // The bytes that follow.
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

  /// Writes the next frames.
  func append(_ left: UnsafeBufferPointer<Float>, _ right: UnsafeBufferPointer<Float>) throws {
    let samples = zip(left, right).flatMap {
      [$0.bitPattern.littleEndian, $1.bitPattern.littleEndian]
    }
    try write(samples.withUnsafeBytes { Data($0) })
  }

  private func write(_ data: Data) throws {
    do { try file.write(contentsOf: data) } catch {
      throw Failure("Can't write \(path): \(error.localizedDescription)")
    }
  }
}
