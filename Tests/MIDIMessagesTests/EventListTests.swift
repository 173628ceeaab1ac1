// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite("A list of note events")
struct EventListTests {
  /// A list, in memory that is freed after `body`.
  private func withList(_ body: (inout EventList) -> Void) {
    let memory = UnsafeMutablePointer<NoteEvent>.allocate(capacity: EventList.capacity)
    memory.initialize(repeating: NoteEvent(.reset, at: 0), count: EventList.capacity)
    defer { memory.deinitialize(count: EventList.capacity).deallocate() }
    var list = EventList(memory)
    body(&list)
  }

  /// Removes all events; their frames and keys.
  private func drain(_ list: inout EventList) -> [[Int]] {
    var found: [[Int]] = []
    while list.nextFrame != .max {
      let event = list.removeFirst()
      found.append([event.frame, Int(event.first)])
    }
    return found
  }

  @Test("returns them by frame, and those of a frame in the order of their arrival")
  func order() {
    withList { list in
      for (key, frame) in [40, 10, 30, 10, 0, 40].enumerated() {
        list.insert(NoteEvent(.noteOn, UInt8(key), at: UInt32(frame)))
      }
      #expect(list.nextFrame == 0)
      #expect(drain(&list) == [[0, 4], [10, 1], [10, 3], [30, 2], [40, 0], [40, 5]])
    }
  }

  @Test("moves them earlier, but not before the start")
  func rewind() {
    withList { list in
      for frame in [5, 100, 200] as [UInt32] { list.insert(NoteEvent(.noteOn, at: frame)) }
      list.rewind(by: 100)
      #expect(drain(&list) == [[0, 0], [0, 0], [100, 0]])
    }
  }

  @Test("drops notes, and keeps what is sent to channels and to the system")
  func notes() {
    withList { list in
      let kinds: [NoteEvent.Kind] = [
        .noteOn, .program, .noteOff, .controller, .stop, .bend, .keyPressure, .masterVolume,
      ]
      for (frame, kind) in kinds.enumerated() { list.insert(NoteEvent(kind, at: UInt32(frame))) }
      list.removeNotes()
      #expect(drain(&list).map { $0[0] } == [1, 3, 5, 7])
    }
  }

  @Test("drops only the notes that were sent before a moment")
  func earlierNotes() {
    withList { list in
      for order in 0..<4 {
        var event = NoteEvent(order == 1 ? .bend : .noteOn, at: UInt32(10 - order))
        event.order = order
        list.insert(event)
      }
      list.removeNotes(before: 3)
      #expect(drain(&list).map { $0[0] } == [7, 9])
    }
  }

  @Test("ends a note that was stopped too early at the frame at which it begins")
  func earlyStop() {
    withList { list in
      for (note, frame) in [(1, 50), (2, 80)] as [(UInt32, UInt32)] {
        var start = NoteEvent(.noteOn, UInt8(note), at: frame)
        start.note = note
        list.insert(start)
        var stop = NoteEvent(.stop, UInt8(10 + note), at: 60)
        stop.note = note
        list.insert(stop)
      }
      #expect(drain(&list) == [[50, 1], [60, 11], [80, 2], [80, 12]])
    }
  }

  @Test("knows the events that only end notes")
  func ends() {
    let ends: [NoteEvent] = [
      NoteEvent(.noteOff, at: 0), NoteEvent(.stop, at: 0), NoteEvent(.reset, at: 0),
      NoteEvent(.controller, 123, 0, at: 0), NoteEvent(.controller, 64, 63, at: 0),
      NoteEvent(.controller, 66, 0, at: 0),
    ]
    #expect(ends.allSatisfy { $0.endsNotes })
    let others: [NoteEvent] = [
      NoteEvent(.noteOn, at: 0), NoteEvent(.controller, 64, 64, at: 0),
      NoteEvent(.controller, 7, 0, at: 0), NoteEvent(.bend, at: 0),
    ]
    #expect(!others.contains { $0.endsNotes })
  }

  @Test("is full at its capacity, and uses the memory of removed events again")
  func capacity() {
    withList { list in
      for frame in 0..<EventList.capacity { list.insert(NoteEvent(.bend, at: UInt32(frame))) }
      #expect(list.isFull)
      for frame in 0..<100 { #expect(list.removeFirst().frame == frame) }
      #expect(!list.isFull)
      for _ in 0..<100 { list.insert(NoteEvent(.bend, at: 9_999)) }
      #expect(list.isFull)
      #expect(drain(&list).map { $0[0] }.last == 9_999)
      list.insert(NoteEvent(.bend, at: 1))
      list.removeAll()
      #expect(list.nextFrame == .max)
    }
  }
}
