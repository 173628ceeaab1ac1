// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioCodecs
import AudioConversion
import AudioSupport
import CAudioToolbox
import Foundation
import Testing

/// The table in docs/odd-files.md of what a conversion keeps.
@Suite("What a conversion keeps")
struct KeptMetadataTests {
  private let folder: ScratchFolder
  private static let columns = [
    "Texts", "Picture", "Markers", "Loops", "Root key", "Layout", "Broadcast chunks",
  ]

  init() throws { folder = try ScratchFolder() }

  /// The cells of a kind's row, by column.
  private static func row(_ kind: SoundFileKind) throws -> [String: String] {
    let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("docs/odd-files.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("|") }.map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    let head = try #require(rows.firstIndex { $0.first == "To" })
    #expect(Array(rows[head].dropFirst()) == columns)
    let row = try #require(
      rows[(head + 1)...].first {
        $0.first?.components(separatedBy: ", ").contains(kind.rawValue) ?? false
      })
    return Dictionary(uniqueKeysWithValues: zip(columns, row.dropFirst()))
  }

  /// A WAV file that has everything, with four channels in an uncommon layout, or with two.
  private func source(_ channelCount: Int) throws -> Container {
    let sampler =
      [0, 0, 22_675, 62, 0, 0, 0, 1, 0].flatMap { WaveBytes.number(UInt32($0)) }
      + [7, 0, 20, 59, 0, 0].flatMap { WaveBytes.number(UInt32($0)) }
    let cue =
      WaveBytes.number(UInt32(1)) + WaveBytes.number(UInt32(1)) + WaveBytes.number(UInt32(30))
      + WaveBytes.text("data") + [0, 0, 30].flatMap { WaveBytes.number(UInt32($0)) }
    let label =
      WaveBytes.text("adtl")
      + WaveBytes.chunk("labl", WaveBytes.number(UInt32(1)) + WaveBytes.text("here\0"))
    let title = WaveBytes.text("INFOINAM") + WaveBytes.number(UInt32(4)) + WaveBytes.text("abc\0")
    let file = try Containers.open(
      MemoryStore(
        WaveBytes.riff(
          WaveBytes.format(tag: 1, channels: UInt16(channelCount), bits: 16),
          WaveBytes.chunk("data", [UInt8](repeating: 0, count: 200 * channelCount)),
          WaveBytes.chunk("smpl", sampler), WaveBytes.chunk("cue ", cue),
          WaveBytes.chunk("LIST", title), WaveBytes.chunk("LIST", label),
          WaveBytes.chunk("bext", WaveBytes.text("description")))))
    return file
  }

  @Test("is what the table says", arguments: SoundFileKind.allCases)
  func table(kind: SoundFileKind) throws {
    let row = try Self.row(kind)
    let path = folder.path("a.\(kind.rawValue)")
    let encoding = try SoundFileEncoding(path: path)
    let channelCount = kind == .mp3 ? 2 : 4
    var metadata = SoundFileMetadata(of: try source(channelCount))
    metadata.artwork = SoundTagPicture.bytes
    // Left, right, centre, and the centre behind, in an order that WAV does not have.
    let labels = [
      kAudioChannelLabel_Left, kAudioChannelLabel_CenterSurround, kAudioChannelLabel_Right,
      kAudioChannelLabel_Center,
    ]
    if channelCount == 4 { metadata.layout = ChannelLayout(labels: labels).descriptions }
    let writer = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: channelCount, encoding, metadata: metadata)
    let planes = Planes(channelCount: channelCount, frameCount: 5_000)
    try writer.write(planes.channels, frameCount: 5_000)
    try writer.finish()

    let file = try Containers.open(FileStore(path))
    let found = (file.layout.flatMap { $0.withUnsafeBytes { ChannelLayout($0) } })?.labels ?? []
    let kept: [String: Bool] = [
      "Texts": try file.info["title"] == "abc",
      "Picture": try file.artwork == metadata.artwork,
      // Some count milliseconds.
      "Markers": try file.markers.contains { abs($0.frame - 30) <= 24 && $0.name == "here" },
      "Loops": try file.regions.first(where: \.isLoop)?.markers.map(\.frame) == [20, 60],
      "Root key": InstrumentInfo(file)?.key == 62,
      "Layout": channelCount == 4 && Set(found) == Set(labels),
      "Broadcast chunks": file.chunkCount("bext") == 1,
    ]
    for (column, isKept) in kept {
      #expect(row[column]?.hasPrefix("yes") == isKept, "\(column)")
    }
  }

  @Test(
    "brings the channels to their places in a file with another order",
    arguments: [SoundFileKind.wav, .aiff, .caf])
  func order(kind: SoundFileKind) throws {
    let path = folder.path("b.\(kind.rawValue)")
    let encoding = try SoundFileEncoding(path: path)
    let labels = [
      kAudioChannelLabel_Left, kAudioChannelLabel_CenterSurround, kAudioChannelLabel_Right,
      kAudioChannelLabel_Center,
    ]
    var metadata = SoundFileMetadata()
    metadata.layout = ChannelLayout(labels: labels).descriptions
    let writer = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 4, encoding, metadata: metadata)
    let planes = Planes((0..<4).map { [Float](repeating: Float($0 + 1) / 8, count: 100) })
    try writer.write(planes.channels, frameCount: 100)
    try writer.finish()
    let file = try Containers.open(FileStore(path))
    let layout = try #require(file.layout?.withUnsafeBytes { ChannelLayout($0) })
    var reader = try SoundFileReader(path: path)
    let samples = try reader.readAll()
    for (channel, label) in layout.labels.enumerated() {
      let place = try #require(labels.firstIndex(of: label))
      #expect(samples[channel][50] == Float(place + 1) / 8)
    }
  }

  @Test("every codec encodes every rate and number of channels at its own bit rate")
  func bitRates() throws {
    for codec in CompressedFormat.all {
      guard (try? codec.require(encoder: true)) != nil else { continue }
      for rate in codec.sampleRates.isEmpty ? [8_000, 44_100, 192_000] : codec.sampleRates {
        for channels in codec.channelCounts where channels <= 8 {
          var format = AudioStreamBasicDescription()
          format.mFormatID = codec.id
          format.mSampleRate = rate
          format.mChannelsPerFrame = UInt32(channels)
          if codec.isLossless { format.mFormatFlags = 1 }
          let encoder = try codec.encoder(format, EncoderSettings())
          let silence = [UInt8](
            repeating: 0, count: encoder.framesPerPass * encoder.format.bytesPerFrame)
          let queue = PacketQueue()
          try silence.withUnsafeBufferPointer { silence throws(AudioError) in
            guard let start = silence.baseAddress else { return }
            try encoder.encode(start, count: encoder.framesPerPass, into: queue)
          }
          try encoder.finish(into: queue)
          #expect(queue.count > 0, "\(codec.name), \(rate) Hz, \(channels) channels")
        }
      }
    }
  }
}

/// A picture as files have it.
private enum SoundTagPicture {
  static let bytes: [UInt8] =
    [0x89, 0x50, 0x4E, 0x47] + (0..<300).map { UInt8(truncatingIfNeeded: $0) }
}
