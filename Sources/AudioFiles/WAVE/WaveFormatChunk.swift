// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The chunk `fmt ` of WAV files: the format of the packets.
struct WaveFormatChunk {
  var format: AudioStreamBasicDescription
  /// The loudspeaker bits of the channels; 0 when unknown.
  var channelMask: UInt32 = 0
  /// The magic cookie.
  var cookie: [UInt8] = []

  /// The format tags.
  enum Tag {
    static let integer: UInt16 = 1
    static let adpcm: UInt16 = 2
    static let float: UInt16 = 3
    static let aLaw: UInt16 = 6
    static let muLaw: UInt16 = 7
    static let ima: UInt16 = 0x11
    static let gsm: UInt16 = 0x31
    static let mpeg: UInt16 = 0x50
    static let mp3: UInt16 = 0x55
    static let extensible: UInt16 = 0xFFFE

    /// The bytes after the tag in the GUID of an extensible format.
    static let tail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    static func name(_ tag: UInt16) -> String {
      switch tag {
      case 0x161, 0x162, 0x163: "Windows Media"
      case 0xFF, 0x1610: "AAC"
      case 0x2000: "AC-3"
      default: "unknown"
      }
    }
  }

  // MARK: Reading

  init(_ fields: ByteFields, at offset: Int) throws(AudioError) {
    guard fields.count >= 16 else {
      throw .damagedFile.because(
        "chunk 'fmt ' at byte \(offset) has \(fields.count) bytes, not 16")
    }
    var tag = fields.uint16(0)
    let channels = UInt32(fields.uint16(2))
    let rate = fields.uint32(4)
    var blockBytes = UInt32(fields.uint16(12))
    var bits = UInt32(fields.uint16(14))
    if tag == Tag.extensible {
      guard fields.count >= 40 else {
        throw .damagedFile.because(
          "extensible 'fmt ' at byte \(offset) has \(fields.count) bytes, not 40")
      }
      guard fields.bytes[26..<40].elementsEqual(Tag.tail) else {
        throw .unsupportedDataFormat.because(
          "'fmt ' at byte \(offset) has an unknown format")
      }
      tag = fields.uint16(24)
      channelMask = fields.uint32(20)
      let validBits = UInt32(fields.uint16(18))
      if validBits > 0, validBits <= bits { bits = validBits }
    }
    if blockBytes == 0, [Tag.integer, Tag.float, Tag.aLaw, Tag.muLaw].contains(tag) {
      // It follows from the bits of a sample.
      blockBytes = UInt32(clamping: channels * ((UInt32(fields.uint16(14)) + 7) / 8))
    }
    guard channels > 0, rate > 0, blockBytes > 0 else {
      throw .damagedFile.because(
        "'fmt ' at byte \(offset) is not plausible: \(channels) channels at \(rate) Hz "
          + "in frames of \(blockBytes) bytes")
    }
    format = AudioStreamBasicDescription()
    format.mSampleRate = Double(rate)
    format.mChannelsPerFrame = channels
    switch tag {
    case Tag.integer, Tag.float:
      try readPCM(tag, blockBytes, bits, fields.isBigEndian, at: offset)
    case Tag.aLaw, Tag.muLaw:
      setConstant(tag == Tag.aLaw ? kAudioFormatALaw : kAudioFormatULaw, channels, 1, bits: 8)
    case Tag.ima:
      // A block begins with 4 bytes for each channel, with its first sample; then the channels
      // alternate, 8 nibbles each.
      let room = Int(blockBytes) - 4 * Int(channels)
      guard room >= 0 else {
        throw .damagedFile.because(
          "'fmt ' at byte \(offset) has blocks of \(blockBytes) bytes, too few for its channels")
      }
      let frames = room * 2 / Int(channels) + 1
      let declaredFrames = Int(fields.uint16(18))
      let isDeclared = fields.count >= 20 && (1...frames).contains(declaredFrames)
      setConstant(
        kAudioFormatDVIIntelIMA, blockBytes, UInt32(clamping: isDeclared ? declaredFrames : frames))
    case Tag.adpcm:
      // A block begins with 7 bytes for each channel, with its first two samples.
      let room = Int(blockBytes) - 7 * Int(channels)
      guard room >= 0 else {
        throw .damagedFile.because(
          "'fmt ' at byte \(offset) has blocks of \(blockBytes) bytes, too few for its channels")
      }
      setConstant(
        CompressedFormat.microsoftADPCM, blockBytes,
        UInt32(clamping: room * 2 / Int(channels) + 2))
    case Tag.gsm:
      setConstant(kAudioFormatMicrosoftGSM, blockBytes, 320)
    case Tag.mp3, Tag.mpeg:
      // The frames have the rest.
      format.mFormatID = tag == Tag.mp3 ? kAudioFormatMPEGLayer3 : kAudioFormatMPEGLayer2
      format.mFramesPerPacket = tag == Tag.mp3 && rate < 32_000 ? 576 : 1152
    default:
      throw .unsupportedDataFormat.because(
        "'fmt ' at byte \(offset) has format \(tag) (\(Tag.name(tag))); supported are PCM, float, "
          + "mu-law, A-law, IMA and Microsoft ADPCM, GSM and MPEG audio")
    }
  }

