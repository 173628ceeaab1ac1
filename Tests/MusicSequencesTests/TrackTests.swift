// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences
import Testing

@Suite("Tracks")
struct TrackTests {
  private let sequence: EventSequence
  private let track: EventTrack

  init() throws {
    sequence = try EventSequence.make()
    track = try sequence.addTrack()
  }

  private func fill(_ times: [Double]) throws {
    for (index, time) in times.enumerated() { try track.add(time, note(UInt8(60 + index))) }
  }

  @Test("events come in the order of their times, those of one time in the order of adding")
  func order() throws {
    try fill([2, 0, 1, 1, 0, 2])
    #expect(track.keys == [61, 64, 62, 63, 60, 65])
    try track.add(1, note(80))
    #expect(track.keys == [61, 64, 62, 63, 80, 60, 65])
  }

  @Test("many events out of order are the same as a stable sort")
  func manyEvents() throws {
    var random: UInt64 = 7
    var times: [Double] = []
    for index in 0..<5_000 {
      random = random &* 6_364_136_223_846_793_005 &+ 1
      times.append(Double(random >> 60))
      try track.add(times[index], .user([UInt8(index & 255), UInt8(index >> 8)]))
      if index % 700 == 0 { _ = track.events }
    }
    let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    let found = track.events.map { event -> Int in
      guard case .user(let bytes) = event.message else { return -1 }
      return Int(bytes[0]) | Int(bytes[1]) << 8
    }
    #expect(found == expected)
  }

  @Test("the length is the set one, or the end of the note that ends last")
  func length() throws {
    #expect(track.length == 0)
    try track.add(0, note(60, 8))
    try track.add(4, note(61, 1))
    #expect(track.length == 8)
    try track.setLength(10)
    #expect(track.length == 10)
    try track.setLength(1)
    #expect(track.length == 8)
  }

  @Test("moving keeps distances, and lengthens the track")
  func move() throws {
    try fill([0, 1, 2, 3])
    try track.move(1..<3, by: 4.5)
    #expect(track.keys == [60, 63, 61, 62])
    #expect(track.events.map(\.time) == [0, 3, 5.5, 6.5])
    #expect(track.length == 7.5)
    #expect(failure { () throws(AudioError) in try track.move(0..<1, by: -1) } == kAudio_ParamError)
    #expect(track.events.map(\.time) == [0, 3, 5.5, 6.5])
  }

  @Test("clearing leaves a gap, cutting closes it; both leave the event at the end of the range")
  func clearAndCut() throws {
    try fill([0, 1, 2, 3, 4])
    track.clear(1..<3)
    #expect(track.events.map(\.time) == [0, 3, 4])
    track.cut(1..<3)
    #expect(track.events.map(\.time) == [0, 1, 2])
    #expect(track.keys == [60, 63, 64])
    track.cut(1 ..< .infinity)
    #expect(track.keys == [60])
  }

  @Test("inserting makes room, merging does not")
  func copy() throws {
    try fill([0, 1, 2, 3])
    let other = try EventSequence.make().addTrack()
    for time in [0.0, 1, 2] { try other.add(time, note(90)) }
    try other.copy(1..<3, of: track, to: 1, makesRoom: true)
    #expect(other.events.map(\.time) == [0, 1, 2, 3, 4])
    #expect(other.keys == [90, 61, 62, 90, 90])
    try other.copy(0..<1, of: track, to: 1, makesRoom: false)
    #expect(other.keys == [90, 61, 60, 62, 90, 90])
    #expect(track.keys == [60, 61, 62, 63])
  }

  @Test("inserting makes room for the whole range, also behind the last event")
  func copyWithRest() throws {
    try fill([0, 1])
    let other = try EventSequence.make().addTrack()
    try other.add(2, note(90))
    try other.copy(0..<8, of: track, to: 1, makesRoom: true)
    #expect(other.events.map(\.time) == [1, 2, 10])
    // An endless range ends with the last note.
    try other.copy(0 ..< .infinity, of: track, to: 0, makesRoom: true)
    #expect(other.events.map(\.time) == [0, 1, 3, 4, 12])
  }

