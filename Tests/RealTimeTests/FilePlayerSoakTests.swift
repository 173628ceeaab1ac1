// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioToolbox
import Foundation
import Testing

/// A player on a device in real time, with many seeks. Runs for two seconds, or for
/// `AUDIOTOOLBOX_TEST_MINUTES` minutes.
@Suite("File player, soak test", .serialized)
struct FilePlayerSoakTests {
  private static var seconds: Double {
    let minutes = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"]
    return minutes.flatMap { Double($0) }.map { $0 * 60 } ?? 2
  }

  @Test("plays, seeks, loops and changes its rate in real time without a missing frame")
  func pace() throws {
    let path = NSTemporaryDirectory() + "soak-\(UUID().uuidString).wav"
    defer { unlink(path) }
    let file = try Self.makeFile(path)
    defer { AudioFileClose(file) }
    let player = try Probed.make(kAudioUnitType_Generator, kAudioUnitSubType_AudioFilePlayer)
    let varispeed = try Probed.make(kAudioUnitType_FormatConverter, kAudioUnitSubType_Varispeed)
    var output: AudioUnit?
    var environment = DeviceEnvironment()
    environment.device = DeviceName("null")
    try environment.use {
      output = try Probed.make(kAudioUnitType_Output, kAudioUnitSubType_RemoteIO)
      for (source, unit) in [(player, varispeed), (varispeed, output)] {
        guard let unit else { continue }
        #expect(AudioUnitInitialize(source) == noErr)
        try Probed.set(
          unit, kAudioUnitProperty_MakeConnection,
          AudioUnitConnection(
            sourceAudioUnit: source, sourceOutputNumber: 0, destInputNumber: 0),
          kAudioUnitScope_Input)
      }
      guard let output else { return }
      #expect(AudioUnitInitialize(output) == noErr)
      #expect(AudioOutputUnitStart(output) == noErr)
    }
    guard let output else { return }
    try Probed.set(player, kAudioUnitProperty_ScheduledFileIDs, file)
    var state: UInt64 = 1
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let end = Date().addingTimeInterval(Self.seconds)
    var seeks = 0
    var playedFrames = 0.0
    while Date() < end {
      // Random positions, lengths and loops; a reset cancels the remaining regions.
      #expect(AudioUnitReset(player, kAudioUnitScope_Global, 0) == noErr)
      for index in 0..<3 {
        var region = ScheduledAudioFileRegion(
          mTimeStamp: AudioTimeStamp(), mCompletionProc: nil, mCompletionProcUserData: nil,
          mAudioFile: file, mLoopCount: UInt32(random(5)), mStartFrame: Int64(random(400_000)),
          mFramesToPlay: UInt32(10_000 + random(40_000)))
        if index == 0 { region.mTimeStamp.mFlags = .sampleTimeValid }
        try Probed.set(player, kAudioUnitProperty_ScheduledFileRegion, region)
      }
      try Probed.set(player, kAudioUnitProperty_ScheduledFilePrime, UInt32(0))
      var start = AudioTimeStamp()
      start.mFlags = .sampleTimeValid
      start.mSampleTime = -1
      try Probed.set(player, kAudioUnitProperty_ScheduleStartTimeStamp, start)
      AudioUnitSetParameter(
        varispeed, kVarispeedParam_PlaybackRate, kAudioUnitScope_Global, 0,
        0.5 + Float(random(150)) / 100, 0)
      usleep(UInt32(50_000 + random(300_000)))
      var now = AudioTimeStamp()
      var size = UInt32(MemoryLayout.size(ofValue: now))
      AudioUnitGetProperty(
        player, kAudioUnitProperty_CurrentPlayTime, kAudioUnitScope_Global, 0, &now, &size)
      playedFrames += max(now.mSampleTime, 0)
      seeks += 1
    }
    #expect(AudioOutputUnitStop(output) == noErr)
    var misses = AUDiagnosticsXruns(mCount: 9, mServerCount: 0, mServerReports: 0)
    var size = UInt32(MemoryLayout.size(ofValue: misses))
    #expect(
      AudioUnitGetProperty(
        player, kAUDiagnosticsProperty_Xruns, kAudioUnitScope_Global, 0, &misses, &size) == noErr)
    #expect(misses.mCount == 0)
    #expect(seeks >= 2 && playedFrames > 10_000)
    for unit in [output, varispeed, player] {
      #expect(AudioComponentInstanceDispose(unit) == noErr)
    }
  }

  /// Ten seconds of noise at a rate other than the player's.
  private static func makeFile(_ path: String) throws -> AudioFileID {
    let url = URL(fileURLWithPath: path) as CFURL
    var format = AudioStreamBasicDescription(
      mSampleRate: 48_000, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2,
      mBitsPerChannel: 16, mReserved: 0)
    var file: AudioFileID?
    #expect(AudioFileCreateWithURL(url, kAudioFileWAVEType, &format, .eraseFile, &file) == noErr)
    let samples = (0..<960_000).map { Int16(truncatingIfNeeded: $0 &* 7_919) }
    var size = UInt32(2 * samples.count)
    #expect(AudioFileWriteBytes(try #require(file), false, 0, &size, samples) == noErr)
    AudioFileClose(try #require(file))
    #expect(AudioFileOpenURL(url, .readPermission, 0, &file) == noErr)
    return try #require(file)
  }
}
