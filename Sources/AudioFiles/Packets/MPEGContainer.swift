// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Files that are nothing but frames of MPEG audio, between tags: MP1, MP2, MP3 and AAC in ADTS.
package final class MPEGContainer: Container {
  private var tagByteCount = 0

  /// Whether a file begins as one of these, behind a tag.
  static func beginning(_ store: any ByteStore) throws(AudioError) -> AudioFileTypeID? {
    let window = try ByteWindow(store)
    let start = tagEnd(try window.fields(0, 10))
    guard let place = try window.sync(from: start, mask: 0xE0, 0xE0, limit: start + 65_536) else {
      return nil
    }
    let fields = try window.fields(place, 10)
    if let frame = ADTSFrame(fields) {
      let next = try window.fields(place + frame.byteCount, 10)
      if next.count < 7 || ADTSFrame(next)?.isLike(frame) ?? false { return kAudioFileAAC_ADTSType }
    }
    if let frame = MPEGFrame(fields) {
      let next = try window.fields(place + frame.byteCount, 10)
      if next.count < 4 || MPEGFrame(next)?.isLike(frame) ?? false || next.code(0) == "TAG " {
        return [kAudioFileMP1Type, kAudioFileMP2Type, kAudioFileMP3Type][frame.layer - 1]
      }
    }
    return nil
  }

  private static func tagEnd(_ start: Fields) -> Int { ID3Tag.byteCount(start) ?? 0 }

  package init(reading store: any ByteStore, _ type: AudioFileTypeID) throws(AudioError) {
    super.init(store, try FileKind.of(type), AudioStreamBasicDescription())
    let window = try ByteWindow(store)
    tagByteCount = Self.tagEnd(try window.fields(0, 10))
    if type == kAudioFileAAC_ADTSType { try scanADTS(window) } else { try scanMPEG(window) }
    guard let packets, packets.count > 0 else {
      throw damaged("has no frame of \(kind.title) in its \(window.byteCount) bytes")
    }
    dataByteCount = packets.byteCount
    declaredDataByteCount = packets.byteCount
    layout = WaveLayout.layout(0, channelCount: Int(format.mChannelsPerFrame))
  }

  private func scanADTS(_ window: ByteWindow) throws(AudioError) {
    var table = PacketTable(framesPerPacket: 1_024)
    var first: ADTSFrame?
    var place = tagByteCount
    while true {
      if let frame = ADTSFrame(try window.fields(place, 9)),
        first.map({ frame.isLike($0) }) ?? true,
        place + frame.byteCount <= window.byteCount
      {
        if first == nil {
          first = frame
          dataOffset = place
        }
        table.append(
          offset: place + frame.headerBytes, size: frame.byteCount - frame.headerBytes)
        place += frame.byteCount
      } else if let next = try window.sync(from: place + 1, mask: 0xF6, 0xF0, limit: .max) {
        place = next
      } else {
        break
      }
    }
    guard let first else { return }
    format.mSampleRate = Double(first.sampleRate)
    format.mFormatID = kAudioFormatMPEG4AAC
    format.mFramesPerPacket = 1_024
    format.mChannelsPerFrame = UInt32(max(1, first.channelCount))
    cookie = first.configuration
    packets = table
  }

  private func scanMPEG(_ window: ByteWindow) throws(AudioError) {
    var table: PacketTable?
    var first: MPEGFrame?
    var place = tagByteCount
    while true {
      if let frame = MPEGFrame(try window.fields(place, 4)),
        first.map({ frame.isLike($0) }) ?? true,
        place + frame.byteCount <= window.byteCount
      {
        if first == nil {
          first = frame
          dataOffset = place
          table = PacketTable(framesPerPacket: frame.frameCount)
          // The first frame may be a table instead of sound.
          if try readTable(window.fields(place, min(frame.byteCount, 400)), frame) {
            dataOffset += frame.byteCount
            place += frame.byteCount
            continue
          }
        }
        table?.append(offset: place, size: frame.byteCount)
        place += frame.byteCount
      } else if let next = try window.sync(from: place + 1, mask: 0xE0, 0xE0, limit: .max) {
        place = next
      } else {
        break
      }
    }
    guard let first, let table else { return }
    format.mSampleRate = Double(first.sampleRate)
    format.mFormatID = first.formatID
    format.mFramesPerPacket = UInt32(first.frameCount)
    format.mChannelsPerFrame = UInt32(first.channelCount)
    packets = table
    if let (delay, padding) = delays {
      // Encoders count their own delay; a decoder adds 529 frames.
      let priming = delay + 529
      let valid = max(0, table.frameCount - delay - padding)
      packetInfo = PacketInfo(
        validFrames: valid, primingFrames: priming,
        remainderFrames: max(0, table.frameCount - priming - valid))
    }
  }

  private var delays: (delay: Int, padding: Int)?

  /// Reads a frame that says how many there are (Xing, Info with LAME's delays, VBRI); false where it
  /// is sound.
  private func readTable(_ fields: Fields, _ frame: MPEGFrame) throws(AudioError) -> Bool {
    let place = 4 + frame.sideBytes
    if fields.code(36) == "VBRI" { return true }
    guard fields.code(place) == "Xing" || fields.code(place) == "Info" else { return false }
    let flags = fields.uint32(place + 4)
    var next = place + 8
    for (bit, bytes) in [(1, 4), (2, 4), (4, 100), (8, 4)] where flags & UInt32(bit) != 0 {
      next += bytes
    }
    // Behind nine letters of the encoder's name and twelve bytes: two numbers of twelve bits.
    guard fields.uint8(next) != 0, next + 24 <= fields.count else { return true }
    let word = Int(fields.uint32(next + 21) >> 8)
    delays = (word >> 12, word & 0xFFF)
    return true
  }

  package override var info: [String: String] {
    get throws(AudioError) {
      var info = ID3Tag.info(try tag?.bytes)
      // A tag of version 1 is the last 128 bytes.
      let end = Fields(
        try store.bytes(at: max(0, try store.byteCount() - 128), 128), isBigEndian: true)
      guard end.count == 128, end.text(0, 3) == "TAG" else { return info }
      for (key, place, count) in [
        ("title", 3, 30), ("artist", 33, 30), ("album", 63, 30), ("year", 93, 4),
        ("comments", 97, 30),
      ] where info[key] == nil {
        var text = end.text(place, count)
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
      tagByteCount > 0 ? (try store.bytes(at: 0, min(tagByteCount, 64 << 20)), 0) : nil
    }
  }
}