  @Test("a range that starts before 0 starts at 0")
  func negativeStart() throws {
    try fill([0, 1, 2])
    track.cut(try EventTime.range(-4, 1))
    #expect(track.events.map(\.time) == [0, 1])
    #expect(try EventTime.range(-4, -1) == 0..<0)
  }

  @Test("a track can be copied into itself")
  func copyToItself() throws {
    try fill([0, 1])
    try track.copy(0..<2, of: track, to: 0, makesRoom: true)
    #expect(track.keys == [60, 61, 60, 61])
    #expect(track.events.map(\.time) == [0, 1, 2, 3])
  }

  @Test("a time that no event can have is refused", arguments: [-1, .nan, .infinity, 1e10])
  func times(time: Double) throws {
    #expect(failure { () throws(AudioError) in try track.add(time, note(60)) } == kAudio_ParamError)
    #expect(track.events.isEmpty)
  }

  @Test(
    "the tempo track takes only tempos, time signatures and SMPTE offsets, and others no tempos")
  func tempoTrack() throws {
    let tempos = try sequence.tempoTrack
    for message in [note(60), controller(7, 1), .user([1]), .meta(3, []), .raw([0xf0, 0xf7])] {
      #expect(
        failure { () throws(AudioError) in try tempos.add(0, message) }
          == kAudioToolboxErr_InvalidEventType, "\(message.text)")
    }
    try tempos.add(0, .meta(0x54, [0, 0, 0, 0, 0]))
    try tempos.add(1, .meta(0x51, [0x07, 0xa1, 0x20]))
    #expect(tempos.texts == ["0: meta 84 [0, 0, 0, 0, 0]", "1: tempo 120"])
    #expect(
      failure { () throws(AudioError) in try track.add(0, .tempo(90)) }
        == kAudioToolboxErr_InvalidEventType)
  }

  @Test("a track of automated parameters takes nothing else")
  func automation() throws {
    try track.setAutomated(true)
    let event = ParameterEvent(parameterID: 1, scope: 0, element: 0, value: 2)
    try track.add(0, .parameter(event))
    #expect(
      failure { () throws(AudioError) in try track.add(0, note(60)) }
        == kAudioToolboxErr_InvalidEventType)
    try track.setAutomated(false)
    try track.add(0, note(60))
    #expect(
      failure { () throws(AudioError) in try track.setAutomated(true) }
        == kAudioToolboxErr_InvalidEventType)
  }

  @Test("a removed track has no sequence, and keeps its events")
  func removal() throws {
    try fill([0])
    let handle = try #require(track.handle)
    try sequence.remove(track)
    #expect(sequence.tracks.isEmpty)
    #expect(track.sequence == nil)
    #expect(track.keys == [60])
    #expect(EventTrack.handles.enter(handle) == nil)
    #expect(
      failure { () throws(AudioError) in try sequence.remove(track) }
        == kAudioToolboxErr_TrackNotFound)
  }

  @Test("reversing keeps the tempos of a sequence without a length, and adds none to one without")
  func reverseTempos() throws {
    try sequence.tempoTrack.add(0, .tempo(90))
    try sequence.reverse()
    #expect(try sequence.tempoTrack.texts == ["0: tempo 90"])
    let other = try EventSequence.make()
    try other.setType(.seconds)
    try other.addTrack().add(1, note(60))
    try other.reverse()
    #expect(try other.tempoTrack.events.isEmpty)
    try sequence.tempoTrack.add(0, .tempo(120))
    try track.add(1, note(60))
    try sequence.reverse()
    #expect(try sequence.tempoTrack.texts == ["0: tempo 120"])
  }

  @Test("reversing plays the sequence backwards, with its tempos")
  func reverse() throws {
    try track.add(0, note(60, 1))
    try track.add(3, note(61, 2))
    try sequence.tempoTrack.add(0, .tempo(60))
    try sequence.tempoTrack.add(2, .tempo(120))
    let seconds = sequence.tempos.seconds(5)
    try sequence.reverse()
    #expect(track.keys == [61, 60])
    #expect(track.events.map(\.time) == [0, 4])
    #expect(sequence.tempos.seconds(5) == seconds)
    #expect(sequence.tempos.seconds(3) == 1.5)
  }
}
