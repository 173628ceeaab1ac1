// SPDX-License-Identifier: Apache-2.0
@testable import AudioCodecs
import AudioSupport
import CAudioCodecs
import CAudioToolbox
import Testing

@Suite("Encoding FLAC")
struct FLACEncoderTests {
  /// Sounds that an encoder may find difficult, in the upper bits.
  enum Sound: CaseIterable {
    case silence, constant, noise, quietNoise, tone, impulses, alternating, steps, emptyLowerBits

    func sample(_ frame: Int, _ channel: Int, _ random: inout UInt32) -> Int32 {
      random = random &* 1_664_525 &+ 1_013_904_223
      let noise = Int32(bitPattern: random)
      switch self {
      case .silence: return 0
      case .constant: return channel == 0 ? .min : 0x1234_5600
      case .noise: return noise
      case .quietNoise: return noise >> 20
      case .tone:
        let phase = (frame * (channel + 2)) % 200 - 100
        let wave = phase < 0 ? -(phase + 100) * -phase : phase * (100 - phase)
        return Int32(wave * 800_000) &+ noise >> 14
      case .impulses: return frame % 500 == 7 ? .min : 0
      case .alternating: return (frame + channel) % 2 == 0 ? .max : .min
      case .steps: return frame / 50 % 2 == 0 ? .max : .min
      case .emptyLowerBits: return noise & ~0xFFF_FFFF
      }
    }

    func samples(_ frames: Int, channels: Int, bits: Int) -> [Int32] {
      var random: UInt32 = 5
      // No more bits than are kept.
      let mask = ~Int32(0) << Int32(32 - bits)
      return (0..<frames * channels).map {
        sample($0 / channels, $0 % channels, &random) & mask
      }
    }
  }

  private static func setup(
    _ bits: Int, channels: Int, frames: Int, quality: Int, rate: Int = 48_000
  ) -> FLACEncoderSetup {
    FLACEncoderSetup(
      rate: Int32(rate), channels: Int32(channels), bits: Int32(bits), frames: Int32(frames),
      quality: Int32(quality))
  }

  /// The packets of a sound, and the cookie.
  private func encode(
    _ samples: [Int32], _ setup: FLACEncoderSetup
  ) throws -> (packets: [[UInt8]], cookie: [UInt8]) {
    let encoder = try FLACPacketEncoder(setup)
    let queue = PacketQueue()
    var packets: [[UInt8]] = []
    let pass = Int(setup.frames) * Int(setup.channels)
    for start in stride(from: 0, to: samples.count, by: pass) {
      let part = Array(samples[start..<min(samples.count, start + pass)])
      try part.withUnsafeBufferPointer { part throws(AudioError) in
        guard let first = part.baseAddress else { return }
        try encoder.encode(first, count: part.count / Int(setup.channels), into: queue)
      }
      while let packet = queue.first {
        var bytes = [UInt8](repeating: 0, count: packet.size)
        bytes.withUnsafeMutableBytes { bytes in
          if let start = bytes.baseAddress { queue.moveFirst(to: start) }
        }
        packets.append(bytes)
      }
    }
    try encoder.finish(into: queue)
    #expect(queue.count == 0)
    return (packets, encoder.cookie)
  }

  private func decode(
    _ packets: [[UInt8]], _ setup: FLACEncoderSetup, _ cookie: [UInt8]
  ) throws -> [Int32] {
    let channels = Int(setup.channels)
    let decoder = try FLACPacketDecoder(
      rate: Double(setup.rate), channels: channels, cookie: cookie)
    let queue = FrameQueue(frameSize: 4 * channels)
    for packet in packets {
      try packet.withUnsafeBufferPointer { bytes throws(AudioError) in
        try decoder.decode(UnsafeRawBufferPointer(bytes), into: queue)
      }
    }
    let samples = queue.first.assumingMemoryBound(to: Int32.self)
    return Array(UnsafeBufferPointer(start: samples, count: queue.count * channels))
  }

  @Test(
    "loses nothing of any sound, with any number of channels, at any quality",
    arguments: Sound.allCases, [16, 24])
  func exact(sound: Sound, bits: Int) throws {
    for (channels, frames) in [(1, 4_608), (2, 576), (2, 4_096), (3, 47), (8, 192)] {
      // The last packet is short.
      let samples = sound.samples(2 * frames + 13, channels: channels, bits: bits)
      for quality in [0, 20, 64, 127] {
        let setup = Self.setup(bits, channels: channels, frames: frames, quality: quality)
        let (packets, cookie) = try encode(samples, setup)
        #expect(packets.count == 3)
        let isSame = try decode(packets, setup, cookie) == samples
        #expect(isSame, "\(channels) channels, quality \(quality)")
        // No packet is larger than plain samples and headers.
        let plain = frames * channels * (bits + 1) / 8 + 40 * channels
        #expect(packets.allSatisfy { $0.count <= plain })
      }
    }
  }

