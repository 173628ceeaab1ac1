// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Testing

@Suite("Files that are cut")
struct CutFileTests {
  @Test("say so, whatever their kind, and whole ones do not", arguments: SoundCorpus.kinds)
  func told(kind: String) throws {
    for made in try SoundCorpus.files(kind) where made.isWhole || made.name.contains("cut") {
      guard let file = try? Containers.open(MemoryStore(made.bytes)) else {
        #expect(!made.isWhole)
        continue
      }
      let warning = SoundFileCondition(of: file).warning
      #expect(made.isWhole == (warning == nil), "\(kind), \(made.name): \(warning ?? "")")
    }
  }

  @Test("of fragments say so, within a fragment and within its sound")
  func cutFragments() throws {
    let whole = try fragmented()
    let complete = try Containers.open(MemoryStore(whole))
    #expect(SoundFileCondition(of: complete).warning == nil)
    for end in [whole.count - 1, whole.count - 50, whole.count / 2] {
      let file = try Containers.open(MemoryStore(Array(whole[..<end])))
      #expect(file.frameCount < complete.frameCount)
      #expect(SoundFileCondition(of: file).warning?.contains("is cut short") ?? false, "\(end)")
    }
  }

  @Test("of MPEG-4 state the frames and bytes that the whole file has")
  func movie() throws {
    let whole = try SoundCorpus.whole("mov")
    let complete = try Containers.open(MemoryStore(whole))
    #expect(complete.frameCount == SoundCorpus.frameCount)
    let cut = try Containers.open(MemoryStore(Array(whole[..<(whole.count * 3 / 4)])))
    #expect(cut.declaredFrameCount == SoundCorpus.frameCount)
    #expect(cut.declaredDataByteCount == complete.dataByteCount)
    #expect(cut.frameCount < SoundCorpus.frameCount && cut.dataByteCount < complete.dataByteCount)
  }

  /// A file of two fragments, from the packets of another.
  private func fragmented() throws -> [UInt8] {
    let source = try SoundCorpus.whole("mov")
    let file = try Containers.open(MemoryStore(source))
    let table = try #require(file.packets)
    let movie = ByteFields(source, isBigEndian: true)
    let path = try #require(
      movie.box(0..<source.count, "moov", "trak", "mdia", "minf", "stbl", "stsd"))
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
      try #require(fragment.bytes.count == size)
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
