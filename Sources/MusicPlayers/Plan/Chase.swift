// SPDX-License-Identifier: Apache-2.0

/// What sets instruments up as they were at a beat, had the tracks been played from their start: the
/// last value of each controller, program, bend and pressure, and of each parameter; also the last
/// event of the program. [control thread]
enum Chase {
  /// What a later event replaces.
  private struct Key: Hashable {
    let kind: PlayEvent.Kind.RawValue
    let status: UInt8
    let controller: UInt8
    let number, scope, element: UInt32

    init?(_ event: PlayEvent) {
      guard event.setsState || event.kind == .parameter || event.kind == .user else { return nil }
      kind = event.kind.rawValue
      status = event.status
      controller = event.status & 0xf0 == 0xb0 ? event.data1 : 0
      (number, scope, element) = (event.number, event.scope, event.element)
    }
  }

  /// The events, each with the index of its track, in the order in which they were.
  static func events(_ tracks: [PlayTrack], at beat: Double) -> [(track: Int, event: PlayEvent)] {
    tracks.enumerated().flatMap { track in
      events(track.element, at: beat).map { (track.offset, $0) }
    }
  }

  private static func events(_ track: PlayTrack, at beat: Double) -> [PlayEvent] {
    let place = track.place(at: beat - PlayTrack.tolerance)
    func index(_ time: Double) -> Int {
      PlayTrack.firstIndex(track.events, track.count, from: time)
    }
    let end = index(place?.time ?? .infinity)
    var order = Array(0..<end)
    if let place, place.pass > 0 {
      // The events behind the place were played in the pass before.
      let start = index(track.length - track.loopDuration)
      let last = max(end, index(track.length))
      order = Array(0..<start) + Array(end..<last) + Array(start..<max(start, end))
    }
    var last: [Key: Int] = [:]
    for (position, index) in order.enumerated() {
      if let key = Key(track.events[index]) { last[key] = position }
    }
    return last.values.sorted().map { track.events[order[$0]] }
  }
}
