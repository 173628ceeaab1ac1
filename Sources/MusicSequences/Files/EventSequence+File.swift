// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

// Sequences from files. [control thread]
extension EventSequence {
  /// Adds the tracks of a file. With `separatesChannels`, each channel becomes a track, and the last
  /// track has the events without a channel. If it fails, nothing has changed.
  package func load(_ bytes: [UInt8], separatesChannels: Bool) throws(AudioError) {
    let file = try MIDIFileReader.read(bytes)
    let tempos = try tempoTrack
    let isEmpty = tracks.isEmpty && tempos.events.isEmpty
    guard isEmpty || file.isInSeconds == (type == .seconds) else {
      throw .invalidSequenceType.because(
        file.isInSeconds
          ? "the file is in seconds, and the sequence has events in beats"
          : "the file is in beats, and the sequence has events in seconds")
    }
    if isEmpty {
      try setType(file.isInSeconds ? .seconds : .beats)
      resolution = file.resolution
    }
    tempos.addAll(file.tempoEvents)
    for track in separatesChannels ? file.channelTracks : file.soundingTracks {
      let added = try addTrack()
      added.addAll(track.events)
      let end = track.end
      if end > added.length { try added.set { $0.length = end } }
    }
  }
}

extension MIDIFile {
  /// Its tracks, without a first one that has only tempos.
  fileprivate var soundingTracks: [Track] {
    guard format == 1, let first = tracks.first, first.events.isEmpty else { return tracks }
    return Array(tracks.dropFirst())
  }

  /// A track for each channel that is used, and one for the events without a channel.
  fileprivate var channelTracks: [Track] {
    var channels: [UInt8: Track] = [:]
    var others = Track()
    for track in tracks {
      for event in track.events {
        if let channel = event.message.channel {
          channels[channel, default: Track()].append(event, trackEnd: track.end)
        } else {
          others.events.append(event)
        }
      }
      others.end = max(others.end, track.end)
    }
    return channels.sorted { $0.key < $1.key }.map(\.value) + [others]
  }
}

extension MIDIFile.Track {
  /// Adds an event of a track that has an end.
  fileprivate mutating func append(_ event: MIDIFile.Event, trackEnd: Double) {
    events.append(event)
    end = max(end, trackEnd)
  }
}
