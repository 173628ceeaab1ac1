// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A sound file, as each of the ways into it reads it: as Float32 at its own rate, with its channels
/// interleaved.
struct FileReadings {
  let path: String
  /// The name without its folder.
  var name: String { URL(fileURLWithPath: path).lastPathComponent }

  private struct Failure: Error {
    let status: OSStatus
  }

  private func check(_ status: OSStatus) throws {
    guard status == noErr else { throw Failure(status: status) }
  }

  private func property<Value: BitwiseCopyable>(
    _ file: AudioFileID, _ id: AudioFilePropertyID, _ initial: Value
  ) throws -> Value {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    try check(AudioFileGetProperty(file, id, &size, &value))
    return value
  }

  /// Runs `body` with the open file; nil if it is refused.
  private func withFile<Result>(_ body: (AudioFileID) throws -> Result) rethrows -> Result? {
    var opened: AudioFileID?
    guard
      AudioFileOpenURL(NSURL(fileURLWithPath: path), .readPermission, 0, &opened) == noErr,
      let file = opened
    else { return nil }
    defer { AudioFileClose(file) }
    return try body(file)
  }

  /// As many packets as fit a megabyte, at least one.
  private static func packetsAtOnce(_ largest: UInt32, _ most: UInt32) -> UInt32 {
    max(1, min(most, (1 << 20) / max(1, largest)))
  }

  // MARK: AudioFile

  /// The type of the file; nil if it is refused.
  var type: AudioFileTypeID? {
    withFile { (try? property($0, kAudioFilePropertyFileFormat, AudioFileTypeID(0))) ?? 0 }
  }

