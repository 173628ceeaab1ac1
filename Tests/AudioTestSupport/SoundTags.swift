// SPDX-License-Identifier: Apache-2.0

/// Tags as taggers write them. Their contents look like frames of MPEG audio.
package enum SoundTags {
  /// A picture that begins like PNG and contains headers of frames.
  package static let picture: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47]
    + (0..<300).flatMap { _ in [0xFF, 0xFB, 0x90, 0x64, 1, 2, 3] as [UInt8] }

  /// ID3 of version 2.4, with a title.
  package static func id3(_ title: String, footer: Bool = false) -> [UInt8] {
    let body =
      Array("TIT2".utf8) + [0, 0, 0, UInt8(title.utf8.count + 1), 0, 0, 3] + Array(title.utf8)
    let size: [UInt8] = [0, 0, UInt8(body.count >> 7), UInt8(body.count & 0x7F)]
    let head: [UInt8] = [4, 0, footer ? 0x10 : 0] + size
    return Array("ID3".utf8) + head + body + (footer ? Array("3DI".utf8) + head : [])
  }

  /// APE of version 2, with a title and a picture.
  package static func ape(_ title: String) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { bytes(UInt32(value)) }
    let cover = Array("a.png".utf8) + [0] + picture
    let items =
      number(title.utf8.count) + number(0) + Array("Title".utf8) + [0] + Array(title.utf8)
      + number(cover.count) + number(2) + Array("Cover Art (Front)".utf8) + [0] + cover
    func end(_ flags: UInt32) -> [UInt8] {
      Array("APETAGEX".utf8) + number(2_000) + number(items.count + 32) + number(2)
        + bytes(flags) + [UInt8](repeating: 0, count: 8)
    }
    return end(0xA000_0000) + items + end(0x8000_0000)
  }

  /// ID3 of version 1, with a title.
  package static func id3v1(_ title: String) -> [UInt8] {
    let bytes = Array("TAG".utf8) + Array(title.utf8)
    return bytes + [UInt8](repeating: 0, count: 128 - bytes.count)
  }

  /// Lyrics3 of version 2.
  package static let lyrics: [UInt8] =
    Array("LYRICSBEGININD00002100LYR00003abc000033LYRICS200".utf8)

  private static func bytes(_ value: UInt32) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
