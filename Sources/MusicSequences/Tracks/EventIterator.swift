// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// A position among the events of a track: the object behind a MusicEventIterator. [control thread]
///
/// It stays at its event when the track is edited otherwise. If that event is removed, the position is
/// that of the next one.
package final class EventIterator: @unchecked Sendable {  // guarded by the lock of its track
  package static let handles = HandleTable<EventIterator, MusicEventIterator>(kind: 0x2A)

  private let track: EventTrack
  package private(set) var handle: MusicEventIterator?
  private var index = 0
  /// The current event, and the edits of the track when it was found.
  private var place: (serial: UInt64, time: Double)?
  private var edits = -1
  /// The data of the last query.
  private var data = UnsafeMutableRawBuffer()

  /// An iterator at the first event of a track.
  package static func make(_ track: EventTrack) throws(AudioError) -> EventIterator {
    let iterator = EventIterator(track)
    iterator.seek(0)
    iterator.handle = try handles.insert(iterator)
    return iterator
  }

  private init(_ track: EventTrack) { self.track = track }

  /// Disposes of an iterator.
  package static func dispose(_ handle: MusicEventIterator) throws(AudioError) {
    guard handles.invalidate(handle) else { throw .stale("iterator") }
    handles.finishRemoval(of: handle)
  }

  // MARK: Moving

  /// Moves to the first event at or after a time.
  package func seek(_ time: Double) {
    locked { list in
      data.free()
      set(time >= EventTime.limit ? list.count : list.firstIndex(from: time), &list)
    }
  }

  /// Moves to the next event, or after the last.
  package func next() throws(AudioError) {
    try locked { list throws(AudioError) in
      guard index < list.count else { throw .endOfTrack }
      data.free()
      set(index + 1, &list)
    }
  }

  /// Moves to the previous event.
  package func previous() throws(AudioError) {
    try locked { list throws(AudioError) in
      guard index > 0 else { throw .startOfTrack }
      data.free()
      set(index - 1, &list)
    }
  }

  package var hasPrevious: Bool { locked { list in index > 0 && list.count > 0 } }
  package var hasCurrent: Bool { locked { list in index < list.count } }
  package var hasNext: Bool { locked { list in index + 1 < list.count } }

  // MARK: The current event

  /// The current event.
  package var current: MusicEvent {
    get throws(AudioError) {
      try locked { list throws(AudioError) in
        guard index < list.count else { throw .endOfTrack }
        return list[index]
      }
    }
  }

  /// The current event, its structure in memory that stays until the next such call, move, edit or
  /// the end of the iterator, and the size of that.
  package func info() throws(AudioError) -> (
    event: MusicEvent, data: UnsafeRawPointer, size: Int
  ) {
    let event = try current
    let bytes = event.message.structure
    return track.lock.withLock { (event, data.store(bytes), bytes.count) }
  }

  /// Replaces what the current event says.
  package func set(_ message: EventMessage) throws(AudioError) {
    let message = try track.accepted(message)
    try edit { list in list.set(message, at: index) }
  }

  /// Moves the current event to another time.
  package func set(time: Double) throws(AudioError) {
    let time = try EventTime.checked(time)
    try edit { list in
      let serial = list.move(index, to: time)
      set(list.index(of: serial, near: time) ?? 0, &list)
    }
  }

  /// Removes the current event; the next one becomes the current one.
  package func remove() throws(AudioError) {
    try edit { list in
      list.remove(at: index)
      set(index, &list)
    }
  }

  // MARK: The place

  /// Runs `body` under the lock, at the place of the iterator.
  private func locked<Result, Failure>(_ body: (inout TrackEvents) throws(Failure) -> Result)
    throws(Failure) -> Result
  {
    try track.read { list throws(Failure) in
      find(&list)
      return try body(&list)
    }
  }

  /// As above, for a change of the current event.
  private func edit(_ body: (inout TrackEvents) -> Void) throws(AudioError) {
    try track.edit { list throws(AudioError) in
      data.free()
      find(&list)
      guard index < list.count else { throw .endOfTrack }
      body(&list)
      edits = track.editCount + 1
    }
  }

  /// Finds the current event again, if the track was edited.
  private func find(_ list: inout TrackEvents) {
    guard edits != track.editCount else { return }
    edits = track.editCount
    guard let place else { return index = list.count }
    index = list.index(of: place.serial, near: place.time) ?? list.firstIndex(from: place.time)
    set(index, &list)
  }

  private func set(_ index: Int, _ list: inout TrackEvents) {
    self.index = index
    place = index < list.count ? (list[index].serial, list[index].time) : nil
  }
}

/// Memory for the data of one event.
struct UnsafeMutableRawBuffer: ~Copyable {
  private var memory: UnsafeMutableRawPointer?

  /// Keeps a copy of some bytes, in place of those before.
  mutating func store(_ bytes: [UInt8]) -> UnsafeRawPointer {
    free()
    let memory = UnsafeMutableRawPointer.allocate(byteCount: max(32, bytes.count), alignment: 16)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    self.memory = memory
    return UnsafeRawPointer(memory)
  }

  /// Frees the memory.
  mutating func free() {
    memory?.deallocate()
    memory = nil
  }

  deinit { memory?.deallocate() }
}