  private mutating func setConstant(
    _ id: AudioFormatID, _ bytes: UInt32, _ frames: UInt32, bits: UInt32 = 0
  ) {
    format.mFormatID = id
    format.mBytesPerPacket = bytes
    format.mFramesPerPacket = frames
    format.mBytesPerFrame = frames == 1 ? bytes : 0
    format.mBitsPerChannel = bits
  }

  private mutating func readPCM(
    _ tag: UInt16, _ blockBytes: UInt32, _ bits: UInt32, _ isBigEndian: Bool, at offset: Int
  ) throws(AudioError) {
    let channels = format.mChannelsPerFrame
    guard blockBytes % channels == 0 else {
      throw .damagedFile.because(
        "'fmt ' at byte \(offset) is not plausible: \(channels) channels at "
          + "\(format.mSampleRate.plainText) Hz in frames of \(blockBytes) bytes")
    }
    let bytes = blockBytes / channels
    let isFloat = tag == Tag.float
    let isPossible =
      isFloat ? (bytes == 4 || bytes == 8) && bits == bytes * 8 : (1...4).contains(bytes)
    guard isPossible, (1...8 * bytes).contains(bits) else {
      throw .unsupportedDataFormat.because(
        "'fmt ' at byte \(offset) has format \(tag) (\(isFloat ? "float" : "integer")) with "
          + "\(bits) bits in \(bytes) bytes; supported are integers of 1 to 4 bytes and floats of 4 "
          + "and 8")
    }
    setConstant(kAudioFormatLinearPCM, blockBytes, 1, bits: max(bits, isFloat ? 0 : 8))
    var flags = isFloat ? kAudioFormatFlagIsFloat : 0
    if !isFloat, bytes > 1 { flags |= kAudioFormatFlagIsSignedInteger }
    if isBigEndian, bytes > 1 { flags |= kAudioFormatFlagIsBigEndian }
    flags |=
      format.mBitsPerChannel == bytes * 8 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh
    format.mFormatFlags = flags
  }

  // MARK: Writing

  /// The chunk for the format of a new file.
  init(writing format: AudioStreamBasicDescription, channelMask: UInt32) {
    self.format = format
    self.channelMask = channelMask
  }

  /// Whether the extensible form is needed, because the short form cannot express the format or is
  /// unusual for it.
  private var isExtensible: Bool {
    guard format.mFormatID == kAudioFormatLinearPCM else { return false }
    let isFull = format.mBitsPerChannel % 8 == 0 && format.mBitsPerChannel == sampleBits
    return format.mChannelsPerFrame > 2 || channelMask != 0 || !isFull
  }

  private var sampleBits: UInt32 {
    format.mBytesPerFrame / max(1, format.mChannelsPerFrame) * 8
  }

  private var tag: UInt16 {
    switch format.mFormatID {
    case kAudioFormatALaw: Tag.aLaw
    case kAudioFormatULaw: Tag.muLaw
    case kAudioFormatDVIIntelIMA: Tag.ima
    case kAudioFormatMicrosoftGSM: Tag.gsm
    case kAudioFormatMPEGLayer3: Tag.mp3
    default: format.mFormatFlags & kAudioFormatFlagIsFloat != 0 ? Tag.float : Tag.integer
    }
  }

  func bytes(isBigEndian: Bool) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: isBigEndian)
    let isPCM = format.mFormatID == kAudioFormatLinearPCM
    let rate = UInt32(saturating: format.mSampleRate.rounded())
    let perSecond =
      format.mSampleRate / Double(max(1, format.mFramesPerPacket)) * Double(format.mBytesPerPacket)
    builder.number(isExtensible ? Tag.extensible : tag)
    builder.number(UInt16(clamping: format.mChannelsPerFrame))
    builder.number(rate)
    builder.number(UInt32(saturating: perSecond.rounded()))
    builder.number(UInt16(clamping: format.mBytesPerPacket))
    let bits =
      isPCM ? sampleBits : format.mFormatID == kAudioFormatDVIIntelIMA ? 4 : format.mBitsPerChannel
    builder.number(UInt16(clamping: bits))
    if isExtensible {
      builder.number(UInt16(22))
      builder.number(UInt16(clamping: format.mBitsPerChannel))
      builder.number(channelMask)
      builder.number(tag)
      builder.append(Tag.tail)
    } else if [Tag.ima, Tag.gsm].contains(tag) {
      builder.number(UInt16(2))
      builder.number(UInt16(clamping: format.mFramesPerPacket))
    } else if tag != Tag.integer {
      builder.number(UInt16(0))
    }
    return builder.bytes
  }
}
