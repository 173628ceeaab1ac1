// SPDX-License-Identifier: Apache-2.0
import AudioSupport

// Edits of ranges of events: from the start to before the end. [control thread]
extension EventTrack {
  /// Moves the events of a range by some beats. None may come before beat 0.
  package func move(_ range: Range<Double>, by beats: Double) throws(AudioError) {
    try edit { list throws(AudioError) in
      let indices = list.indices(in: range)
      guard !indices.isEmpty else { return }
      guard beats.isFinite, list[indices.lowerBound].time + beats >= 0,
        list[indices.upperBound - 1].time + beats < EventTime.limit
      else {
        throw .invalidArgument.because(
          "moving the event at beat \(list[indices.lowerBound].time) by \(beats) beats")
      }
      list.shift(indices, by: beats)
    }
  }

  /// Removes the events of a range.
  package func clear(_ range: Range<Double>) {
    try? edit { list in list.removeAll(in: range) }
  }

  /// Removes the events of a range, and closes the gap.
  package func cut(_ range: Range<Double>) {
    try? edit { list in
      list.removeAll(in: range)
      guard range.upperBound < .infinity else { return }
      let first = list.firstIndex(from: range.upperBound)
      list.shift(first..<list.count, by: range.lowerBound - range.upperBound)
    }
  }

  /// Copies the events of a range of a track to a time of this one. With `makesRoom`, the events from
  /// that time on first move by the length of the range.
  package func copy(
    _ range: Range<Double>, of source: EventTrack, to time: Double, makesRoom: Bool
  ) throws(AudioError) {
    let time = try EventTime.checked(time)
    // The two tracks may have different locks, which are never held together.
    let (copied, end) = source.read { list in
      (Array(list.all[list.indices(in: range)]), list.end)
    }
    // An endless range ends with the track.
    let last = range.upperBound < .infinity ? range.upperBound : max(end, range.lowerBound)
    let length = last - range.lowerBound
    var events: [(time: Double, message: EventMessage)] = []
    for event in copied {
      let copyTime = try EventTime.checked(event.time - range.lowerBound + time)
      events.append((copyTime, try accepted(event.message)))
    }
    try edit { list throws(AudioError) in
      if makesRoom {
        guard list.end + length < EventTime.limit else {
          throw .invalidArgument.because("events would come after beat \(EventTime.limit)")
        }
        list.shift(list.firstIndex(from: time)..<list.count, by: length)
      }
      for event in events { list.add(event.time, event.message) }
    }
  }
}

extension TrackEvents {
  /// Moves the events at some indices, which keep their order.
  mutating func shift(_ indices: Range<Int>, by beats: Double) {
    var events = all
    for index in indices { events[index].time += beats }
    replace(with: events)
  }

  /// Removes the events of a range of times.
  mutating func removeAll(in range: Range<Double>) {
    var events = all
    events.removeSubrange(indices(in: range))
    replace(with: events)
  }
}
