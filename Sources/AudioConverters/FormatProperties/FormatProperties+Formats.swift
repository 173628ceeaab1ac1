// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

extension FormatProperties {
  /// Properties of stream formats.
  static let formats: [PropertyRow<FormatSpecifier>] = [
    .init(
      kAudioFormatProperty_FormatInfo, size: .bytes(MemoryLayout<AudioStreamBasicDescription>.size),
      read: { (query) throws(AudioError) in
        // Callers may omit the last field, which is reserved.
        guard query.memory.count >= 36 else {
          throw AudioError(status: kAudioFormatBadPropertySizeError).because(
            "\(query.memory.count) bytes; AudioStreamBasicDescription has 40")
        }
        var format = AudioStreamBasicDescription()
        withUnsafeMutableBytes(of: &format) { $0.copyBytes(from: query.memory.prefix(40)) }
        format.mReserved = 0
        return .value(try completed(format, cookie: Array(query.owner.bytes)))
      }),
    .init(kAudioFormatProperty_FormatName) { (specifier) throws(AudioError) in
      .string(try name(of: try specifier.value()))
    },
    .init(kAudioFormatProperty_FormatIsVBR) { (specifier) throws(AudioError) in
      .flag(try isVariable(try specifier.value()))
    },
    .init(kAudioFormatProperty_FormatIsExternallyFramed) { (specifier) throws(AudioError) in
      .flag(try isVariable(try specifier.value()))
    },
    .init(kAudioFormatProperty_FormatEmploysDependentPackets) { (specifier) throws(AudioError) in
      _ = try isVariable(try specifier.value())
      return .flag(false)
    },
    .init(kAudioFormatProperty_FormatIsEncrypted) { (specifier) throws(AudioError) in
      _ = try specifier.value(AudioFormatID.self)
      return .flag(false)
    },
    .init(kAudioFormatProperty_FormatList) { (specifier) throws(AudioError) in
      .array(try list(try specifier.value()))
    },
    .init(kAudioFormatProperty_OutputFormatList) { (specifier) throws(AudioError) in
      .array(try list(try specifier.value()))
    },
    .init(kAudioFormatProperty_ASBDFromESDS) { (specifier) throws(AudioError) in
      .value(try format(ofStream: specifier))
    },
    .init(kAudioFormatProperty_ChannelLayoutFromESDS) { (specifier) throws(AudioError) in
      let format = try format(ofStream: specifier)
      return .array(
        ChannelLayout.standard(channelCount: Int(format.mChannelsPerFrame)).descriptions)
    },
    .init(kAudioFormatProperty_ASBDFromMPEGPacket) { (specifier) throws(AudioError) in
      guard let format = MPEGHeader.format(specifier.bytes) else {
        throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
          "the bytes do not begin with an MPEG audio frame header")
      }
      return .value(format)
    },
  ]

  /// Fills in every field that follows from the others and from the cookie.
  static func completed(_ given: AudioStreamBasicDescription, cookie: [UInt8] = [])
    throws(AudioError) -> AudioStreamBasicDescription
  {
    var format = given
    guard format.mFormatID != kAudioFormatLinearPCM else { return completedLinear(format) }
    guard let codec = CompressedFormat.of(format.mFormatID) else { throw unknown(format) }
    let isAAC = [kAudioFormatMPEG4AAC, kAudioFormatMPEG4AAC_HE, kAudioFormatMPEG4AAC_HE_V2]
      .contains(format.mFormatID)
    if isAAC, let config = AudioSpecificConfig(MagicCookies.audioSpecificConfig(cookie)) {
      format = AACLayers.format(format, config)
    }
    do { try codec.check(format) } catch {
      throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(error.explanation)
    }
    return codec.complete(format)
  }

  private static func completedLinear(_ given: AudioStreamBasicDescription)
    -> AudioStreamBasicDescription
  {
    var format = given
    let isPlanar = format.mFormatFlags & kAudioFormatFlagIsNonInterleaved != 0
    format.mFramesPerPacket = 1
    if format.mBytesPerFrame == 0, format.mBitsPerChannel <= 64, format.mChannelsPerFrame <= 65_536
    {
      format.mBytesPerFrame =
        (format.mBitsPerChannel + 7) / 8 * (isPlanar ? 1 : format.mChannelsPerFrame)
    }
    format.mBytesPerPacket = format.mBytesPerFrame
    return format
  }

  private static func name(of format: AudioStreamBasicDescription) throws(AudioError) -> String {
    var text: String
    if format.mFormatID == kAudioFormatLinearPCM {
      let flags = format.mFormatFlags
      let isSigned = flags & kAudioFormatFlagIsSignedInteger != 0
      let kind =
        flags & kAudioFormatFlagIsFloat != 0
        ? "floating point" : isSigned ? "signed integer" : "unsigned integer"
      let order = flags & kAudioFormatFlagIsBigEndian != 0 ? "big-endian" : "little-endian"
      text = "Linear PCM, \(format.mBitsPerChannel) bit \(order) \(kind)"
      if flags & kAudioFormatFlagIsNonInterleaved != 0 { text += ", deinterleaved" }
    } else if let codec = CompressedFormat.of(format.mFormatID) {
      text = codec.name
    } else {
      throw unknown(format)
    }
    let channels = format.mChannelsPerFrame
    if channels > 0 { text += ", \(channels) channel\(channels == 1 ? "" : "s")" }
    if let rate = Int(exactly: format.mSampleRate), rate > 0 { text += ", \(rate) Hz" }
    return text
  }

  private static func isVariable(_ format: AudioStreamBasicDescription) throws(AudioError) -> Bool {
    if format.mFormatID == kAudioFormatLinearPCM { return false }
    guard let codec = CompressedFormat.of(format.mFormatID) else { throw unknown(format) }
    return codec.isVariable
  }

  private static func list(_ info: AudioFormatInfo) throws(AudioError) -> [AudioFormatListItem] {
    guard info.mMagicCookieSize <= 1 << 20 else {
      throw AudioError(status: kAudioFormatBadSpecifierSizeError).because(
        "a magic cookie of \(info.mMagicCookieSize) bytes")
    }
    let cookie = UnsafeRawBufferPointer(
      start: info.mMagicCookie, count: info.mMagicCookie == nil ? 0 : Int(info.mMagicCookieSize))
    let format = try completed(info.mASBD, cookie: Array(cookie))
    return AACLayers.list(of: format) { format in
      ChannelLayout.standard(channelCount: Int(format.mChannelsPerFrame)).knownTag
        ?? kAudioChannelLayoutTag_Unknown
    }
  }

  private static func format(ofStream specifier: FormatSpecifier) throws(AudioError)
    -> AudioStreamBasicDescription
  {
    let config = MagicCookies.audioSpecificConfig(Array(specifier.bytes))
    guard let contents = AudioSpecificConfig(config) else {
      throw AudioError(status: kAudioFormatUnsupportedDataFormatError).because(
        "\(specifier.bytes.count) bytes are not an elementary stream descriptor of AAC")
    }
    var format = AudioStreamBasicDescription()
    format.mFormatID = contents.formatID
    return try completed(format, cookie: config)
  }
}

/// The first four bytes of each frame of MPEG-1 and MPEG-2 audio (ISO 11172-3, 13818-3).
enum MPEGHeader {
  /// The format of a frame of layer III; nil for anything else.
  static func format(_ bytes: UnsafeRawBufferPointer) -> AudioStreamBasicDescription? {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    let (version, layer) = (bytes[1] >> 3 & 3, bytes[1] >> 1 & 3)
    let rateIndex = Int(bytes[2] >> 2 & 3)
    guard version != 1, layer == 1, rateIndex < 3, bytes[2] >> 4 != 15 else { return nil }
    let rate = [44_100.0, 48_000, 32_000][rateIndex] / (version == 3 ? 1 : version == 2 ? 2 : 4)
    return AudioStreamBasicDescription(
      mSampleRate: rate, mFormatID: kAudioFormatMPEGLayer3, mFormatFlags: 0, mBytesPerPacket: 0,
      mFramesPerPacket: version == 3 ? 1_152 : 576, mBytesPerFrame: 0,
      mChannelsPerFrame: bytes[3] >> 6 == 3 ? 1 : 2, mBitsPerChannel: 0, mReserved: 0)
  }
}
