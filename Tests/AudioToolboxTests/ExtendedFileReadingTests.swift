// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import Testing

/// Read-ahead must not be visible to the program.
@Suite("Extended audio files read in pieces")
struct ExtendedFileReadingTests {
  private static let frameCount = 50_000

  /// The left and right samples of a frame.
  private static func frame(_ index: Int) -> [Float] {
    [Float(index) / 65_536, -Float(index) / 131_072]
  }

  private static let format = AudioStreamBasicDescription(
    mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: 8, mFramesPerPacket: 1,
    mBytesPerFrame: 8, mChannelsPerFrame: 2, mBitsPerChannel: 32, mReserved: 0)

  /// Creates a Float32 WAV file, wraps it for reading, and calls `body` with both and the path.
  private func withFile(
    _ body: (_ file: ExtAudioFileRef, _ bytes: AudioFileID, _ path: String) throws -> Void
  ) throws {
    let path = NSTemporaryDirectory() + "pieces-\(UUID().uuidString).wav"
    defer { unlink(path) }
    var format = Self.format
    var made: AudioFileID?
    let url = URL(fileURLWithPath: path) as CFURL
    try #require(
      AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, .eraseFile, &made) == noErr)
    let bytes = try #require(made)
    defer { AudioFileClose(bytes) }
    let samples = (0..<Self.frameCount).flatMap(Self.frame)
    try write(samples, at: 0, bytes)
    var wrapped: ExtAudioFileRef?
    try #require(ExtAudioFileWrapAudioFileID(bytes, false, &wrapped) == noErr)
    let file = try #require(wrapped)
    defer { ExtAudioFileDispose(file) }
    try body(file, bytes, path)
  }

  private func write(_ samples: [Float], at frame: Int, _ file: AudioFileID) throws {
    var size = UInt32(samples.count * 4)
    try #require(AudioFileWriteBytes(file, false, Int64(frame * 8), &size, samples) == noErr)
  }

  /// Reads frames of four bytes per sample; nil if that fails.
  private func read(_ file: ExtAudioFileRef, _ frames: Int) -> [Float]? {
    var samples = [Float](repeating: 0, count: frames * 2)
    var count = UInt32(frames)
    let status = samples.withUnsafeMutableBytes { bytes in
      var list = AudioBufferList(
        mNumberBuffers: 1,
        mBuffers: AudioBuffer(
          mNumberChannels: 2, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
      let status = ExtAudioFileRead(file, &count, &list)
      #expect(status != noErr || list.mBuffers.mDataByteSize == count * 8)
      return status
    }
    return status == noErr ? Array(samples.prefix(Int(count) * 2)) : nil
  }

  @Test(
    "read the same frames in any pieces, from any position, with any buffer size",
    arguments: [1, 1_000, 65_536] as [UInt32], [false, true])
  func pieces(memory: UInt32, converts: Bool) throws {
    try withFile { file, _, _ in
      var memory = memory
      try #require(
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_IOBufferSizeBytes, 4, &memory) == noErr)
      var client = Self.format
      if converts {
        client.mFormatFlags = kAudioFormatFlagIsPacked | kAudioFormatFlagIsSignedInteger
      }
      try #require(
        ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &client) == noErr)
      var random = UInt32(memory)
      func next(_ most: Int) -> Int {
        random = random &* 1_664_525 &+ 1_013_904_223
        return Int(random >> 8) % most
      }
      var position = 0
      for _ in 0..<200 {
        if next(8) == 0 {
          position = next(Self.frameCount + 1)
          try #require(ExtAudioFileSeek(file, Int64(position)) == noErr)
        }
        let requested = 1 + next(next(4) == 0 ? 10_000 : 300)
        let end = min(position + requested, Self.frameCount)
        let found = try #require(read(file, requested))
        let samples =
          converts ? found.map { Float(Int32(bitPattern: $0.bitPattern)) / 0x1p31 } : found
        try #require(samples == (position..<end).flatMap(Self.frame))
        position = end
        var reported: Int64 = 0
        #expect(ExtAudioFileTell(file, &reported) == noErr && reported == position)
      }
    }
  }

  @Test("read what the program wrote to the same file in between", arguments: [100, 40_000])
  func changes(frames: Int) throws {
    try withFile { file, bytes, _ in
      #expect(read(file, 100) == (0..<100).flatMap(Self.frame))
      let newSamples = (0..<200).map { Float($0) }
      try write(newSamples, at: 100, bytes)
      let found = try #require(read(file, frames))
      #expect(Array(found.prefix(200)) == newSamples)
      #expect(
        found.dropFirst(200).elementsEqual((200..<max(200, frames + 100)).flatMap(Self.frame)))
    }
  }

  @Test("read all remaining frames of a truncated file, and then fail")
  func shrinking() throws {
    try withFile { file, _, path in
      #expect(read(file, 1_000) == (0..<1_000).flatMap(Self.frame))
      let size = try #require(
        FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
      // The new length is not a multiple of any buffer size.
      #expect(truncate(path, off_t(size - 20_000 * 8)) == 0)
      for start in stride(from: 1_000, to: 30_000, by: 1_000) {
        #expect(read(file, 1_000) == (start..<start + 1_000).flatMap(Self.frame))
      }
      #expect(read(file, 1_000) == nil)
    }
  }
}
