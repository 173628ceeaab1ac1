// SPDX-License-Identifier: Apache-2.0
@testable import AudioCodecs
import AudioSupport
import CAudioToolbox
import Testing

@Suite("Decoding FLAC")
struct FLACDecoderTests {
  /// A slow wave with some noise, a different one for each channel.
  private static func sound(_ frames: Int, channels: Int, depth: Int, noise: Int64 = 3) -> [[Int64]]
  {
    var seed: UInt64 = 7
    let limit = Int64(1) << Int64(depth - 1)
    return (0..<channels).map { channel in
      (0..<frames).map { frame in
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let phase = Int64((frame * (channel + 2) + 40 * channel) % 200) - 100
        // A parabola of each sign.
        let wave = phase < 0 ? -(phase + 100) * -phase : phase * (100 - phase)
        let value = wave * (limit / 2) / 2_500 + Int64(seed >> 33) % (2 * noise + 1) - noise
        return min(max(value, -limit), limit - 1)
      }
    }
  }

  private func decode(_ packet: [UInt8], channels: Int, depth: Int) throws -> [[Int64]] {
    var information = [UInt8](repeating: 0, count: 34)
    information[12] = UInt8(depth - 1) >> 4
    information[13] = UInt8((depth - 1) & 15) << 4
    let decoder = try FLACPacketDecoder(rate: 48_000, channels: channels, cookie: information)
    let queue = FrameQueue(frameSize: 4 * channels)
    try feed(packet, decoder, queue)
    let samples = queue.first.assumingMemoryBound(to: Int32.self)
    return (0..<channels).map { channel in
      (0..<queue.count).map { Int64(samples[$0 * channels + channel] >> Int32(32 - depth)) }
    }
  }

