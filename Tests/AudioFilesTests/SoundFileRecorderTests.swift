// SPDX-License-Identifier: Apache-2.0
@testable import AudioFiles
import AudioSupport
import Foundation
import Testing

@Suite("Recording to a file")
struct SoundFileRecorderTests {
  private let file = ScratchFile()

  @Test("keeps every bit of every sample", arguments: [1, 2, 3, 8, 64])
  func roundTrip(channelCount: Int) throws {
    let special: [Float] = [0, -0.0, 1, -1, 3.5, .leastNonzeroMagnitude, .infinity, .pi, 1e-30]
    let samples = (0..<channelCount).map { channel in
      (0..<20_000).map { special[($0 + channel) % special.count] + Float(channel) }
    }
    var writer = try SoundFileRecorder(
      path: file.path, sampleRate: 44_100, channelCount: channelCount)
    try writer.write(samples)
    try writer.flush()
    #expect(try file.samples() == samples)
    #expect(try SoundFileReader(path: file.path).format == writer.format)
  }

  @Test("leaves a valid file whose length excludes frames that were not flushed")
  func validWhileGrowing() throws {
    var writer = try SoundFileRecorder(path: file.path, sampleRate: 48_000, channelCount: 2)
    #expect(try file.samples() == [[], []])
    for round in 1...5 {
      try writer.write([[Float(round)], [Float(-round)]])
      // A header that says 0 is that of a file that was not closed.
      #expect(try SoundFileReader(path: file.path).frameCount == max(1, round - 1))
      try writer.flush()
      let rounds = (1...round).map { Float($0) }
      #expect(try file.samples() == [rounds, rounds.map { -$0 }])
      #expect(file.bytes.count == 94 + 8 * round)
    }
  }

  @Test("writes the header that the format requires")
  func header() throws {
    var writer = try SoundFileRecorder(path: file.path, sampleRate: 44_100, channelCount: 2)
    try writer.write([[1, 2, 3], [4, 5, 6]])
    try writer.flush()
    let expected =
      WaveBytes.riff(
        WaveBytes.chunk("JUNK", [UInt8](repeating: 0, count: 28)),
        WaveBytes.chunk(
          "fmt ",
          WaveBytes.number(UInt16(3)) + WaveBytes.number(UInt16(2))
            + WaveBytes.number(UInt32(44_100))
            + WaveBytes.number(UInt32(352_800)) + WaveBytes.number(UInt16(8))
            + WaveBytes.number(UInt16(32)) + WaveBytes.number(UInt16(0))),
        WaveBytes.chunk("fact", WaveBytes.number(UInt32(3))),
        WaveBytes.chunk("data", [UInt8](repeating: 0, count: 24)))
    #expect(Array(file.bytes.dropLast(24)) == Array(expected.dropLast(24)))
  }

  @Test("writes an extensible format for more than two channels")
  func extensible() throws {
    _ = try SoundFileRecorder(path: file.path, sampleRate: 48_000, channelCount: 6)
    #expect(file.bytes.count == 116)
    #expect(Array(file.bytes[56..<58]) == [0xFE, 0xFF])
    #expect(Array(file.bytes[80..<82]) == [3, 0])
  }

  @Test("continues beyond four gigabytes as RF64")
  func large() throws {
    let frameCount = 536_870_890  // a few less than the most for 32-bit sizes
    do {
      var writer = try SoundFileRecorder(path: file.path, sampleRate: 48_000, channelCount: 2)
      try writer.write([[1], [2]])
    }
    // Most of the file is a hole of zeros, which occupies no space on the disk.
    let handle = try #require(FileHandle(forUpdatingAtPath: file.path))
    let dataByteCount = 8 * (frameCount - 15)
    try handle.truncate(atOffset: UInt64(94 + dataByteCount))
    try handle.seek(toOffset: 4)
    try handle.write(contentsOf: WaveBytes.number(UInt32(86 + dataByteCount)))
    try handle.seek(toOffset: 90)
    try handle.write(contentsOf: WaveBytes.number(UInt32(dataByteCount)))

    var writer = try SoundFileRecorder(
      continuing: file.path, sampleRate: 48_000, channelCount: 2, frameCount: frameCount - 15)
    try writer.write([[Float]](repeating: (1...100).map { Float($0) }, count: 2))
    try writer.flush()
    try handle.seek(toOffset: 0)
    #expect(try handle.read(upToCount: 4) == Data("RF64".utf8))
    var reader = try SoundFileReader(path: file.path)
    #expect(reader.frameCount == frameCount + 85)
    reader.seek(to: reader.frameCount - 2)
    #expect(try reader.readTail(2) == [[99, 100], [99, 100]])
  }

  @Test("continues where its own file ended")
  func continuing() throws {
    do {
      var writer = try SoundFileRecorder(path: file.path, sampleRate: 48_000, channelCount: 1)
      try writer.write([[1, 2, 3]])
    }
    do {
      var writer = try SoundFileRecorder(
        continuing: file.path, sampleRate: 48_000, channelCount: 1, frameCount: 3)
      try writer.write([[4]])
    }
    #expect(try file.samples() == [[1, 2, 3, 4]])
    #expect(throws: AudioError.self) {
      _ = try SoundFileRecorder(
        continuing: file.path, sampleRate: 44_100, channelCount: 1, frameCount: 4)
    }
  }

  @Test("replaces an existing recording")
  func replaces() throws {
    for sample in [1, 2] as [Float] {
      var writer = try SoundFileRecorder(path: file.path, sampleRate: 48_000, channelCount: 1)
      try writer.write([[Float]](repeating: [sample], count: 1))
    }
    #expect(try file.samples() == [[2]])
  }

  @Test("does not overwrite a file that is not a sound file")
  func foreign() throws {
    file.replace(with: WaveBytes.text("Dear diary, today I wrote no music at all."))
    let before = file.bytes
    #expect(explanation { try open() }.contains("is not a sound file"))
    #expect(file.bytes == before)
  }

  @Test("reports what is wrong with a path or a format")
  func errors() {
    #expect(explanation { try open("/nowhere/at/all.wav") }.contains("No such file"))
    #expect(explanation { try open("/tmp") }.contains("/tmp"))
    #expect(explanation { try open("/dev/null") }.contains("not a regular file"))
    #expect(explanation { try open(rate: 44_100.5) }.contains("44100.5"))
    #expect(explanation { try open(rate: .nan) }.contains("sample rate"))
    #expect(explanation { try open(channels: 0) }.contains("0 channels"))
    #expect(explanation { try open(channels: 20_000) }.contains("20000 channels"))
  }

  private func open(_ path: String? = nil, rate: Double = 48_000, channels: Int = 1)
    throws(AudioError)
  {
    _ = try SoundFileRecorder(
      path: path ?? file.path, sampleRate: rate, channelCount: channels)
  }
}

/// The explanation of the error that `body` throws; empty when it throws none.
func explanation(_ body: () throws -> Void) -> String {
  do {
    try body()
    return ""
  } catch {
    return (error as? AudioError)?.explanation ?? "\(error)"
  }
}

extension SoundFileReader {
  fileprivate mutating func readTail(_ frameCount: Int) throws -> [[Float]] {
    let planes = Planes(channelCount: format.channelCount, frameCount: frameCount)
    return planes.arrays(try read(into: planes.channels, frameCount: frameCount))
  }
}
