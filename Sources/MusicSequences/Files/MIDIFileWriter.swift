// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Writes a sequence as a Standard MIDI File of format 1: the tempo track, then each track.
/// [control thread]
///
/// Parameters, presets, extended notes, user data and notes of velocity 0 have no form there, and are
/// left out. At one tick notes end before others begin. Longer times than a file has between two events
/// are filled with empty events of the sequencer.
package struct MIDIFileWriter {
  private let ticks: Double
  private var bytes: [UInt8] = []

  /// One event of the file.
  private struct Item {
    let tick: Int
    /// Of those of one tick, the lower rank comes first.
    let rank: Int
    let bytes: [UInt8]
  }

  /// The bytes of a file. `resolution` is the ticks of a beat, or an SMPTE resolution for a sequence in
  /// seconds; 0 for that of the sequence.
  package static func bytes(of sequence: EventSequence, resolution: Int16 = 0) throws(AudioError)
    -> [UInt8]
  {
    let resolution = try Self.resolution(resolution, for: sequence)
    var writer = MIDIFileWriter(ticks: MIDIFile.ticks(resolution))
    let tracks = sequence.tracks
    guard tracks.count < 65_535 else {
      throw .invalidArgument.because(
        "\(tracks.count) tracks; a MIDI file has at most 65535 with that of the tempos")
    }
    writer.bytes += "MThd".utf8
    writer.append(6, 4)
    writer.append(1, 2)
    writer.append(tracks.count + 1, 2)
    writer.append(Int(UInt16(bitPattern: resolution)), 2)
    for track in [try sequence.tempoTrack] + tracks { try writer.append(track) }
    return writer.bytes
  }

  private init(ticks: Double) { self.ticks = ticks }

  private static func resolution(_ wanted: Int16, for sequence: EventSequence) throws(AudioError)
    -> Int16
  {
    let own = sequence.resolution
    switch sequence.type {
    case .beats:
      guard wanted >= 0 else {
        throw .invalidArgument.because("an SMPTE resolution for a sequence in beats")
      }
      return wanted > 0 ? wanted : own > 0 ? own : 480
    case .seconds:
      guard wanted <= 0 else {
        throw .invalidArgument.because("ticks of a beat for a sequence in seconds")
      }
      // 25 frames of 40 ticks are milliseconds.
      return wanted < 0 ? wanted : own < 0 ? own : -25 << 8 | 40
    default: throw .invalidSequenceType.because("a sequence in samples cannot be saved")
    }
  }

  // MARK: Tracks

  private mutating func append(_ track: EventTrack) throws(AudioError) {
    var items: [Item] = []
    for event in track.events { try add(event, to: &items) }
    // Events of the same tick and rank keep their order.
    let order = items.indices.sorted { left, right in
      (items[left].tick, items[left].rank, left) < (items[right].tick, items[right].rank, right)
    }
    bytes += "MTrk".utf8
    let lengthPosition = bytes.count
    append(0, 4)
    var last = 0
    for index in order {
      try append(time: items[index].tick - last)
      bytes += items[index].bytes
      last = items[index].tick
    }
    try append(time: max(0, try tick(track.length) - last))
    bytes += [0xff, 0x2f, 0]
    let length = bytes.count - lengthPosition - 4
    for place in 0..<4 {
      bytes[lengthPosition + place] = UInt8(truncatingIfNeeded: length >> (24 - 8 * place))
    }
  }

  private func tick(_ time: Double) throws(AudioError) -> Int {
    guard let tick = Outside((time * ticks).rounded()).count else {
      throw .invalidArgument.because("beat \(time) is too late for a MIDI file")
    }
    return tick
  }

  private func add(_ event: MusicEvent, to items: inout [Item]) throws(AudioError) {
    let start = try tick(event.time)
    switch event.message {
    case .note(let note):
      // A file has no such note: it would end another one.
      guard note.velocity > 0 else { return }
      let end = try tick(event.end)
      items.append(
        Item(tick: start, rank: 1, bytes: [0x90 | note.channel, note.note, note.velocity]))
      // A note without a length ends behind its beginning.
      items.append(
        Item(
          tick: end, rank: end > start ? 0 : 2,
          bytes: [
            0x80 | note.channel, note.note, note.releaseVelocity > 0 ? note.releaseVelocity : 64,
          ]))
    case .channel(let message):
      let hasOneByte = message.status & 0xe0 == 0xc0
      items.append(
        Item(
          tick: start, rank: 1,
          bytes: [message.status, message.data1] + (hasOneByte ? [] : [message.data2])))
    case .raw(let data):
      let isExclusive = data.first == 0xf0
      let content = isExclusive ? Array(data.dropFirst()) : data
      items.append(
        Item(
          tick: start, rank: 1,
          bytes: try [isExclusive ? 0xf0 : 0xf7] + Self.variable(content.count) + content))
    case .meta(let type, let data):
      // The end of the track is written at its end.
      guard type != 0x2f else { return }
      items.append(
        Item(
          tick: start, rank: 1,
          bytes: try [0xff, type & 0x7f] + Self.variable(data.count) + data))
    case .tempo(let tempo):
      items.append(
        Item(tick: start, rank: 1, bytes: [0xff, 0x51, 3] + MIDIFileTempo.bytes(tempo)))
    case .user, .parameter, .extendedNote, .preset: break
    }
  }

  // MARK: Numbers

  private mutating func append(_ number: Int, _ count: Int) {
    for place in (0..<count).reversed() {
      bytes.append(UInt8(truncatingIfNeeded: number >> (8 * place)))
    }
  }

  /// The longest number that a file has.
  private static let longest = 0x0fff_ffff

  /// Appends the ticks before an event.
  private mutating func append(time: Int) throws(AudioError) {
    var rest = time
    while rest > Self.longest {
      bytes += try Self.variable(Self.longest) + [0xff, 0x7f, 0]
      rest -= Self.longest
    }
    try append(variable: rest)
  }

  private mutating func append(variable number: Int) throws(AudioError) {
    // Most are one byte.
    if number < 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: number))
    } else {
      bytes += try Self.variable(number)
    }
  }

  private static func variable(_ number: Int) throws(AudioError) -> [UInt8] {
    guard number <= longest else {
      throw .invalidArgument.because(
        "\(number) bytes; an event of a MIDI file has at most \(longest)")
    }
    var result = [UInt8(truncatingIfNeeded: number & 0x7f)]
    var rest = number >> 7
    while rest > 0 {
      result.insert(UInt8(truncatingIfNeeded: rest & 0x7f | 0x80), at: 0)
      rest >>= 7
    }
    return result
  }
}
