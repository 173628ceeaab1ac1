// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Foundation
import Testing

@Suite("AVMIDIPlayer")
struct MIDIPlayerTests {
  private func file() -> Data {
    let sequencer = AVAudioSequencer()
    let track = sequencer.createAndAppendTrack()
    track.addEvent(AVMIDINoteEvent(channel: 0, key: 60, velocity: 90, duration: 3), at: 1)
    return sequencer.data(withSMPTEResolution: 0, error: nil)
  }

  @Test("has the length of its file, and a position and rate that can be set")
  func values() throws {
    let player = try AVMIDIPlayer(data: file(), soundBankURL: nil)
    #expect(player.duration == 2)
    #expect(player.currentPosition == 0)
    player.currentPosition = 1.5
    #expect(player.currentPosition == 1.5)
    #expect(player.rate == 1)
    player.rate = 2
    #expect(player.rate == 2)
    player.rate = -1
    #expect(player.rate == 2)
    #expect(!player.isPlaying)
  }

  @Test("refuses what is no MIDI file, and a bank that does not exist")
  func refusals() {
    #expect(throws: NSError.self) { try AVMIDIPlayer(data: Data([1, 2]), soundBankURL: nil) }
    #expect(throws: NSError.self) {
      try AVMIDIPlayer(
        contentsOf: URL(fileURLWithPath: "/nowhere/a.mid"), soundBankURL: nil)
    }
    #expect(throws: NSError.self) {
      try AVMIDIPlayer(data: file(), soundBankURL: URL(fileURLWithPath: "/nowhere/bank.sf2"))
    }
  }
}
