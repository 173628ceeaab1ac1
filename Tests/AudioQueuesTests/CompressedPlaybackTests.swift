// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

/// Compressed sound files, played as programs play them: by a queue that receives packets, and by
/// the file player.
@Suite("Compressed sound")
struct CompressedPlaybackTests {
  private static let ffmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
  private static let frameCount = 59_256
  private static let endings = ["m4a", "mp3", "opus", "flac"]

  /// Runs `body` with a temporary file that contains a tone of 440 Hz.
  private func withTone(
    _ ending: String, _ body: (String) throws -> Void
  ) throws {
    let path = NSTemporaryDirectory() + "compressed-\(UUID().uuidString).\(ending)"
    defer { unlink(path) }
    let samples = Signal.sine(440, amplitude: 0.5, count: Self.frameCount).floats
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: samples.count)
    memory.initialize(from: samples, count: samples.count)
    let file = try SoundFileWriter(
      path, sampleRate: 48_000, channelCount: 1, expecting: samples.count)
    try withUnsafePointer(to: memory) { try file.write($0, frameCount: samples.count) }
    try file.finish()
    memory.deallocate()
    try body(path)
  }

  private func property<Value: BitwiseCopyable>(
    _ file: AudioFileID, _ id: AudioFilePropertyID, _ initial: Value
  ) throws -> Value {
    var value = initial
    var size = UInt32(MemoryLayout<Value>.size)
    try #require(AudioFileGetProperty(file, id, &size, &value) == noErr)
    return value
  }

  /// The output of a queue for all packets of a file, without the frames that the codec added.
  private func played(_ path: String) throws -> [Float] {
    var opened: AudioFileID?
    try #require(
      AudioFileOpenURL(NSURL(fileURLWithPath: path), .readPermission, 0, &opened) == noErr)
    let file = try #require(opened)
    defer { AudioFileClose(file) }
    let format = try property(
      file, kAudioFilePropertyDataFormat, AudioStreamBasicDescription())
    let player = try TestPlayer(format)
    var cookieSize = UInt32(0)
    if AudioFileGetPropertyInfo(file, kAudioFilePropertyMagicCookieData, &cookieSize, nil) == noErr,
      cookieSize > 0
    {
      var cookie = [UInt8](repeating: 0, count: Int(cookieSize))
      AudioFileGetProperty(file, kAudioFilePropertyMagicCookieData, &cookieSize, &cookie)
      #expect(
        AudioQueueSetProperty(
          player.queue, kAudioQueueProperty_MagicCookie, cookie, cookieSize) == noErr)
    }
    var linear = floatFormat()
    try #require(AudioQueueSetOfflineRenderFormat(player.queue, &linear, nil) == noErr)
    try #require(AudioQueueStart(player.queue, nil) == noErr)
    let count = try property(file, kAudioFilePropertyAudioDataPacketCount, UInt64(0))
    let largest = try property(file, kAudioFilePropertyPacketSizeUpperBound, UInt32(0))
    var table = AudioFilePacketTableInfo()
    var tableSize = UInt32(MemoryLayout.size(ofValue: table))
    AudioFileGetProperty(file, kAudioFilePropertyPacketTableInfo, &tableSize, &table)
    var next = Int64(0)
    while next < Int64(count) {
      var packets = UInt32(min(Int64(count) - next, 11))
      var size = packets * largest
      var made: AudioQueueBufferRef?
      try #require(
        AudioQueueAllocateBufferWithPacketDescriptions(player.queue, size, packets, &made) == noErr)
      let buffer = try #require(made)
      let status = AudioFileReadPacketData(
        file, false, &size, buffer.pointee.mPacketDescriptions, next, &packets,
        buffer.pointee.mAudioData)
      try #require(status == noErr && packets > 0)
      buffer.pointee.mAudioDataByteSize = size
      buffer.pointee.mPacketDescriptionCount = packets
      let isFirst = next == 0
      next += Int64(packets)
      try #require(
        AudioQueueEnqueueBufferWithParameters(
          player.queue, buffer, 0, nil, isFirst ? UInt32(table.mPrimingFrames) : 0,
          next == Int64(count) ? UInt32(table.mRemainderFrames) : 0, 0, nil, nil, nil) == noErr)
    }
    try #require(AudioQueueStop(player.queue, false) == noErr)
    return try player.renderAll()
  }

  /// The number of frames that ffmpeg decodes from a file.
  private func ffmpegFrameCount(_ path: String) throws -> Int {
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

  private func expectTone(_ samples: [Float], _ ending: String) {
    #expect(samples.count == Self.frameCount)
    // Encoders change the level a little, that of MP3 by a twentieth.
    let tone = Signal(samples)[4_800..<52_800].tone(at: 440)
    #expect(abs(tone.amplitude - 0.5) < 0.03, "\(ending): \(tone.amplitude)")
    // The phase shows whether a frame is missing at the beginning: half a frame is 0.029.
    let (sine, cosine) = (4_800..<52_800).reduce((0.0, 0.0)) { sums, frame in
      let angle = 2 * Double.pi * 440 * Double(frame) / 48_000
      let sample = Double(samples[frame])
      return (sums.0 + sample * sin(angle), sums.1 + sample * cos(angle))
    }
    #expect(abs(atan2(cosine, sine)) < 0.029, "\(ending): \(atan2(cosine, sine))")
  }

  @Test("is played by a queue, with the exact number of frames", arguments: endings)
  func queue(ending: String) throws {
    try withTone(ending) { path in
      let samples = try played(path)
      expectTone(samples, ending)
      guard Self.ffmpeg else { return }
      // ffmpeg does not trim the last packet of AAC.
      let count = try ffmpegFrameCount(path)
      #expect(ending == "m4a" ? count - samples.count < 1_024 : count == samples.count, "\(count)")
    }
  }

  @Test("is played by a file player, with the exact number of frames", arguments: endings)
  func unit(ending: String) throws {
    try withTone(ending) { path in
      var opened: AudioFileID?
      try #require(
        AudioFileOpenURL(NSURL(fileURLWithPath: path), .readPermission, 0, &opened) == noErr)
      var file = try #require(opened)
      defer { AudioFileClose(file) }
      var expected = AudioComponentDescription(
        componentType: kAudioUnitType_Generator,
        componentSubType: kAudioUnitSubType_AudioFilePlayer,
        componentManufacturer: kAudioUnitManufacturer_Apple, componentFlags: 0,
        componentFlagsMask: 0)
      var made: AudioUnit?
      let component = try #require(AudioComponentFindNext(nil, &expected))
      try #require(AudioComponentInstanceNew(component, &made) == noErr)
      let unit = try #require(made)
      defer { AudioComponentInstanceDispose(unit) }
      func set<Value: BitwiseCopyable>(
        _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ value: Value
      ) throws {
        var value = value
        let status = AudioUnitSetProperty(
          unit, id, scope, 0, &value, UInt32(MemoryLayout<Value>.size))
        try #require(status == noErr, "property \(id): \(status)")
      }
      try set(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, floatFormat())
      try #require(AudioUnitInitialize(unit) == noErr)
      try withUnsafeBytes(of: &file) { bytes in
        let status = AudioUnitSetProperty(
          unit, kAudioUnitProperty_ScheduledFileIDs, kAudioUnitScope_Global, 0, bytes.baseAddress,
          UInt32(bytes.count))
        try #require(status == noErr)
      }
      var start = AudioTimeStamp()
      start.mFlags = .sampleTimeValid
      try set(
        kAudioUnitProperty_ScheduledFileRegion, kAudioUnitScope_Global,
        ScheduledAudioFileRegion(
          mTimeStamp: start, mCompletionProc: nil, mCompletionProcUserData: nil, mAudioFile: file,
          mLoopCount: 0, mStartFrame: 0, mFramesToPlay: .max))
      start.mSampleTime = -1
      try set(kAudioUnitProperty_ScheduleStartTimeStamp, kAudioUnitScope_Global, start)
      var samples: [Float] = []
      var list = AudioBufferList()
      let slice = UnsafeMutablePointer<Float>.allocate(capacity: 512)
      defer { slice.deallocate() }
      while samples.count < Self.frameCount + 4_096 {
        try set(kAudioUnitProperty_ScheduledFilePrime, kAudioUnitScope_Global, UInt32(4_096))
        list.mNumberBuffers = 1
        list.mBuffers = AudioBuffer(mNumberChannels: 1, mDataByteSize: 2_048, mData: slice)
        var (stamp, flags) = (AudioTimeStamp(), AudioUnitRenderActionFlags())
        stamp.mFlags = .sampleTimeValid
        stamp.mSampleTime = Double(samples.count)
        try #require(AudioUnitRender(unit, &flags, &stamp, 0, 512, &list) == noErr)
        samples += UnsafeBufferPointer(start: slice, count: 512)
      }
      expectTone(Array(samples.prefix(Self.frameCount)), ending)
      #expect(samples.dropFirst(Self.frameCount).allSatisfy { $0 == 0 })
    }
  }
}
