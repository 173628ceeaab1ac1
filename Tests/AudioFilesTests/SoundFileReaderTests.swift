// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioSupport
import Testing

@Suite("Reading a WAV file")
struct SoundFileReaderTests {
  private static func float(_ value: Float) -> [UInt8] { WaveBytes.number(value.bitPattern) }

  /// The same five samples, -1, -0.5, 0, 0.25 and 0.5, in each encoding.
  private static let encodings: [(tag: UInt16, bits: UInt16, data: [UInt8])] = [
    (1, 8, [0, 64, 128, 160, 192]),
    (1, 16, [-32_768, -16_384, 0, 8_192, 16_384].flatMap { WaveBytes.number(Int16($0)) }),
    (
      1, 24,
      [-8_388_608, -4_194_304, 0, 2_097_152, 4_194_304].flatMap {
        Array(WaveBytes.number(Int32($0)).prefix(3))
      }
    ),
    (1, 32, [-1, -0.5, 0, 0.25, 0.5].flatMap { WaveBytes.number(Int32($0 * 2_147_483_648.0)) }),
    (3, 32, [-1, -0.5, 0, 0.25, 0.5].flatMap { float($0) }),
    (3, 64, [-1, -0.5, 0, 0.25, 0.5].flatMap { WaveBytes.number(Double($0).bitPattern) }),
  ]

  @Test("reads each encoding at the same scale", arguments: 0..<6)
  func encodings(index: Int) throws {
    let (tag, bits, data) = Self.encodings[index]
    let file = ScratchFile(
      WaveBytes.riff(WaveBytes.format(tag: tag, bits: bits), WaveBytes.chunk("data", data)))
    #expect(try file.samples() == [[-1, -0.5, 0, 0.25, 0.5]])
  }

  @Test("separates the channels")
  func interleaved() throws {
    let data = [1, 2, 3, 4, 5, 6].flatMap { WaveBytes.number(Int16($0)) }
    let file = ScratchFile(
      WaveBytes.riff(
        WaveBytes.format(tag: 1, channels: 3, bits: 16), WaveBytes.chunk("data", data)))
    let scaled = try file.samples().map { $0.map { $0 * 32_768 } }
    #expect(scaled == [[1, 4], [2, 5], [3, 6]])
  }

  @Test("skips unknown chunks, also those of odd size")
  func oddChunks() throws {
    let file = ScratchFile(
      WaveBytes.riff(
        WaveBytes.chunk("JUNK", [1, 2, 3]), WaveBytes.format(tag: 3, bits: 32),
        WaveBytes.chunk("LIST", [7]), WaveBytes.chunk("data", Self.float(0.5)),
        WaveBytes.chunk("id3 ", [9, 9, 9])))
    #expect(try file.samples() == [[0.5]])
  }

  @Test("reads the extensible form")
  func extensible() throws {
    let identifier: [UInt8] = [3, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let format =
      Array(WaveBytes.format(tag: 0xFFFE, bits: 32)[8...]) + WaveBytes.number(UInt16(22))
      + WaveBytes.number(UInt16(32)) + WaveBytes.number(UInt32(4)) + identifier
    let file = ScratchFile(
      WaveBytes.riff(
        WaveBytes.chunk("fmt ", format), WaveBytes.chunk("data", Self.float(0.5))))
    #expect(try file.samples() == [[0.5]])
  }

  @Test("reads 64-bit sizes", arguments: ["RF64", "BW64"])
  func large(kind: String) throws {
    let sizes =
      WaveBytes.number(UInt64(0)) + WaveBytes.number(UInt64(8)) + WaveBytes.number(UInt64(2))
      + WaveBytes.number(UInt32(0))
    let file = ScratchFile(
      WaveBytes.riff(
        WaveBytes.chunk("ds64", sizes), WaveBytes.format(tag: 3, bits: 32), WaveBytes.text("data"),
        WaveBytes.number(UInt32.max), Self.float(0.25), Self.float(0.5), Self.float(99), kind: kind)
    )
    #expect(try file.samples() == [[0.25, 0.5]])
  }

  @Test("reads a truncated file up to its end, and reports the declared length")
  func truncated() throws {
    let whole = WaveBytes.riff(
      WaveBytes.format(tag: 1, channels: 2, bits: 16),
      WaveBytes.chunk("data", [UInt8](repeating: 1, count: 40)))
    let file = ScratchFile(Array(whole.dropLast(22)))
    let reader = try SoundFileReader(path: file.path)
    #expect(reader.frameCount == 4)
    #expect(reader.declaredFrameCount == 10)
  }

  @Test("reads everything up to the end as samples when the header states no length")
  func pipe() throws {
    let file = ScratchFile(
      WaveBytes.riff(
        WaveBytes.format(tag: 3, bits: 32), WaveBytes.text("data"), WaveBytes.number(UInt32.max),
        Self.float(0.25), Self.float(0.5)))
    #expect(try file.samples() == [[0.25, 0.5]])
  }

  @Test("reads from any frame, in pieces of any size")
  func seek() throws {
    let file = ScratchFile(
      WaveBytes.riff(
        WaveBytes.format(tag: 3, bits: 32),
        WaveBytes.chunk("data", (0..<100).flatMap { Self.float(Float($0)) })))
    var reader = try SoundFileReader(path: file.path)
    let planes = Planes(channelCount: 1, frameCount: 7)
    reader.seek(to: 95)
    #expect(try reader.read(into: planes.channels, offset: 1, frameCount: 3) == 3)
    #expect(planes.arrays(7) == [[0, 95, 96, 97, 0, 0, 0]])
    #expect(try reader.read(into: planes.channels, frameCount: 7) == 2)
    #expect(try reader.read(into: planes.channels, frameCount: 7) == 0)
    reader.seek(to: -3)
    #expect(reader.position == 0)
  }

  @Test("reports what is wrong with a file, and where", arguments: damagedFiles)
  func damaged(bytes: [UInt8], message: String) {
    let file = ScratchFile(bytes)
    let text = explanation { _ = try SoundFileReader(path: file.path) }
    #expect(text.contains(message), "\(text)")
    #expect(text.hasPrefix(file.path))
  }

  @Test("reports that there is no file")
  func missing() {
    #expect(
      throws: AudioError.fileNotFound.because(
        "/nowhere.wav: cannot be opened: No such file or directory")
    ) {
      _ = try SoundFileReader(path: "/nowhere.wav")
    }
  }

