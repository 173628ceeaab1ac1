// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// FLAC (RFC 9639): blocks that describe the sound, and frames, whose ends are found by the beginning of
/// the next.
package final class FLACContainer: Container {
  private var blocks: [(type: UInt8, range: Range<Int>)] = []
  private var depth: Int32 = 0

  package init(reading store: any ByteStore) throws(AudioError) {
    super.init(store, try FileKind.of(kAudioFileFLACType), AudioStreamBasicDescription())
    let window = try ByteWindow(store)
    var place = 4 + (ID3Tag.byteCount(try window.fields(0, 10)) ?? 0)
    guard try window.fields(place - 4, 4).code(0) == "fLaC" else {
      throw damaged("is no FLAC file")
    }
    while true {
      let header = try window.fields(place, 4)
      guard header.count == 4 else { throw damaged("ends within its header, at byte \(place)") }
      let size = Int(header.uint32(0) & 0xFF_FFFF)
      guard place + 4 + size <= window.byteCount else {
        throw damaged(
          "a block at byte \(place) claims \(size) bytes, but \(window.byteCount - place - 4) follow"
        )
      }
      blocks.append((header.uint8(0) & 0x7F, place + 4..<place + 4 + size))
      place += 4 + size
      if header.uint8(0) & 0x80 != 0 { break }
    }
    guard let first = blocks.first, first.type == 0, first.range.count >= 34 else {
      throw damaged("does not begin with a block that describes its sound")
    }
    let fields = try window.fields(first.range.lowerBound, 34)
    let word = fields.uint64(10)
    let (rate, channels) = (Int(word >> 44), Int(word >> 41 & 7) + 1)
    let total = Int(word & 0xF_FFFF_FFFF)
    depth = Int32(word >> 36 & 31) + 1
    guard rate > 0 else { throw damaged("says that its sample rate is 0") }
    cookie = fields.bytes
    format.mSampleRate = Double(rate)
    format.mFormatID = kAudioFormatFLAC
    format.mChannelsPerFrame = UInt32(channels)
    // Of depths, as lossless formats have them.
    format.mFormatFlags = [16: 1, 20: 2, 24: 3, 32: 4][Int(depth)] ?? 0
    let (shortest, longest) = (Int(fields.uint16(0)), Int(fields.uint16(2)))
    format.mFramesPerPacket = shortest == longest ? UInt32(longest) : 0
    dataOffset = place
    layout = WaveLayout.layout(0, channelCount: channels)
    try scan(window, longest)
    let all = packets?.frameCount ?? 0
    if total > 0 {
      packetInfo = PacketInfo(
        validFrames: total, primingFrames: 0, remainderFrames: max(0, all - total))
    }
  }

  /// Finds every frame: where a header is right by its check sum and its number is the next.
  private func scan(_ window: ByteWindow, _ longest: Int) throws(AudioError) {
    var table = PacketTable(framesPerPacket: 0)
    var current: (place: Int, header: FrameHeader)?
    var expected = 0
    var place = dataOffset
    while let found = try window.sync(from: place, mask: 0xFE, 0xF8, limit: .max) {
      if let header = FrameHeader(try window.fields(found, 16)),
        header.number == (header.isVariable ? expected : table.count + (current == nil ? 0 : 1))
      {
        if let current {
          table.append(
            offset: current.place, size: found - current.place, frames: current.header.frames)
        }
        current = (found, header)
        expected += header.frames
        place = found + 6
      } else {
        place = found + 1
      }
    }
    if let current {
      table.append(
        offset: current.place, size: window.byteCount - current.place,
        frames: current.header.frames)
    }
    packets = table
    dataByteCount = table.byteCount
    declaredDataByteCount = table.byteCount
  }

  /// The beginning of a frame.
  private struct FrameHeader {
    let isVariable: Bool
    /// Of the frame, or of its first sample where frames differ in length.
    let number: Int
    let frames: Int

    init?(_ fields: Fields) {
      guard fields.count >= 6 else { return nil }
      isVariable = fields.uint8(1) & 1 != 0
      let sizeCode = Int(fields.uint8(2) >> 4)
      let rateCode = Int(fields.uint8(2) & 15)
      guard sizeCode != 0, rateCode != 15, fields.uint8(3) & 1 == 0, fields.uint8(3) >> 4 < 11
      else { return nil }
      // A number of one to seven bytes, as in UTF-8.
      let lead = fields.uint8(4)
      let length = max(1, (~lead).leadingZeroBitCount)
      guard length != 1 || lead < 0x80, length <= 7 else { return nil }
      var value = lead < 0x80 ? Int(lead) : Int(lead) & (0x7F >> length)
      var place = 5
      for _ in 1..<max(1, lead < 0x80 ? 1 : length) {
        guard fields.uint8(place) & 0xC0 == 0x80 else { return nil }
        value = value << 6 | Int(fields.uint8(place) & 0x3F)
        place += 1
      }
      number = value
      switch sizeCode {
      case 1: frames = 192
      case 2...5: frames = 576 << (sizeCode - 2)
      case 6:
        frames = Int(fields.uint8(place)) + 1
        place += 1
      case 7:
        frames = Int(fields.uint16(place)) + 1
        place += 2
      default: frames = 256 << (sizeCode - 8)
      }
      if rateCode == 12 { place += 1 } else if rateCode > 12 { place += 2 }
      guard place < fields.count else { return nil }
      // CRC-8 of the polynomial x^8 + x^2 + x + 1.
      var check: UInt8 = 0
      for byte in fields.bytes[..<place] {
        check ^= byte
        for _ in 0..<8 { check = check & 0x80 != 0 ? check << 1 ^ 7 : check << 1 }
      }
      guard check == fields.uint8(place) else { return nil }
    }
  }

  package override var sourceBitDepth: Int32? { depth }

  package override var info: [String: String] {
    get throws(AudioError) {
      guard let block = blocks.first(where: { $0.type == 4 }) else { return [:] }
      return VorbisComment.info(
        try store.bytes(at: block.range.lowerBound, min(block.range.count, 16 << 20)))
    }
  }

  package override var artwork: [UInt8]? {
    get throws(AudioError) {
      guard let block = blocks.first(where: { $0.type == 6 }) else { return nil }
      let fields = Fields(
        try store.bytes(at: block.range.lowerBound, block.range.count), isBigEndian: true)
      var place = 8 + min(Int(fields.uint32(4)), fields.count)
      place += 4 + min(Int(fields.uint32(place)), fields.count) + 16
      let size = Int(fields.uint32(place))
      guard place + 4 + size <= fields.count else { return nil }
      return Array(fields.bytes[place + 4..<place + 4 + size])
    }
  }
}

