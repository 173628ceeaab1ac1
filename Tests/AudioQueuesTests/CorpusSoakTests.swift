// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Sound files of every kind, with every fault of the corpus, read in every way. Only some of the
/// faulty files are read if `AUDIOTOOLBOX_TEST_MINUTES` is not set.
@Suite("Sound files with tags, cuts, wrong sizes and junk")
struct CorpusSoakTests {
  private static let isLong =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil

  /// The kinds in which ffmpeg finds exactly the frames that a cut file has.
  private static let exactEndings = ["wav", "rf64", "w64", "aiff", "aifc", "au"]

  /// The files of a kind that are read.
  private func files(_ ending: String) throws -> [SoundCorpus.File] {
    let first = SoundCorpus.endings.firstIndex(of: ending) ?? 0
    return try SoundCorpus.files(ending).enumerated().filter { index, file in
      Self.isLong || file.isWhole || (index + first) % 3 == 0
    }.map(\.element)
  }

  @Test(
    "have the same frames for AudioFile, ExtAudioFile and a queue",
    arguments: SoundCorpus.endings)
  func frames(ending: String) throws {
    var whole: [Float]?
    let place = FilePlace(ending)
    for file in try files(ending) {
      let readings = try place.put(file.bytes)
      let name = Comment(rawValue: "\(ending), \(file.name)")
      guard let frameCount = try readings.frameCount() else {
        let extended = try readings.extended()
        #expect(extended == nil, name)
        #expect(!file.isWhole, name)
        continue
      }
      // A decoder may refuse junk.
      let isDamaged = file.name.contains("junk")
      guard let extended = isDamaged ? try? readings.extended() : try readings.extended() else {
        #expect(isDamaged, name)
        continue
      }
      #expect(extended.frameCount == frameCount, name)
      let count = extended.samples.count
      #expect(isDamaged ? count <= frameCount : count == frameCount, name)
      if file.isWhole {
        // ADTS does not say how many frames of the last packet are sound.
        let isRounded = ending == "aac"
        #expect(
          isRounded ? frameCount >= SoundCorpus.frameCount : frameCount == SoundCorpus.frameCount,
          name)
        let isSame = extended.samples == whole ?? extended.samples
        #expect(isSame, name)
        whole = extended.samples
      }
      guard !isDamaged, frameCount > 0, let queue = try readings.queue() else { continue }
      let isSame = Array(queue.prefix(frameCount)) == extended.samples
      #expect(isSame, name)
    }
  }

  @Test("have the same packets for AudioFile and a stream", arguments: SoundCorpus.endings)
  func packets(ending: String) throws {
    let place = FilePlace(ending)
    for file in try files(ending) {
      let readings = try place.put(file.bytes)
      let name = Comment(rawValue: "\(ending), \(file.name)")
      guard let type = readings.type, let packets = try readings.packets() else { continue }
      guard let stream = try readings.stream(type, pieces: 1_000) else {
        // A stream cannot look ahead, where a table of packets or a tag is.
        let isFrames = ["flac", "mp3", "aac"].contains(ending)
        let isReadable = file.name == "whole" || file.name == "tags behind" || isFrames
        #expect(!isReadable || !file.isWhole || ending == "m4a", name)
        continue
      }
      #expect(stream.count == packets.count, name)
      let isSame = stream.bytes == packets.bytes
      #expect(isSame, name)
    }
  }

  @Test(
    "have the frames that ffmpeg finds",
    .enabled(if: CorpusSoakTests.isLong && FileReadings.hasFFmpeg),
    arguments: exactEndings)
  func peer(ending: String) throws {
    let place = FilePlace(ending)
    for file in try files(ending) {
      let readings = try place.put(file.bytes)
      // With tags in front, ffmpeg does not know the file.
      guard file.name == "whole" || file.name.contains("cut") || file.name == "large size",
        let frameCount = try readings.frameCount(), frameCount > 0
      else { continue }
      let found = try readings.ffmpegFrameCount()
      #expect(found == frameCount, "\(ending), \(file.name)")
    }
  }
}
