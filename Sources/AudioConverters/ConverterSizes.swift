// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Packet sizes of a converter, and how much input an amount of output requires, and vice versa.
struct ConverterSizes {
  private let path: SignalPath

  init(_ path: SignalPath) { self.path = path }

  private var formats: ConverterFormats { path.formats }

  /// Bytes of the largest input packet.
  var inputPacket: UInt32 {
    if formats.input.mBytesPerPacket > 0 { return formats.input.mBytesPerPacket }
    return UInt32(
      clamping: CompressedFormat.of(formats.input.mFormatID)?.largestPacketSize(formats.input) ?? 1)
  }

  /// Bytes of the largest possible output packet.
  var outputPacket: UInt32 {
    if formats.output.mBytesPerPacket > 0 { return formats.output.mBytesPerPacket }
    return UInt32(clamping: path.encoding?.encoder.maximumPacketSize ?? 1)
  }

  /// Bytes of input for this many packets of output, from the beginning; the largest number if they
  /// are more.
  func inputBytes(forOutput packets: Int) -> Int {
    let outputFrames = Double(packets) * Double(max(1, formats.output.mFramesPerPacket))
    let frames = outputFrames * path.frames.ratio + Double(path.frames.trailingFrames)
    return Self.bytes(frames, formats.input, inputPacket)
  }

  /// The most bytes of output for this many packets of input; as above.
  func outputBytes(forInput packets: Int) -> Int {
    let inputFrames = Double(packets) * Double(max(1, formats.input.mFramesPerPacket))
    return Self.bytes(inputFrames / path.frames.ratio, formats.output, outputPacket)
  }

  private static func bytes(
    _ frames: Double, _ format: AudioStreamBasicDescription, _ packetSize: UInt32
  ) -> Int {
    let packets = (frames / Double(max(1, format.mFramesPerPacket))).rounded(.up)
    let bytes = packets * Double(packetSize)
    return Int(exactly: bytes.rounded()) ?? .max
  }
}
