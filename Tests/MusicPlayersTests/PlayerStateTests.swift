// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
import MusicPlayers
import Synchronization
import Testing

// The sender of endpoints is one for the process.
@Suite("States and destinations of players", .serialized)
struct PlayerStateTests {
  @Test("a new player does not play, is at 0 with rate 1, and needs a sequence")
  func newPlayer() throws {
    var player: MusicPlayer?
    #expect(NewMusicPlayer(&player) == noErr)
    let made = try #require(player)
    var (time, rate, isPlaying) = (-1.0, -1.0, true)
    #expect(MusicPlayerGetTime(made, &time) == noErr)
    #expect(MusicPlayerGetPlayRateScalar(made, &rate) == noErr)
    #expect(MusicPlayerIsPlaying(made, &isPlaying) == noErr)
    #expect(time == 0 && rate == 1 && !isPlaying)
    #expect(MusicPlayerSetTime(made, 4) == noErr)
    #expect(MusicPlayerGetTime(made, &time) == noErr)
    #expect(time == 0)
    var sequence: MusicSequence?
    for status in [
      MusicPlayerPreroll(made), MusicPlayerStart(made), MusicPlayerStop(made),
      MusicPlayerGetSequence(made, &sequence),
    ] { #expect(status == kAudioToolboxErr_NoSequence) }
    #expect(MusicPlayerSetSequence(made, nil) == noErr)
    #expect(DisposeMusicPlayer(made) == noErr)
    #expect(DisposeMusicPlayer(made) == kAudio_ParamError)
    #expect(MusicPlayerStart(made) == kAudio_ParamError)
  }

  @Test("a sequence that a player has is not disposed of, and one that plays has no second player")
  func ownership() throws {
    let host = try PlayerHost()
    #expect(DisposeMusicSequence(host.sequence) == kAudioToolboxErr_InvalidPlayerState)
    try host.start()
    var other: MusicPlayer?
    #expect(NewMusicPlayer(&other) == noErr)
    let second = try #require(other)
    #expect(MusicPlayerSetSequence(second, host.sequence) == kAudioToolboxErr_InvalidPlayerState)
    #expect(MusicPlayerSetSequence(host.player, nil) == kAudioToolboxErr_InvalidPlayerState)
    #expect(DisposeMusicPlayer(second) == noErr)
    #expect(MusicPlayerStop(host.player) == noErr)
  }

  @Test("a player that takes a sequence leaves the other one without, whose end changes nothing")
  func takeOver() throws {
    let host = try PlayerHost()
    var (other, sequence) = (MusicPlayer?.none, MusicSequence?.none)
    #expect(NewMusicPlayer(&other) == noErr)
    let second = try #require(other)
    #expect(MusicPlayerSetSequence(second, host.sequence) == noErr)
    #expect(MusicPlayerGetSequence(host.player, &sequence) == kAudioToolboxErr_NoSequence)
    #expect(MusicPlayerSetSequence(host.player, nil) == noErr)
    #expect(MusicPlayerGetSequence(second, &sequence) == noErr)
    #expect(sequence == host.sequence)
    #expect(DisposeMusicSequence(host.sequence) == kAudioToolboxErr_InvalidPlayerState)
    #expect(DisposeMusicPlayer(second) == noErr)
  }

  @Test("a player gives tracks their default destinations, and a playing one keeps them")
  func destinations() throws {
    let host = try PlayerHost(instruments: 2)
    let track = try host.track(1)
    var node = AUNode()
    #expect(MusicTrackGetDestNode(track, &node) == noErr)
    #expect(node == host.nodes[1])
    #expect(MusicPlayerSetSequence(host.player, host.sequence) == noErr)
    #expect(MusicTrackGetDestNode(track, &node) == noErr)
    #expect(node == host.nodes[0])
    var endpoint: MIDIEndpointRef = 0
    #expect(
      MusicTrackGetDestMIDIEndpoint(track, &endpoint) == kAudioToolboxErr_IllegalTrackDestination)
    #expect(MusicTrackSetDestMIDIEndpoint(track, 1_234_567) == noErr)
    #expect(MusicTrackGetDestMIDIEndpoint(track, &endpoint) == noErr)
    #expect(endpoint == 1_234_567)
    #expect(MusicTrackGetDestNode(track, &node) == kAudioToolboxErr_IllegalTrackDestination)
    #expect(MusicTrackSetDestNode(track, 99) == kAudioToolboxErr_IllegalTrackDestination)
    try host.start()
    #expect(MusicTrackSetDestMIDIEndpoint(track, 7) == kAudioToolboxErr_InvalidPlayerState)
    #expect(MusicTrackSetDestNode(track, host.nodes[0]) == kAudioToolboxErr_InvalidPlayerState)
    var tempo: MusicTrack?
    #expect(MusicSequenceGetTempoTrack(host.sequence, &tempo) == noErr)
    #expect(MusicPlayerStop(host.player) == noErr)
    #expect(
      MusicTrackSetDestNode(try #require(tempo), host.nodes[0])
        == kAudioToolboxErr_IllegalTrackDestination)
  }

