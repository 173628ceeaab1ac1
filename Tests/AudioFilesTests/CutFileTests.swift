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
    let whole = try SoundCorpus.whole("mp4 in fragments")
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

  @Test(
    "of packets of one size state the frames of the whole sound",
    arguments: ["wav of IMA", "wav of GSM"])
  func packetsOfOneSize(kind: String) throws {
    let whole = try SoundCorpus.whole(kind)
    let cut = try Containers.open(MemoryStore(Array(whole[..<(whole.count * 2 / 3)])))
    let frames = SoundCorpus.kind(kind).frameCount
    #expect(cut.frameCount < frames)
    #expect(cut.declaredFrameCount == frames)
  }
}
