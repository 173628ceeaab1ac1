// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CoreMIDI
import Foundation
import Synchronization
import Testing

extension PlayerStateTests {
  @Test("a virtual destination receives the notes of a track, each at its time")
  func virtualDestination() async throws {
    final class Arrivals: Sendable {
      let packets = Mutex<[(bytes: [UInt8], time: MIDITimeStamp)]>([])
    }
    let arrivals = Arrivals()
    var (client, destination) = (MIDIClientRef(), MIDIEndpointRef())
    #expect(MIDIClientCreateWithBlock("Players" as CFString, &client, nil) == noErr)
    #expect(
      MIDIDestinationCreateWithBlock(client, "In" as CFString, &destination) { list, _ in
        for packet in list.unsafeSequence() {
          let found = (Array(packet.bytes()), packet.pointee.timeStamp)
          arrivals.packets.withLock { $0.append(found) }
        }
      } == noErr)
    defer { MIDIClientDispose(client) }
    var (sequence, player, track) = (MusicSequence?.none, MusicPlayer?.none, MusicTrack?.none)
    #expect(NewMusicSequence(&sequence) == noErr)
    #expect(NewMusicPlayer(&player) == noErr)
    let (made, playing) = (try #require(sequence), try #require(player))
    #expect(MusicSequenceNewTrack(made, &track) == noErr)
    let notes = try #require(track)
    var note = MIDINoteMessage(
      channel: 2, note: 60, velocity: 90, releaseVelocity: 7, duration: 0.2)
    #expect(MusicTrackNewMIDINoteEvent(notes, 0, &note) == noErr)
    #expect(MusicPlayerSetSequence(playing, made) == noErr)
    #expect(MusicTrackSetDestMIDIEndpoint(notes, destination) == noErr)
    #expect(MusicPlayerStart(playing) == noErr)
    for _ in 0..<4_000 where arrivals.packets.withLock({ $0.count }) < 2 {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(MusicPlayerStop(playing) == noErr)
    let found = arrivals.packets.withLock { $0 }
    #expect(found.map(\.bytes) == [[0x92, 60, 90], [0x82, 60, 7]])
    if found.count == 2 {
      let nanoseconds = AudioConvertHostTimeToNanos(found[1].time - found[0].time)
      #expect(abs(Double(nanoseconds) - 1e8) < 21_000)
    }
    #expect(MusicPlayerSetSequence(playing, nil) == noErr)
    #expect(DisposeMusicPlayer(playing) == noErr)
    #expect(DisposeMusicSequence(made) == noErr)
  }
}
