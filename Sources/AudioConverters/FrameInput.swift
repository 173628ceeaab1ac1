// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The input of a converter: the packets that the input supplies, decoded if they are
/// compressed.
final class FrameInput {
  private let description: AudioStreamBasicDescription
  /// The format of the frames.
  let format: StreamFormat
  let packets: PacketInput
  /// The decoder of a compressed format.
  let decoding: PacketDecoding?

  init(_ description: AudioStreamBasicDescription) throws(AudioError) {
    self.description = description
    decoding = try CompressedFormat.of(description.mFormatID).map { codec throws(AudioError) in
      try PacketDecoding(codec, description)
    }
    let decoded = decoding?.decodedFormat
    format = if let decoded { decoded } else { try ConverterFormats.linear(description) }
    packets = PacketInput(
      description, bufferCount: decoded == nil ? format.bufferCount : 1,
      channelsPerBuffer: format.channelsPerBuffer)
  }

  /// Frames that are ready to be converted.
  var count: Int { decoding?.count ?? packets.count }

  /// Whether the ready frames are the last.
  var hasEnded: Bool { decoding?.hasFinished ?? packets.hasEnded }

  /// The ready frames; valid until the next call of `supply`.
  func span() -> FrameSpan {
    guard let decoding else {
      return FrameSpan(packets.buffers, from: packets.next, count: packets.count)
    }
    decoding.updateBuffer()
    return FrameSpan(decoding.buffer, from: 0, count: decoding.count)
  }

  /// Marks frames as consumed.
  func consume(_ frames: Int) {
    if let decoding { decoding.consume(frames) } else { packets.consume(frames) }
  }

  /// Supplies about this many more frames: requests packets, and decodes them.
  func supply(_ frames: Int, from source: some ConverterInput) throws(AudioError) {
    let framesPerPacket = decoding == nil ? 1 : Int(description.mFramesPerPacket)
    let count = framesPerPacket > 0 ? (frames + framesPerPacket - 1) / framesPerPacket : 1
    if packets.count == 0 {
      if packets.hasEnded {
        try decoding?.finish()
        return
      }
      if packets.isFailing { throw AudioError(status: packets.consumeStatus()).fromInput }
      try packets.request(for: count, source)
    }
    guard let decoding, packets.count > 0 else { return }
    // Packets of one size are adjacent.
    let adjacent = packets.bytesPerPacket > 0 ? min(count, packets.count) : 1
    // A packet that cannot be decoded is skipped, so that the next call does not fail again.
    defer { packets.consume(adjacent) }
    let packet = try packets.nextPacket()
    try decoding.decode(
      adjacent > 1
        ? UnsafeRawBufferPointer(
          start: packet.bytes.baseAddress, count: adjacent * packet.bytes.count)
        : packet.bytes,
      frames: packet.frames)
  }

  /// Forgets packets and frames that are not consumed.
  func reset() {
    packets.reset()
    decoding?.reset()
  }
}

extension AudioError {
  /// An error of the input function, passed on.
  fileprivate var fromInput: AudioError {
    because("the input function returned \(StatusName.text(status))")
  }
}
