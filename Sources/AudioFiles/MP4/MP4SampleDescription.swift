// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// An entry of a track's sample description: the format of its packets (ISO 14496-12, 14496-14;
/// QuickTime File Format).
struct MP4SampleDescription {
  var format = AudioStreamBasicDescription()
  var cookie: [UInt8] = []
  /// Frames that a decoder outputs before the sound, according to the codec's own data.
  var primingFrames = 0
  /// How many samples of the sample table make a packet: QuickTime counts frames when packets have
  /// a constant size.
  var samplesPerPacket = 1

  init(_ fields: ByteFields, _ box: MP4Box, _ name: String) throws(AudioError) {
    let position = box.start
    guard box.body.count >= 28 else { throw Self.damaged(name, "is too short") }
    let version = fields.uint16(position + 16)
    var channels = Int(fields.uint16(position + 24))
    var bits = Int(fields.uint16(position + 26))
    var rate = Double(fields.uint32(position + 32)) / 65_536
    var children = position + 36
    var flags: UInt32?
    if version == 1 {
      children = position + 52
    } else if version == 2 {
      rate = fields.double(position + 40)
      channels = Int(fields.uint32(position + 48))
      bits = Int(fields.uint32(position + 56))
      flags = fields.uint32(position + 60)
      children = position + 72
    }
    guard children <= box.body.upperBound || box.body.count == 28 else {
      throw Self.damaged(name, "is too short")
    }
    format.mSampleRate = rate
    format.mChannelsPerFrame = UInt32(clamping: channels)
    let range = min(children, box.body.upperBound)..<box.body.upperBound
    let inner = Self.inner(fields, range)
    if box.type == "enca" || box.type == "drms" {
      throw .unsupportedDataFormat.because("\(name): its sound is encrypted")
    }
    if let linear = Self.linear(box.type, bits, flags, inner.endian) {
      try setLinear(linear.bits, linear.flags, name)
    } else {
      try setCompressed(box.type, fields, inner.boxes, name)
    }
    if format.mBytesPerPacket == 0, CompressedFormat.of(format.mFormatID)?.hasBlocks == true {
      try setBlocks(box.type, fields, position, version, inner.boxes, name)
    }
    if version == 1, format.mBytesPerPacket > 0 {
      samplesPerPacket = max(1, Int(format.mFramesPerPacket))
    }
    try checkPlausible(name)
  }

  private func checkPlausible(_ name: String) throws(AudioError) {
    guard format.mSampleRate.isFinite, format.mSampleRate >= 1, format.mSampleRate < 3e6,
      (1...1_024).contains(format.mChannelsPerFrame)
    else {
      throw Self.damaged(
        name,
        "is not plausible: \(format.mChannelsPerFrame) channels at "
          + "\(format.mSampleRate.plainText) Hz")
    }
  }

  private static func damaged(_ name: String, _ reason: String) -> AudioError {
    .damagedFile.because("\(name): its sample description \(reason)")
  }

  /// The boxes of an entry, including those in QuickTime's 'wave', and whether an 'enda' box marks
  /// the samples as little-endian.
  private static func inner(_ fields: ByteFields, _ range: Range<Int>) -> (
    boxes: [MP4Box], endian: Bool
  ) {
    var boxes = fields.boxes(range)
    if let wave = boxes.first(where: { $0.type == "wave" }) { boxes += fields.boxes(wave.body) }
    let endian = boxes.first { $0.type == "enda" }
    return (boxes, endian.map { fields.uint16($0.body.lowerBound) == 1 } ?? false)
  }

  // MARK: Linear PCM

  private static func linear(
    _ type: ChunkCode, _ bits: Int, _ given: UInt32?, _ isLittle: Bool
  ) -> (bits: Int, flags: AudioFormatFlags)? {
    let (signed, float) = (kAudioFormatFlagIsSignedInteger, kAudioFormatFlagIsFloat)
    let order = isLittle ? 0 : kAudioFormatFlagIsBigEndian
    switch type {
    case "sowt": return (bits == 8 ? 8 : 16, signed)
    case "twos": return (bits == 8 ? 8 : 16, signed | kAudioFormatFlagIsBigEndian)
    case "raw ": return (8, 0)
    case "in24": return (24, signed | order)
    case "in32": return (32, signed | order)
    case "fl32": return (32, float | order)
    case "fl64": return (64, float | order)
    case "ipcm": return (bits, signed | kAudioFormatFlagIsBigEndian)
    case "fpcm": return (bits, float | kAudioFormatFlagIsBigEndian)
    case "lpcm":
      guard let given else { return (bits, signed | order) }
      return (bits, given & (float | signed | kAudioFormatFlagIsBigEndian))
    default: return nil
    }
  }

