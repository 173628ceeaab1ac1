// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

// Packet sizes, and how much input an amount of output requires, and vice versa.
extension Converter {
  /// Bytes of the largest input packet.
  var inputPacketSize: UInt32 {
    if inputFormat.mBytesPerPacket > 0 { return inputFormat.mBytesPerPacket }
    return UInt32(
      clamping: CompressedFormat.of(inputFormat.mFormatID)?.largestPacketSize(inputFormat) ?? 1)
  }

  /// Bytes of the largest possible output packet.
  var outputPacketSize: UInt32 {
    if outputFormat.mBytesPerPacket > 0 { return outputFormat.mBytesPerPacket }
    return UInt32(clamping: encoding?.encoder.maximumPacketSize ?? 1)
  }

  /// Bytes of input for this many packets of output, from the beginning; the largest number if they
  /// are more.
  func inputBytes(forOutput packets: Int) -> Int {
    let outputFrames = Double(packets) * Double(max(1, outputFormat.mFramesPerPacket))
    let frames = outputFrames * self.frames.ratio + Double(self.frames.trailingFrames)
    return Self.bytes(frames, inputFormat, inputPacketSize)
  }

  /// The most bytes of output for this many packets of input; as above.
  func outputBytes(forInput packets: Int) -> Int {
    let inputFrames = Double(packets) * Double(max(1, inputFormat.mFramesPerPacket))
    return Self.bytes(inputFrames / frames.ratio, outputFormat, outputPacketSize)
  }

  private static func bytes(
    _ frames: Double, _ format: AudioStreamBasicDescription, _ packetSize: UInt32
  ) -> Int {
    let packets = (frames / Double(max(1, format.mFramesPerPacket))).rounded(.up)
    let bytes = packets * Double(packetSize)
    return Int(exactly: bytes.rounded()) ?? .max
  }

  /// The encoder's delay in frames, and the frames it has encoded; nil without an encoder.
  public var encodedFrames: (delay: Int, frames: Int)? {
    encoding.map { ($0.encoder.delayFrames, $0.framesIn) }
  }

  /// The leading and trailing frames of the codec, or else of the rate conversion.
  var primeInfo: AudioConverterPrimeInfo {
    if let encoding { return encoding.primeInfo }
    if let decoding {
      return decoding.primeInfo
        ?? AudioConverterPrimeInfo(
          leadingFrames: UInt32(clamping: decoding.leadingFrameCount()), trailingFrames: 0)
    }
    return AudioConverterPrimeInfo(
      leadingFrames: UInt32(clamping: frames.leadingFrames),
      trailingFrames: UInt32(clamping: frames.trailingFrames))
  }
}
