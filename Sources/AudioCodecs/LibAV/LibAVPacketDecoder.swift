// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
@_spi(TrappingConversions) import CheckedNumbers

/// Decodes with libavcodec.
final class LibAVPacketDecoder: PacketDecoder {
  let format: StreamFormat
  let leadingFrames: Int
  private let decoder: OpaquePointer
  private let name: String
  /// Bytes of a packet, of which libavcodec takes one at a time; 0 when packets differ.
  private let blockBytes: Int

  /// [control thread] Opens the first available decoder of the list.
  init(_ stream: LibAVCodec.Stream, leadingFrames: Int) throws(AudioError) {
    format = try .interleaved(
      stream.isLossless ? .int32 : .float32, rate: stream.rate, channels: stream.channels)
    self.leadingFrames = leadingFrames
    name = stream.name
    blockBytes = stream.blockBytes
    decoder = try LibAVCodec.open(stream, libav_decoder)
  }

  deinit { libav_decoder_free(decoder) }

  func decode(_ packets: UnsafeRawBufferPointer, into frames: FrameQueue) throws(AudioError) {
    // libavcodec would regard a packet without bytes as the end of the stream.
    guard let start = packets.baseAddress, !packets.isEmpty else { return }
    let bytes = start.assumingMemoryBound(to: UInt8.self)
    let size = blockBytes > 0 ? blockBytes : packets.count
    for position in stride(from: 0, to: packets.count, by: size) {
      try decode(bytes + position, min(size, packets.count - position), into: frames)
    }
  }

  func finish(into frames: FrameQueue) throws(AudioError) {
    try decode(nil, 0, into: frames)
  }

  func reset() { libav_decoder_reset(decoder) }

  private func decode(_ data: UnsafePointer<UInt8>?, _ size: Int, into frames: FrameQueue)
    throws(AudioError)
  {
    var samples: UnsafeRawPointer?
    var count = 0
    let reason = LibAVCodec.reason { reason, reasonSize in
      count = libav_decode(decoder, data, size, &samples, reason, reasonSize)
      return count >= 0
    }
    if let reason { throw .codecPacket.because("\(name): \(reason)") }
    guard let samples, count > 0 else { return }
    let rate = Double(libav_decoded_rate(decoder))
    guard rate == format.sampleRate else {
      throw .codecFormat.because(
        "\(name): the packets have \(rate) Hz, expected \(format.sampleRate.plainText) Hz")
    }
    frames.add(count).copyMemory(from: samples, byteCount: count * frames.frameSize)
  }
}

/// What decoders and encoders of libavcodec share.
enum LibAVCodec {
  /// A stream's parameters for the library.
  struct Stream {
    /// Its name in error messages.
    var name: String
    /// Names in libavcodec, in order of preference.
    var codecs: [String]
    var rate: Double
    var channels: Int
    var isLossless = false
    /// Bytes of each packet; 0 when packets differ.
    var blockBytes = 0
    var bits = 0
    var bitRate = 0
    var settings = EncoderSettings()
    var setup: [UInt8] = []
  }

  /// Creates a decoder or an encoder with the first codec that can be opened.
  static func open(
    _ stream: Stream,
    _ make: (UnsafePointer<LibAVStream>?, UnsafeMutablePointer<CChar>?, Int) -> OpaquePointer?
  ) throws(AudioError) -> OpaquePointer {
    var reasons: [String] = []
    for codec in stream.codecs {
      var made: OpaquePointer?
      let failure = reason { reason, size in
        codec.withCString { name in
          stream.setup.withUnsafeBufferPointer { setup in
            var values = LibAVStream(
              codec: name, rate: Int32(saturating: stream.rate),
              channels: Int32(clamping: stream.channels), bits: Int32(clamping: stream.bits),
              bitRate: stream.bitRate, quality: Int32(clamping: stream.settings.quality),
              rateMode: stream.settings.rateMode.map { Int32(clamping: $0) } ?? -1,
              variableQuality: Int32(clamping: stream.settings.variableQuality),
              isShortDelay: stream.settings.isShortDelay,
              blockBytes: Int32(clamping: stream.blockBytes),
              sample: stream.isLossless ? LIBAV_INT32 : LIBAV_FLOAT, setup: setup.baseAddress,
              setupSize: setup.count)
            made = make(&values, reason, size)
          }
        }
        return made != nil
      }
      if let made { return made }
      if let failure { reasons.append(failure) }
    }
    throw .codecFormat.because("\(stream.name): \(reasons.joined(separator: "; "))")
  }

  /// Runs `body` with a buffer for an error text; returns the text if it fails.
  static func reason(_ body: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
    var text = [CChar](repeating: 0, count: 512)
    let succeeded = text.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { body($0, buffer.count) } ?? false
    }
    return succeeded
      ? nil : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// What a decoder makes of the first packets of a stream; nil when it cannot decode them.
  static func outputFormat(
    _ codecs: [String], setup: [UInt8], rate: Double, channels: Int, packets: [[UInt8]]
  ) -> (rate: Double, channels: Int)? {
    var stream = Stream(name: "", codecs: codecs, rate: rate, channels: channels)
    stream.setup = setup
    guard let decoder = try? open(stream, libav_decoder) else { return nil }
    defer { libav_decoder_free(decoder) }
    for packet in packets {
      var samples: UnsafeRawPointer?
      _ = reason { libav_decode(decoder, packet, packet.count, &samples, $0, $1) >= 0 }
    }
    let found = Double(libav_decoded_rate(decoder))
    return found > 0 ? (found, Int(libav_decoded_channels(decoder))) : nil
  }

  /// Whether libavcodec has one of these codecs; false also when the library is missing.
  static func has(_ codecs: [String], isEncoder: Bool) -> Bool {
    codecs.contains { libav_has($0, isEncoder) }
  }
}
