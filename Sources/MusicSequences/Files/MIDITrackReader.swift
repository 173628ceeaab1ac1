// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Reads the events of one track of a file. An error ends the track; what came before stays.
struct MIDITrackReader {
  private(set) var track = MIDIFile.Track()
  private(set) var tempoEvents: [MIDIFile.Event] = []

  private let bytes: [UInt8]
  private var position: Int
  private let end: Int
  private let ticks: Double
  private let isInSeconds: Bool
  /// The time in ticks.
  private var tick = 0
  private var runningStatus: UInt8 = 0
  private var notes = SoundingNotes()
  /// The beginning of a system-exclusive message that goes on in a later event.
  private var exclusive: (time: Double, bytes: [UInt8])?

  init(_ bytes: [UInt8], _ range: Range<Int>, _ file: MIDIFile) {
    self.bytes = bytes
    (position, end) = (range.lowerBound, range.upperBound)
    (ticks, isInSeconds) = (file.ticks, file.isInSeconds)
  }

  private var time: Double { Double(tick) / ticks }

  /// Reads to the end of the track, or at most a number of events.
  mutating func readAll(eventLimit: Int) {
    while track.events.count + tempoEvents.count < eventLimit, readEvent() {}
    if let exclusive { track.events.append((exclusive.time, .raw(exclusive.bytes))) }
    track.end = min(time, EventTime.limit)
    for index in notes.all { finish(index, velocity: 0) }
  }

  private mutating func byte() -> UInt8? {
    guard position < end else { return nil }
    position += 1
    return bytes[position - 1]
  }

  /// A data byte. One with its high bit set is cut, as players do.
  private mutating func dataByte() -> UInt8? { byte().map { $0 & 0x7f } }

  /// A number of one to four bytes.
  private mutating func variableNumber() -> Int? {
    var number = 0
    for _ in 0..<4 {
      guard let byte = byte() else { return nil }
      number = number << 7 | Int(byte & 0x7f)
      if byte < 0x80 { return number }
    }
    return nil
  }

  /// As many bytes as a number says, or as there are.
  private mutating func block() -> ArraySlice<UInt8>? {
    guard let length = variableNumber() else { return nil }
    let start = position
    position = min(position + length, end)
    return bytes[start..<position]
  }

  /// Reads one event; false at the end of the track.
  private mutating func readEvent() -> Bool {
    guard position < end, let delta = variableNumber() else { return false }
    tick += delta
    guard time < EventTime.limit, var status = byte() else { return false }
    if status < 0x80 {
      if runningStatus >= 0x80 {
        position -= 1
        status = runningStatus
      } else {
        // Data without a status: nothing is known before the next status.
        while status < 0x80 {
          guard let next = byte() else { return false }
          status = next
        }
      }
    }
    switch status {
    case 0x80..<0xf0: return readMessage(status)
    case 0xf0, 0xf7: return readExclusive(isStart: status == 0xf0)
    case 0xff: return readMeta()
    case 0xf1, 0xf3: return dataByte() != nil
    case 0xf2: return dataByte() != nil && dataByte() != nil
    // Real-time messages do not belong in files, and have no data.
    default: return true
    }
  }

  private mutating func readMessage(_ status: UInt8) -> Bool {
    runningStatus = status
    guard let first = dataByte() else { return false }
    guard status & 0xe0 != 0xc0 else {
      append(.channel(MIDIChannelMessage(status: status, data1: first, data2: 0, reserved: 0)))
      return true
    }
    guard let second = dataByte() else { return false }
    let channel = status & 15
    switch status & 0xf0 {
    case 0x90 where second > 0:
      notes.start(track.events.count, channel, first)
      append(
        .note(
          MIDINoteMessage(
            channel: channel, note: first, velocity: second, releaseVelocity: 0, duration: 0)))
    case 0x80, 0x90:
      // A note-on with velocity 0 ends a note as a note-off with velocity 64 does.
      let velocity = status & 0xf0 == 0x90 ? 64 : second
      if let index = notes.end(channel, first) { finish(index, velocity: velocity) }
    default:
      append(.channel(MIDIChannelMessage(status: status, data1: first, data2: second, reserved: 0)))
    }
    return true
  }

  private mutating func append(_ message: EventMessage) { track.events.append((time, message)) }

  /// Ends the note of an event.
  private mutating func finish(_ index: Int, velocity: UInt8) {
    guard case .note(var note) = track.events[index].message else { return }
    note.duration = Float(time - track.events[index].time)
    note.releaseVelocity = velocity
    track.events[index].message = .note(note)
  }

  private mutating func readExclusive(isStart: Bool) -> Bool {
    guard let data = block() else { return false }
    if isStart {
      if let exclusive { track.events.append((exclusive.time, .raw(exclusive.bytes))) }
      exclusive = (time, [0xf0] + data)
    } else if exclusive != nil {
      exclusive?.bytes += data
    } else {
      append(.raw(Array(data)))
      return true
    }
    if data.last == 0xf7, let exclusive {
      track.events.append((exclusive.time, .raw(exclusive.bytes)))
      self.exclusive = nil
    }
    return true
  }

  private mutating func readMeta() -> Bool {
    guard let type = byte(), type != 0x2f, let data = block() else { return false }
    let bytes = Array(data)
    switch type {
    case 0x51:
      guard !isInSeconds, let tempo = MIDIFileTempo.beatsPerMinute(bytes) else { break }
      tempoEvents.append((time, .tempo(tempo)))
    // An empty event of the sequencer only fills a long time.
    case 0x7f where bytes.isEmpty: break
    case 0x54, 0x58: tempoEvents.append((time, .meta(type, bytes)))
    default: append(.meta(type, bytes))
    }
    return true
  }
}

/// The notes that sound at a place of a file: for each key of each channel the oldest first.
private struct SoundingNotes {
  private struct Key {
    var events: [Int] = []
    /// The index of the oldest note that sounds.
    var first = 0
  }

  private var keys = [Key](repeating: Key(), count: 16 * 128)

  /// Adds the note of an event.
  mutating func start(_ index: Int, _ channel: UInt8, _ key: UInt8) {
    keys[Int(channel) << 7 | Int(key)].events.append(index)
  }

  /// Removes the oldest note of a key; nil if none sounds.
  mutating func end(_ channel: UInt8, _ key: UInt8) -> Int? {
    let place = Int(channel) << 7 | Int(key)
    guard keys[place].first < keys[place].events.count else { return nil }
    keys[place].first += 1
    return keys[place].events[keys[place].first - 1]
  }

  /// The events of all notes.
  var all: [Int] { keys.flatMap { $0.events[$0.first...] } }
}
