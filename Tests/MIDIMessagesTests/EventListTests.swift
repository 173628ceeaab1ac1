// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Testing

@Suite("A list of note events")
struct EventListTests {
  /// A list, in memory that is freed after `body`.
  private func withList(_ body: (inout EventList) -> Void) {
    let memory = UnsafeMutablePointer<NoteEvent>.allocate(capacity: EventList.capacity)
    memory.initialize(repeating: NoteEvent(.dropNotes, at: 0), count: EventList.capacity)
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
