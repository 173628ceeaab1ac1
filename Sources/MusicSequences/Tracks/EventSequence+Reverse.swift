// SPDX-License-Identifier: Apache-2.0
import AudioSupport

extension EventSequence {
  /// Reverses events and tempos: what was at the end of the sequence comes at its start, and notes end
  /// where they began. [control thread]
  package func reverse() throws(AudioError) {
    let end = tracks.reduce(0) { max($0, $1.length) }
    // Without a length there is nothing to reverse.
    guard end > 0 else { return }
    let tempos = try tempoTrack
    let points = self.tempos.points
    try tempos.edit { list in
      // The tempo between two points stays the tempo between them.
      var reversed: [(time: Double, message: EventMessage)] = []
      for (index, point) in points.enumerated().reversed() where point.beat < end {
        let last = index + 1 < points.count ? min(points[index + 1].beat, end) : end
        reversed.append((end - last, .tempo(60 / point.secondsPerBeat)))
      }
      let others = list.all.filter { event in
        if case .tempo = event.message { false } else { true }
      }
      let hasTempos = others.count < list.count
      list = TrackEvents()
      // A sequence without tempos stays without.
      if hasTempos {
        for event in reversed { list.add(event.time, event.message) }
      }
      for event in others { list.add(event.time, event.message) }
    }
    for track in tracks {
      try track.edit { list in
        let events = list.all
        list = TrackEvents()
        for event in events.reversed() { list.add(max(0, end - event.end), event.message) }
      }
    }
  }
}
