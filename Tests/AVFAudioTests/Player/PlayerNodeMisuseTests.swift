// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Testing

@Suite("AVAudioPlayerNode, wrong calls")
struct PlayerNodeMisuseTests {
  /// The text of the error that a call throws; empty if it throws none.
  private func text(_ body: () throws -> Void) -> String {
    do { try body() } catch {
      let error = error as NSError
      #expect(error.domain == "com.apple.coreaudio.avfaudio")
      #expect(error.userInfo["failed call"] is String)
      return error.localizedDescription
    }
    return ""
  }

  @Test("playAudio throws an error that names call, rule and mend, and starts nothing")
  func throwing() throws {
    let (player, offline) = (AVAudioPlayerNode(), try Offline())
    let engine = offline.engine
    #expect(text { try player.playAudio() }.contains("AVAudioPlayerNode.playAudio()"))
    #expect(text { try player.playAudio() }.contains("attached to no engine; attach it"))
    engine.attach(player)
    #expect(text { try player.playAudio() }.contains("is not connected; connect it"))
    engine.connect(player, to: engine.mainMixerNode, format: nil)
    #expect(text { try player.playAudio(at: nil) }.contains("does not run; start it"))
    #expect(!player.isPlaying)
    try engine.start()
    var stamp = AudioTimeStamp()
    let time = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000)
    #expect(text { try player.playAudio(at: time) }.contains("neither a valid sample time"))
    #expect(!player.isPlaying)
    try player.playAudio()
    #expect(player.isPlaying)
  }

  @Test("play ends the program where playAudio throws")
  func play() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { AVAudioPlayerNode().play() }
    #expect(Self.said(result).contains("AVAudioPlayerNode.play(): the player is attached to no"))
  }

  @Test("a buffer with other channels ends the program")
  func channels() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let buffer = try PlayerNodeTests.buffer([1], channels: 1)
      let offline = try Offline()
      let player = AVAudioPlayerNode()
      offline.engine.attach(player)
      offline.engine.connect(player, to: offline.engine.mainMixerNode, format: nil)
      player.scheduleBuffer(buffer)
    }
    #expect(Self.said(result).contains("1 channels, and the output of the player 2; connect"))
  }

  @Test("a time without a valid field ends the program")
  func time() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      var stamp = AudioTimeStamp()
      let time = AVAudioTime(audioTimeStamp: &stamp, sampleRate: 48_000)
      AVAudioPlayerNode().scheduleBuffer(
        try PlayerNodeTests.buffer([1]), at: time, options: [])
    }
    #expect(Self.said(result).contains("neither a valid sample time nor a valid host time"))
  }

  @Test("a segment without frames ends the program")
  func emptySegment() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try PlayerNodeMisuseTests.scheduleSegment(0, 0) }
    #expect(Self.said(result).contains("the segment has no frames; pass a frameCount"))
  }

  @Test("a segment that begins outside of the file ends the program")
  func segmentOutside() async {
    let before = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try PlayerNodeMisuseTests.scheduleSegment(-1, 5) }
    #expect(Self.said(before).contains("begins at frame -1, and the file has 100"))
    let after = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { try PlayerNodeMisuseTests.scheduleSegment(101, 5) }
    #expect(Self.said(after).contains("begins at frame 101, and the file has 100"))
  }

  /// Schedules frames of a file of 100.
  private static func scheduleSegment(_ start: Int64, _ count: UInt32) throws {
    let tape = try Tape([noise(100)])
    AVAudioPlayerNode().scheduleSegment(
      try AVAudioFile(forReading: tape.url), startingFrame: start, frameCount: count, at: nil)
  }

  @Test("stop, pause and reset are allowed without an engine")
  func allowed() {
    let player = AVAudioPlayerNode()
    player.pause()
    player.stop()
    player.reset()
    player.prepare(withFrameCount: 100)
    #expect(!player.isPlaying && player.lastRenderTime == nil)
  }

  private static func said(_ result: ExitTest.Result?) -> String {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  }
}