/// Texts as FLAC and Ogg have them: NAME=text, UTF-8.
enum VorbisComment {
  private static let keys = [
    "TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "COMMENT": "comments",
    "DESCRIPTION": "comments", "GENRE": "genre", "COPYRIGHT": "copyright",
    "ENCODER": "encoding application", "TRACKNUMBER": "track number", "COMPOSER": "composer",
    "ISRC": "ISRC", "SUBTITLE": "subtitle", "LYRICIST": "lyricist", "DATE": "recorded date",
    "YEAR": "year", "BPM": "tempo", "KEY": "key signature",
  ]

  static func info(_ bytes: [UInt8]) -> [String: String] {
    let fields = Fields(bytes, isBigEndian: false)
    var place = 4 + min(Int(fields.uint32(0)), fields.count)
    var info: [String: String] = [:]
    let count = Int(fields.uint32(place))
    place += 4
    for _ in 0..<count {
      guard place + 4 <= fields.count else { break }
      let size = Int(fields.uint32(place))
      guard place + 4 + size <= fields.count else { break }
      let text = Fields.text(bytes[place + 4..<place + 4 + size])
      place += 4 + size
      guard let equals = text.firstIndex(of: "="),
        let key = keys[text[..<equals].uppercased()], info[key] == nil
      else { continue }
      info[key] = String(text[text.index(after: equals)...])
    }
    return info
  }
}
