// SPDX-License-Identifier: Apache-2.0
@_spi(TrappingConversions) import CheckedNumbers

/// A picture with at most 256 colours as a PNG file (ISO/IEC 15948).
struct PNG {
  /// Red, green and blue.
  typealias Color = (red: UInt8, green: UInt8, blue: UInt8)

  let width: Int
  let height: Int
  private let palette: [Color]
  /// The number of a colour for each point, row by row.
  private var points: [UInt8]

  /// A picture in the first colour of a palette.
  init(width: Int, height: Int, palette: [Color]) {
    (self.width, self.height, self.palette) = (width, height, palette)
    points = [UInt8](repeating: 0, count: width * height)
  }

  /// The number of the colour of a point; points outside are not there.
  subscript(x: Int, y: Int) -> UInt8 {
    get { points[y * width + x] }
    set {
      guard (0..<width).contains(x), (0..<height).contains(y) else { return }
      points[y * width + x] = newValue
    }
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    // 8 bits per point, with a palette.
    Self.add("IHDR", Self.number(width) + Self.number(height) + [8, 3, 0, 0, 0], to: &file)
    Self.add("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }, to: &file)
    Self.add("IDAT", compressed, to: &file)
    Self.add("IEND", [], to: &file)
    return file
  }

  /// The rows, each after a zero: no filter. In the form of zlib (RFC 1950), in blocks of DEFLATE that
  /// are stored (RFC 1951).
  private var compressed: [UInt8] {
    var rows: [UInt8] = []
    rows.reserveCapacity((width + 1) * height)
    for y in 0..<height { rows += [0] + points[y * width..<(y + 1) * width] }
    var stream: [UInt8] = [0x78, 0x01]
    var done = 0
    repeat {
      let count = min(65_535, rows.count - done)
      let (low, high) = (UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8))
      stream += [done + count == rows.count ? 1 : 0, low, high, ~low, ~high]
      stream += rows[done..<done + count]
      done += count
    } while done < rows.count
    var (a, b) = (UInt32(1), UInt32(0))
    for byte in rows {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return stream + Self.number(Int(b << 16 | a))
  }

  private static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func add(_ kind: String, _ content: [UInt8], to file: inout [UInt8]) {
    let chunk = Array(kind.utf8) + content
    file += number(content.count) + chunk + number(Int(checksum(chunk)))
  }

  /// The CRC-32 of ISO 3309.
  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes { sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
    return ~sum
  }

  private static let table: [UInt32] = (0..<256).map { value in
    var sum = UInt32(clamping: value)
    for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    return sum
  }
}

extension PNG {
  /// Draws digits and a few letters, 3 points wide and 5 high, for the marks of an axis.
  mutating func draw(_ text: String, _ left: Int, _ top: Int, _ color: UInt8, scale: Int = 2) {
    var x = left
    for character in text {
      let rows = Self.glyphs[character] ?? [0, 0, 0, 0, 0]
      for (row, bits) in rows.enumerated() {
        for column in 0..<3 where bits >> (2 - column) & 1 == 1 {
          for point in 0..<scale * scale {
            self[x + column * scale + point % scale, top + row * scale + point / scale] = color
          }
        }
      }
      x += 4 * scale
    }
  }

  /// The width of a text.
  static func width(of text: String, scale: Int = 2) -> Int {
    max(0, text.count * 4 * scale - scale)
  }

  private static let glyphs: [Character: [UInt8]] = [
    "0": [7, 5, 5, 5, 7], "1": [2, 6, 2, 2, 7], "2": [7, 1, 7, 4, 7], "3": [7, 1, 7, 1, 7],
    "4": [5, 5, 7, 1, 1], "5": [7, 4, 7, 1, 7], "6": [7, 4, 7, 5, 7], "7": [7, 1, 1, 1, 1],
    "8": [7, 5, 7, 5, 7], "9": [7, 5, 7, 1, 7], ".": [0, 0, 0, 0, 2], "-": [0, 0, 7, 0, 0],
    "k": [4, 5, 6, 5, 5], "s": [0, 3, 2, 6, 0], "H": [5, 5, 7, 5, 5], "z": [0, 7, 2, 7, 0],
    "d": [1, 1, 7, 5, 7], "B": [6, 5, 6, 5, 6],
  ]
}
