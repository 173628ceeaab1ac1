// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// Reads Standard MIDI Files ("Standard MIDI-File Format Specification 1.1", MIDI Manufacturers
/// Association), also in a RIFF file. [any thread]
///
/// It reads what files in use contain beyond the rules: running status over meta events, lengths that
/// reach past the end, missing tracks and ends. What a track has before its first error stays.
package struct MIDIFileReader {
  /// The largest file.
  package static let byteLimit = 256 << 20
  /// The most events of a file: its list takes some 200 megabytes.
  static let eventLimit = 4 << 20

  private let bytes: [UInt8]
  private var file = MIDIFile()
  private var eventCount = 0

  /// The content of a file. Throws if it is no Standard MIDI File.
  package static func read(_ bytes: [UInt8]) throws(AudioError) -> MIDIFile {
    guard bytes.count <= byteLimit else {
      throw .outOfMemory.because("a MIDI file of \(bytes.count) bytes")
    }
    var reader = MIDIFileReader(bytes)
    try reader.readFile()
    return reader.file
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func number(_ position: Int, _ count: Int) -> Int {
    bytes[position..<position + count].reduce(0) { $0 << 8 | Int($1) }
  }

  private func has(_ name: String, at position: Int) -> Bool {
    position + 4 <= bytes.count && bytes[position..<position + 4].elementsEqual(name.utf8)
  }

  private mutating func readFile() throws(AudioError) {
    guard let start = findHeader(), start + 14 <= bytes.count, number(start + 4, 4) >= 6 else {
      throw .invalidFile.because("it is not a Standard MIDI File")
    }
    file.format = number(start + 8, 2)
    guard file.format <= 2 else {
      throw .invalidFile.because("a MIDI file of format \(file.format)")
    }
    let trackLimit = number(start + 10, 2)
    file.resolution = Int16(truncatingIfNeeded: number(start + 12, 2))
    // Some files have no resolution; then any will do.
    if file.resolution == 0 { file.resolution = 480 }
    var position = start + 8 + number(start + 4, 4)
    while file.tracks.count < trackLimit, position + 8 <= bytes.count {
      guard isName(at: position) else {
        // The length before this place was wrong.
        guard let next = findTrack(from: position) else { break }
        position = next
        continue
      }
      let end = min(position + 8 + number(position + 4, 4), bytes.count)
      if has("MTrk", at: position) { try readTrack(position + 8, end) }
      position = end
    }
  }

  /// The position of the header: at the start, or in a RIFF file.
  private func findHeader() -> Int? {
    if has("MThd", at: 0) { return 0 }
    guard has("RIFF", at: 0), has("RMID", at: 8) else { return nil }
    var position = 12
    while position + 8 <= bytes.count {
      if has("data", at: position) { return has("MThd", at: position + 8) ? position + 8 : nil }
      // RIFF has the low byte first, and chunks begin at even places.
      let length = bytes[position + 4..<position + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      position += 8 + length + length % 2
    }
    return nil
  }

  /// Whether the name of a chunk is at a position.
  private func isName(at position: Int) -> Bool {
    bytes[position..<position + 4].allSatisfy { (0x20...0x7e).contains($0) }
  }

  private func findTrack(from start: Int) -> Int? {
    var position = start
    while position + 8 <= bytes.count {
      if bytes[position] == UInt8(ascii: "M"), has("MTrk", at: position) { return position }
      position += 1
    }
    return nil
  }

  private mutating func readTrack(_ start: Int, _ end: Int) throws(AudioError) {
    var reader = MIDITrackReader(bytes, start..<end, file)
    reader.readAll(eventLimit: Self.eventLimit - eventCount)
    eventCount += reader.track.events.count + reader.tempoEvents.count
    guard eventCount < Self.eventLimit else {
      throw .outOfMemory.because("a MIDI file with more than \(Self.eventLimit) events")
    }
    file.tracks.append(reader.track)
    file.tempoEvents += reader.tempoEvents
  }
}
