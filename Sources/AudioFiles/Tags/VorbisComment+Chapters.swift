// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

// What FLAC and Ogg keep under names of their own: chapters (wiki.xiph.org/Chapter_Extension) and the
// places of the channels (xiph.org/flac/format.html).
extension VorbisComment {
  private static let chapter = "CHAPTER"
  private static let maskName = "WAVEFORMATEXTENSIBLE_CHANNEL_MASK"
  /// Chapters have numbers of three digits.
  private static let most = 999

  /// The number of a chapter that has a name like CHAPTER001; nil for other names.
  private static func number(_ name: Substring) -> Int? {
    let digits = name.dropFirst(chapter.count)
    guard name.hasPrefix(chapter), digits.utf8.count == 3 else { return nil }
    return Int(digits)
  }

  private static func isChapter(_ name: String) -> Bool {
    number(name.hasSuffix("NAME") ? name.dropLast(4) : name[...]) != nil
  }

  /// The chapters.
  static func chapters(_ bytes: [UInt8]) -> [Chapter] {
    var found: [Int: Chapter] = [:]
    var names: [Int: String] = [:]
    for (name, text) in entries(bytes).entries where isChapter(name) {
      if name.hasSuffix("NAME") {
        if let number = number(name.dropLast(4)) { names[number] = text }
      } else if let number = number(name[...]), let seconds = seconds(text) {
        found[number] = Chapter(seconds: seconds, name: "")
      }
    }
    return found.sorted { $0.key < $1.key }.map { number, chapter in
      Chapter(seconds: chapter.seconds, name: names[number] ?? "")
    }
  }

  /// The comment with other chapters; keeps everything else.
  static func setting(chapters: [Chapter], in old: [UInt8]?) -> [UInt8] {
    let fresh = chapters.prefix(most).enumerated().flatMap { index, chapter in
      let digits = "\(index + 1)"
      let name = Self.chapter + String(repeating: "0", count: 3 - digits.utf8.count) + digits
      return [(name, time(chapter.seconds)), (name + "NAME", chapter.name)]
    }
    return replacing(fresh, in: old) { isChapter($0) }
  }

  /// Hours, minutes and seconds, to the millisecond.
  private static func time(_ seconds: Double) -> String {
    let all = Int(saturating: (min(seconds, 1e9) * 1_000).rounded())
    func digits(_ number: Int, _ count: Int) -> String {
      let text = "\(number)"
      return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
    return "\(digits(all / 3_600_000, 2)):\(digits(all / 60_000 % 60, 2)):"
      + "\(digits(all / 1_000 % 60, 2)).\(digits(all % 1_000, 3))"
  }

  private static func seconds(_ time: String) -> Double? {
    let parts = time.split(separator: ":").map { Double($0) ?? .nan }
    guard parts.count == 3, parts.allSatisfy({ (0...1e9).contains($0) }) else { return nil }
    return parts[0] * 3_600 + parts[1] * 60 + parts[2]
  }

  // MARK: Channels

  /// The loudspeaker bits of the channels, as in WAV; nil where none are stated.
  static func channelMask(_ bytes: [UInt8]) -> UInt32? {
    let text = entries(bytes).entries.first { $0.0 == maskName }?.1
    guard let text, text.lowercased().hasPrefix("0x") else { return nil }
    return UInt32(text.dropFirst(2), radix: 16)
  }

  /// The comment with other loudspeaker bits; keeps everything else.
  static func setting(channelMask: UInt32, in old: [UInt8]?) -> [UInt8] {
    let text = "0x" + String(channelMask, radix: 16, uppercase: true)
    return replacing([(maskName, text)], in: old) { $0 == maskName }
  }
}
