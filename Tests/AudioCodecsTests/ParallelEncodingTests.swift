// SPDX-License-Identifier: Apache-2.0
@testable import AudioCodecs
import AudioSupport
import CAudioToolbox
import Testing

@Suite("Encoding on several threads")
struct ParallelEncodingTests {
  /// What an encoder makes of a sound.
  private struct Result: Equatable {
    var packets: [[UInt8]] = []
    var frames: [Int] = []
    var cookie: [UInt8] = []
  }

  /// A tone with noise, in the upper bits.
  private static func sound(_ count: Int, channels: Int) -> [Int32] {
    var seed: UInt32 = 3
    return (0..<count * channels).map { index in
      seed = seed &* 1_664_525 &+ 1_013_904_223
      let phase = (index / channels * (index % channels + 1)) % 100
      let wave = (phase < 50 ? phase : 100 - phase) - 25
      return Int32(wave * 20_000_000) &+ Int32(bitPattern: seed) >> 8
    }
  }

  private func encode(
    _ id: AudioFormatID, bits: Int, rate: Double, channels: UInt32, threads: Int, _ sound: [Int32]
  ) throws -> Result {
    var format = AudioStreamBasicDescription()
    format.mFormatID = id
    format.mSampleRate = rate
    format.mChannelsPerFrame = channels
    format.mFormatFlags = bits == 16 ? 1 : 3
    var settings = EncoderSettings()
    settings.bits = bits
    settings.threads = threads
    let encoder = try #require(CompressedFormat.of(id)).encoder(format, settings)
    let queue = PacketQueue()
    var result = Result()
    func take() {
      while let packet = queue.first {
        var bytes = [UInt8](repeating: 0, count: packet.size)
        bytes.withUnsafeMutableBytes { bytes in
          if let start = bytes.baseAddress { queue.moveFirst(to: start) }
        }
        result.packets.append(bytes)
        result.frames.append(packet.frames)
      }
    }
    let pass = encoder.framesPerPass * Int(channels)
    for start in stride(from: 0, to: sound.count, by: pass) {
      let part = Array(sound[start..<min(sound.count, start + pass)])
      try part.withUnsafeBufferPointer { part throws(AudioError) in
        guard let first = part.baseAddress else { return }
        try encoder.encode(first, count: part.count / Int(channels), into: queue)
      }
      take()
    }
    try encoder.finish(into: queue)
    take()
    result.cookie = encoder.cookie
    return result
  }

  @Test(
    "gives the packets and the cookie of one thread, byte by byte",
    arguments: [kAudioFormatFLAC, kAudioFormatAppleLossless], [16, 24])
  func same(id: AudioFormatID, bits: Int) throws {
    // Enough frames for numbers of two bytes, the last packet short; a rate without a code.
    for (rate, channels, count) in [(44_100.0, UInt32(2), 620_011), (50_001, 1, 30_000)] {
      let sound = Self.sound(count, channels: Int(channels))
      func encoded(_ threads: Int) throws -> Result {
        try encode(id, bits: bits, rate: rate, channels: channels, threads: threads, sound)
      }
      let one = try encoded(1)
      #expect(one.packets.count > 5)
      for threads in [2, 3, 8] {
        let isSame = try encoded(threads) == one
        #expect(isSame, "\(threads) threads")
      }
    }
  }

  @Test("an encoder that is released early waits for nothing")
  func unfinished() throws {
    let sound = Self.sound(60_000, channels: 2)
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatFLAC
    format.mSampleRate = 44_100
    format.mChannelsPerFrame = 2
    format.mFormatFlags = 1
    var settings = EncoderSettings()
    settings.threads = 4
    let encoder = try #require(CompressedFormat.of(kAudioFormatFLAC)).encoder(format, settings)
    let queue = PacketQueue()
    try sound.withUnsafeBufferPointer { sound throws(AudioError) in
      guard let first = sound.baseAddress else { return }
      for pass in 0..<10 {
        try encoder.encode(
          first + pass * encoder.framesPerPass, count: encoder.framesPerPass, into: queue)
      }
    }
    #expect(queue.count <= 10)
  }
}
