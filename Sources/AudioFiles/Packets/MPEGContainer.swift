// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Files of MPEG audio frames between optional tags: MP1, MP2, MP3 and AAC in ADTS.
package final class MPEGContainer: AppendingContainer {
  /// Bytes of the ID3 tag with which the file begins.
  private var tagByteCount = 0
  /// The format of its frames; nil in a new file without frames.
  private var frame: MPEGFrame?
  private var isADTS: Bool { kind.type == kAudioFileAAC_ADTSType }

  // MARK: Reading

  /// The types that it reads.
  static let types = [
    kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type, kAudioFileAAC_ADTSType,
  ]

  /// What the first frames of a file say: their type, and where they begin.
  struct Detected {
    let type: AudioFileTypeID
    let position: Int
  }

  /// Finds MPEG audio or ADTS within `reach` bytes behind the tags in front; nil for other files.
  /// A single header is no evidence, as any bytes contain many: directly behind the tags two headers
  /// must agree, further on six, or the frames must fill the sound exactly.
  static func detect(
    _ window: ByteWindow, from front: Int, reach: Int = 65_536
  ) throws(AudioError) -> Detected? {
    var position = front
    while try window.sync(from: &position, mask: 0xE0, 0xE0, limit: front + reach) != nil {
      if try isRun(ADTSFrame.self, window, at: position, isFirst: position == front) != nil {
        return Detected(type: kAudioFileAAC_ADTSType, position: position)
      }
      if let frame = try isRun(MPEGFrame.self, window, at: position, isFirst: position == front) {
        let types = [kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type]
        return Detected(type: types[frame.layer - 1], position: position)
      }
      if position == front { try MPEGFrame.refuseFreeFormat(window, position) }
      position += 1
    }
    return nil
  }

  /// The frame at a position, if consistent frames follow it.
  private static func isRun<Frame: SyncedFrame>(
    _: Frame.Type, _ window: ByteWindow, at position: Int, isFirst: Bool
  ) throws(AudioError) -> Frame? {
    guard let first = Frame(try window.fields(position, Frame.shortestHeader), at: 0) else {
      return nil
    }
    var next = position + first.byteCount
    for count in 1..<(isFirst ? 2 : 6) {
      let fields = try window.fields(next, Frame.shortestHeader)
      guard fields.count > 0 else {
        // Here the sound ends, exactly or within the frame.
        return try window.reaches(next) && (isFirst || count > 2) ? first : nil
      }
      guard let frame = Frame(fields, at: 0), frame.matches(first) else {
        let isTag = ["TAG", "ID3", "APE"].contains(fields.text(0, 3))
        return isTag && (isFirst || count > 2) ? first : nil
      }
      next += frame.byteCount
    }
    return first
  }

  init(
    reading store: any ByteStore, _ detected: Detected, _ window: ByteWindow,
    _ extent: Extent = .whole
  ) throws(AudioError) {
    super.init(store, try FileKind.of(detected.type), AudioStreamBasicDescription())
    tagByteCount = ID3Tag.byteCount(try window.fields(0, 10)) ?? 0
    let isFound =
      isADTS
      ? try beginADTS(window, detected.position) : try beginMPEG(window, detected.position)
    guard isFound else {
      throw damaged("has no frame of \(kind.title) in its \(window.byteCount) bytes")
    }
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
    if isADTS { try setExtendedFormat(window) }
    guard extent == .whole else { return }
    try scan(window, framesPerPacket: Int(format.mFramesPerPacket))
    if !isADTS { setDelays(packets?.frameCount ?? 0) }
    guard packetCount > 0 else {
      throw damaged("has no frame of \(kind.title) in its \(window.byteCount) bytes")
    }
    endsEarly =
      isADTS ? try isCut(ADTSFrame.self, window) : try isCut(MPEGFrame.self, window)
  }

  /// Whether a frame begins behind the last whole one, of which the file has only a part.
  private func isCut<Frame: SyncedFrame>(
    _: Frame.Type, _ window: ByteWindow
  ) throws(AudioError) -> Bool {
    guard let packets, packets.count > 0 else { return false }
    let end = packets.offset(packets.count - 1) + packets.size(packets.count - 1)
    let fields = try window.fields(end, Frame.shortestHeader)
    guard fields.count == Frame.shortestHeader else {
      return fields.count > 0 && fields.uint8(0) == 0xFF
    }
    guard let frame = Frame(fields, at: 0) else { return false }
    return try !window.reaches(end + frame.byteCount)
  }

  private func beginADTS(_ window: ByteWindow, _ start: Int) throws(AudioError) -> Bool {
    var scanner = SyncedScanner<ADTSFrame>(from: start)
    guard let first = try scanner.find(window) else { return false }
    dataOffset = scanner.position
    format.mSampleRate = Double(first.sampleRate)
    format.mFormatID = kAudioFormatMPEG4AAC
    format.mFramesPerPacket = 1_024
    format.mChannelsPerFrame = UInt32(clamping: max(1, first.channelCount))
    cookie = first.configuration
    return true
  }

  /// ADTS cannot say that packets have an extension.
  private func setExtendedFormat(_ window: ByteWindow) throws(AudioError) {
    var scanner = SyncedScanner<ADTSFrame>(from: dataOffset)
    let found = try extendedFormat { () throws(AudioError) in try scanner.next(window) }
    guard let extended = found else { return }
    format = extended
    layout = WaveLayout.native(Int(format.mChannelsPerFrame))
  }

  private func beginMPEG(_ window: ByteWindow, _ start: Int) throws(AudioError) -> Bool {
    var scanner = SyncedScanner<MPEGFrame>(from: start)
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
  /// frames. A truncated file lacks the padding with its last frames.
  private func setDelays(_ all: Int) {
    guard let (delay, padding) = delays else { return }
    let priming = delay + 529
    let stated = headerInfo.packetCount.flatMap {
      (Outside($0) * Int(format.mFramesPerPacket)).upTo(Limits.count)
    }
    let whole = max(all, stated ?? all)
    let valid = max(0, min(whole - delay - padding, all - priming))
    packetInfo = PacketInfo(
      validFrames: valid, primingFrames: priming, remainderFrames: max(0, all - priming - valid))
  }

  override func extend(toPackets count: Int) {
    super.extend(toPackets: count)
    headerInfo.byteCount = nil
    if let frame { headerInfo.bitRate = Double(frame.bitRate) }
    setDelays((Outside(count) * Int(format.mFramesPerPacket)).upTo(Limits.count) ?? 0)
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

  // Those of the tags around the sound, which every kind of file may have.
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
  package override var markers: [Marker] {
    get throws(AudioError) { ID3Tag.chapters(try tag?.bytes).markers(rate: format.mSampleRate) }
  }
  package override func setMarkers(_ markers: [Marker]) throws(AudioError) {
    let chapters = [Chapter](markers, rate: format.mSampleRate)
    try setTag(ID3Tag.setting(chapters: chapters, in: try tag?.bytes))
  }
}