  @Test("survives three thousand damaged files", arguments: [1, 2, 3] as [UInt64])
  func rubbish(seed: UInt64) throws {
    var random = Random(state: seed)
    let file = ScratchFile()
    let originals = Self.encodings.map { tag, bits, data in
      WaveBytes.riff(
        WaveBytes.chunk("ds64", [UInt8](repeating: 0, count: 28)),
        WaveBytes.format(tag: tag, bits: bits), WaveBytes.chunk("LIST", [1, 2, 3]),
        WaveBytes.chunk("data", data), kind: random.next(2) == 0 ? "RIFF" : "RF64")
    }
    for round in 0..<1_000 {
      var bytes = originals[round % originals.count]
      for _ in 0...random.next(6) {
        let position = random.next(bytes.count)
        switch random.next(5) {
        case 0: bytes[position] = UInt8(random.next(256))
        case 1: bytes[position] ^= 1 << UInt8(random.next(8))
        case 2: bytes[position] = [0, 0xFF, 0x7F, 0x80][random.next(4)]
        case 3: bytes.removeSubrange(position..<min(position + random.next(9), bytes.count - 1))
        default:
          bytes.insert(contentsOf: [0xFF, 0xFF, 0xFF, 0xFF].prefix(random.next(5)), at: position)
        }
      }
      file.replace(with: bytes)
      guard var reader = try? SoundFileReader(path: file.path) else { continue }
      #expect(reader.frameCount <= bytes.count)
      _ = try? reader.readAll()
    }
  }
}

/// A random generator that yields the same numbers each time (splitmix64).
struct Random {
  var state: UInt64

  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ (bits >> 31)) % UInt64(bound))
  }
}

/// Damaged files, and a part of the error message for each.
private let damagedFiles: [(bytes: [UInt8], message: String)] = [
  ([], "is empty"),
  (WaveBytes.text("RIFF"), "ends after 4 bytes"),
  (WaveBytes.text("fLa1 and so on"), "begins with 'fLa1'"),
  (WaveBytes.text("RIFY0000WAVE"), "begins with 'RIFY'"),
  (WaveBytes.text("RIFF0000AVI "), "of 'AVI '"),
  (WaveBytes.riff(), "no 'data' chunk"),
  (WaveBytes.riff(WaveBytes.chunk("data", [0, 0])), "at byte 12 has no 'fmt '"),
  (WaveBytes.riff(WaveBytes.chunk("fmt ", [1, 0])), "at byte 12 has 2 bytes"),
  (WaveBytes.riff(WaveBytes.text("LIST"), WaveBytes.number(UInt32(900))), "claims 900 bytes"),
  (WaveBytes.riff(WaveBytes.format(tag: 1, channels: 0, bits: 16)), "0 channels"),
  (WaveBytes.riff(WaveBytes.format(tag: 1, rate: 0, bits: 16)), "0 Hz"),
  (WaveBytes.riff(WaveBytes.format(tag: 0x161, bits: 8)), "Windows Media"),
  (WaveBytes.riff(WaveBytes.format(tag: 3, bits: 16)), "16 bits"),
  (WaveBytes.riff(WaveBytes.format(tag: 1, bits: 64)), "64 bits"),
  (WaveBytes.riff(WaveBytes.format(tag: 1, bits: 0, bytes: 2)), "0 bits"),
  (WaveBytes.riff(WaveBytes.format(tag: 0xFFFE, bits: 32)), "not 40"),
]
