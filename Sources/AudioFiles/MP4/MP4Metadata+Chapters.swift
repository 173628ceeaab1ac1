// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

// Chapters in a box 'chpl' within the user data, as Nero's encoder wrote them first: a start in units
// of 100 ns and a text for each.
extension MP4Metadata {
  /// The box has a byte for their number, and one for the length of each text.
  private static let most = 255

  /// The chapters of a movie box.
  static func chapters(_ movie: ByteFields) -> [Chapter] {
    guard let box = movie.box(0..<movie.count, "udta", "chpl"), box.body.count > 5 else {
      return []
    }
    let end = box.body.upperBound
    // Version 1 has four more bytes.
    var position = box.body.lowerBound + (movie.uint8(box.body.lowerBound) > 0 ? 8 : 4)
    let count = Int(movie.uint8(position))
    position += 1
    var chapters: [Chapter] = []
    for _ in 0..<count {
      guard position + 9 <= end else { break }
      let size = min(Int(movie.uint8(position + 8)), end - position - 9)
      chapters.append(
        Chapter(
          seconds: Double(movie.uint64(position)) / 1e7, name: movie.text(position + 9, size)))
      position += 9 + size
    }
    return chapters
  }

  static func write(_ chapters: [Chapter], to data: inout ByteBuilder) {
    guard !chapters.isEmpty else { return }
    data.fullBox("chpl", version: 1) { box in
      box.zeros(4)
      box.number(UInt8(clamping: min(most, chapters.count)))
      for chapter in chapters.prefix(most) {
        box.number(UInt64(saturating: (chapter.seconds * 1e7).rounded()))
        // A text that is too long ends with a whole character.
        var name = chapter.name
        while name.utf8.count > most { name.removeLast() }
        box.number(UInt8(clamping: name.utf8.count))
        box.append(name.utf8)
      }
    }
  }
}
