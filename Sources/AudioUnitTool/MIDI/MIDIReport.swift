// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation
@_spi(TrappingConversions) import CheckedNumbers

/// The report of `au info FILE` about a MIDI file.
struct MIDIReport: Encodable {
  /// One track.
  struct Track: Encodable {
    let name: String
    let notes: Int
    /// Events other than notes.
    let others: Int
    /// From 1, as people count them.
    let channels: [Int]
    let beats: Double
  }

  let path: String
  let seconds: Double
  let information: [String: String]
  /// The tempos, in beats per minute.
  let tempos: [Double]
  let tracks: [Track]

  /// Reads a file.
  init(_ path: String) throws(Failure) {
    let score = try MIDIScore(path)
    self.path = path
    seconds = score.seconds
    information =
      MusicSequenceGetInfoDictionary(score.sequence) as? [String: String] ?? [:]
    var tempos: [Double] = []
    if let track = score.tempoTrack {
      Self.forEach(track) { type, data in
        if type == kMusicEventType_ExtendedTempo { tempos.append(data.load(as: Double.self)) }
      }
    }
    self.tempos = tempos
    tracks = score.tracks.map(Self.track)
  }

  private static func track(_ track: MusicTrack) -> Track {
    var (name, notes, others) = ("", 0, 0)
    var channels: Set<Int> = []
    forEach(track) { type, data in
      switch type {
      case kMusicEventType_MIDINoteMessage:
        notes += 1
        channels.insert(Int(data.load(as: MIDINoteMessage.self).channel) + 1)
      case kMusicEventType_MIDIChannelMessage:
        others += 1
        channels.insert(Int(data.load(as: MIDIChannelMessage.self).status & 15) + 1)
      case kMusicEventType_Meta where name.isEmpty && data.load(as: UInt8.self) == 3:
        let count = data.load(fromByteOffset: 4, as: UInt32.self)
        name = String(
          decoding: UnsafeRawBufferPointer(start: data + 8, count: Int(count)), as: UTF8.self)
      default: others += 1
      }
    }
    return Track(
      name: name, notes: notes, others: others, channels: channels.sorted(),
      beats: MIDIScore.length(track))
  }

  private static func forEach(
    _ track: MusicTrack, _ body: (MusicEventType, UnsafeRawPointer) -> Void
  ) {
    var made: MusicEventIterator?
    guard NewMusicEventIterator(track, &made) == noErr, let iterator = made else { return }
    defer { DisposeMusicEventIterator(iterator) }
    var (type, data) = (MusicEventType(), UnsafeRawPointer?.none)
    while MusicEventIteratorGetEventInfo(iterator, nil, &type, &data, nil) == noErr {
      if let data { body(type, data) }
      MusicEventIteratorNextEvent(iterator)
    }
  }

  /// A table to read.
  var text: String {
    var table = TextTable()
    table.add("File", path)
    table.add("Kind", "Standard MIDI File")
    table.add("Length", "\(Numbers.short(seconds, digits: 3)) s")
    for (key, value) in information.sorted(by: { $0.key < $1.key })
    where !key.hasPrefix("approximate") && key != "tempo" {
      table.add(key.prefix(1).uppercased() + key.dropFirst(), value)
    }
    let first = tempos.first.map { "\(Numbers.short($0, digits: 2)) beats per minute" }
    let more = tempos.count > 1 ? ", \(Numbers.count(tempos.count - 1, "change"))" : ""
    table.add("Tempo", (first ?? "120 beats per minute") + more)
    for (index, track) in tracks.enumerated() {
      let channels = track.channels.map(String.init).joined(separator: ", ")
      let place = track.channels.isEmpty ? "" : ", channel \(channels)"
      let name = track.name.isEmpty ? "" : "\(track.name): "
      table.add(
        "Track \(index + 1)",
        "\(name)\(Numbers.count(track.notes, "note")), \(Numbers.count(track.others, "other event"))"
          + "\(place), \(Numbers.short(track.beats, digits: 2)) beats")
    }
    return table.text
  }
}
