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
      let samples = try #require(try FileReadings(path: path).queue())
      expectTone(samples, ending)
      guard FileReadings.hasFFmpeg else { return }
      // ffmpeg does not trim the last packet of AAC.
      let count = try #require(try FileReadings(path: path).ffmpeg()).count
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
