// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The chunk `COMM` of AIFF and AIFC: the format of the packets, and their number.
struct AIFFFormat {
  var format: AudioStreamBasicDescription
  /// Frames, or packets of IMA4.
  var count = 0

  init(_ fields: ByteFields, at offset: Int, isAIFC: Bool) throws(AudioError) {
    guard fields.count >= (isAIFC ? 22 : 18) else {
      throw .damagedFile.because(
        "chunk 'COMM' at byte \(offset) has \(fields.count) bytes, not \(isAIFC ? 22 : 18)")
    }
    let channels = UInt32(fields.uint16(0))
    count = Int(fields.uint32(2))
    let bits = UInt32(fields.uint16(6))
    let rate = ExtendedFloat.value(fields, 8)
    guard channels > 0, rate.isFinite, rate > 0, rate < 3e6 else {
      throw .damagedFile.because(
        "'COMM' at byte \(offset) is not plausible: \(channels) channels at \(rate) Hz")
    }
    format = AudioStreamBasicDescription()
    format.mSampleRate = rate
    format.mChannelsPerFrame = channels
    let code = isAIFC ? fields.code(18) : ChunkCode("NONE")
    guard let coding = Self.coding(code, bits) else {
      throw .unsupportedDataFormat.because(
        "'COMM' at byte \(offset) has format \(code.quoted) with \(bits) bits; supported are "
          + "integers of 1 to 32 bits, floats of 32 and 64, mu-law, A-law, IMA4 and GSM")
    }
    format.mFormatID = coding.id
    format.mFormatFlags = coding.flags
    format.mBitsPerChannel = coding.bits
    format.mFramesPerPacket = coding.frames
    format.mBytesPerPacket = coding.bytes * (coding.id == CompressedFormat.gsm ? 1 : channels)
    format.mBytesPerFrame = coding.frames == 1 ? format.mBytesPerPacket : 0
  }

  private struct Coding {
    var id = kAudioFormatLinearPCM
    var flags: AudioFormatFlags = 0
    var bits: UInt32 = 0
    var bytes: UInt32
    var frames: UInt32 = 1
  }

  private static func coding(_ code: ChunkCode, _ bits: UInt32) -> Coding? {
    let big = kAudioFormatFlagIsBigEndian
    func integer(_ bits: UInt32, _ flags: AudioFormatFlags) -> Coding? {
      guard (1...32).contains(bits) else { return nil }
      let bytes = (bits + 7) / 8
      // A sample fills the upper bits of its bytes.
      let storedBits = max(8, bits)
      let packing =
        storedBits == bytes * 8 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh
      return Coding(
        flags: flags | kAudioFormatFlagIsSignedInteger | packing, bits: storedBits, bytes: bytes)
    }
    func float(_ bits: UInt32) -> Coding {
      Coding(
        flags: kAudioFormatFlagIsFloat | kAudioFormatFlagIsPacked | big, bits: bits,
        bytes: bits / 8)
    }
    switch code.description {
    case "NONE", "twos": return integer(bits, bits > 8 ? big : 0)
    case "sowt": return integer(bits, 0)
    case "in24": return integer(24, big)
    case "in32": return integer(32, big)
    case "42ni": return integer(24, 0)
    case "23ni": return integer(32, 0)
    case "raw ": return Coding(flags: kAudioFormatFlagIsPacked, bits: 8, bytes: 1)
    case "fl32", "FL32": return float(32)
    case "fl64", "FL64": return float(64)
    case "ulaw", "ULAW": return Coding(id: kAudioFormatULaw, bits: 8, bytes: 1)
    case "alaw", "ALAW": return Coding(id: kAudioFormatALaw, bits: 8, bytes: 1)
    case "ima4": return Coding(id: kAudioFormatAppleIMA4, bytes: 34, frames: 64)
    case "GSM ", "agsm": return Coding(id: CompressedFormat.gsm, bytes: 33, frames: 160)
    default: return nil
    }
  }

  // MARK: Writing

  /// The code for the format of a new file; nil when there is none.
  static func code(_ format: AudioStreamBasicDescription, isAIFC: Bool) -> ChunkCode? {
    let flags = format.mFormatFlags
    let isBig = flags & kAudioFormatFlagIsBigEndian != 0
    switch format.mFormatID {
    case kAudioFormatULaw: return isAIFC ? ChunkCode("ulaw") : nil
    case kAudioFormatALaw: return isAIFC ? ChunkCode("alaw") : nil
    case kAudioFormatAppleIMA4: return isAIFC ? ChunkCode("ima4") : nil
    default: break
    }
    let bytes = format.mBytesPerFrame / format.mChannelsPerFrame
    if flags & kAudioFormatFlagIsFloat != 0 {
      guard isAIFC, isBig else { return nil }
      return format.mBitsPerChannel == 64 ? "fl64" : "fl32"
    }
    let isHigh =
      format.mBitsPerChannel == bytes * 8 || flags & kAudioFormatFlagIsAlignedHigh != 0
    guard isHigh, bytes <= 4, (format.mBitsPerChannel + 7) / 8 == bytes else { return nil }
    if flags & kAudioFormatFlagIsSignedInteger == 0 {
      return isAIFC && bytes == 1 ? ChunkCode("raw ") : nil
    }
    if isBig || bytes == 1 { return ChunkCode("NONE") }
    guard isAIFC else { return nil }
    switch bytes {
    case 2: return ChunkCode("sowt")
    case 3: return ChunkCode("42ni")
    default: return ChunkCode("23ni")
    }
  }

  /// The chunk of a format.
  static func bytes(
    _ format: AudioStreamBasicDescription, _ code: ChunkCode, count: Int, isAIFC: Bool
  ) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.number(UInt16(clamping: format.mChannelsPerFrame))
    builder.number(UInt32(clamping: count))
    let isPacked = format.mFormatID != kAudioFormatLinearPCM
    builder.number(UInt16(clamping: isPacked ? 16 : format.mBitsPerChannel))
    builder.append(ExtendedFloat.bytes(format.mSampleRate))
    if isAIFC {
      builder.code(code)
      let name = Array(title(code).utf8)
      builder.number(UInt8(clamping: name.count))
      builder.append(name)
      builder.align(2)
    }
    return builder.bytes
  }

  private static func title(_ code: ChunkCode) -> String {
    switch code.description {
    case "NONE": "not compressed"
    case "fl32": "32-bit floating point"
    case "fl64": "64-bit floating point"
    case "ulaw": "uLaw 2:1"
    case "alaw": "ALaw 2:1"
    case "ima4": "IMA 4:1"
    default: ""
    }
  }
}
