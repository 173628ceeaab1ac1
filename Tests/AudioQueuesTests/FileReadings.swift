// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// A sound file with one channel, as each of the ways into it reads it.
struct FileReadings {
  let path: String

  /// The packets of a file, one behind the other.
  struct Packets: Equatable {
    var bytes: [UInt8] = []
    var count = 0
  }

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
  func packets() throws -> Packets? {
    try withFile { file in
      var all = Packets()
      let format = try property(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
      let largest = try property(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0))
      let most = Self.packetsAtOnce(largest, 64)
      var descriptions = [AudioStreamPacketDescription](repeating: .init(), count: Int(most))
      var bytes = [UInt8](repeating: 0, count: Int(largest) * Int(most))
      while true {
        var (size, count) = (UInt32(bytes.count), most)
        let status = AudioFileReadPacketData(
          file, false, &size, &descriptions, Int64(all.count), &count, &bytes)
        guard status == noErr || status == kAudioFileEndOfFileError else {
          throw Failure(status: status)
        }
        guard count > 0 else { return all }
        all.count += Int(count)
        if format.mBytesPerPacket > 0 {
          all.bytes += bytes[..<Int(size)]
        } else {
          for packet in descriptions[..<Int(count)] {
            let start = Int(packet.mStartOffset)
            all.bytes += bytes[start..<start + Int(packet.mDataByteSize)]
          }
        }
      }
    }
  }

  // MARK: ExtAudioFile

  /// What ExtAudioFile states and reads; nil if the file is refused.
  func extended() throws -> (frameCount: Int, samples: [Float])? {
    var opened: ExtAudioFileRef?
    guard ExtAudioFileOpenURL(NSURL(fileURLWithPath: path), &opened) == noErr, let file = opened
    else { return nil }
    defer { ExtAudioFileDispose(file) }
    var format = floatFormat()
    try check(
      ExtAudioFileSetProperty(
        file, kExtAudioFileProperty_ClientDataFormat, UInt32(MemoryLayout.size(ofValue: format)),
        &format))
    var (length, size) = (Int64(0), UInt32(8))
    try check(ExtAudioFileGetProperty(file, kExtAudioFileProperty_FileLengthFrames, &size, &length))
    var samples: [Float] = []
    var memory = [Float](repeating: 0, count: 1_000)
    while true {
      var count = UInt32(memory.count)
      let status = memory.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: 1, mDataByteSize: UInt32(bytes.count), mData: bytes.baseAddress))
        return ExtAudioFileRead(file, &count, &list)
      }
      try check(status)
      guard count > 0 else { return (Int(length), samples) }
      samples += memory[..<Int(count)]
    }
  }

  // MARK: Queue

  /// The output of a queue for all packets of the file, without the frames that the codec added; nil
  /// if the file is refused.
  func queue() throws -> [Float]? { try withFile { try played($0) } }

  private func played(_ file: AudioFileID) throws -> [Float] {
    let format = try property(file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    let player = try TestPlayer(format)
    var cookieSize = UInt32(0)
    if AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr,
      cookieSize > 0
    {
      var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
      AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, &cookie)
      try check(
        AudioQueueSetProperty(
          player.queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize))
    }
    var linear = floatFormat()
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
    return try player.renderAll()
  }

  // MARK: ffmpeg

  static let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")

  /// The number of frames that ffmpeg decodes from a file.
  func ffmpegFrameCount() throws -> Int {
    let output = path + ".raw"
    defer { unlink(output) }
    let none = open("/dev/null", O_WRONLY)
    defer { close(none) }
    let process = try spawn(
      ["/usr/bin/ffmpeg", "-v", "quiet", "-nostdin", "-y", "-i", path, "-f", "f32le", output],
      environment: ProcessInfo.processInfo.environment, output: none, errors: none)
    var end: Int32 = 0
    while waitpid(process, &end, 0) < 0, errno == EINTR {}
    try #require(end == 0)
    return try Data(contentsOf: URL(fileURLWithPath: output)).count / 4
  }

  // MARK: AudioFileStream

  /// The packets that a stream delivers, which gets pieces of `size` bytes; nil if it refuses them.
  func stream(_ type: AudioFileTypeID, pieces size: Int) throws -> Packets? {
    let log = StreamedPackets()
    var opened: AudioFileStreamID?
    try check(
      AudioFileStreamOpen(
        Unmanaged.passUnretained(log).toOpaque(), { _, _, _, _ in },
        { context, size, count, bytes, descriptions in
          Unmanaged<StreamedPackets>.fromOpaque(context).takeUnretainedValue()
            .add(UnsafeRawBufferPointer(start: bytes, count: Int(size)), Int(count))
        }, type, &opened))
    guard let stream = opened else { return nil }
    defer { AudioFileStreamClose(stream) }
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    for start in stride(from: 0, to: bytes.count, by: size) {
      let part = Array(bytes[start..<min(bytes.count, start + size)])
      guard AudioFileStreamParseBytes(stream, UInt32(part.count), part, []) == noErr else {
        return nil
      }
    }
    // No bytes mark the end.
    guard AudioFileStreamParseBytes(stream, 0, nil, []) == noErr else { return nil }
    return log.packets
  }

  private final class StreamedPackets {
    var packets = Packets()

    func add(_ bytes: UnsafeRawBufferPointer, _ count: Int) {
      packets.bytes += bytes
      packets.count += count
    }
  }
}

/// A temporary file, which is removed at the end.
final class FilePlace {
  private let path: String

  /// A file with the extension of a kind of the corpus.
  init(_ ending: String) {
    path =
      NSTemporaryDirectory() + "place-\(UUID().uuidString)."
      + (ending == "mov" ? "m4a" : ending)
  }

  deinit { unlink(path) }

  /// Replaces the file.
  func put(_ bytes: [UInt8]) throws -> FileReadings {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return FileReadings(path: path)
  }
}
