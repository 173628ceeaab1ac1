// SPDX-License-Identifier: Apache-2.0

import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// Decodes what ffmpeg encoded, and compares it with ffmpeg's decoder.
@Suite("Decoding compared with ffmpeg")
struct PeerDecodingTests {
  private struct Failure: Error {}

  private func ffmpeg(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure() }
  }

  /// Splits a stream into frames; `size` returns the size of a frame from its header.
  private func split(_ bytes: [UInt8], _ size: (ArraySlice<UInt8>) -> Int?) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    var start = 0
    while start < bytes.count, let length = size(bytes[start...]), length > 0,
      start + length <= bytes.count
    {
      packets.append(Array(bytes[start..<start + length]))
      start += length
    }
    return packets
  }

  private func stream(_ id: AudioFormatID, _ bytes: [UInt8]) -> PacketStream {
    var stream = PacketStream()
    stream.format = CodecTests.compressed(id, 44_100)
    if id == kAudioFormatMPEG4AAC {
      stream.data = split(bytes) { head in
        let head = Array(head.prefix(7))
        return head.count < 7 ? nil : Int(head[3] & 3) << 11 | Int(head[4]) << 3 | Int(head[5]) >> 5
      }.map { Array($0.dropFirst(7)) }
      // AAC LC, 44.1 kHz, stereo.
      stream.cookie = [0x12, 0x10]
    } else {
      let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
      stream.data = split(bytes) { head in
        let head = Array(head.prefix(4))
        guard head.count == 4, head[0] == 0xFF else { return nil }
        return 144_000 * rates[Int(head[2] >> 4)] / 44_100 + Int(head[2] >> 1 & 1)
      }
    }
    stream.frames = stream.data.map { _ in 0 }
    return stream
  }

  @Test(
    "yields exactly the samples of ffmpeg",
    arguments: [
      (kAudioFormatMPEG4AAC, ["-c:a", "aac", "-f", "adts"]),
      (
        kAudioFormatMPEGLayer3,
        [
          "-c:a", "libmp3lame", "-b:a", "128k", "-write_xing", "0", "-id3v2_version", "0", "-f",
          "mp3",
        ]
      ),
    ])
  func samples(id: AudioFormatID, encoding: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let encoded = folder.appending(path: "encoded").path
    let decoded = folder.appending(path: "decoded").path
    try ffmpeg(
      ["-f", "lavfi", "-i", "anoisesrc=d=2:r=44100:a=0.3:seed=1", "-ac", "2"] + encoding + [encoded]
    )
    // Ignores the file's priming information, which the packets do not have.
    try ffmpeg([
      "-flags2", "skip_manual", "-i", encoded, "-f", "f32le", "-c:a", "pcm_f32le", decoded,
    ])
    let expected = CodecTests.floats(Array(try Data(contentsOf: URL(filePath: decoded))))
    let packets = stream(id, Array(try Data(contentsOf: URL(filePath: encoded))))
    #expect(packets.data.count > 50)
    let samples = CodecTests.floats(try CodecTests.decode(packets, Linear.float()))
    #expect(samples.count == expected.count)
    #expect(zip(samples, expected).allSatisfy { abs($0.0 - $0.1) < 1e-6 })
  }
}