  private mutating func setLinear(
    _ bits: Int, _ flags: AudioFormatFlags, _ name: String
  ) throws(AudioError) {
    try checkPlausible(name)
    guard (1...64).contains(bits) else {
      throw Self.damaged(name, "is not plausible: samples of \(bits) bits")
    }
    let bytes = UInt32(clamping: (bits + 7) / 8)
    format.mFormatID = kAudioFormatLinearPCM
    format.mFormatFlags =
      (bytes == 1 ? flags & ~kAudioFormatFlagIsBigEndian : flags)
      | (bits % 8 == 0 ? kAudioFormatFlagIsPacked : kAudioFormatFlagIsAlignedHigh)
    format.mBitsPerChannel = UInt32(clamping: bits)
    format.mBytesPerFrame = bytes * format.mChannelsPerFrame
    format.mBytesPerPacket = format.mBytesPerFrame
    format.mFramesPerPacket = 1
  }

  // MARK: Codecs

  private mutating func setCompressed(
    _ type: ChunkCode, _ fields: ByteFields, _ boxes: [MP4Box], _ name: String
  ) throws(AudioError) {
    func body(_ type: ChunkCode) -> [UInt8]? {
      boxes.first { $0.type == type }.map { Array(fields.bytes[$0.body]) }
    }
    switch type {
    case "mp4a":
      guard let descriptor = body("esds")?.dropFirst(4), descriptor.count > 2 else {
        throw Self.damaged(name, "of 'mp4a' has no 'esds'")
      }
      try setDescriptor(Array(descriptor), name)
    case "alac":
      format.mFormatID = kAudioFormatAppleLossless
      cookie = body("alac").map { Array($0.dropFirst(4)) } ?? []
      guard let config = MagicCookies.losslessConfig(cookie) else {
        throw Self.damaged(name, "of 'alac' has no configuration")
      }
      let values = ByteFields(config, isBigEndian: true)
      format.mFramesPerPacket = values.uint32(0)
      format.mChannelsPerFrame = UInt32(values.uint8(9))
      if values.uint32(20) > 0 { format.mSampleRate = Double(values.uint32(20)) }
      format.mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][Int(values.uint8(5))] ?? 0
      guard (1...1 << 20).contains(format.mFramesPerPacket) else {
        throw Self.damaged(name, "has packets of \(format.mFramesPerPacket) frames")
      }
    case "fLaC":
      format.mFormatID = kAudioFormatFLAC
      guard let blocks = body("dfLa"), blocks.count >= 42 else {
        throw Self.damaged(name, "of 'fLaC' has no 'dfLa'")
      }
      cookie = Array(blocks[8..<42])
      let values = ByteFields(cookie, isBigEndian: true)
      let word = values.uint64(10)
      format.mSampleRate = Double(word >> 44)
      format.mChannelsPerFrame = UInt32(truncatingIfNeeded: word >> 41 & 7) + 1
      format.mFormatFlags =
        [16: 1, 20: 2, 24: 3, 32: 4][Int(truncatingIfNeeded: word >> 36 & 31) + 1] ?? 0
      if values.uint16(0) == values.uint16(2) {
        format.mFramesPerPacket = UInt32(values.uint16(0))
      }
    case "Opus":
      format.mFormatID = kAudioFormatOpus
      format.mSampleRate = 48_000
      guard let box = body("dOps"), box.count >= 11,
        let head = MagicCookies.opusHead(Array("dOps".utf8) + box)
      else { throw Self.damaged(name, "of 'Opus' has no 'dOps'") }
      cookie = head
      format.mChannelsPerFrame = UInt32(head[9])
      format.mFramesPerPacket = 960
      primingFrames = MagicCookies.preSkip(head)
    case ".mp3": setMP3()
    case "ac-3":
      format.mFormatID = kAudioFormatAC3
      format.mFramesPerPacket = 1_536
      setDolby(body("dac3"), coding: 10)
    case "ec-3":
      format.mFormatID = kAudioFormatEnhancedAC3
      format.mFramesPerPacket = 1_536
      setDolby(body("dec3"), coding: 28)
    case "ulaw", "alaw", "ima4", "agsm": try setConstant(type, name)
    default:
      // There may be no decoder for this codec, but its packets can be read.
      format.mFormatID = type.rawValue
      format.mFramesPerPacket = 0
    }
  }

  /// Takes the channels of AC-3 from its own box (ETSI TS 102 366, annex F): their coding is at a bit
  /// of the box, and followed by whether there is a channel for low frequencies. The entry says 2.
  private mutating func setDolby(_ box: [UInt8]?, coding bit: Int) {
    guard let box, box.count > (bit + 3) / 8 else { return }
    func bits(_ first: Int, _ count: Int) -> Int {
      (first..<first + count).reduce(0) { $0 << 1 | Int(box[$1 / 8]) >> (7 - $1 % 8) & 1 }
    }
    let front = [2, 1, 2, 3, 3, 4, 4, 5][bits(bit, 3)]
    format.mChannelsPerFrame = UInt32(clamping: front + bits(bit + 3, 1))
  }

  private mutating func setMP3() {
    format.mFormatID = kAudioFormatMPEGLayer3
    format.mFramesPerPacket = format.mSampleRate < 32_000 ? 576 : 1_152
  }

  private mutating func setConstant(_ type: ChunkCode, _ name: String) throws(AudioError) {
    try checkPlausible(name)
    let channels = format.mChannelsPerFrame
    format.mFormatID = type.rawValue
    switch type {
    case "ulaw", "alaw":
      format.mBytesPerPacket = channels
      format.mBytesPerFrame = channels
      format.mFramesPerPacket = 1
      format.mBitsPerChannel = 8
    case "ima4":
      format.mBytesPerPacket = 34 * channels
      format.mFramesPerPacket = 64
    default:
      format.mBytesPerPacket = 33
      format.mFramesPerPacket = 160
    }
  }

  /// Reads the size of blocks of ADPCM and GSM: from the format chunk of WAV that 'wave' has under
  /// the codec's name, or from the entry.
  private mutating func setBlocks(
    _ type: ChunkCode, _ fields: ByteFields, _ position: Int, _ version: UInt16, _ boxes: [MP4Box],
    _ name: String
  ) throws(AudioError) {
    if let inner = boxes.first(where: { $0.type == type }) {
      let bytes = ByteFields(Array(fields.bytes[inner.body].prefix(64)), isBigEndian: false)
      if let chunk = try? WaveFormatChunk(bytes, at: inner.start),
        chunk.format.mFormatID == format.mFormatID
      {
        format.mBytesPerPacket = chunk.format.mBytesPerPacket
        format.mFramesPerPacket = chunk.format.mFramesPerPacket
        return
      }
    }
    let (frames, bytes) = (fields.uint32(position + 36), fields.uint32(position + 44))
    guard version == 1, (1...65_536).contains(bytes), (1...65_536 * 4).contains(frames) else {
      throw Self.damaged(name, "of \(type.quoted) has no size of a packet")
    }
    format.mBytesPerPacket = bytes
    format.mFramesPerPacket = frames
  }

  /// Reads an elementary stream descriptor: the codec and its configuration.
  private mutating func setDescriptor(
    _ descriptor: [UInt8], _ name: String
  ) throws(AudioError) {
    cookie = descriptor
    let object = MagicCookies.objectType(descriptor)
    switch object {
    case 0x40, 0x66, 0x67, 0x68:
      let config = MagicCookies.audioSpecificConfig(descriptor)
      guard let values = AudioSpecificConfig(config) else {
        throw Self.damaged(name, "has an invalid AAC configuration")
      }
      format.mFormatID = values.formatID
      format = AACLayers.format(format, values)
    case 0x69, 0x6B:
      setMP3()
      cookie = []
    default:
      format.mFormatID = object == 0xA5 ? kAudioFormatAC3 : 0x6D70_3461
      format.mFramesPerPacket = object == 0xA5 ? 1_536 : 0
    }
  }
}
