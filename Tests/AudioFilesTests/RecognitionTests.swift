// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import CAudioToolbox
import Testing

@Suite("What a file is")
struct RecognitionTests {
  /// Bytes without a sound in them, with a begin.
  private static func bytes(_ start: [UInt8], _ count: Int = 4_000) -> [UInt8] {
    start + (start.count..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 & 0x7F) }
  }

  @Test(
    "is named in the reason, if it is no sound that can be read",
    arguments: [
      (bytes(Array("Creative Voice File\u{1A}".utf8)), "a VOC file"),
      (bytes([0x7F, 0xFE, 0x80, 0x01]), "a DTS stream"),
      (bytes([0xFE, 0x7F, 0x01, 0x80]), "a DTS stream"),
      (bytes([0x1F, 0xFF, 0xE8, 0x00]), "a DTS stream"),
      (bytes([0xFF, 0x1F, 0x00, 0xE8]), "a DTS stream"),
      (bytes([0x56, 0xE1, 0x20, 0]), "an AAC stream in LATM"),
      (transportStream(0), "an MPEG transport stream"),
      (transportStream(4), "an MPEG transport stream"),
      (bytes([0x0B, 0x77, 0x12, 0x34]), "an AC-3 stream"),
      (bytes(Array("Go and read this, and then that.".utf8)), "a text"),
    ] as [([UInt8], String)])
  func named(bytes: [UInt8], name: String) {
    let error = #expect(throws: AudioError.self) { try Containers.open(MemoryStore(bytes)) }
    #expect(error?.status == kAudioFileUnsupportedFileTypeError)
    #expect(error?.explanation.contains("it is \(name), and") ?? false)
  }

  /// Packets of 188 bytes, each behind `front` other ones.
  private static func transportStream(_ front: Int) -> [UInt8] {
    (0..<20).flatMap { packet in
      [UInt8](repeating: 0, count: front) + [0x47, 0x40, UInt8(packet), 0x10]
        + [UInt8](repeating: 0x7F, count: 184)
    }
  }

  @Test("is refused by name where AC-3 is in WAV")
  func dolbyInWave() {
    let file = WaveBytes.riff(
      WaveBytes.format(tag: 0x2000, channels: 2, bits: 0, bytes: 1),
      WaveBytes.chunk("data", [0x0B, 0x77] + [UInt8](repeating: 0, count: 400)))
    let error = #expect(throws: AudioError.self) { try Containers.open(MemoryStore(file)) }
    #expect(error?.explanation.contains("AC-3") ?? false)
  }

  @Test("is MPEG audio within 64 KB, or within 16 MB where that is expected")
  func distance() throws {
    let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0x44] + [UInt8](repeating: 0, count: 413)
    let sound = (0..<20).flatMap { _ in frame }
    func open(_ distance: Int, hint: AudioFileTypeID = 0) throws(AudioError) -> Container {
      // No text, and no other kind of file either.
      let front = [UInt8](repeating: 0x81, count: distance)
      return try Containers.open(MemoryStore(front + sound), hint: hint)
    }
    #expect(try open(65_000).packetCount == 20)
    #expect(throws: AudioError.self) { try open(70_000) }
    #expect(try open(70_000, hint: kAudioFileMP3Type).packetCount == 20)
    #expect(try open(16_700_000, hint: kAudioFileMP3Type).packetCount == 20)
    #expect(throws: AudioError.self) { try open(16_800_000, hint: kAudioFileMP3Type) }
  }
}
