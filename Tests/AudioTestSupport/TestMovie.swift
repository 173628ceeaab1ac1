// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioCodecs
import CAudioToolbox

/// A QuickTime or MPEG-4 file with one audio track, made box by box.
package struct TestMovie {
  /// The type of the sample description, and what follows its common fields.
  package var type: ChunkCode
  package var version: UInt16
  package var channels: UInt16
  package var rate: UInt32
  package var extras: [UInt8] = []
  /// One size for all samples, or one for each.
  package var sizeOfAll = 0
  package var sizes: [Int] = []
  package var sampleCount = 0
  /// Time units of a sample.
  package var duration: UInt32 = 1
  package var timescale: UInt32 = 44_100
  /// An item of the list of texts.
  package var item: [UInt8] = []
  package var sound: [UInt8] = []
  /// Where the sound is, if it follows the movie box.
  package var soundStart: Int?
  /// Whether fragments follow.
  package var hasFragments = false

  package init(type: ChunkCode, version: UInt16 = 0, channels: UInt16 = 1, rate: UInt32 = 44_100) {
    self.type = type
    self.version = version
    self.channels = channels
    self.rate = rate
  }

  /// The fields of version 1: frames, and bytes for all channels, of a packet.
  package static func packet(frames: UInt32, bytes: UInt32) -> [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    for value in [frames, bytes, bytes, 2] as [UInt32] { builder.number(value) }
    return builder.bytes
  }

  /// The descriptor of MPEG-4 audio with an object type.
  package static func descriptor(_ object: UInt8, _ config: [UInt8]) -> [UInt8] {
    var stream = MagicCookies.elementaryStream(config, bitRate: 64_000)
    if let position = stream.firstIndex(of: 0x40) { stream[position] = object }
    var builder = ByteBuilder(isBigEndian: true)
    builder.fullBox("esds") { $0.append(stream) }
    return builder.bytes
  }

  /// The text in which encoders of AAC state priming, remaining and valid frames.
  package static func gapless(_ priming: Int, _ remainder: Int, _ valid: Int) -> [UInt8] {
    let words = [0, priming, remainder, valid].map { " " + String($0, radix: 16) }
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("----") { item in
      item.fullBox("mean") { $0.append("com.apple.iTunes".utf8) }
      item.fullBox("name") { $0.append("iTunSMPB".utf8) }
      item.box("data") { data in
        data.number(UInt32(1))
        data.zeros(4)
        data.append(words.joined().utf8)
      }
    }
    return builder.bytes
  }

  package var bytes: [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("ftyp") { brands in
      brands.code("qt  ")
      brands.zeros(4)
      brands.code("qt  ")
    }
    let start = soundStart ?? builder.bytes.count + 8
    if soundStart == nil { builder.box("mdat") { $0.append(sound) } }
    builder.box("moov") { movie in
      movie.fullBox("mvhd") { head in
        head.zeros(8)
        head.number(timescale)
        head.zeros(84)
      }
      movie.box("trak") { track in
        track.fullBox("tkhd") { head in
          head.zeros(8)
          head.number(UInt32(1))
          head.zeros(68)
        }
        track.box("mdia") { media in
          media.fullBox("mdhd") { head in
            head.zeros(8)
            head.number(timescale)
            head.zeros(8)
          }
          media.fullBox("hdlr") { handler in
            handler.zeros(4)
            handler.code("soun")
            handler.zeros(13)
          }
          media.box("minf") { $0.box("stbl") { table(&$0, start) } }
        }
      }
      if hasFragments {
        movie.box("mvex") { extends in
          extends.fullBox("trex") { values in
            values.number(UInt32(1))
            values.zeros(16)
          }
        }
      }
      if !item.isEmpty { movie.append(MP4Metadata.box(.init(), others: [item])) }
    }
    return builder.bytes
  }

  private func table(_ table: inout ByteBuilder, _ start: Int) {
    let count = sizes.isEmpty ? sampleCount : sizes.count
    table.fullBox("stsd") { list in
      list.number(UInt32(1))
      list.box(type) { entry in
        entry.zeros(6)
        entry.number(UInt16(1))
        entry.number(version)
        entry.zeros(6)
        entry.number(channels)
        entry.number(UInt16(16))
        entry.zeros(4)
        entry.number(rate << 16)
        entry.append(extras)
      }
    }
    func numbers(_ type: ChunkCode, _ values: [Int]) {
      table.fullBox(type) { box in for value in values { box.number(UInt32(value)) } }
    }
    numbers("stts", [1, count, Int(duration)])
    numbers("stsc", [1, 1, count, 1])
    numbers("stsz", [sizes.isEmpty ? sizeOfAll : 0, count] + sizes)
    numbers("stco", [1, start])
  }
}
