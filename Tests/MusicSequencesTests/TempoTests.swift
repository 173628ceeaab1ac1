// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences
import Testing

@Suite("Tempos and bars")
struct TempoTests {
  @Test("without a tempo there are 120 beats a minute")
  func initial() throws {
    let sequence = try EventSequence.make()
    #expect(sequence.tempos.seconds(8) == 4)
    #expect(sequence.tempos.beats(4) == 8)
    #expect(sequence.tempos.seconds(-2) == -1)
  }

  @Test("seconds are the sum of the parts, and beats lead back")
  func parts() throws {
    let sequence = try EventSequence.make()
    try sequence.tempoTrack.add(0, .tempo(60))
    try sequence.tempoTrack.add(4, .tempo(240))
    try sequence.tempoTrack.add(12, .tempo(30))
    #expect(sequence.tempos.seconds(4) == 4)
    #expect(sequence.tempos.seconds(12) == 6)
    #expect(sequence.tempos.seconds(13) == 8)
    for beat in stride(from: -3.0, to: 40, by: 0.37) {
      #expect(abs(sequence.tempos.beats(sequence.tempos.seconds(beat)) - beat) < 1e-12)
    }
  }

  @Test("the first tempo counts from its beat, and of two at one beat the later added counts")
  func order() throws {
    let sequence = try EventSequence.make()
    try sequence.tempoTrack.add(2, .tempo(60))
    try sequence.tempoTrack.add(2, .tempo(30))
    #expect(sequence.tempos.seconds(2) == 1)
    #expect(sequence.tempos.seconds(3) == 3)
  }

  @Test("a sequence in seconds has beats of a second, and cannot have tempos")
  func types() throws {
    let sequence = try EventSequence.make()
    try sequence.setType(.seconds)
    #expect(sequence.tempos.seconds(3) == 3)
    try sequence.setType(.beats)
    try sequence.tempoTrack.add(0, .tempo(90))
    #expect(
      failure { () throws(AudioError) in try sequence.setType(.seconds) }
        == kAudioToolboxErr_InvalidSequenceType)
  }

  @Test("beats become bars by the time signatures")
  func bars() throws {
    let sequence = try EventSequence.make()
    // Two bars of 3/4, then 6/8.
    try sequence.tempoTrack.add(0, .meta(0x58, [3, 2, 24, 8]))
    try sequence.tempoTrack.add(6, .meta(0x58, [6, 3, 24, 8]))
    let expected: [(Double, Int32, UInt16, UInt16)] = [
      (0, 1, 1, 0), (2.5, 1, 3, 240), (3, 2, 1, 0), (6, 3, 1, 0), (6.5, 3, 2, 0), (9, 4, 1, 0),
      (9.25, 4, 1, 240),
    ]
    for (beats, bar, beat, part) in expected {
      let time = try sequence.barBeatTime(beats, divisor: 480)
      #expect((time.bar, time.beat, time.subbeat) == (bar, beat, part), "beat \(beats)")
      #expect(try sequence.beats(time) == beats)
    }
  }

  @Test("bars without a signature have four quarter notes")
  func commonTime() throws {
    let sequence = try EventSequence.make()
    let time = try sequence.barBeatTime(9, divisor: 4)
    #expect((time.bar, time.beat, time.subbeat) == (3, 2, 0))
    #expect(
      failure { () throws(AudioError) in
        _ = try sequence.beats(
          CABarBeatTime(bar: 1, beat: 0, subbeat: 0, subbeatDivisor: 4, reserved: 0))
      } == kAudio_ParamError)
  }
}