  private func feed(_ packet: [UInt8], _ decoder: FLACPacketDecoder, _ queue: FrameQueue) throws {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: packet.count, alignment: 1)
    defer { memory.deallocate() }
    memory.copyBytes(from: packet)
    try decoder.decode(UnsafeRawBufferPointer(memory), into: queue)
  }

  @Test(
    "every kind of subframe, at every depth and with every way to store channels",
    arguments: [4, 8, 11, 12, 16, 20, 24, 32], 0...10)
  func kinds(depth: Int, code: Int) throws {
    let channels = code < 8 ? code + 1 : 2
    let linear = FLACFrameWriter.Prediction.linear([8_192, -4_096, 5], shift: 12)
    let predictions: [FLACFrameWriter.Prediction] = [
      .verbatim, .fixed(0), .fixed(1), .fixed(2), .fixed(3), .fixed(4), linear,
    ]
    let sound = Self.sound(192, channels: channels, depth: depth)
    for prediction in predictions {
      for hasWideParameters in [false, true] {
        for isEscaped in [false, true] {
          // Plain numbers have 31 bits at most, and Rice codes must not become too long.
          if depth == 32, case .fixed(let order) = prediction, order == 0 || order > 2 { continue }
          if depth == 32 && !hasWideParameters { continue }
          var writer = FLACFrameWriter()
          writer.prediction = prediction
          writer.hasWideParameters = hasWideParameters
          writer.isEscaped = isEscaped
          writer.partitionOrder = 4
          let packet = writer.frame(sound, depth: depth, code: code)
          #expect(try decode(packet, channels: channels, depth: depth) == sound)
        }
      }
    }
    var writer = FLACFrameWriter()
    writer.prediction = .constant
    let constant = (0..<channels).map { channel in
      [Int64](
        repeating: channel % 2 == 0 ? -1 << Int64(depth - 1) : 1 << Int64(depth - 1) - 1, count: 50)
    }
    let packet = writer.frame(constant, depth: depth, code: code)
    #expect(try decode(packet, channels: channels, depth: depth) == constant)
  }

  @Test("full scale of both signs in channels of 32 bits", arguments: [1, 8, 9, 10])
  func fullScale(code: Int) throws {
    let (low, high) = (Int64(Int32.min), Int64(Int32.max))
    let sound = [[low, high, low, high, 0, -1, 1], [high, low, low, high, high, low, 0]]
    var writer = FLACFrameWriter()
    writer.prediction = .verbatim
    let packet = writer.frame(sound, depth: 32, code: code)
    #expect(try decode(packet, channels: 2, depth: 32) == sound)
  }

  @Test("predictions of up to 32 samples", arguments: 1...32, [16, 24, 32])
  func orders(order: Int, depth: Int) throws {
    let sound = Self.sound(400, channels: 2, depth: depth)
    var writer = FLACFrameWriter()
    writer.hasWideParameters = true
    let factors = (0..<order).map { [8_000, -3_900][at: $0] ?? Int64(($0 * 7) % 13) - 6 }
    writer.prediction = .linear(factors, shift: 12)
    for code in [1, 10] {
      let packet = writer.frame(sound, depth: depth, code: code)
      #expect(try decode(packet, channels: 2, depth: depth) == sound)
    }
  }

  @Test("samples with zero bits below", arguments: [1, 3, 7], [8, 16, 24])
  func wastedBits(count: Int, depth: Int) throws {
    let sound = Self.sound(100, channels: 2, depth: depth).map {
      $0.map { $0 & -(1 << Int64(count)) }
    }
    var writer = FLACFrameWriter()
    writer.wastedBits = count
    for prediction in [FLACFrameWriter.Prediction.verbatim, .fixed(2)] {
      writer.prediction = prediction
      for code in [1, 8] {
        let packet = writer.frame(sound, depth: depth, code: code)
        #expect(try decode(packet, channels: 2, depth: depth) == sound)
      }
    }
  }

  @Test("every Rice parameter, with short and very long codes", arguments: 0...30)
  func parameters(parameter: Int) throws {
    let sound = Self.sound(300, channels: 1, depth: 16, noise: 900)
    var writer = FLACFrameWriter()
    writer.prediction = .fixed(1)
    writer.hasWideParameters = parameter > 14
    writer.parameter = parameter
    let packet = writer.frame(sound, depth: 16, code: 0)
    #expect(try decode(packet, channels: 1, depth: 16) == sound)
  }

  @Test("frames of any length and number", arguments: [1, 2, 17, 255, 256, 4_096, 65_535])
  func lengths(frames: Int) throws {
    let sound = Self.sound(frames, channels: 2, depth: 16)
    var writer = FLACFrameWriter()
    writer.prediction = .fixed(min(frames, 2))
    var packet = writer.frame(sound, depth: 16, code: 10)
    for number in [0, 127, 128, 0x7FF, 0x800, 0xFFFF, 0x10000, 0x7FFF_FFFF] {
      FLACFrameNumber.set(number, in: &packet)
      #expect(try decode(packet, channels: 2, depth: 16) == sound)
    }
    // What follows the frame is ignored.
    #expect(try decode(packet + [1, 2, 3], channels: 2, depth: 16) == sound)
  }

  @Test("a frame that is cut, or in which a bit is wrong, is refused")
  func damage() throws {
    var writer = FLACFrameWriter()
    writer.partitionOrder = 2
    let packet = writer.frame(Self.sound(64, channels: 2, depth: 16), depth: 16, code: 10)
    for count in 1..<packet.count {
      #expect(throws: AudioError.self) {
        try decode(Array(packet.prefix(count)), channels: 2, depth: 16)
      }
    }
    for bit in 0..<8 * packet.count {
      var damaged = packet
      damaged[bit / 8] ^= 0x80 >> UInt8(bit % 8)
      #expect(throws: AudioError.self) { try decode(damaged, channels: 2, depth: 16) }
    }
  }

  @Test("frames of another rate or with other channels are refused with a reason")
  func mismatches() throws {
    var writer = FLACFrameWriter()
    let packet = writer.frame(Self.sound(64, channels: 2, depth: 16), depth: 16, code: 1)
    let error = #expect(throws: AudioError.self) { try decode(packet, channels: 3, depth: 16) }
    #expect(error?.explanation == "FLAC: the packets have 2 channels, expected 3")
    // The depth is in neither of the headers.
    let shallow = writer.frame(Self.sound(64, channels: 1, depth: 11), depth: 11, code: 0)
    let decoder = try FLACPacketDecoder(rate: 48_000, channels: 1, cookie: [])
    let queue = FrameQueue(frameSize: 4)
    let missing = #expect(throws: AudioError.self) {
      try feed(shallow, decoder, queue)
    }
    #expect(missing?.explanation == "FLAC: a sample has fewer than 4 bits or more than 32")
    #expect(queue.count == 0)
  }

  @Test("thousands of damaged packets end in samples or in an error", arguments: 0..<4)
  func hostile(kind: Int) throws {
    var random = Xorshift(state: UInt64(kind) + 1)
    var writer = FLACFrameWriter()
    writer.prediction = kind % 2 == 0 ? .fixed(2) : .linear([8_192, -4_096, 5, 3], shift: 12)
    writer.isEscaped = kind == 2
    writer.partitionOrder = 3
    let (depth, code) = kind == 3 ? (24, 9) : (16, 10)
    let sound = Self.sound(128, channels: 2, depth: depth)
    let packet = writer.frame(sound, depth: depth, code: code)
    for _ in 0..<3_000 {
      var damaged = packet
      for _ in 0..<1 + random.next() % 8 {
        // Behind the header, whose own check sum would stop it.
        let index = 8 + Int(random.next() % UInt64(packet.count - 8))
        damaged[index] = UInt8(truncatingIfNeeded: random.next())
      }
      if random.next() % 4 == 0 {
        damaged.removeLast(Int(random.next() % UInt64(packet.count - 8)))
      }
      if let decoded = try? decode(damaged, channels: 2, depth: depth) {
        #expect(decoded.allSatisfy { $0.count == 128 })
      }
    }
  }

  private struct Xorshift {
    var state: UInt64

    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state >> 8
    }
  }
}

extension Array {
  /// The element, or nil behind the end.
  fileprivate subscript(at index: Int) -> Element? { index < count ? self[index] : nil }
}
