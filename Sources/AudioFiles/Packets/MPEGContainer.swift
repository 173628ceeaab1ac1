// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Files of MPEG audio frames between optional tags: MP1, MP2, MP3 and AAC in ADTS.
package final class MPEGContainer: AppendingContainer {
  private var tagByteCount = 0
  /// The format of its frames; nil in a new file without frames.
  private var frame: MPEGFrame?
  private var isADTS: Bool { kind.type == kAudioFileAAC_ADTSType }

  // MARK: Reading

  /// The types that it reads.
  static let types = [
    kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type, kAudioFileAAC_ADTSType,
  ]

  /// The type of an MPEG audio file, from its first frames after a tag; nil for other files.
  static func detectType(_ store: any ByteStore) throws(AudioError) -> AudioFileTypeID? {
    let window = try ByteWindow(store)
    var position = ID3Tag.byteCount(try window.fields(0, 10)) ?? 0
    let limit = position + 65_536
    while try window.sync(from: &position, mask: 0xE0, 0xE0, limit: limit) != nil {
      let fields = try window.fields(position, 10)
      if let frame = ADTSFrame(fields) {
        let next = try window.fields(position + frame.byteCount, 10)
        if next.count < 7 || ADTSFrame(next)?.matches(frame) ?? false {
          return kAudioFileAAC_ADTSType
        }
      }
      if let frame = MPEGFrame(fields) {
        let next = try window.fields(position + frame.byteCount, 10)
        if next.count < 4 || MPEGFrame(next)?.matches(frame) ?? false || next.code(0) == "TAG " {
          return [kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type][frame.layer - 1]
        }
      }
      position += 1
    }
    return nil
  }

  package init(
    reading store: any ByteStore, _ type: AudioFileTypeID, _ extent: Extent = .whole
  ) throws(AudioError) {
    super.init(store, try FileKind.of(type), AudioStreamBasicDescription())
    let window = try ByteWindow(store)
    tagByteCount = ID3Tag.byteCount(try window.fields(0, 10)) ?? 0
    let isFound = isADTS ? try beginADTS(window) : try beginMPEG(window)
    guard isFound else {
      throw damaged("has no frame of \(kind.title) in its \(window.byteCount) bytes")
    }
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
    guard extent == .whole else { return }
    try scan(window, framesPerPacket: Int(format.mFramesPerPacket))
    if !isADTS { setDelays(packets?.frameCount ?? 0) }
    guard packetCount > 0 else {
      throw damaged("has no frame of \(kind.title) in its \(window.byteCount) bytes")
    }
  }

  private func beginADTS(_ window: ByteWindow) throws(AudioError) -> Bool {
    var scanner = SyncedScanner<ADTSFrame>(from: tagByteCount)
    guard let first = try scanner.find(window) else { return false }
    dataOffset = scanner.position
    format.mSampleRate = Double(first.sampleRate)
    format.mFormatID = kAudioFormatMPEG4AAC
    format.mFramesPerPacket = 1_024
    format.mChannelsPerFrame = UInt32(clamping: max(1, first.channelCount))
    cookie = first.configuration
    return true
  }

  private func beginMPEG(_ window: ByteWindow) throws(AudioError) -> Bool {
    var scanner = SyncedScanner<MPEGFrame>(from: tagByteCount)
    guard let first = try scanner.find(window) else { return false }
    frame = first
    dataOffset = scanner.position
    headerInfo.bitRate = Double(first.bitRate)
    // The first frame may contain a table instead of sound.
    if let table = MPEGTable(try window.fields(dataOffset, min(first.byteCount, 400)), first) {
      dataOffset += first.byteCount
      delays = table.delays
      headerInfo.packetCount = table.frameCount
      headerInfo.byteCount = table.byteCount.map { max(0, $0 - first.byteCount) }
      if let count = table.frameCount, let bytes = headerInfo.byteCount, count > 0 {
        let seconds = Double(count * first.frameCount) / Double(first.sampleRate)
        headerInfo.bitRate = Double(bytes) * 8 / seconds
      }
    }
    format.mSampleRate = Double(first.sampleRate)
    format.mFormatID = first.formatID
    format.mFramesPerPacket = UInt32(clamping: first.frameCount)
    format.mChannelsPerFrame = UInt32(clamping: first.channelCount)
    if let count = headerInfo.packetCount { setDelays(count * first.frameCount) }
    return true
  }

  private var delays: (delay: Int, padding: Int)?

  /// Sets the priming and padding. Encoders state only their own delay; the decoder adds 529
  /// frames.
  private func setDelays(_ all: Int) {
    guard let (delay, padding) = delays else { return }
    let priming = delay + 529
    let valid = max(0, all - delay - padding)
    packetInfo = PacketInfo(
      validFrames: valid, primingFrames: priming, remainderFrames: max(0, all - priming - valid))
  }

  override func scanner() -> (any PacketScanner)? {
    isADTS
      ? SyncedScanner<ADTSFrame>(from: dataOffset) as any PacketScanner
      : SyncedScanner<MPEGFrame>(from: dataOffset)
  }

  // MARK: Making

  package init(
    creating store: any ByteStore, _ kind: FileKind, _ format: AudioStreamBasicDescription
  ) throws(AudioError) {
    super.init(store, kind, format)
    let (rate, channels) = (Int(saturating: format.mSampleRate), Int(format.mChannelsPerFrame))
    if isADTS {
      guard ADTSFrame.sampleRates.contains(rate), channels <= 6 || channels == 8 else {
        throw .unsupportedDataFormat.because(
          "\(store.name): \(StreamFormat.describe(format)): an AAC ADTS file holds 1 to 6 or 8 "
            + "channels at the rates of AAC")
      }
    } else {
      guard MPEGFrame.sampleRates.contains(rate), channels <= 2 else {
        throw .unsupportedDataFormat.because(
          "\(store.name): \(StreamFormat.describe(format)): \(kind.name) holds 1 or 2 channels at "
            + "the rates of MPEG audio")
      }
    }
    layout = WaveLayout.native(channels)
    try begin([])
  }

  /// Checks a packet; returns the bytes to write before it, and its number of frames.
  override func header(
    of packet: UnsafeRawBufferPointer, _ index: Int
  ) throws(AudioError) -> (bytes: [UInt8], frames: Int) {
    if isADTS { return (try adtsHeader(packet.count), 1_024) }
    let fields = ByteFields(Array(packet.prefix(4)), isBigEndian: true)
    guard let given = MPEGFrame(fields), given.byteCount == packet.count,
      given.formatID == format.mFormatID, given.sampleRate == Int(saturating: format.mSampleRate),
      frame.map({ given.matches($0) }) ?? true
    else {
      throw .invalidPacketOffset.because(
        "\(store.name): packet \(index) of \(packet.count) bytes is not a frame of \(kind.title)")
    }
    if frame == nil, kind.type == kAudioFileMP3Type {
      try append(table: MPEGTable.frame(like: given, header: fields))
      frame = given
    }
    return ([], given.frameCount)
  }

  private func adtsHeader(_ byteCount: Int) throws(AudioError) -> [UInt8] {
    let configuration = MagicCookies.audioSpecificConfig(cookie)
    let rate = ADTSFrame.sampleRates.firstIndex(of: Int(saturating: format.mSampleRate)) ?? 4
    let profile =
      configuration.first.map { max(1, min(4, Int($0 >> 3))) } ?? 2
    let channels = format.mChannelsPerFrame == 8 ? 7 : Int(format.mChannelsPerFrame)
    let size = byteCount + 7
    guard size < 1 << 13 else {
      throw .invalidPacketOffset.because(
        "\(store.name): a packet of \(byteCount) bytes is too large for ADTS")
    }
    return [
      0xFF, 0xF1, UInt8(truncatingIfNeeded: (profile - 1) << 6 | rate << 2 | channels >> 2),
      UInt8(truncatingIfNeeded: channels & 3) << 6 | UInt8(truncatingIfNeeded: size >> 11),
      UInt8(truncatingIfNeeded: size >> 3 & 0xFF),
      UInt8(truncatingIfNeeded: size & 7) << 5 | 0x1F, 0xFC,
    ]
  }

  package override func setCookie(_ cookie: [UInt8]) throws(AudioError) {
    guard isADTS, store.isWritable else { return try super.setCookie(cookie) }
    self.cookie = cookie
  }

  package override func setPacketInfo(_ info: PacketInfo) throws(AudioError) {
    guard kind.type == kAudioFileMP3Type, grows else { return try super.setPacketInfo(info) }
    packetInfo = info
  }

  override func finishFront() throws(AudioError) {
    guard let frame, let packets, let tableOffset else { return }
    let room = ByteFields(
      try store.bytes(at: tableOffset, dataOffset - tableOffset), isBigEndian: true)
    guard room.count == dataOffset - tableOffset else {
      throw damaged("became shorter while it was written, near byte \(tableOffset + room.count)")
    }
    try store.write(MPEGTable.filled(room, frame, packets, packetInfo), at: tableOffset)
  }

  // MARK: Texts

  package override var info: [String: String] {
    get throws(AudioError) {
      var info = ID3Tag.info(try tag?.bytes)
      guard !(store is StreamStore) else { return info }
      // A tag of version 1 is in the last 128 bytes.
      let end = ByteFields(
        try store.bytes(at: max(0, try store.byteCount() - 128), 128), isBigEndian: true)
      guard end.count == 128, end.text(0, 3) == "TAG" else { return info }
      for (key, position, count) in [
        ("title", 3, 30), ("artist", 33, 30), ("album", 63, 30), ("year", 93, 4),
        ("comments", 97, 30),
      ] where info[key] == nil {
        var text = end.text(position, count)
        while text.last == " " { text.removeLast() }
        if !text.isEmpty { info[key] = text }
      }
      return info
    }
  }
  package override var artwork: [UInt8]? {
    get throws(AudioError) { ID3Tag.picture(try tag?.bytes) }
  }
  package override var tag: (bytes: [UInt8], offset: Int)? {
    get throws(AudioError) {
      tagByteCount > 0
        ? (try store.bytes(at: 0, min(tagByteCount, try store.byteCount(), Limits.chunkBytes)), 0)
        : nil
    }
  }

  package override func setTag(_ tag: [UInt8]) throws(AudioError) {
    guard tag.isEmpty || ID3Tag.byteCount(ByteFields(tag, isBigEndian: true)) == tag.count else {
      throw .invalidArgument.because("\(store.name): the tag is not a valid ID3 tag of version 2")
    }
    try replaceFront(tagByteCount, with: tag)
    tagByteCount = tag.count
  }
  package override func setInfo(_ info: [String: String]) throws(AudioError) {
    try setTag(ID3Tag.make(info: info, picture: nil, from: try tag?.bytes))
  }
  package override func setArtwork(_ picture: [UInt8]) throws(AudioError) {
    try setTag(ID3Tag.setting(picture: picture, in: try tag?.bytes))
  }
}
