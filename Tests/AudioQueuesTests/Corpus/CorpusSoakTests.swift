// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Sound files of every kind, with every fault of the corpus, read in every way: the packets of AudioFile
/// through AudioConverter, ExtAudioFile, AudioFileStream, a queue, and `au` with files and pipes. Of the
/// faulty files only a few are read, others for each kind, if `AUDIOTOOLBOX_TEST_MINUTES` is not set.
@Suite("Sound files with tags, cuts, wrong sizes and junk")
struct CorpusSoakTests {
  private static let isLong =
    ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil

  /// The files of a kind that are read.
  private static func files(_ kind: String) throws -> [SoundCorpus.File] {
    let first = SoundCorpus.kinds.firstIndex(of: kind) ?? 0
    return try SoundCorpus.files(kind).enumerated().filter { index, file in
      isLong || file.isWhole || (index + first) % 5 == 0
        || kind == "mp3" && file.name.contains("size")
    }.map(\.element)
  }

  /// Whether samples are the same, to the bit, but for the payload of what is not a number.
  private static func areSame(_ some: [Float], _ others: [Float]) -> Bool {
    some.count == others.count
      && zip(some, others).allSatisfy { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  @Test(
    "have the same length and the same samples in every way", arguments: SoundCorpus.kinds)
  func readings(kind: String) throws {
    let folder = try CorpusFolder(kind, Self.files(kind))
    let converted = try CommandReadings(folder: folder.path)
    var whole: [Float]?
    for (file, readings) in folder.readings {
      let name = Comment(rawValue: "\(kind), \(file.name)")
      let command = converted.sounds[readings.name]
      guard let frameCount = try readings.frameCount() else {
        // A file is refused in every way; a stream may end before its first packet.
        let (extended, queue) = (try readings.extended(), try readings.queue())
        #expect(!file.isWhole && extended == nil && queue == nil && command == nil, name)
        let streamed = try readings.stream(0, pieces: 1_000).sound
        #expect(streamed?.packets.isEmpty ?? true, name)
        continue
      }
      let isJunk = file.name.contains("junk")
      guard let extended = isJunk ? try? readings.extended() : try readings.extended() else {
        // ExtAudioFile and `au` refuse packets that cannot be decoded.
        #expect(isJunk && command == nil, name)
        continue
      }
      #expect(extended.frameCount == frameCount, name)
      let channels = readings.channelCount
      #expect(extended.samples.count == channels * frameCount, name)
      let packets = try #require(try readings.packets(), name)
      #expect(packets.statedFrames == frameCount, name)
      let decoded = try packets.samples()
      #expect(Self.areSame(decoded, extended.samples), name)
      if let queue = try readings.queue() {
        #expect(Self.areSame(queue, extended.samples), name)
      }
      let written = try #require(command, name)
      #expect(written.frameCount == frameCount, name)
      #expect(Self.areSame(written.samples, extended.samples), name)
      try check(file, kind, readings, extended.samples)
      guard file.isWhole else { continue }
      #expect(Self.areSame(extended.samples, whole ?? extended.samples), name)
      whole = extended.samples
    }
    try checkWritten(kind, try #require(whole))
  }

  /// Compares a file with what streams deliver: AudioFileStream, and a pipe to `au`.
  private func check(
    _ file: SoundCorpus.File, _ kind: String, _ readings: FileReadings, _ samples: [Float]
  ) throws {
    let name = Comment(rawValue: "\(kind), \(file.name)")
    let streamed = try readings.stream(try #require(readings.type), pieces: 1_000)
    guard let sound = streamed.sound else {
      // `au` reads these as files, when everything has arrived.
      #expect(streamed.refusal == kAudioFileStreamError_NotOptimized, name)
      #expect(SoundCorpus.kind(kind).hasTableBehind, name)
      let piped = try #require(try CommandReadings.piped(readings.path), name)
      #expect(Self.areSame(piped, samples), name)
      return
    }
    #expect(!SoundCorpus.kind(kind).hasTableBehind, name)
    let decoded = try sound.samples()
    switch (kind, file.name) {
    case ("flac", "junk between"), ("flac", "junk instead"):
      // Files have silence for the frames that are lost, which a stream leaves out.
      #expect(decoded.count < samples.count, name)
    default:
      #expect(Self.areSame(decoded, samples), name)
      // Whatever is missing, the header states it.
      if let stated = sound.statedFrames {
        #expect(stated * readings.channelCount >= samples.count, name)
      }
    }
    guard Self.isLong || file.name == "whole" || kind == "mp3" && file.name.contains("size") else {
      return
    }
    let piped = try #require(try CommandReadings.piped(readings.path), name)
    #expect(Self.areSame(piped, decoded), name)
  }

  /// Compares a whole file with what was written.
  private func checkWritten(_ name: String, _ samples: [Float]) throws {
    let kind = SoundCorpus.kind(name)
    #expect(
      kind.isRounded
        ? samples.count >= kind.frameCount : samples.count % kind.frameCount == 0)
    guard kind.isLossless else { return }
    let difference = zip(samples, SoundCorpus.samples).map { abs($0 - $1) }.max() ?? 1
    #expect(difference < 0x1p-14)
  }

  @Test(
    "have the frames and the samples that ffmpeg finds", .enabled(if: FileReadings.hasFFmpeg),
    arguments: SoundCorpus.kinds.filter { SoundCorpus.kind($0).hasPeer })
  func peer(kind: String) throws {
    let isLinear = ["wav", "rf64", "bw64", "w64", "aiff", "aifc", "au"].contains(kind)
    let files = try Self.files(kind).filter { file in
      let isCut = isLinear && (file.name.contains("cut") || file.name == "large size")
      return file.name == "whole" || Self.isLong && (file.isWhole || isCut)
    }
    let folder = try CorpusFolder(kind, files)
    for (file, readings) in folder.readings {
      let name = Comment(rawValue: "\(kind), \(file.name)")
      guard let frameCount = try readings.frameCount(), frameCount > 0,
        let samples = try readings.extended()?.samples
      else { continue }
      guard let theirs = try readings.ffmpeg(), !theirs.isEmpty else {
        // With tags in front, ffmpeg does not know most files; nor Vorbis in CAF.
        #expect(file.name != "whole" || kind == "caf of Vorbis", name)
        continue
      }
      // ffmpeg plays the encoder's frames before the sound of CAF, and takes bytes of tags for sound.
      let priming = try readings.packets()?.table?.mPrimingFrames ?? 0
      let lead = kind.hasPrefix("caf") ? Int(priming) : 0
      let isTagged = file.name != "whole" && file.isWhole
      guard !isTagged || theirs.count == samples.count else { continue }
      let found = Array(theirs.dropFirst(lead).prefix(samples.count))
      #expect(found.count == samples.count, name)
      let difference = zip(found, samples).map { abs($0 - $1) }.max() ?? 1
      #expect(difference < 1e-4, name)
      // And those behind the sound of some.
      let hasPadding =
        ["ogg", "m4a", "mov", "mp4 of MP3", "mp4 of Opus"].contains(kind) || lead > 0
      #expect(theirs.count - lead == samples.count || hasPadding, name)
    }
  }
}

/// The files of a kind, in a temporary folder.
private final class CorpusFolder {
  let path = NSTemporaryDirectory() + "corpus-\(UUID().uuidString)"
  let readings: [(file: SoundCorpus.File, readings: FileReadings)]

  init(_ kind: String, _ files: [SoundCorpus.File]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let ending = SoundCorpus.kind(kind).pathExtension
    let path = path
    readings = try files.enumerated().map { index, file in
      let place = "\(path)/\(index).\(ending)"
      try Data(file.bytes).write(to: URL(fileURLWithPath: place))
      return (file, FileReadings(path: place))
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
