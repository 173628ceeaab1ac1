// SPDX-License-Identifier: Apache-2.0

import AudioCodecs
import AudioConverters
import AudioSupport
import CAudioToolbox
import Testing

/// Broken packets and cookies may cause an error or arbitrary sound, but never a crash.
@Suite("Fuzz: broken packets")
struct PacketFuzzTests {
  static let formats: [(AudioFormatID, Double)] = [
    (kAudioFormatMPEG4AAC, 44_100), (kAudioFormatMPEGLayer3, 44_100), (kAudioFormatOpus, 48_000),
    (CompressedFormat.vorbis, 44_100), (kAudioFormatAppleLossless, 44_100),
    (kAudioFormatFLAC, 44_100), (kAudioFormatAppleIMA4, 44_100), (kAudioFormatULaw, 44_100),
  ]

  @Test("bytes of packets, sizes of packets, and cookies", arguments: formats.indices)
  func mutations(index: Int) throws {
    let (id, rate) = Self.formats[index]
    let frames = 4_000
    let source = CodecTests.tones(frames, rate).withUnsafeBytes { Array($0) }
    let packets = try CodecTests.encode(
      source, Linear.float(rate), CodecTests.compressed(id, rate))
    var random = Sequence64(state: UInt64(index) &+ 99)
    for _ in 0..<max(10, rounds / 5) {
      var broken = packets
      broken.primeInfo = AudioConverterPrimeInfo(
        leadingFrames: UInt32.random(in: 0...5_000, using: &random),
        trailingFrames: UInt32.random(in: 0...5_000, using: &random))
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let packet = Int.random(in: 0..<broken.data.count, using: &random)
        guard !broken.data[packet].isEmpty else { continue }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let position = Int.random(in: 0..<broken.data[packet].count, using: &random)
          broken.data[packet][position] ^= UInt8.random(in: 1...255, using: &random)
        case 1:
          broken.data[packet].removeLast(
            Int.random(in: 0..<broken.data[packet].count, using: &random))
        case 2: broken.data[packet] = []
        default:
          guard !broken.cookie.isEmpty else { continue }
          let position = Int.random(in: 0..<broken.cookie.count, using: &random)
          broken.cookie[position] ^= UInt8.random(in: 1...255, using: &random)
        }
      }
      if let samples = try? CodecTests.decode(broken, Linear.int16(rate)) {
        // No packet yields more than a second.
        #expect(samples.count <= (broken.data.count + 2) * 4 * 48_000)
      }
    }
  }
}
