// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import CAudioToolbox

// How large packets are, and how much of one side the other side takes.
extension Converter {
  /// Bytes of the largest packet of the input.
  var inputPacketSize: UInt32 {
    if inputFormat.mBytesPerPacket > 0 { return inputFormat.mBytesPerPacket }
    return UInt32(CompressedFormat.of(inputFormat.mFormatID)?.largestPacket(inputFormat) ?? 1)
  }

  /// Bytes of the largest packet that can come out.
  var outputPacketSize: UInt32 {
    if outputFormat.mBytesPerPacket > 0 { return outputFormat.mBytesPerPacket }
    return UInt32(encoding?.encoder.maximumPacketSize ?? 1)
  }

  /// Bytes of input that so many packets of output take, from the beginning.
  func inputBytes(forOutput packets: Int) -> Int {
    let wanted = Double(packets) * Double(max(1, outputFormat.mFramesPerPacket))
    let frames = wanted * self.frames.ratio + Double(self.frames.trailingFrames)
    return Self.packets(frames, inputFormat) * Int(inputPacketSize)
  }

  /// Bytes of output that so many packets of input become at the most.
  func outputBytes(forInput packets: Int) -> Int {
    let given = Double(packets) * Double(max(1, inputFormat.mFramesPerPacket))
    return Self.packets(given / frames.ratio, outputFormat) * Int(outputPacketSize)
  }

  private static func packets(_ frames: Double, _ format: AudioStreamBasicDescription) -> Int {
    Int((frames / Double(max(1, format.mFramesPerPacket))).rounded(.up))
  }

  /// Frames that an encoder puts in front, and those of sound that it has taken; nil where nothing is
  /// encoded.
  public var encodedFrames: (delay: Int, frames: Int)? {
    encoding.map { ($0.encoder.delayFrames, $0.framesIn) }
  }

  /// What is left out or read ahead: by the codec, else by the conversion of the rate.
  var primeInfo: AudioConverterPrimeInfo {
    if let encoding { return encoding.primeInfo }
    if let decoding {
      return decoding.primeInfo
        ?? AudioConverterPrimeInfo(leadingFrames: UInt32(decoding.leading()), trailingFrames: 0)
    }
    return AudioConverterPrimeInfo(
      leadingFrames: UInt32(frames.leadingFrames), trailingFrames: UInt32(frames.trailingFrames))
  }
}
