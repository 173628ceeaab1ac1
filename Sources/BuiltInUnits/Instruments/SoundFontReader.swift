// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport

/// Reads the tables of a SoundFont, and parts of its samples.
struct SoundFontReader {
  /// A generator of a zone: its number and its amount.
  struct Generator {
    let number: UInt16
    let amount: UInt16

    /// The amount with a sign.
    var value: Int { Int(Int16(bitPattern: amount)) }
  }

  /// A zone of a preset or of an instrument, with its modulators as they are in the file.
  struct Zone {
    var generators: [Generator]
    let modulators: [UInt8]

    /// The rows that it takes in the table where it takes most.
    var rowCount: Int { max(1, generators.count, modulators.count / 10) }

    /// The last generator with a number.
    func last(_ number: UInt16) -> Generator? { generators.last { $0.number == number } }
  }

  /// The header of a sample.
  struct Sample {
    /// The 46 bytes of the file.
    let bytes: [UInt8]
    let start, end, loopStart, loopEnd, rate: Int
    let key: Int
    /// What tunes it, in cents.
    let cents: Int
    /// Whether its frames are in the file, as samples of 16 bits.
    let isPlain: Bool
  }

  private static let tableNames = [
    "phdr", "pbag", "pmod", "pgen", "inst", "ibag", "imod", "igen", "shdr",
  ]
  private static let maximumTable = 64 << 20

  private let store: FileStore
  private var tables: [String: [UInt8]] = [:]
  private var high = 0..<0
  private var low = 0..<0

  /// [control thread] Reads the tables of a file; nil if it is not a SoundFont or is broken.
  init?(_ path: String) {
    guard let store = try? FileStore(path), let size = try? store.byteCount() else { return nil }
    self.store = store
    guard let head = read(0..<12), head.prefix(4).elementsEqual("RIFF".utf8),
      head.suffix(4).elementsEqual("sfbk".utf8)
    else { return nil }
    readChunks(12..<size, inLists: true)
    guard Self.tableNames.allSatisfy({ tables[$0] != nil }), !high.isEmpty else { return nil }
  }

  private mutating func readChunks(_ range: Range<Int>, inLists: Bool) {
    var place = range.lowerBound
    while place + 8 <= range.upperBound, let head = read(place..<place + 8) {
      let name = String(decoding: head.prefix(4), as: UTF8.self)
      let end = min(place + 8 + Self.number(head, 4), range.upperBound)
      let body = place + 8..<max(place + 8, end)
      switch name {
      case "LIST" where inLists && body.count >= 4:
        readChunks(body.lowerBound + 4..<body.upperBound, inLists: false)
      case "smpl": high = body
      case "sm24": low = body
      default:
        if Self.tableNames.contains(name), body.count <= Self.maximumTable {
          tables[name] = read(body)
        }
      }
      place = end + end % 2
    }
  }

  // MARK: Bytes

  /// Nil if the file has fewer.
  private func read(_ range: Range<Int>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let more = bytes.withUnsafeMutableBytes { all in
        try? store.read(
          UnsafeMutableRawBufferPointer(rebasing: all[done...]), at: range.lowerBound + done)
      }
      guard let more, more > 0 else { return nil }
      done += more
    }
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt16 {
    UInt16(bytes[at]) | UInt16(bytes[at + 1]) << 8
  }

  /// The bytes of the rows of a table; nil if it has fewer.
  private func rows(_ name: String, _ rows: Range<Int>, size: Int) -> [UInt8]? {
    guard let table = tables[name], rows.upperBound * size <= table.count else { return nil }
    return Array(table[rows.lowerBound * size..<rows.upperBound * size])
  }

  // MARK: Tables

  /// The header of a preset, 38 bytes, and its zones; nil if there is none, or it is broken.
  func preset(bank: Int, program: Int) -> (header: [UInt8], zones: [Zone])? {
    let count = (tables["phdr"]?.count ?? 0) / 38
    for index in 0..<max(count - 1, 0) {
      guard let both = rows("phdr", index..<index + 2, size: 38) else { return nil }
      guard Int(Self.word(both, 20)) == program, Int(Self.word(both, 22)) == bank else { continue }
      return zones("p", Int(Self.word(both, 24)), Int(Self.word(both, 38 + 24)))
        .map { (Array(both.prefix(38)), $0) }
    }
    return nil
  }

  /// The name of an instrument, 20 bytes, and its zones.
  func instrument(_ index: Int) -> (name: [UInt8], zones: [Zone])? {
    guard let both = rows("inst", index..<index + 2, size: 22) else { return nil }
    return zones("i", Int(Self.word(both, 20)), Int(Self.word(both, 22 + 20)))
      .map { (Array(both.prefix(20)), $0) }
  }

  private func zones(_ kind: String, _ first: Int, _ end: Int) -> [Zone]? {
    guard first <= end, let bags = rows("\(kind)bag", first..<end + 1, size: 4) else { return nil }
    var zones: [Zone] = []
    for index in 0..<end - first {
      func range(_ at: Int) -> Range<Int>? {
        let (from, to) = (Self.word(bags, 4 * index + at), Self.word(bags, 4 * index + 4 + at))
        return from <= to ? Int(from)..<Int(to) : nil
      }
      guard let generatorRows = range(0), let modulatorRows = range(2),
        let generators = rows("\(kind)gen", generatorRows, size: 4),
        let modulators = rows("\(kind)mod", modulatorRows, size: 10)
      else { return nil }
      zones.append(
        Zone(
          generators: stride(from: 0, to: generators.count, by: 4).map {
            Generator(number: Self.word(generators, $0), amount: Self.word(generators, $0 + 2))
          }, modulators: modulators))
    }
    return zones
  }

  /// The header of a sample; nil if there is none.
  func sample(_ index: Int) -> Sample? {
    guard let row = rows("shdr", index..<index + 1, size: 46) else { return nil }
    let kind = Self.word(row, 44)
    return Sample(
      bytes: row, start: Self.number(row, 20), end: Self.number(row, 24),
      loopStart: Self.number(row, 28), loopEnd: Self.number(row, 32),
      rate: Self.number(row, 36), key: row[40] < 128 ? Int(row[40]) : 60,
      cents: Int(Int8(bitPattern: row[41])), isPlain: kind & 0x8010 == 0)
  }

  /// The upper 16 and the lower 8 bits of frames; nil if the file has fewer.
  func samples(_ frames: Range<Int>) -> (high: [UInt8], low: [UInt8])? {
    let bytes = high.lowerBound + 2 * frames.lowerBound..<high.lowerBound + 2 * frames.upperBound
    guard frames.lowerBound >= 0, bytes.upperBound <= high.upperBound, let upper = read(bytes)
    else { return nil }
    let finer = low.lowerBound + frames.lowerBound..<low.lowerBound + frames.upperBound
    let lower = finer.upperBound <= low.upperBound ? read(finer) : nil
    return (upper, lower ?? [])
  }
}
