// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
@_spi(TrappingConversions) import CheckedNumbers

/// Encodes FLAC (RFC 9639).
final class FLACPacketEncoder: PacketEncoder {
  let format: StreamFormat
  let framesPerPass: Int
  var framesPerPacket: Int { framesPerPass }
  let delayFrames = 0
  let maximumPacketSize: Int
  private(set) var cookie: [UInt8]
  private let encoder: OpaquePointer
  /// The number of the next packet, and the distance to the one after it.
  private var number: Int
  private let step: Int
  /// What the header states of the stream; nil when this encoder makes only some of its packets.
  private var information: FLACStreamInformation?

  /// [control thread] Creates an encoder. `part`: it makes only packets with these numbers, `first`
  /// and every `step`-th after it.
  init(_ setup: FLACEncoderSetup, part: (first: Int, step: Int)? = nil) throws(AudioError) {
    format = try .interleaved(.int32, rate: Double(setup.rate), channels: Int(setup.channels))
    framesPerPass = Int(setup.frames)
    (number, step) = part ?? (0, 1)
    // The uncompressed size, and headers.
    maximumPacketSize = framesPerPass * format.bytesPerFrame + 4_096
    let information = FLACStreamInformation(setup)
    cookie = information.cookie
    self.information = part == nil ? information : nil
    var setup = setup
    guard let encoder = flac_encoder(&setup) else {
      throw .codecFailed.because("FLAC: out of memory")
    }
    self.encoder = encoder
  }

  deinit { flac_encoder_free(encoder) }

  func encode(_ frames: UnsafeRawPointer, count: Int, into packets: PacketQueue) throws(AudioError)
  {
    let samples = frames.assumingMemoryBound(to: Int32.self)
    var size = 0
    let bytes = flac_encode(
      encoder, samples, Int32(clamping: count), UInt32(truncatingIfNeeded: number), &size)
    packets.add(UnsafeRawBufferPointer(start: bytes, count: size), frames: count)
    number += step
    information?.add(samples, frames: count)
    information?.add(packetOf: size)
  }

  func finish(into packets: PacketQueue) throws(AudioError) {
    if let information { cookie = information.finished().cookie }
  }
}

/// What the header of FLAC states of a whole stream: the STREAMINFO block (RFC 9639, section 8.2).
struct FLACStreamInformation {
  private let setup: FLACEncoderSetup
  private var digest = flac_digest()
  private var frameCount = 0
  private var sizes: ClosedRange<Int>?
  private var checkSum = [UInt8](repeating: 0, count: 16)

  /// Of a stream without frames.
  init(_ setup: FLACEncoderSetup) { self.setup = setup }

  /// Adds interleaved samples.
  mutating func add(_ samples: UnsafePointer<Int32>, frames: Int) {
    flac_digest_add(&digest, samples, frames * Int(setup.channels), setup.bits)
    frameCount += frames
  }

  mutating func add(packetOf size: Int) {
    sizes = min(sizes?.lowerBound ?? size, size)...max(sizes?.upperBound ?? size, size)
  }

  /// The same with the check sum of the samples.
  func finished() -> Self {
    var (finished, digest) = (self, digest)
    finished.checkSum.withUnsafeMutableBufferPointer { bytes in
      if let start = bytes.baseAddress { flac_digest_finish(&digest, start) }
    }
    return finished
  }

  /// The block, in the form of files.
  var cookie: [UInt8] {
    func number(_ value: Int, _ bytes: Int) -> [UInt8] {
      (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var block = number(Int(setup.frames), 2) + number(Int(setup.frames), 2)
    block += number(sizes?.lowerBound ?? 0, 3) + number(sizes?.upperBound ?? 0, 3)
    let format = Int(setup.rate) << 8 | Int(setup.channels - 1) << 5 | Int(setup.bits - 1)
    // 36 bits; 0 where there are more frames.
    let frames = frameCount >> 36 == 0 ? frameCount : 0
    block += number(format << 36 | frames, 8) + checkSum
    return MagicCookies.flacBox(block)
  }
}
