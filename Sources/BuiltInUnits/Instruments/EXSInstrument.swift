// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// Reads EXS24 instruments: chunks with an 84-byte header, in either byte order. Of the parameters the volume
/// is read; groups, filters and modulation are not.
enum EXSInstrument {
  private static let headerSize = 84
  private static let maximumFileSize = 64 << 20

  /// In decibels.
  private static let maximumGain = 24.0
  /// The parameter that is the volume in decibels.
  private static let volumeNumber = 7

  private enum Kind: Int {
    case instrument, zone, group, sample, parameters
  }

  /// The bytes of a file, and their order.
  private struct Reader {
    let bytes: [UInt8]
    let isBigEndian: Bool

    func byte(_ position: Int) -> Int {
      bytes.indices.contains(position) ? Int(bytes[position]) : 0
    }
    func signedByte(_ position: Int) -> Int {
      Int(Int8(truncatingIfNeeded: byte(position)))
    }
    func number(_ position: Int) -> Int {
      (0..<4).reduce(0) { $0 << 8 | byte(position + (isBigEndian ? $1 : 3 - $1)) }
    }
    func shortNumber(_ position: Int) -> Int {
      Int(
        Int16(
          truncatingIfNeeded: byte(position + (isBigEndian ? 0 : 1)) << 8
            | byte(position + (isBigEndian ? 1 : 0))))
    }
    /// A text that a zero byte or the field ends.
    func text(_ position: Int, _ count: Int) -> String {
      let end = min(position + count, bytes.count)
      guard position < end else { return "" }
      return String(decoding: bytes[position..<end].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// [control thread] The zones of an instrument's file.
  static func zones(of path: String) throws(AudioError) -> [SampleZone] {
    let bytes = try SampleFinder.bytes(of: path, limit: maximumFileSize)
    do throws(AudioError) {
      let finder = SampleFinder(
        folder: SampleFinder.folder(path), name: InstrumentUnit.fileName(path))
      return try zones(bytes, finder)
    } catch { throw error.of(path) }
  }

  private static func zones(
    _ bytes: [UInt8], _ finder: SampleFinder
  ) throws(AudioError) -> [SampleZone] {
    let magic = bytes.count >= headerSize ? String(decoding: bytes[16..<20], as: UTF8.self) : ""
    guard ["TBOS", "JBOS", "SOBT", "SOBJ"].contains(magic) else {
      throw .invalidFile.because("it is no EXS24 instrument")
    }
    let reader = Reader(bytes: bytes, isBigEndian: magic.hasPrefix("S"))
    var zones: [(start: Int, size: Int)] = []
    var samples: [(name: String, folder: String)] = []
    var volume = 0
    var position = 0
    while position + headerSize <= bytes.count {
      let size = reader.number(position + 4)
      let body = position + headerSize
      guard size <= bytes.count - body else {
        throw .invalidFile.because("the chunk at byte \(position) is longer than the file")
      }
      switch Kind(rawValue: reader.byte(position + 3) & 0x3f) {
      case .zone?: zones.append((body, size))
      case .sample?:
        let named = size >= 592 ? reader.text(body + 336, 256) : ""
        samples.append(
          (
            named.isEmpty ? reader.text(position + 20, 64) : named,
            size >= 336 ? reader.text(body + 80, 256) : ""
          ))
      case .parameters?: volume = parameter(volumeNumber, body, size, reader) ?? volume
      default: break
      }
      position = body + size
    }
    var paths: [Int: String] = [:]
    var result: [SampleZone] = []
    for zone in zones {
      guard zone.size >= 96 else {
        throw .invalidFile.because("the zone at byte \(zone.start) has only \(zone.size) bytes")
      }
      let index = reader.number(zone.start + 92)
      // -1: the zone has no sample.
      if index == 0xffff_ffff { continue }
      guard samples.indices.contains(index) else {
        throw .invalidFile.because("a zone uses sample \(index) of \(samples.count)")
      }
      if paths[index] == nil {
        let (name, folder) = samples[index]
        paths[index] = try finder.find(folder.isEmpty ? name : "\(folder)/\(name)")
      }
      if let path = paths[index], var read = read(zone.start, reader, path) {
        read.gain = min(read.gain + Double(volume), maximumGain)
        result.append(read)
      }
    }
    guard !result.isEmpty else { throw .invalidFile.because("it has no zones with samples") }
    return result
  }

  /// The value of a parameter: after their count come all numbers, of one byte, and then all values, of two.
  private static func parameter(
    _ number: Int, _ body: Int, _ size: Int, _ reader: Reader
  ) -> Int? {
    let count = min(reader.number(body), (size - 4) / 3)
    guard count > 0 else { return nil }
    let place = (0..<count).first { reader.byte(body + 4 + $0) == number }
    return place.map { reader.shortNumber(body + 4 + count + 2 * $0) }
  }

  /// Nil if no note plays the zone.
  private static func read(_ start: Int, _ reader: Reader, _ path: String) -> SampleZone? {
    func range(_ low: Int, _ high: Int) -> ClosedRange<Int>? {
      let (low, high) = (reader.byte(start + low), min(reader.byte(start + high), 127))
      return low <= high ? low...high : nil
    }
    let options = reader.byte(start)
    guard let keys = range(6, 7), let velocities = options & 8 != 0 ? range(9, 10) : 0...127 else {
      return nil
    }
    var zone = SampleZone(path: path)
    zone.isOneShot = options & 1 != 0
    if options & 2 != 0 { zone.centsPerKey = 0 }
    zone.isReversed = options & 4 != 0
    zone.key = min(reader.byte(start + 1), 127)
    (zone.keys, zone.velocities) = (keys, velocities)
    zone.cents = Double(100 * reader.signedByte(start + 80) + reader.signedByte(start + 2))
    zone.pan = Double(reader.signedByte(start + 3)) / 50
    zone.gain = min(Double(reader.signedByte(start + 4)), maximumGain)
    zone.start = reader.number(start + 12)
    let end = reader.number(start + 16)
    if end > 0 { zone.end = end }
    let loop = reader.byte(start + 33)
    if loop & 1 != 0 {
      zone.loop = .frames(start: reader.number(start + 20), end: reader.number(start + 24))
      zone.playsToEnd = loop & 4 != 0
    }
    return zone
  }
}