  @Test("a graph that a sequence gets after the player was prepared plays it")
  func lateGraph() throws {
    let host = try PlayerHost()
    #expect(MusicSequenceSetAUGraph(host.sequence, nil) == noErr)
    // A sequence without sound needs no graph; this takes back the nodes of its tracks.
    #expect(MusicPlayerSetSequence(host.player, host.sequence) == noErr)
    #expect(MusicPlayerPreroll(host.player) == noErr)
    #expect(MusicSequenceSetAUGraph(host.sequence, host.graph) == noErr)
    try host.note(0, 60, 1)
    try host.start()
    #expect(try host.render(10) == ["0: 144 60 100"])
    #expect(MusicPlayerStop(host.player) == noErr)
  }

  @Test("host times are only known while it plays, and not before its start")
  func hostTimes() throws {
    let host = try PlayerHost()
    var (time, beats) = (UInt64(9), 9.0)
    #expect(
      MusicPlayerGetHostTimeForBeats(host.player, 1, &time) == kAudioToolboxErr_InvalidPlayerState)
    #expect(time == 0)
    #expect(
      MusicPlayerGetBeatsForHostTime(host.player, 1, &beats) == kAudioToolboxErr_InvalidPlayerState)
    #expect(beats == 0)
    #expect(MusicPlayerSetTime(host.player, 2) == noErr)
    try host.tempo(4, 60)
    try host.start()
    var (first, second) = (UInt64(0), UInt64(0))
    #expect(MusicPlayerGetHostTimeForBeats(host.player, 2, &first) == noErr)
    #expect(MusicPlayerGetHostTimeForBeats(host.player, 6, &second) == noErr)
    // Two beats of half a second, two of a second.
    #expect(second - first == 3_000_000_000)
    #expect(MusicPlayerGetBeatsForHostTime(host.player, second, &beats) == noErr)
    #expect(abs(beats - 6) < 1e-6)
    #expect(
      MusicPlayerGetHostTimeForBeats(host.player, 1, &time) == kAudioToolboxErr_InvalidPlayerState)
  }

  /// What arrives at endpoints.
  private final class Arrivals: EndpointSender {
    let messages = Mutex<[(bytes: [UInt8], endpoint: MIDIEndpointRef, time: UInt64)]>([])

    /// Whether it has room for a message; asked for each.
    let hasRoom: @Sendable () -> Bool

    init(hasRoom: @escaping @Sendable () -> Bool = { true }) { self.hasRoom = hasRoom }

    func send(_ bytes: [UInt8], to endpoint: MIDIEndpointRef, at hostTime: UInt64) -> Bool {
      guard hasRoom() else { return false }
      messages.withLock { $0.append((bytes, endpoint, hostTime)) }
      return true
    }
  }

  @Test(
    "without a graph a thread plays to endpoints, at host times that are as far apart as the notes")
  func endpoints() async throws {
    let arrivals = Arrivals()
    let sender = Endpoints.sender
    Endpoints.sender = arrivals
    defer { Endpoints.sender = sender }
    var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
    #expect(NewMusicSequence(&sequence) == noErr)
    #expect(NewMusicPlayer(&player) == noErr)
    let (made, playing) = (try #require(sequence), try #require(player))
    #expect(MusicSequenceNewTrack(made, &track) == noErr)
    #expect(MusicSequenceSetMIDIEndpoint(made, 42) == noErr)
    for index in 0..<3 {
      var note = MIDINoteMessage(
        channel: 1, note: UInt8(60 + index), velocity: 9, releaseVelocity: 3, duration: 0.1)
      #expect(MusicTrackNewMIDINoteEvent(try #require(track), Double(index) / 5, &note) == noErr)
    }
    #expect(MusicPlayerSetSequence(playing, made) == noErr)
    #expect(MusicPlayerStart(playing) == noErr)
    for _ in 0..<4_000 where arrivals.messages.withLock({ $0.count }) < 6 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(MusicPlayerStop(playing) == noErr)
    let found = arrivals.messages.withLock { $0 }
    #expect(
      found.map(\.bytes) == [
        [0x91, 60, 9], [0x81, 60, 3], [0x91, 61, 9], [0x81, 61, 3], [0x91, 62, 9], [0x81, 62, 3],
      ])
    #expect(found.allSatisfy { $0.endpoint == 42 })
    let start = try #require(found.first?.time)
    // To a frame of the clock.
    for (index, message) in found.enumerated() {
      #expect(abs(Double(message.time - start) - Double(index) * 5e7) < 21_000)
    }
    #expect(MusicPlayerSetSequence(playing, nil) == noErr)
    #expect(DisposeMusicPlayer(playing) == noErr)
    #expect(DisposeMusicSequence(made) == noErr)
  }

  @Test("an endpoint without room gets a message again, before those after it")
  func refusal() async throws {
    let count = Mutex(0)
    let arrivals = Arrivals {
      count.withLock { count in
        count += 1
        return count % 3 != 1
      }
    }
    let sender = Endpoints.sender
    Endpoints.sender = arrivals
    defer { Endpoints.sender = sender }
    var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
    #expect(NewMusicSequence(&sequence) == noErr)
    #expect(NewMusicPlayer(&player) == noErr)
    let (made, playing) = (try #require(sequence), try #require(player))
    #expect(MusicSequenceNewTrack(made, &track) == noErr)
    #expect(MusicSequenceSetMIDIEndpoint(made, 42) == noErr)
    for index in 0..<20 {
      var message = MIDIChannelMessage(
        status: 0xb0, data1: UInt8(index), data2: 1, reserved: 0)
      #expect(MusicTrackNewMIDIChannelEvent(try #require(track), 0, &message) == noErr)
    }
    #expect(MusicPlayerSetSequence(playing, made) == noErr)
    #expect(MusicSequenceSetMIDIEndpoint(made, 42) == noErr)
    #expect(MusicPlayerStart(playing) == noErr)
    for _ in 0..<4_000 where arrivals.messages.withLock({ $0.count }) < 20 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(MusicPlayerStop(playing) == noErr)
    #expect(arrivals.messages.withLock { $0.map { $0.bytes[1] } } == (0..<20).map { $0 })
    #expect(MusicPlayerSetSequence(playing, nil) == noErr)
    #expect(DisposeMusicPlayer(playing) == noErr)
    #expect(DisposeMusicSequence(made) == noErr)
  }

  @Test("stopping ends a note that was sent ahead, and not before its beginning")
  func stopAhead() async throws {
    let arrivals = Arrivals()
    let sender = Endpoints.sender
    Endpoints.sender = arrivals
    defer { Endpoints.sender = sender }
    var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
    #expect(NewMusicSequence(&sequence) == noErr)
    #expect(NewMusicPlayer(&player) == noErr)
    let (made, playing) = (try #require(sequence), try #require(player))
    #expect(MusicSequenceNewTrack(made, &track) == noErr)
    #expect(MusicSequenceSetMIDIEndpoint(made, 42) == noErr)
    // Of notes that begin every 10 ms, some are always sent ahead.
    for index in 0..<1_000 {
      var note = MIDINoteMessage(
        channel: 1, note: UInt8(index % 128), velocity: 9, releaseVelocity: 3, duration: 100)
      #expect(MusicTrackNewMIDINoteEvent(try #require(track), Double(index) / 50, &note) == noErr)
    }
    #expect(MusicPlayerSetSequence(playing, made) == noErr)
    // A sequence that a player gets has its default destinations again.
    #expect(MusicSequenceSetMIDIEndpoint(made, 42) == noErr)
    #expect(MusicPlayerStart(playing) == noErr)
    for _ in 0..<4_000 where arrivals.messages.withLock({ $0.isEmpty }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(MusicPlayerStop(playing) == noErr)
    let found = arrivals.messages.withLock { $0 }
    let begins = found.filter { $0.bytes[0] == 0x91 }
    let ends = found.filter { $0.bytes[0] == 0x81 }
    #expect(!begins.isEmpty && begins.count == ends.count)
    let lastBegin = begins.map(\.time).max() ?? 0
    #expect(ends.allSatisfy { $0.time >= lastBegin })
    // It goes on behind what was sent.
    var beats = 0.0
    #expect(MusicPlayerGetTime(playing, &beats) == noErr)
    #expect(beats > Double(begins.count - 1) / 50 - 1e-3)
    #expect(MusicPlayerSetSequence(playing, nil) == noErr)
    #expect(DisposeMusicPlayer(playing) == noErr)
    #expect(DisposeMusicSequence(made) == noErr)
  }

  @Test("user events reach the callback, with the slice in which they are played")
  func userEvents() async throws {
    struct Call: Sendable, Equatable {
      let time: Double
      let bytes: [UInt8]
      let isInSlice: Bool
    }
    final class Calls: Sendable { let list = Mutex<[Call]>([]) }
    let calls = Calls()
    let host = try PlayerHost()
    for (time, byte) in [(0.01, 7), (0.02, 8)] as [(Double, UInt8)] {
      var bytes: [UInt8] = [1, 0, 0, 0, byte, 0, 0, 0]
      let track = try host.track()
      bytes.withUnsafeMutableBytes { bytes in
        if let data = bytes.baseAddress?.assumingMemoryBound(to: MusicEventUserData.self) {
          #expect(MusicTrackNewUserEvent(track, time, data) == noErr)
        }
      }
    }
    #expect(
      MusicSequenceSetUserCallback(
        host.sequence,
        { context, _, _, time, data, start, end in
          guard let context else { return }
          let calls = Unmanaged<Calls>.fromOpaque(context).takeUnretainedValue()
          let bytes = UnsafeRawBufferPointer(
            start: UnsafeRawPointer(data) + 4, count: Int(data.pointee.length))
          calls.list.withLock {
            $0.append(
              Call(
                time: time, bytes: Array(bytes),
                isInSlice: start <= time + 1e-9 && time < end))
          }
        }, Unmanaged.passUnretained(calls).toOpaque()) == noErr)
    try host.start()
    try host.render(960)
    for _ in 0..<2_000 where calls.list.withLock({ $0.count }) < 2 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(
      calls.list.withLock { $0 } == [
        Call(time: 0.01, bytes: [7], isInSlice: true),
        Call(time: 0.02, bytes: [8], isInSlice: true),
      ])
    #expect(MusicPlayerStop(host.player) == noErr)
    withExtendedLifetime(calls) {}
  }

  @Test("disposing of the graph, the sequence and the player in any order is safe")
  func endInAnyOrder() throws {
    for order in 0..<3 {
      let host = try PlayerHost()
      try host.note(0, 60, 4)
      try host.start()
      try host.render(100)
      if order == 0 { #expect(DisposeAUGraph(host.graph) == noErr) }
      if order == 1 { #expect(AUGraphClose(host.graph) == noErr) }
      if order == 2 { #expect(DisposeMusicPlayer(host.player) == noErr) }
      if order < 2 {
        #expect(MusicPlayerStop(host.player) == noErr)
        #expect(MusicPlayerSetTime(host.player, 3) == noErr)
      }
    }
  }
}
