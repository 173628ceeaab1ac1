// SPDX-License-Identifier: Apache-2.0

/// How deep the collections of a property list in a file are nested. Its parser calls itself for each
/// level, and a hostile file would use up the stack. It also fails over sets, and over keys that are no
/// strings, which no property list has.
enum PropertyListDepth {
  /// Whether collections are nested deeper than a limit, or share so much that their depth takes too
  /// long to find, or the file is in an encoding of XML other than UTF-8, or has a set or a key that is no
  /// string.
  static func exceeds(_ limit: Int, in bytes: [UInt8]) -> Bool {
    bytes.starts(with: "bplist".utf8)
      ? exceedsBinary(limit, BinaryList(bytes)) : exceedsXML(limit, bytes[...])
  }

  // MARK: XML

  private static func exceedsXML(_ limit: Int, _ text: ArraySlice<UInt8>) -> Bool {
    // In other encodings tags look different.
    guard !text.contains(0), isUTF8(text) else { return true }
    var rest = text
    var depth = 0
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(start + 1)...]
      if let (start, end) = boundsOfOther(rest) {
        rest = after(end, in: rest.dropFirst(start.utf8.count))
        continue
      }
      let tag = rest.prefix { $0 != UInt8(ascii: ">") }
      rest = rest[tag.endIndex...]
      let isEnd = tag.first == UInt8(ascii: "/")
      let name = tag.dropFirst(isEnd ? 1 : 0).prefix { (0x61...0x7A).contains($0) }
      let isCollection = name.elementsEqual("array".utf8) || name.elementsEqual("dict".utf8)
      guard isCollection, tag.last != UInt8(ascii: "/") else { continue }
      depth += isEnd ? -1 : 1
      if depth > limit { return true }
    }
    return false
  }

  private static func isUTF8(_ text: ArraySlice<UInt8>) -> Bool {
    let head = String(decoding: text.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
    return !head.contains("encoding") || head.contains("utf-8")
  }

  /// What begins and ends a comment, a section of text or an instruction; nil in a tag.
  private static func boundsOfOther(_ rest: ArraySlice<UInt8>) -> (start: String, end: String)? {
    [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].first { rest.starts(with: $0.0.utf8) }
  }

  private static func after(_ end: String, in rest: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = rest
    while !rest.isEmpty, !rest.starts(with: end.utf8) { rest = rest.dropFirst() }
    return rest.dropFirst(end.utf8.count)
  }

  // MARK: Binary

  private static func exceedsBinary(_ limit: Int, _ list: BinaryList?) -> Bool {
    // The parser refuses a file without a trailer.
    guard let list else { return false }
    var level: Set<Int> = [list.top]
    // Collections that share their bytes would make the work grow with the square of the size.
    var work = 0
    for _ in 0...limit {
      var next: Set<Int> = []
      for object in level {
        let children = list.children(object)
        guard list.isAllowed(object, children) else { return true }
        work += children.count
        guard work <= 2 * list.byteCount else { return true }
        next.formUnion(children)
      }
      level = next
      if level.isEmpty { return false }
    }
    return true
  }

  /// The objects of a binary property list, as far as their references go.
  private struct BinaryList {
    let top: Int
    var byteCount: Int { bytes.count }
    private let bytes: [UInt8]
    private let table: Int
    private let offsetBytes: Int
    private let referenceBytes: Int

    init?(_ bytes: [UInt8]) {
      self.bytes = bytes
      guard bytes.count >= 40 else { return nil }
      let trailer = bytes.count - 32
      (offsetBytes, referenceBytes) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
      guard let top = Self.number(bytes, trailer + 16, 8),
        let table = Self.number(bytes, trailer + 24, 8), table < trailer, referenceBytes > 0
      else { return nil }
      (self.top, self.table) = (top, table)
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int? {
      guard (1...8).contains(count), start >= 0, start <= bytes.count - count else { return nil }
      return Int(exactly: bytes[start..<start + count].reduce(0 as UInt64) { $0 << 8 | UInt64($1) })
    }

    /// Where an object begins.
    private func start(of object: Int) -> Int? {
      guard object < bytes.count,
        let start = Self.number(bytes, table + object * offsetBytes, offsetBytes),
        start < bytes.count - 32
      else { return nil }
      return start
    }

    /// The kind of an object: the upper four bits of its first byte.
    private func kind(of object: Int) -> UInt8? { start(of: object).map { bytes[$0] >> 4 } }

    /// Whether an object with these children can be in a property list: it is no set, and its keys are
    /// strings.
    func isAllowed(_ object: Int, _ children: [Int]) -> Bool {
      switch kind(of: object) {
      case 0xB, 0xC: false
      case 0xD:
        children.prefix(children.count / 2).allSatisfy { [0x5, 0x6].contains(kind(of: $0)) }
      default: true
      }
    }

    /// The numbers of the objects in a collection.
    func children(_ object: Int) -> [Int] {
      guard let start = start(of: object), (0xA...0xD).contains(bytes[start] >> 4) else {
        return []
      }
      var (count, first) = (Int(bytes[start] & 15), start + 1)
      if count == 15 {
        let size = 1 << Int(bytes[start + 1] & 3)
        guard let long = Self.number(bytes, start + 2, size) else { return [] }
        (count, first) = (long, start + 2 + size)
      }
      let isDictionary = bytes[start] >> 4 == 0xD
      guard count < bytes.count else { return [] }
      let total = isDictionary ? 2 * count : count
      guard total <= (bytes.count - first) / referenceBytes else { return [] }
      return (0..<total).compactMap {
        Self.number(bytes, first + $0 * referenceBytes, referenceBytes)
      }
    }
  }
}
