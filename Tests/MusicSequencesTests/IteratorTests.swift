// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences
import Testing

@Suite("Iterators")
struct IteratorTests {
  private let track: EventTrack
  private let sequence: EventSequence

  init() throws {
    sequence = try EventSequence.make()
    track = try sequence.addTrack()
    for index in 0..<4 { try track.add(Double(index), note(UInt8(60 + index))) }
  }

  private func key(_ iterator: EventIterator) -> UInt8? {
    guard let event = try? iterator.current, case .note(let note) = event.message else {
      return nil
    }
    return note.note
  }

  @Test("begins at the first event, goes behind the last, and back")
  func walk() throws {
    let iterator = try EventIterator.make(track)
    #expect(!iterator.hasPrevious && iterator.hasCurrent && iterator.hasNext)
    #expect(
      failure { () throws(AudioError) in try iterator.previous() } == kAudioToolboxErr_StartOfTrack)
    for key in [60, 61, 62, 63] as [UInt8] {
      #expect(self.key(iterator) == key)
      try iterator.next()
    }
    #expect(iterator.hasPrevious && !iterator.hasCurrent && !iterator.hasNext)
    #expect(failure { () throws(AudioError) in try iterator.next() } == kAudioToolboxErr_EndOfTrack)
    try iterator.previous()
    #expect(key(iterator) == 63)
  }

  @Test("seeks the first event at or after a time")
  func seek() throws {
    let iterator = try EventIterator.make(track)
    iterator.seek(1.5)
    #expect(key(iterator) == 62)
    iterator.seek(3)
    #expect(key(iterator) == 63)
    for end in [3.1, 1e9, .greatestFiniteMagnitude] {
      iterator.seek(end)
      #expect(!iterator.hasCurrent)
    }
  }

  @Test("after a removal the next event is the current one")
  func removal() throws {
    let iterator = try EventIterator.make(track)
    var kept: [UInt8] = []
    while iterator.hasCurrent {
      if let key = key(iterator), key % 2 == 0 {
        kept.append(key)
        try iterator.next()
      } else {
        try iterator.remove()
      }
    }
    #expect(kept == [60, 62])
    #expect(track.keys == [60, 62])
    #expect(
      failure { () throws(AudioError) in try iterator.remove() } == kAudioToolboxErr_EndOfTrack)
  }

  @Test("an event stays the current one when it or the track changes")
  func changes() throws {
    let iterator = try EventIterator.make(track)
    try iterator.next()
    try iterator.set(time: 2.5)
    #expect(key(iterator) == 61)
    #expect(track.keys == [60, 62, 61, 63])
    try iterator.set(controller(7, 9))
    #expect(try iterator.current.message.text == "176 7 9")
    try track.add(0, note(90))
    try iterator.next()
    #expect(key(iterator) == 63)
    track.clear(3..<4)
    #expect(!iterator.hasCurrent)
  }

  @Test("the data of an event stays while nothing but questions follow")
  func data() throws {
    let iterator = try EventIterator.make(track)
    let info = try iterator.info()
    let before = Array(UnsafeRawBufferPointer(start: info.data, count: info.size))
    for _ in 0..<100 {
      #expect(iterator.hasCurrent && iterator.hasNext && !iterator.hasPrevious)
      // Freed memory would be used again.
      let other = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 16)
      other.initializeMemory(as: UInt8.self, repeating: 0xff, count: 32)
      other.deallocate()
    }
    #expect(Array(UnsafeRawBufferPointer(start: info.data, count: info.size)) == before)
    #expect(before.prefix(4) == [0, 60, 100, 0])
  }

  @Test("an event of the wrong type for the track is refused")
  func types() throws {
    let iterator = try EventIterator.make(track)
    #expect(
      failure { () throws(AudioError) in try iterator.set(.tempo(90)) }
        == kAudioToolboxErr_InvalidEventType)
    #expect(key(iterator) == 60)
  }
}
