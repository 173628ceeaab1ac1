// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import MusicSequences

/// A note.
func note(_ key: UInt8, _ duration: Float = 1, channel: UInt8 = 0, velocity: UInt8 = 100)
  -> EventMessage
{
  .note(
    MIDINoteMessage(
      channel: channel, note: key, velocity: velocity, releaseVelocity: 0, duration: duration))
}

/// A controller.
func controller(_ number: UInt8, _ value: UInt8, channel: UInt8 = 0) -> EventMessage {
  .channel(
    MIDIChannelMessage(status: 0xb0 | channel, data1: number, data2: value, reserved: 0))
}

extension EventTrack {
  /// Its events as texts: "1: note 60 for 0.5".
  var texts: [String] { events.map { "\($0.time.plainText): \($0.message.text)" } }
  /// The keys of its notes.
  var keys: [UInt8] {
    events.compactMap { if case .note(let note) = $0.message { note.note } else { nil } }
  }
}

extension EventMessage {
  /// What it says.
  var text: String {
    switch self {
    case .note(let note):
      "note \(note.note)/\(note.channel) at \(note.velocity) for \(note.duration.plainText)"
    case .channel(let message): "\(message.status) \(message.data1) \(message.data2)"
    case .raw(let bytes): "raw \(bytes)"
    case .meta(let type, let bytes): "meta \(type) \(bytes)"
    case .user(let bytes): "user \(bytes)"
    case .tempo(let tempo): "tempo \(tempo.plainText)"
    case .parameter(let event): "parameter \(event.parameterID) \(event.value.plainText)"
    case .extendedNote(let note): "extended \(note.pitch.plainText)"
    case .preset: "preset"
    }
  }
}

/// A Standard MIDI File of chunks.
func file(
  format: Int = 1, tracks: Int? = nil, division: [UInt8] = [0, 96], headerRest: [UInt8] = [],
  _ chunks: [[UInt8]]
) -> [UInt8] {
  let count = tracks ?? chunks.count
  return chunk(
    "MThd", [0, UInt8(format), UInt8(count >> 8), UInt8(count & 255)] + division + headerRest)
    + chunks.flatMap { chunk("MTrk", $0) }
}

/// A chunk, with its length or a wrong one.
func chunk(_ name: String, _ bytes: [UInt8], length: Int? = nil) -> [UInt8] {
  let length = length ?? bytes.count
  return Array(name.utf8) + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + bytes
}

/// A sequence of a file.
func load(_ bytes: [UInt8], separatesChannels: Bool = false) throws(AudioError) -> EventSequence {
  let sequence = try EventSequence.make()
  try sequence.load(bytes, separatesChannels: separatesChannels)
  return sequence
}

/// The status of the error that `body` throws; noErr if it throws none.
func failure(_ body: () throws(AudioError) -> Void) -> OSStatus {
  do throws(AudioError) {
    try body()
    return noErr
  } catch { return error.status }
}
