// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// The setup data that decoders need in addition to packets: conversions between the forms in files
/// and in libraries.
public enum MagicCookies {
  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private static func find(_ name: String, in bytes: [UInt8]) -> Int? {
    let name = Array(name.utf8)
    guard bytes.count >= name.count else { return nil }
    return (0...bytes.count - name.count).first { bytes[$0...].starts(with: name) }
  }

  // MARK: AAC

  /// The AudioSpecificConfig in an MPEG-4 elementary stream descriptor (ISO 14496-1). Other bytes
  /// are returned unchanged.
  public static func audioSpecificConfig(_ cookie: [UInt8]) -> [UInt8] {
    guard cookie.first == 3 || cookie.starts(with: [0, 0, 0, 0, 3]) else { return cookie }
    return descriptor(cookie).config
  }

  /// The object type of an elementary stream descriptor (ISO 14496-1, table 5); 0 when absent.
  public static func objectType(_ cookie: [UInt8]) -> UInt8 { descriptor(cookie).object }

  private static func descriptor(_ cookie: [UInt8]) -> (object: UInt8, config: [UInt8]) {
    var position = cookie.first == 3 ? 0 : 4
    var object: UInt8 = 0
    while position < cookie.count {
      let tag = cookie[position]
      position += 1
      var size = 0
      for _ in 0..<4 where position < cookie.count {
        let byte = cookie[position]
        position += 1
        size = size << 7 | Int(byte & 0x7F)
        if byte & 0x80 == 0 { break }
      }
      switch tag {
      case 3:
        guard position + 2 < cookie.count else { return (object, []) }
        let flags = cookie[position + 2]
        position += 3
        if flags & 0x80 != 0 { position += 2 }
        if flags & 0x40 != 0, position < cookie.count { position += 1 + Int(cookie[position]) }
        if flags & 0x20 != 0 { position += 2 }
      case 4:
        if position < cookie.count { object = cookie[position] }
        position += 13
      case 5:
        return (
          object, Array(cookie[min(position, cookie.count)..<min(position + size, cookie.count)])
        )
      default: position += size
      }
    }
    return (object, [])
  }

  /// An elementary stream descriptor around an AudioSpecificConfig.
  public static func elementaryStream(_ config: [UInt8], bitRate: Int) -> [UInt8] {
    func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
      let size = content.count
      let sizes = (0..<4).reversed().map { position -> UInt8 in
        let part = UInt8(clamping: size >> (7 * position) & 0x7F)
        return position > 0 ? part | 0x80 : part
      }
      return [tag] + sizes + content
    }
    // Object type 0x40: MPEG-4 audio; stream type 5: audio.
    var decoder: [UInt8] = [0x40, 0x15]
    decoder += number(0x1800, 3)
    decoder += number(bitRate, 4)
    decoder += number(bitRate, 4)
    decoder += descriptor(5, config)
    var stream: [UInt8] = [0, 0, 0]
    stream += descriptor(4, decoder)
    stream += descriptor(6, [2])
    return descriptor(3, stream)
  }

  // MARK: ALAC

  /// The 24 bytes of an ALACSpecificConfig, from any form of the cookie; nil when there are none.
  public static func losslessConfig(_ cookie: [UInt8]) -> [UInt8]? {
    var rest = cookie[...]
    // Older forms precede it with a 'frma' atom and the header of an 'alac' atom.
    for _ in 0..<2 where rest.count >= 12 {
      let kind = Array(rest.dropFirst(4).prefix(4))
      if kind == Array("frma".utf8) || kind == Array("alac".utf8) { rest = rest.dropFirst(12) }
    }
    return rest.count >= 24 ? Array(rest.prefix(24)) : nil
  }

  /// The configuration with the header of its atom, as libavcodec requires.
  static func losslessAtom(_ config: [UInt8]) -> [UInt8] {
    let head = number(36, 4) + Array("alac".utf8)
    return head + number(0, 4) + config
  }

  // MARK: FLAC

  /// The 34 bytes of a STREAMINFO block, from any form of the cookie; nil when there are none.
  public static func streamInformation(_ cookie: [UInt8]) -> [UInt8]? {
    if cookie.count == 34 { return cookie }
    // The header of the block follows the version and flags of a 'dfLa' box, or the marker of a
    // stream.
    let start = find("dfLa", in: cookie).map { $0 + 8 } ?? find("fLaC", in: cookie).map { $0 + 4 }
    guard let start, start + 38 <= cookie.count, cookie[start] & 0x7F == 0 else { return nil }
    return Array(cookie[start + 4..<start + 38])
  }

  /// A 'dfLa' box around a STREAMINFO block.
  static func flacBox(_ information: [UInt8]) -> [UInt8] {
    var box = number(50, 4)
    box += Array("dfLa".utf8)
    box += number(0, 4)
    box += [0x80]
    box += number(34, 3)
    return box + information
  }

  // MARK: Opus

  /// An 'OpusHead', also from a 'dOps' box; nil when there is none.
  public static func opusHead(_ cookie: [UInt8]) -> [UInt8]? {
    if let start = find("OpusHead", in: cookie), start + 19 <= cookie.count {
      return Array(cookie[start...])
    }
    guard let start = find("dOps", in: cookie), start + 15 <= cookie.count else { return nil }
    // The box has the same fields in the other byte order, and version 0.
    let fields = Array(cookie[(start + 4)...])
    var head = Array("OpusHead".utf8)
    head += [1, fields[1], fields[3], fields[2]]
    head += fields[4..<8].reversed()
    head += [fields[9], fields[8]]
    return head + fields[10...]
  }

  /// How many frames at 48 kHz precede the sound.
  public static func preSkip(_ opusHead: [UInt8]) -> Int {
    Int(opusHead[10]) | Int(opusHead[11]) << 8
  }
}
