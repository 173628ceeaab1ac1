// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs

/// Decodes by libavcodec.
final class LibAVPacketDecoder: PacketDecoder {
  let format: StreamFormat
  let leadingFrames: Int
  private let decoder: OpaquePointer
  private let name: String

  /// [control thread] Opens the first of the decoders that the library has.
  init(_ stream: LibAVCodec.Stream, leadingFrames: Int) throws(AudioError) {
    format = try .interleaved(
      stream.isLossless ? .int32 : .float32, rate: stream.rate, channels: stream.channels)
    self.leadingFrames = leadingFrames
    name = stream.name
    decoder = try LibAVCodec.open(stream, libav_decoder)
  }

  deinit { libav_decoder_free(decoder) }

  func decode(_ packets: UnsafeRawBufferPointer, into frames: FrameStore) throws(AudioError) {
    // A packet without bytes would end the stream.
    guard let start = packets.baseAddress, !packets.isEmpty else { return }
    try decode(start.assumingMemoryBound(to: UInt8.self), packets.count, into: frames)
  }

  func finish(into frames: FrameStore) throws(AudioError) {
    try decode(nil, 0, into: frames)
  }

  func reset() { libav_decoder_reset(decoder) }

  private func decode(_ data: UnsafePointer<UInt8>?, _ size: Int, into frames: FrameStore)
    throws(AudioError)
  {
    var samples: UnsafeRawPointer?
    var count = 0
    let reason = LibAVCodec.reason { reason, size2 in
      count = libav_decode(decoder, data, size, &samples, reason, size2)
      return count >= 0
    }
    if let reason { throw .codecPacket.because("\(name): \(reason)") }
    guard let samples, count > 0 else { return }
    let rate = Double(libav_decoded_rate(decoder))
    guard rate == format.sampleRate else {
      throw .codecFormat.because(
        "\(name): the packets are of \(rate) Hz, \(format.sampleRate.plainText) Hz was said")
    }
    frames.add(count).copyMemory(from: samples, byteCount: count * frames.frameSize)
  }
}

/// The common part of libavcodec's decoders and encoders.
enum LibAVCodec {
  /// A stream's parameters for the library.
  struct Stream {
    /// Its name in error messages.
    var name: String
    /// The library's names, the best one first.
    var codecs: [String]
    var rate: Double
    var channels: Int
    var isLossless = false
    var bits = 0
    var bitRate = 0
    var settings = EncoderSettings()
    var setup: [UInt8] = []
  }

  /// Creates a decoder or an encoder with the first of the codecs that can be opened.
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
              codec: name, rate: Int32(clamping: Int(stream.rate)),
              channels: Int32(clamping: stream.channels), bits: Int32(clamping: stream.bits),
              bitRate: stream.bitRate, quality: Int32(clamping: stream.settings.quality),
              rateMode: stream.settings.rateMode.map { Int32($0) } ?? -1,
              variableQuality: Int32(clamping: stream.settings.variableQuality),
              isShortDelay: stream.settings.isShortDelay,
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

  /// Runs `body` with room for a reason; returns the reason if it fails.
  static func reason(_ body: (UnsafeMutablePointer<CChar>, Int) -> Bool) -> String? {
    var text = [CChar](repeating: 0, count: 512)
    let succeeded = text.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { body($0, buffer.count) } ?? false
    }
    return succeeded
      ? nil : String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the library has one of these, with the reason where it is missing as a whole.
  static func has(_ codecs: [String], isEncoder: Bool) -> Bool {
    codecs.contains { libav_has($0, isEncoder) }
  }
}