  @Test("loses nothing of a few frames, at every kind of rate")
  func short() throws {
    for rate in [1, 8_000, 44_100, 50_001, 255_000, 256_000, 65_535, 65_536, 655_350] {
      for frames in 1...20 {
        let samples = Sound.tone.samples(frames, channels: 2, bits: 16)
        let setup = Self.setup(16, channels: 2, frames: 4_608, quality: 64, rate: rate)
        let (packets, cookie) = try encode(samples, setup)
        let isSame = try decode(packets, setup, cookie) == samples
        #expect(isSame, "\(frames) frames at \(rate) Hz")
      }
    }
  }

  @Test("numbers the packets, in one to six bytes")
  func numbers() throws {
    let samples = Sound.tone.samples(192, channels: 1, bits: 16)
    let setup = Self.setup(16, channels: 1, frames: 192, quality: 64)
    let lengths = [
      0: 1, 0x7F: 1, 0x80: 2, 0x7FF: 2, 0x800: 3, 0xFFFF: 3, 0x1_0000: 4, 0x1F_FFFF: 4,
      0x20_0000: 5, 0x3FF_FFFF: 5, 0x400_0000: 6, 0x7FFF_FFFF: 6,
    ]
    for (number, length) in lengths {
      let encoder = try FLACPacketEncoder(setup, part: (number, 1))
      let queue = PacketQueue()
      try samples.withUnsafeBufferPointer { samples throws(AudioError) in
        guard let first = samples.baseAddress else { return }
        try encoder.encode(first, count: 192, into: queue)
      }
      var packet = [UInt8](repeating: 0, count: try #require(queue.first).size)
      packet.withUnsafeMutableBytes { bytes in
        if let start = bytes.baseAddress { queue.moveFirst(to: start) }
      }
      #expect(try decode([packet], setup, []) == samples)
      // The same bytes as when the number of another packet is replaced.
      var other = try encode(samples, setup).packets[0]
      FLACFrameNumber.set(number, in: &other)
      #expect(packet == other)
      #expect(packet.count == other.count && packet[4...].prefix(length).count == length)
    }
  }

  @Test("makes small packets: fewer bytes for more work, and none for bits that are empty")
  func sizes() throws {
    func size(_ sound: Sound, _ bits: Int, _ quality: Int) throws -> Int {
      let samples = sound.samples(4_608 * 4, channels: 2, bits: bits)
      let setup = Self.setup(bits, channels: 2, frames: 4_608, quality: quality)
      return try encode(samples, setup).packets.reduce(0) { $0 + $1.count }
    }
    let plain = 4_608 * 4 * 2 * 2
    let (least, middle, most) = (
      try size(.tone, 16, 0), try size(.tone, 16, 64), try size(.tone, 16, 127)
    )
    #expect(most <= middle && middle <= least)
    #expect(middle < plain / 2)
    #expect(try size(.silence, 16, 64) < 100)
    #expect(try size(.emptyLowerBits, 24, 64) < plain / 3)
    #expect(try size(.noise, 16, 64) <= plain + 4 * 20)
  }

  @Test(
    "states the length, the sizes of packets and the check sum of the samples",
    arguments: [
      // MD5 of "ab" and of "abcd".
      (1, "187ef4436122d1cc2f40dc2b92f0eba0"), (2, "e2fc714c4727ee9395f324cd2e7f331f"),
    ])
  func information(samples count: Int, digest: String) throws {
    let letters = Array("abcd".utf8)
    let samples = (0..<count).map { index in
      Int32(letters[2 * index + 1]) << 24 | Int32(letters[2 * index]) << 16
    }
    let setup = Self.setup(16, channels: 1, frames: 192, quality: 64)
    let (packets, cookie) = try encode(samples, setup)
    let block = try #require(MagicCookies.streamInformation(cookie))
    #expect(block.suffix(16).map { Self.hexadecimal($0) }.joined() == digest)
    #expect(Int(block[17]) == count)
    #expect(block[4..<7].elementsEqual([0, 0, UInt8(packets[0].count)]))
    #expect(block[7..<10].elementsEqual(block[4..<7]))
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16)
    return text.count < 2 ? "0" + text : text
  }

  @Test("adds a check sum in parts of any length")
  func digestParts() {
    let samples = Sound.noise.samples(1_000, channels: 1, bits: 24)
    func digest(_ size: Int) -> [UInt8] {
      var digest = flac_digest()
      for start in stride(from: 0, to: samples.count, by: size) {
        let part = Array(samples[start..<min(samples.count, start + size)])
        flac_digest_add(&digest, part, part.count, 24)
      }
      var bytes = [UInt8](repeating: 0, count: 16)
      flac_digest_finish(&digest, &bytes)
      return bytes
    }
    for size in [1, 7, 21, 22, 64, 999] { #expect(digest(size) == digest(1_000)) }
  }

  @Test("refuses a rate that frames cannot state")
  func rate() throws {
    var format = AudioStreamBasicDescription()
    format.mFormatID = kAudioFormatFLAC
    format.mSampleRate = 700_000
    format.mChannelsPerFrame = 1
    let codec = try #require(CompressedFormat.of(kAudioFormatFLAC))
    #expect(throws: AudioError.self) { try codec.encoder(format, EncoderSettings()) }
    #expect(codec.canEncode)
  }
}
