// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
@testable import AudioFiles
import AudioToolbox
import Foundation

/// Sound files of kinds that the library does not write, made byte by byte.
enum MadeFiles {
  /// Numbers that are the same each time.
  private struct Numbers {
    private var seed: UInt32

    init(_ seed: UInt32) { self.seed = seed }

    mutating func next(below limit: UInt32) -> UInt8 {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: (seed >> 16) % limit)
    }
  }

  // MARK: MPEG audio

  /// Frames of Layer I or II, 48 kHz, one channel, with noise in the lowest band.
  static func frames(layer: Int) -> [UInt8] {
    var numbers = Numbers(UInt32(layer))
    let (header, size): ([UInt8], Int) =
      layer == 1 ? ([0xFF, 0xFF, 0x34, 0xC0], 96) : ([0xFF, 0xFD, 0x44, 0xC0], 192)
    return (0..<60).flatMap { _ -> [UInt8] in
      var bits: [UInt8] = []
      func put(_ value: UInt8, _ count: Int) {
        for bit in (0..<count).reversed() { bits.append(value >> bit & 1) }
      }
      // Four bits for a sample of Layer I, three for one of Layer II.
      put(layer == 1 ? 3 : 2, 4)
      if layer == 1 {
        for _ in 1..<32 { put(0, 4) }
      } else {
        for band in 1..<27 { put(0, band < 11 ? 4 : band < 23 ? 3 : 2) }
        // One scale factor for all parts of the frame.
        put(2, 2)
      }
      put(5, 6)
      for _ in 0..<(layer == 1 ? 12 : 36) {
        put(numbers.next(below: layer == 1 ? 15 : 7), layer == 1 ? 4 : 3)
      }
      bits += [UInt8](repeating: 0, count: 8 * (size - header.count) - bits.count)
      return header
        + stride(from: 0, to: bits.count, by: 8).map { start in
          bits[start..<start + 8].reduce(0) { $0 << 1 | $1 }
        }
    }
  }

  // MARK: WAV

  private static func wave(
    _ form: String = "RIFF", tag: UInt16, channels: UInt16, rate: UInt32, block: UInt16,
    bits: UInt16, extra: [UInt16]? = nil, frames: UInt32, _ sound: [UInt8]
  ) -> [UInt8] {
    let isBigEndian = form == "RIFX"
    var chunks = ByteBuilder(isBigEndian: isBigEndian)
    chunks.code("WAVE")
    func chunk(_ code: ChunkCode, _ body: [UInt8]) {
      chunks.code(code)
      chunks.number(UInt32(body.count))
      chunks.append(body)
      if body.count % 2 == 1 { chunks.zeros(1) }
    }
    var format = ByteBuilder(isBigEndian: isBigEndian)
    format.number(tag)
    format.number(channels)
    format.number(rate)
    format.number(UInt32(block) * rate / 500)
    format.number(block)
    format.number(bits)
    if let extra {
      format.number(UInt16(2 * extra.count))
      for number in extra { format.number(number) }
    }
    chunk("fmt ", format.bytes)
    var fact = ByteBuilder(isBigEndian: isBigEndian)
    fact.number(frames)
    if tag != 1 { chunk("fact", fact.bytes) }
    chunk("data", sound)
    var all = ByteBuilder(isBigEndian: isBigEndian)
    all.append(form.utf8)
    all.number(UInt32(chunks.bytes.count))
    all.append(chunks.bytes)
    return all.bytes
  }

  /// MP3 without a table of frames, whose length only `fact` has.
  static func mp3InWave() throws -> [UInt8] {
    let whole = try SoundCorpus.whole("mp3")
    let start = try Containers.open(MemoryStore(whole)).dataOffset
    return wave(
      tag: 0x55, channels: 1, rate: 48_000, block: 1, bits: 0,
      extra: [1, 2, 0, 0, 1, 0].map { UInt16($0) }, frames: UInt32(SoundCorpus.frameCount),
      Array(whole[start...]))
  }

  /// Blocks of IMA ADPCM, two channels at 44.1 kHz, with fewer frames than they have room for.
  static func imaInWave() -> [UInt8] {
    var numbers = Numbers(11)
    let sound = (0..<10).flatMap { _ -> [UInt8] in
      [100, 0, 20, 0, 50, 0, 10, 0] + (0..<504).map { _ in numbers.next(below: 256) }
    }
    return wave(
      tag: 0x11, channels: 2, rate: 44_100, block: 512, bits: 4, extra: [505], frames: 5_000, sound)
  }

  /// The same of Microsoft ADPCM.
  static func microsoftInWave() -> [UInt8] {
    var numbers = Numbers(2)
    let sound = (0..<10).flatMap { _ -> [UInt8] in
      [0, 1, 16, 0, 16, 0, 200, 0, 100, 0, 50, 0, 20, 0]
        + (0..<498).map { _ in numbers.next(below: 256) & 0x33 }
    }
    let table: [UInt16] = [
      500, 7, 256, 0, 512, 0xFF00, 0, 0, 192, 64, 240, 0, 460, 0xFF30, 392, 0xFF18,
    ]
    return wave(
      tag: 2, channels: 2, rate: 44_100, block: 512, bits: 4, extra: table, frames: 4_950, sound)
  }

  /// Pairs of frames of GSM 6.10.
  static func gsmInWave() -> [UInt8] {
    var numbers = Numbers(6)
    let sound = (0..<80 * 65).map { _ in numbers.next(below: 256) }
    return wave(
      tag: 0x31, channels: 1, rate: 8_000, block: 65, bits: 0, extra: [320], frames: 25_500, sound)
  }

  /// Samples of 16 bits, most significant byte first: those of the corpus on the left, and their
  /// inverse on the right.
  static func rifx() -> [UInt8] {
    let sound = SoundCorpus.samples.flatMap { sample -> [UInt8] in
      let left = Int16((sample * 32_767).rounded())
      return [left, -left].flatMap { sample in
        [UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample)]
      }
    }
    return wave(
      "RIFX", tag: 1, channels: 2, rate: 44_100, block: 4, bits: 16, frames: 0, sound)
  }

  // MARK: CAF

  /// Frames of priming and those behind the sound, in a packet table of linear PCM.
  static let (priming, remainder) = (60, 40)

  static func cafWithTable() throws -> [UInt8] {
    let whole = try SoundCorpus.whole("caf")
    var table = ByteBuilder(isBigEndian: true)
    table.code("pakt")
    table.number(Int64(24))
    table.number(Int64(0))
    table.number(Int64(SoundCorpus.frameCount - priming - remainder))
    table.number(Int32(priming))
    table.number(Int32(remainder))
    // Behind the description, which is the first chunk.
    let position = 8 + 12 + 32
    return whole[..<position] + table.bytes + whole[position...]
  }

  // MARK: QuickTime and MPEG-4

  /// QuickTime with blocks of IMA ADPCM, whose description counts packets.
  static func quickTime() -> [UInt8] {
    var movie = TestMovie(type: "ima4", version: 1)
    var numbers = Numbers(4)
    movie.extras = TestMovie.packet(frames: 64, bytes: 34)
    movie.sampleCount = 100 * 64
    movie.sizeOfAll = 1
    movie.sound = (0..<100).flatMap { _ -> [UInt8] in
      [1, 20] + (0..<32).map { _ in numbers.next(below: 256) }
    }
    return movie.bytes
  }

  /// The packets of an M4A file in two fragments.
  static func fragments() throws -> [UInt8] {
    let source = try SoundCorpus.whole("mov")
    let file = try Containers.open(MemoryStore(source))
    let movie = ByteFields(source, isBigEndian: true)
    guard let table = file.packets,
      let path = movie.box(0..<source.count, "moov", "trak", "mdia", "minf", "stbl", "stsd")
    else { throw CocoaError(.fileReadUnknown) }
    let description = Array(source[path.start..<path.body.upperBound])
    var bytes = ByteBuilder(isBigEndian: true)
    bytes.box("ftyp") { $0.append(Array("M4A \0\0\0\0".utf8)) }
    bytes.box("moov") { movie in
      movie.fullBox("mvhd") { $0.numbers([0, 0, 48_000, 0]) }
      movie.box("trak") { track in
        track.fullBox("tkhd") { $0.numbers([0, 0, 1, 0, 0]) }
        track.box("mdia") { media in
          media.fullBox("mdhd") { $0.numbers([0, 0, 48_000, 0, 0]) }
          media.fullBox("hdlr") { $0.append([0, 0, 0, 0] + Array("soun".utf8)) }
          media.box("minf") { information in
            information.box("stbl") { tables in
              tables.append(description)
              for name in ["stts", "stsc", "stco"] as [ChunkCode] {
                tables.fullBox(name) { $0.numbers([0]) }
              }
              tables.fullBox("stsz") { $0.numbers([0, 0]) }
            }
          }
        }
      }
      movie.box("mvex") { extends in
        extends.fullBox("trex") { $0.numbers([1, 1, 1_024, 0, 0]) }
      }
    }
    let half = table.count / 2
    for packets in [0..<half, half..<table.count] {
      var fragment = ByteBuilder(isBigEndian: true)
      let size = 8 + 8 + 16 + 20 + 4 * packets.count
      fragment.box("moof") { moof in
        moof.box("traf") { traf in
          traf.fullBox("tfhd") { $0.numbers([1]) }
          traf.box("trun") { run in
            // The offset of the sound, and a size for each packet.
            run.numbers([0x201, UInt32(packets.count), UInt32(size + 8)])
            run.numbers(packets.map { UInt32(table.size($0)) })
          }
        }
      }
      bytes.append(fragment.bytes)
      bytes.box("mdat") { sound in
        for index in packets {
          let start = table.offset(index)
          sound.append(source[start..<start + table.size(index)])
        }
      }
    }
    return bytes.bytes
  }
}

extension ByteBuilder {
  fileprivate mutating func numbers(_ numbers: [UInt32]) {
    for number in numbers { self.number(number) }
  }
}
