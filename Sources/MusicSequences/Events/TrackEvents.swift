// SPDX-License-Identifier: Apache-2.0

/// The events of a track, in the order of their times; those of the same time in the order in which
/// they were added. [control thread]
///
/// Adding behind the last event takes constant time. Events that come earlier are sorted in together,
/// before the next read.
package struct TrackEvents: Sendable {
  private var sorted: [MusicEvent] = []
  private var unsorted: [MusicEvent] = []
  private var nextSerial: UInt64 = 0

  package init() {}

  /// All events.
  package var all: [MusicEvent] {
    mutating get {
      sort()
      return sorted
    }
  }

  /// The number of events.
  package var count: Int { sorted.count + unsorted.count }

  /// The event at an index, which must exist.
  package subscript(index: Int) -> MusicEvent {
    mutating get {
      sort()
      return sorted[index]
    }
  }

  /// Adds an event behind those of the same time; returns its serial number.
  @discardableResult
  package mutating func add(_ time: Double, _ message: EventMessage) -> UInt64 {
    let event = MusicEvent(time: time, serial: nextSerial, message: message)
    nextSerial += 1
    if let last = sorted.last, last.time > time {
      unsorted.append(event)
    } else {
      sorted.append(event)
    }
    return event.serial
  }

  /// Replaces all events, whose serial numbers stay unique.
  package mutating func replace(with events: [MusicEvent]) {
    unsorted = []
    sorted = events
    sorted.sort { $0.precedes($1) }
  }

  /// Replaces what the event at an index says.
  package mutating func set(_ message: EventMessage, at index: Int) {
    sort()
    sorted[index].message = message
  }

  /// Removes the event at an index.
  package mutating func remove(at index: Int) {
    sort()
    sorted.remove(at: index)
  }

  /// Moves the event at an index to another time, behind those of that time; returns its new serial
  /// number.
  package mutating func move(_ index: Int, to time: Double) -> UInt64 {
    sort()
    let message = sorted.remove(at: index).message
    return add(time, message)
  }

  /// The index of the first event at or after a time.
  package mutating func firstIndex(from time: Double) -> Int {
    sort()
    return sorted.firstIndex(from: time)
  }

  /// The indices of the events of a range of times.
  package mutating func indices(in range: Range<Double>) -> Range<Int> {
    let first = firstIndex(from: range.lowerBound)
    return first..<max(first, firstIndex(from: range.upperBound))
  }

  /// The index of the event with a serial number, which had a time; nil if it was removed.
  package mutating func index(of serial: UInt64, near time: Double) -> Int? {
    var index = firstIndex(from: time)
    while index < sorted.count, sorted[index].time == time {
      if sorted[index].serial == serial { return index }
      index += 1
    }
    return sorted.firstIndex { $0.serial == serial }
  }

  private mutating func sort() {
    guard !unsorted.isEmpty else { return }
    unsorted.sort { $0.precedes($1) }
    var merged: [MusicEvent] = []
    merged.reserveCapacity(count)
    var position = 0
    for event in unsorted {
      while position < sorted.count, sorted[position].precedes(event) {
        merged.append(sorted[position])
        position += 1
      }
      merged.append(event)
    }
    merged += sorted[position...]
    (sorted, unsorted) = (merged, [])
  }
}

extension [MusicEvent] {
  /// The index of the first event at or after a time.
  package func firstIndex(from time: Double) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
