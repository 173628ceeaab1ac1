// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
@testable import AudioFiles
import AudioSupport
import AudioTestSupport
import CAudioToolbox
import Foundation
import Testing

@Suite("Seeks")
struct SeekTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Frames of a file by one reader, one after the other: some, a seek, some more.
  private func compare(_ path: String, _ positions: [Int], _ count: Int = 3_000) throws {
    var reader = try SoundFileReader(path: path)
    let whole = try reader.readAll()
    let all = try #require(whole.first).count
    #expect(all == reader.frameCount)
    let planes = Planes(channelCount: whole.count, frameCount: count)
    for position in positions where position < all {
      reader.seek(to: position)
      let found = try reader.read(into: planes.channels, frameCount: min(count, all - position))
      #expect(found == min(count, all - position))
      for (channel, samples) in planes.arrays(found).enumerated() {
        #expect(
          samples == Array(whole[channel][position..<position + found]),
          "channel \(channel) from \(position)")
      }
    }
  }

  /// Noise of a changing level.
  private func noise(_ count: Int) -> [Float] {
    var random = Seeded(number: UInt64(count))
    return (0..<count).map { frame in
      Float.random(in: -0.5...0.5, using: &random) * (frame / 5_000 % 3 == 0 ? 0.05 : 1)
    }
  }

  @Test(
    "give the samples of continuous reading, also where a decoder makes noise",
    arguments: [
      ("m4a", kAudioFormatMPEG4AAC), ("aac", kAudioFormatMPEG4AAC), ("mp3", kAudioFormatMPEGLayer3),
      ("opus", kAudioFormatOpus), ("ogg", CompressedFormat.vorbis), ("flac", kAudioFormatFLAC),
    ] as [(String, AudioFormatID)])
  func noisy(ending: String, codec: AudioFormatID) throws {
    let path = folder.path("a.\(ending)")
    let encoding = try SoundFileEncoding(path: path, codec: codec)
    let file = try SoundFileWriter(path, sampleRate: 48_000, channelCount: 1, encoding)
    let planes = Planes([noise(600_000)])
    try file.write(planes.channels, frameCount: 600_000)
    try file.finish()
    // Around the places where the decoder of AAC starts again, too.
    try compare(
      path,
      [
        0, 1, 500, 100_000, 260_000, 261_119, 261_120, 262_143, 262_144, 300_000, 524_000,
        599_990, 0,
      ])
  }

  @Test("give the samples of continuous reading in ADPCM, whose packets state rounded ones")
  func adaptive() throws {
    let path = folder.path("a.caf")
    let recording = Recording(kAudioFileCAFType, kAudioFormatAppleIMA4)
    try recording.write(path, 60_000)
    try compare(path, [0, 63, 64, 10_000, 59_000, 5])
  }

  @Test("give the samples of continuous reading in GSM, whose prediction goes far back")
  func prediction() throws {
    var random = Seeded(number: 3)
    let blocks = (0..<600).flatMap { _ -> [UInt8] in
      [0xD0] + (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
    var movie = TestMovie(type: "agsm", version: 1, rate: 8_000)
    movie.timescale = 8_000
    (movie.sizeOfAll, movie.sampleCount, movie.duration) = (33, 600, 160)
    movie.extras = TestMovie.packet(frames: 160, bytes: 0)
    movie.sound = blocks
    let path = folder.path("a.mov")
    try Data(movie.bytes).write(to: URL(fileURLWithPath: path))
    try compare(path, [0, 1, 20_000, 60_000, 95_000])
  }

  @Test(
    "go back far enough in Opus, whatever the length of its packets", arguments: [120, 240, 960])
  func opusHistory(frames: UInt32) throws {
    let file = try Containers.create(
      MemoryStore(), kAudioFileCAFType,
      AudioStreamBasicDescription(
        mSampleRate: 48_000, mFormatID: kAudioFormatOpus, mFormatFlags: 0, mBytesPerPacket: 0,
        mFramesPerPacket: frames, mBytesPerFrame: 0, mChannelsPerFrame: 1, mBitsPerChannel: 0,
        mReserved: 0))
    let history = DecoderHistory(file)
    #expect((1_000 - history.start(for: 1_000)) * Int(frames) >= 30_000)
    #expect(history.start(for: 3) == 0)
    #expect(history.restart(after: 3) == nil)
  }
}
