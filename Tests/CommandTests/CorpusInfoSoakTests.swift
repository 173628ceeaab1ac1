// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import Foundation
import Testing

/// `au info` over the corpus of sound files. Only a few of each kind are read if
/// `AUDIOTOOLBOX_TEST_MINUTES` is not set.
@Suite("au info and sound files with tags, cuts, wrong sizes and junk")
struct CorpusInfoSoakTests {
  private static let isLong =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil

  private struct Report: Decodable {
    let frames: Int
    let channels: Int
    let sampleRate: Double
    let missingFrames: Int
  }

  @Test("tells the frames that the library reads", arguments: SoundCorpus.kinds)
  func frames(kind: String) throws {
    let first = SoundCorpus.kinds.firstIndex(of: kind) ?? 0
    try withFolder { folder in
      for (index, file) in try SoundCorpus.files(kind).enumerated() {
        guard Self.isLong || (index + first) % 21 == 3 else { continue }
        let path = "\(folder)/\(index).\(SoundCorpus.kind(kind).pathExtension)"
        try Data(file.bytes).write(to: URL(fileURLWithPath: path))
        let run = try Run("au", ["info", "--json", "--measure", path])
        guard let reader = try? SoundFileReader(path: path) else {
          #expect(run.code == 1 && run.errors.contains(path), "\(file.name): \(run.errors)")
          continue
        }
        // Junk may be more than a decoder accepts.
        if file.name.contains("junk"), run.code == 1 { continue }
        #expect(run.code == 0, "\(file.name): \(run.errors)")
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(report.frames == reader.frameCount, "\(file.name)")
        #expect(report.channels == reader.format.channelCount, "\(file.name)")
        #expect(report.sampleRate == reader.format.sampleRate, "\(file.name)")
        #expect(
          report.missingFrames == max(0, reader.declaredFrameCount - reader.frameCount),
          "\(file.name)")
      }
    }
  }
}
