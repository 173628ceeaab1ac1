// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation
import Synchronization
import Testing

/// Adds controllers at one time, which differ.
private func addControllers(_ count: Int, _ track: MusicTrack, at time: Double = 0) throws {
  for index in 0..<count {
    var message = MIDIChannelMessage(
      status: 0xb0, data1: UInt8(index & 63), data2: UInt8(index >> 6), reserved: 0)
    try check(MusicTrackNewMIDIChannelEvent(track, time, &message))
  }
}

extension PlayerTests {
  /// What an instrument receives, without frames.
  private func messages(_ lines: [String]) -> [String] {
    lines.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
  }

  private func controllers(_ range: Range<Int>) -> [String] {
    range.map { "176 \($0 & 63) \($0 >> 6)" }
  }

  @Test("an instrument without room gets the rest in the next slices, in order, each once")
  func burst() throws {
    let host = try PlayerHost(instruments: 2)
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = 100 }
    try addControllers(250, try host.track())
    try host.note(0, 60, 0.001)
    try addControllers(1, try host.track(1))
    try addControllers(1, try host.track(1), at: 0.01)
    try host.start()
    #expect(messages(try host.render(512)) == controllers(0..<100))
    // Another instrument does not wait.
    #expect(RecordingInstrument.take(host.codes[1]) == ["0: 176 0 0", "240: 176 0 0"])
    #expect(messages(try host.render(512)) == controllers(100..<200))
    #expect(
      try host.render(512) == controllers(200..<250).map { "1024: \($0)" }
        + ["1024: 144 60 100", "1024: 128 60 64"])
    #expect(try host.render(512) == [])
  }

  @Test("an edit during a burst neither repeats nor loses what waits")
  func edit() throws {
    let host = try PlayerHost(instruments: 2)
    try check(MusicTrackSetDestNode(try host.track(1), host.nodes[0]))
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = 100 }
    try addControllers(150, try host.track())
    try host.note(0, 60, 1, track: 1)
    try host.start()
    var found = messages(try host.render(512))
    try host.note(1, 61, 1)
    found += messages(try host.render(512))
    #expect(found == controllers(0..<150) + ["144 60 100"])
    #expect(messages(try host.render(30_000)) == ["128 60 64", "144 61 100"])
  }

  @Test("the end of a note waits, too; stopping ends notes even if there was no room")
  func ends() throws {
    let host = try PlayerHost()
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = 10 }
    for key in 0..<10 { try host.note(0, UInt8(key), 0.001) }
    for key in 10..<18 { try host.note(0.1, UInt8(key), 10) }
    try host.start()
    #expect(messages(try host.render(512)) == (0..<10).map { "144 \($0) 100" })
    #expect(try host.render(512) == (0..<10).map { "512: 128 \($0) 64" })
    #expect(try host.render(3_000, slice: 1_000).count == 8)
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = 3 }
    try check(MusicPlayerStop(host.player))
    var found = messages(try host.render(1))
    for _ in 0..<10 { found += messages(try host.render(1)) }
    #expect(found.filter { $0.hasPrefix("128") } == (10..<18).map { "128 \($0) 64" })
  }

  @Test("an instrument that takes nothing for a second loses events, and is asked again")
  func deaf() throws {
    let host = try PlayerHost()
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = 0 }
    try addControllers(5, try host.track())
    try addControllers(1, try host.track(), at: 3)
    try host.start()
    #expect(try host.render(60_000, slice: 1_000) == [])
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = nil }
    #expect(try host.render(20_000, slice: 1_000) == ["72000: 176 0 0"])
  }

  @Test("what sets an instrument up after a jump waits as well, before the events there")
  func chase() throws {
    let host = try PlayerHost()
    RecordingInstrument.limits.withLock { $0[host.codes[0]] = 20 }
    for index in 0..<50 { try host.message(0, 0xb0, UInt8(index), 1) }
    try host.message(1, 0xb0, 60, 2)
    try check(MusicPlayerSetTime(host.player, 1))
    try host.start()
    var found: [String] = []
    for _ in 0..<6 { found += messages(try host.render(100)) }
    // The start makes a second plan, with which it begins again.
    #expect(Set(found.dropLast()) == Set((0..<50).map { "176 \($0) 1" }))
    #expect(found.last == "176 60 2")
  }
}

extension PlayerStateTests {
  @Test(
    "a burst of 5,000 controllers or notes arrives whole at a virtual destination",
    arguments: [false, true])
  func endpointBurst(isNotes: Bool) async throws {
    final class Arrivals: Sendable {
      let messages = Mutex<[[UInt8]]>([])
    }
    let arrivals = Arrivals()
    var (client, destination) = (MIDIClientRef(), MIDIEndpointRef())
    #expect(MIDIClientCreateWithBlock("Bursts" as CFString, &client, nil) == noErr)
    #expect(
      MIDIDestinationCreateWithBlock(client, "In" as CFString, &destination) { list, _ in
        for packet in list.unsafeSequence() {
          let bytes = Array(packet.bytes())
          arrivals.messages.withLock { messages in
            for start in stride(from: 0, to: bytes.count, by: 3) {
              messages.append(Array(bytes[start..<min(start + 3, bytes.count)]))
            }
          }
        }
      } == noErr)
    defer { MIDIClientDispose(client) }
    var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
    #expect(NewMusicSequence(&sequence) == noErr)
    #expect(NewMusicPlayer(&player) == noErr)
    let (made, playing) = (try #require(sequence), try #require(player))
    #expect(MusicSequenceNewTrack(made, &track) == noErr)
    let events = try #require(track)
    let expected: [[UInt8]]
    if isNotes {
      expected = (0..<5_000).map { [0x90, UInt8($0 & 127), UInt8(1 + $0 >> 7)] }
      for bytes in expected {
        var note = MIDINoteMessage(
          channel: 0, note: bytes[1], velocity: bytes[2], releaseVelocity: 7, duration: 0.2)
        #expect(MusicTrackNewMIDINoteEvent(events, 0.1, &note) == noErr)
      }
    } else {
      expected = (0..<5_000).map { [0xb0, UInt8($0 & 63), UInt8($0 >> 6)] }
      try addControllers(5_000, events, at: 0.1)
    }
    #expect(MusicPlayerSetSequence(playing, made) == noErr)
    #expect(MusicTrackSetDestMIDIEndpoint(events, destination) == noErr)
    #expect(MusicPlayerStart(playing) == noErr)
    let total = isNotes ? 10_000 : 5_000
    for _ in 0..<4_000 where arrivals.messages.withLock({ $0.count }) < total {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(MusicPlayerStop(playing) == noErr)
    let found = arrivals.messages.withLock { $0 }
    #expect(found.filter { $0[0] != 0x80 } == expected)
    #expect(found.count == total)
    #expect(MusicPlayerSetSequence(playing, nil) == noErr)
    #expect(DisposeMusicPlayer(playing) == noErr)
    #expect(DisposeMusicSequence(made) == noErr)
  }
}