  /// The number of its channels; 0 if it is refused.
  var channelCount: Int {
    let format = withFile {
      try? property($0, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    }
    return Int((format ?? nil)?.mChannelsPerFrame ?? 0)
  }

  /// The number of frames of sound, according to AudioFile; nil if the file is refused.
  func frameCount() throws -> Int? {
    try withFile { file in
      if let table = try? property(
        file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo()),
        table.mNumberValidFrames > 0 || table.mPrimingFrames > 0 || table.mRemainderFrames > 0
      {
        return Int(table.mNumberValidFrames)
      }
      let format = try property(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
      let count = try property(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
      return Int(count) * Int(format.mFramesPerPacket)
    }
  }

  /// All packets of AudioFile; nil if the file is refused.
  func packets() throws -> PacketSound? {
    try withFile { file in
      var sound = PacketSound()
      sound.format = try property(
        file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
      sound.cookie = Self.cookie(of: file)
      sound.table = try? property(
        file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo())
      sound.statedPackets = Int(
        try property(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0)))
      let largest = try property(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0))
      let most = Self.packetsAtOnce(largest, 64)
      var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: Int(most))
      var bytes = [UInt8](repeating: 0, count: Int(largest) * Int(most))
      var next = Int64(0)
      while true {
        var (size, count) = (UInt32(bytes.count), most)
        let status = AudioFileReadPacketData(
          file, false, &size, &descriptions, next, &count, &bytes)
        guard status == noErr || status == kAudioFileEndOfFileError else {
          throw Failure(status: status)
        }
        guard count > 0 else { return sound }
        next += Int64(count)
        bytes.withUnsafeBytes { bytes in
          descriptions.withUnsafeBufferPointer {
            sound.add(
              UnsafeRawBufferPointer(rebasing: bytes[..<Int(size)]),
              UnsafeBufferPointer(rebasing: $0[..<Int(count)]))
          }
        }
      }
    }
  }

  /// The magic cookie; empty if there is none.
  private static func cookie(of file: AudioFileID) -> [UInt8] {
    var size = UInt32(0)
    guard
      AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &size, nil) == noErr,
      size > 0
    else { return [] }
    var cookie = [UInt8](repeating: 0, count: Int(size))
    AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &size, &cookie)
    return cookie
  }

  // MARK: ExtAudioFile

  /// What ExtAudioFile states and reads; nil if the file is refused.
  func extended() throws -> (frameCount: Int, samples: [Float])? {
    var opened: ExtAudioFileRef?
    guard ExtAudioFileOpenURL(NSURL(fileURLWithPath: path), &opened) == noErr, let file = opened
    else { return nil }
    defer { ExtAudioFileDispose(file) }
    var (given, size) = (AudioStreamBasicDescription(), UInt32(40))
    try check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileDataFormat, &size, &given))
    var format = floatFormat(like: given)
    let channels = format.mChannelsPerFrame
    try check(
      ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: format)),
        &format))
    var length = Int64(0)
    size = 8
    try check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length))
    var samples: [Float] = []
    var memory = [Float](repeating: 0, count: 1_000 * Int(channels))
    while true {
      var count: UInt32 = 1_000
      let status = memory.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: channels, mDataByteSize: UInt32(bytes.count),
            mData: bytes.baseAddress))
        return ExtAudioFileRead(file, &count, &list)
      }
      try check(status)
      guard count > 0 else { return (Int(length), samples) }
      samples += memory[..<Int(count * channels)]
    }
  }

  // MARK: Queue

  /// The output of a queue for all packets of the file, without the frames that the codec added; nil
  /// if the file is refused.
  func queue() throws -> [Float]? { try withFile { try played($0) } }

  private func played(_ file: AudioFileID) throws -> [Float] {
    let format = try property(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    let player = try TestPlayer(format)
    let cookie = Self.cookie(of: file)
    if !cookie.isEmpty {
      try check(
        AudioQueueSetProperty(
          player.queue, kAudioQueueProperty_MagicCookie, cookie, UInt32(cookie.count)))
    }
    var linear = floatFormat(like: format)
    try check(AudioQueueSetOfflineRenderFormat(player.queue, &linear, nil))
    try check(AudioQueueStart(player.queue, nil))
    let count = try property(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
    let largest = try property(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0))
    let table =
      (try? property(file, kAudioFilePropertyPacketTableInfo, AudioFilePacketTableInfo()))
      ?? .init()
    // Packets of linear PCM are single frames.
    let step = Int64(Self.packetsAtOnce(largest, format.mFramesPerPacket == 1 ? 4_000 : 11))
    var next = Int64(0)
    while next < Int64(count) {
      var packets = UInt32(min(Int64(count) - next, step))
      var size = packets * largest
      var made: AudioQueueBufferRef?
      try check(
        AudioQueueAllocateBufferWithPacketDescriptions(player.queue, size, packets, &made))
      let buffer = try #require(made)
      try check(
        AudioFileReadPacketData(
          file, false, &size, buffer.pointee.mPacketDescriptions, next, &packets,
          buffer.pointee.mAudioData))
      guard packets > 0 else { throw Failure(status: kAudioFileEndOfFileError) }
      buffer.pointee.mAudioDataByteSize = size
      buffer.pointee.mPacketDescriptionCount = format.mBytesPerPacket > 0 ? 0 : packets
      let isFirst = next == 0
      next += Int64(packets)
      try check(
        AudioQueueEnqueueBufferWithParameters(
          player.queue, buffer, 0, nil, isFirst ? UInt32(table.mPrimingFrames) : 0,
          next == Int64(count) ? UInt32(table.mRemainderFrames) : 0, 0, nil, nil, nil))
    }
    try check(AudioQueueStop(player.queue, false))
    return try player.renderAll(channels: Int(format.mChannelsPerFrame))
  }

  // MARK: ffmpeg

  static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  /// The samples that ffmpeg decodes from a file; nil if it refuses the file.
  func ffmpeg() throws -> [Float]? {
    let output = path + ".raw"
    defer { unlink(output) }
    let code = try Self.run(
      ["/usr/bin/ffmpeg", "-v", "quiet", "-nostdin", "-y", "-i", path, "-f", "f32le", output])
    return code == 0 ? try Self.floats(output) : nil
  }

  /// Runs a program without its output; returns its exit code.
  static func run(_ words: [String]) throws -> Int32 {
    let none = open("/dev/null", O_WRONLY)
    defer { close(none) }
    let process = try spawn(
      words, environment: ProcessInfo.processInfo.environment, output: none, errors: none)
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    return end & 0x7F == 0 ? end >> 8 & 0xFF : 128 + end & 0x7F
  }

  /// The numbers in a file of nothing but Float32.
  static func floats(_ path: String) throws -> [Float] {
    try Data(contentsOf: URL(fileURLWithPath: path)).withUnsafeBytes { bytes in
      Array(bytes.bindMemory(to: Float.self))
    }
  }
}

/// A temporary file, which is removed at the end.
final class FilePlace {
  private let path: String

  /// A file with the extension of a kind of the corpus.
  init(_ name: String) {
    path =
      NSTemporaryDirectory() + "place-\(UUID().uuidString)."
      + SoundCorpus.kind(name).pathExtension
  }

  deinit { unlink(path) }

  /// Replaces the file.
  func put(_ bytes: [UInt8]) throws -> FileReadings {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return FileReadings(path: path)
  }
}
