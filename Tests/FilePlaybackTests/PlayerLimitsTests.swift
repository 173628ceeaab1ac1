// SPDX-License-Identifier: Apache-2.0
import AudioTestSupport
import AudioToolbox
import Foundation
import Testing

@Suite("Players at the limits of time", .timeLimit(.minutes(60)))
struct PlayerLimitsTests {
  @Test(
    "a render whose time has jumped ahead plays what belongs there, at once",
    arguments: [3_600.0 * 48_000, 365.25 * 86_400 * 48_000, 0x1p52], [48_000.0, 44_100, 11_025])
  func jump(frames: Double, rate: Double) throws {
    let file = try SoundFile(frames: 10_000, sampleRate: rate)
    let host = try PlayerHost()
    try host.use([file])
    try host.play(file, at: 0, loops: .max)
    try host.start()
    _ = try host.render(5_120)
    host.jump(to: host.time + frames)
    let begin = ContinuousClock.now
    let output = try host.render(2_048)
    // Reading what lies between would take minutes.
    #expect(ContinuousClock.now - begin < .seconds(20))
    #expect(output.contains { $0 != 0 })
    if rate == 48_000 {
      let position = Int(5_120 + frames)
      #expect(output == (0..<2_048).map { file.samples[0][(position + $0) % 10_000] })
    }
    try host.reset()
  }

  @Test("a loop of a few frames is read once, and repeated exactly", arguments: [1, 3, 700])
  func shortLoop(frames: UInt32) throws {
    let file = SlowFile(frames: 2_000)
    let host = try PlayerHost()
    try check(
      host.unit.setArray(
        kAudioUnitProperty_ScheduledFileIDs, to: [file.id], kAudioUnitScope_Global, 0))
    let region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: file.id, mLoopCount: .max, mStartFrame: 100, mFramesToPlay: frames)
    try host.unit.set(kAudioUnitProperty_ScheduledFileRegion, to: region)
    try host.start()
    let output = try host.render(20_000)
    #expect(output == (0..<20_000).map { SlowFile.value(100 + $0 % Int(frames)) })
    #expect(file.readCount < 100)
    host.jump(to: host.time + 1_000_001)
    #expect(
      try host.render(100)
        == (0..<100).map { SlowFile.value(100 + (1_020_001 + $0) % Int(frames)) })
    try host.reset()
  }

  @Test("a region that waits for a host time does not keep others from being read")
  func waiting() throws {
    let (first, second) = (try SoundFile(frames: 200_000), try SoundFile(frames: 3_000))
    let host = try PlayerHost()
    try host.use([first, second])
    var region = ScheduledAudioFileRegion(
      mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
      mAudioFile: first.id, mLoopCount: 0, mStartFrame: 0, mFramesToPlay: .max)
    region.mTimeStamp.mFlags = .hostTimeValid
    region.mTimeStamp.mHostTime = AudioGetCurrentHostTime() + 1_000_000_000_000
    try host.unit.set(kAudioUnitProperty_ScheduledFileRegion, to: region)
    try host.play(second, at: 100)
    try host.start()
    let begin = ContinuousClock.now
    let output = try host.render(3_200)
    #expect(ContinuousClock.now - begin < .seconds(8))
    #expect(output[100..<3_100].elementsEqual(second.samples[0]))
    try host.reset()
  }

  @Test("a jump behind the end of a region ends it, and what follows plays")
  func behind() throws {
    let file = try SoundFile(frames: 10_000)
    let host = try PlayerHost()
    let end = CallRecord()
    try host.use([file])
    try host.play(file, at: 0, loops: 1_000_000_000, end)
    try host.play(file, at: 0x1p51)
    try host.start()
    _ = try host.render(512)
    host.jump(to: 0x1p51)
    #expect(try host.render(512) == Array(file.samples[0][..<512]))
    #expect(end.wait())
  }

  @Test("no sample time and no sequence of jumps disturbs a player")
  func jumps() throws {
    let file = try SoundFile(frames: 300)
    let host = try PlayerHost()
    try host.use([file])
    try host.play(file, at: 0, loops: .max)
    try host.start()
    let times: [Double] = [
      0, 0x1p62, -0x1p62, 0x1p61, -0x1p61, 0x1p52, -0x1p52, .nan, .infinity, -.infinity, 1e300,
      0x1.fffffffffffffp52, 100, 0x1p52, 0, 0x1p52, 0, 0x1p52, 7, 0x1.fffffffffffffp52, -1e18, 512,
    ]
    for time in times {
      host.jump(to: time)
      _ = try host.render(64)
      #expect(try host.playTime >= 0)
    }
    try host.reset()
    #expect(try host.render(64).allSatisfy { $0 == 0 })
  }

  @Test("a region whose total length fits no number is accepted, and plays")
  func endlessTotal() throws {
    // A file of zeros without blocks on the disk: 2^32 frames of one byte.
    let path = FileManager.default.temporaryDirectory.path + "/zeros-\(UUID().uuidString).au"
    let header: [UInt8] = [
      0x2e, 0x73, 0x6e, 0x64, 0, 0, 0, 24, 255, 255, 255, 255, 0, 0, 0, 1, 0, 0, 0xbb, 0x80, 0, 0,
      0, 1,
    ]
    try Data(header).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    try #require(truncate(path, 24 + 1 << 32) == 0)
    var opened: AudioFileID?
    try check(
      AudioFileOpenURL(URL(fileURLWithPath: path) as CFURL, .readPermission, 0, &opened))
    let file = try #require(opened)
    defer { AudioFileClose(file) }
    let host = try PlayerHost()
    try check(
      host.unit.setArray(
        kAudioUnitProperty_ScheduledFileIDs, to: [file], kAudioUnitScope_Global, 0))
    for (loops, frames) in [(UInt32.max - 1, UInt32.max - 1), (.max, .max), (.max - 1, .max)] {
      var region = ScheduledAudioFileRegion(
        mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
        mAudioFile: file, mLoopCount: loops, mStartFrame: 1, mFramesToPlay: frames)
      region.mTimeStamp.mFlags = .sampleTimeValid
      region.mTimeStamp.mSampleTime = 0x1p52
      #expect(host.unit.setting(kAudioUnitProperty_ScheduledFileRegion, to: region) == noErr)
      region.mStartFrame = .min
      #expect(host.unit.setting(kAudioUnitProperty_ScheduledFileRegion, to: region) != noErr)
    }
    try host.start()
    _ = try host.render(64)
    host.jump(to: 0x1p52)
    #expect(try host.render(512) == [Float](repeating: -32_124.0 / 32_768, count: 512))
    try host.reset()
  }
}
