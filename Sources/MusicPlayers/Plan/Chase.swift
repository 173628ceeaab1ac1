// SPDX-License-Identifier: Apache-2.0

/// What sets instruments up as they were at a beat, had the tracks been played from their start: the
/// last value of each controller, program, bend and pressure, and of each parameter; also the last
/// event of the program. [control thread]
///
/// A program comes behind the bank that it had, and a data entry behind the number of its parameter.
enum Chase {
  /// What a later event replaces.
  private struct Key: Hashable {
    let kind: PlayEvent.Kind.RawValue
    let status: UInt8
    let controller: UInt8
    var number: UInt32
    let scope, element: UInt32

    init?(_ event: PlayEvent) {
      guard event.setsState || event.kind == .parameter || event.kind == .user else { return nil }
      kind = event.kind.rawValue
      status = event.status
      controller = event.status & 0xf0 == 0xb0 ? event.data1 : 0
      (number, scope, element) = (event.number, event.scope, event.element)
    }
  }

  /// The events, each with the index of its track, in the order in which they were. With `resets`,
  /// what a track sets only later first gets its initial value.
  static func events(_ tracks: [PlayTrack], at beat: Double, resets: Bool)
    -> [(track: Int, event: PlayEvent)]
  {
    tracks.enumerated().flatMap { track in
      events(track.element, at: beat, resets: resets).map { (track.offset, $0) }
    }
  }

  private static func events(_ track: PlayTrack, at beat: Double, resets: Bool) -> [PlayEvent] {
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
    let events = order.map { track.events[$0] }
    var states = ChannelStates()
    var last: [Key: Int] = [:]
    for position in events.indices {
      guard var key = Key(events[position]) else { continue }
      if let number = states.observe(position, of: events) { key.number = number }
      last[key] = position
    }
    let found = states.ordered(last.values.sorted(), of: events)
    guard resets, let place, place.pass == 0 else { return found }
    let limit = track.loopDuration > 0 ? max(end, index(track.length)) : track.count
    let later = (end..<limit).map { track.events[$0] }
    return initialValues(
      of: later, known: Set(last.keys), after: place.time + 2 * PlayTrack.tolerance) + found
  }

  /// The initial values of what events set, unless it is known, or set at the place itself.
  private static func initialValues(of events: [PlayEvent], known: Set<Key>, after time: Double)
    -> [PlayEvent]
  {
    var known = known
    return events.compactMap { event in
      guard let key = Key(event), known.insert(key).inserted, event.beat > time else { return nil }
      return event.initial
    }
  }
}

extension PlayEvent {
  /// The same message with the value that instruments have at first; nil if it has none.
  fileprivate var initial: PlayEvent? {
    guard kind == .channel else { return nil }
    var event = self
    switch status & 0xf0 {
    case 0xb0:
      switch data1 {
      // Data entries depend on the number of the parameter, and modes are no values.
      case 6, 38, 96...101, 120...127: return nil
      case 7: event.data2 = 100
      case 8, 10, 70...79: event.data2 = 64
      case 11: event.data2 = 127
      default: event.data2 = 0
      }
    case 0xc0, 0xd0: event.data1 = 0
    case 0xe0: (event.data1, event.data2) = (0, 64)
    default: return nil
    }
    return event
  }
}
