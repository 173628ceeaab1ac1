// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioCodecs
@_spi(TrappingConversions) import CheckedNumbers

/// Decodes FLAC (RFC 9639).
final class FLACPacketDecoder: PacketDecoder {
  let format: StreamFormat
  let leadingFrames = 0
  private let decoder: OpaquePointer
  /// Bits of a sample by the STREAMINFO block, for frames that do not state them; 0 without one.
  private let bits: Int32

  init(rate: Double, channels: Int, cookie: [UInt8]) throws(AudioError) {
    format = try .interleaved(.int32, rate: rate, channels: channels)
    bits = MagicCookies.streamInformation(cookie).map(Self.bits) ?? 0
    guard let decoder = flac_decoder() else {
      throw .codecFailed.because("FLAC: out of memory")
    }
    self.decoder = decoder
  }

  deinit { flac_decoder_free(decoder) }

  func decode(_ packets: UnsafeRawBufferPointer, into frames: FrameQueue) throws(AudioError) {
    guard let start = packets.baseAddress, !packets.isEmpty else { return }
    let packet = start.assumingMemoryBound(to: UInt8.self)
    var header = FLACFrameHeader()
    if let reason = flac_read_header(packet, packets.count, &header) { throw Self.error(reason) }
    guard header.rate == 0 || Double(header.rate) == format.sampleRate else {
      throw .codecFormat.because(
        "FLAC: the packets have \(header.rate) Hz, expected \(format.sampleRate.plainText) Hz")
    }
    guard Int(header.channels) == format.channelCount else {
      throw .codecFormat.because(
        "FLAC: the packets have \(header.channels) channels, expected \(format.channelCount)")
    }
    if header.bits == 0 { header.bits = bits }
    let count = Int(header.frames)
    let output = frames.add(count).assumingMemoryBound(to: Int32.self)
    if let reason = flac_decode(decoder, packet, packets.count, &header, output) {
      frames.dropLast(count)
      throw Self.error(reason)
    }
  }

  func finish(into frames: FrameQueue) throws(AudioError) {}

  func reset() {}

  private static func error(_ reason: UnsafePointer<CChar>) -> AudioError {
    .codecPacket.because("FLAC: \(String(cString: reason))")
  }

  /// Bits of a sample by a STREAMINFO block.
  private static func bits(_ information: [UInt8]) -> Int32 {
    Int32(information[12] & 1) << 4 + Int32(information[13] >> 4) + 1
  }
}
