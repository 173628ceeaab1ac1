// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CoreAudio
import MusicPlayers
import MusicSequences

// The functions of MusicPlayer.h for sequences.

@c @implementation
public func NewMusicSequence(_ outSequence: UnsafeMutablePointer<MusicSequence?>) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    try store(outSequence, "outSequence") { () throws(AudioError) in
      try EventSequence.make().handle
    }
  }
}

@c @implementation
public func DisposeMusicSequence(_ inSequence: MusicSequence) -> OSStatus {
  status { () throws(AudioError) in try EventSequence.dispose(inSequence) }
}

// MARK: Tracks

@c @implementation
public func MusicSequenceNewTrack(
  _ inSequence: MusicSequence, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outTrack, "outTrack") { () throws(AudioError) in try sequence.addTrack().handle }
  }
}

@c @implementation
public func MusicSequenceDisposeTrack(
  _ inSequence: MusicSequence, _ inTrack: MusicTrack
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try sequence.remove(track(inTrack))
  }
}

@c @implementation
public func MusicSequenceGetTrackCount(
  _ inSequence: MusicSequence, _ outNumberOfTracks: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outNumberOfTracks, "outNumberOfTracks") { UInt32(sequence.tracks.count) }
  }
}

@c @implementation
public func MusicSequenceGetIndTrack(
  _ inSequence: MusicSequence, _ inTrackIndex: UInt32, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outTrack, "outTrack") { () throws(AudioError) in
      try sequence.track(inTrackIndex).handle
    }
  }
}

@c @implementation
public func MusicSequenceGetTrackIndex(
  _ inSequence: MusicSequence, _ inTrack: MusicTrack, _ outTrackIndex: UnsafeMutablePointer<UInt32>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outTrackIndex, "outTrackIndex") { () throws(AudioError) in
      UInt32(try sequence.index(of: track(inTrack)))
    }
  }
}

@c @implementation
public func MusicSequenceGetTempoTrack(
  _ inSequence: MusicSequence, _ outTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outTrack, "outTrack") { () throws(AudioError) in try sequence.tempoTrack.handle }
  }
}

// MARK: Destinations

@c @implementation
public func MusicSequenceSetAUGraph(
  _ inSequence: MusicSequence, _ inGraph: AUGraph?
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try SequenceSound.set(inGraph, for: sequence)
  }
}

@c @implementation
public func MusicSequenceGetAUGraph(
  _ inSequence: MusicSequence, _ outGraph: UnsafeMutablePointer<AUGraph?>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outGraph, "outGraph") { () throws(AudioError) in
      try SequenceSound.graph(of: sequence)
    }
  }
}

@c @implementation
public func MusicSequenceSetMIDIEndpoint(
  _ inSequence: MusicSequence, _ inEndpoint: MIDIEndpointRef
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try sequence.setEndpoint(inEndpoint)
  }
}

// MARK: Times

@c @implementation
public func MusicSequenceSetSequenceType(
  _ inSequence: MusicSequence, _ inType: MusicSequenceType
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try sequence.setType(inType)
  }
}

@c @implementation
public func MusicSequenceGetSequenceType(
  _ inSequence: MusicSequence, _ outType: UnsafeMutablePointer<MusicSequenceType>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outType, "outType") { sequence.type }
  }
}

@c @implementation
public func MusicSequenceReverse(
  _ inSequence: MusicSequence
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try sequence.reverse()
  }
}

@c @implementation
public func MusicSequenceGetSecondsForBeats(
  _ inSequence: MusicSequence, _ inBeats: MusicTimeStamp,
  _ outSeconds: UnsafeMutablePointer<Float64>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outSeconds, "outSeconds") { sequence.tempos.seconds(inBeats) }
  }
}

@c @implementation
public func MusicSequenceGetBeatsForSeconds(
  _ inSequence: MusicSequence, _ inSeconds: Float64,
  _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outBeats, "outBeats") { sequence.tempos.beats(inSeconds) }
  }
}

@c @implementation
public func MusicSequenceSetUserCallback(
  _ inSequence: MusicSequence, _ inCallback: MusicSequenceUserCallback?,
  _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    sequence.userCallback = inCallback.map { UserCallback($0, inClientData) }
  }
}

@c @implementation
public func MusicSequenceBeatsToBarBeatTime(
  _ inSequence: MusicSequence, _ inBeats: MusicTimeStamp, _ inSubbeatDivisor: UInt32,
  _ outBarBeatTime: UnsafeMutablePointer<CABarBeatTime>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    try store(outBarBeatTime, "outBarBeatTime") { () throws(AudioError) in
      try sequence.barBeatTime(inBeats, divisor: inSubbeatDivisor)
    }
  }
}

@c @implementation
public func MusicSequenceBarBeatTimeToBeats(
  _ inSequence: MusicSequence, _ inBarBeatTime: UnsafePointer<CABarBeatTime>,
  _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
  status(sequence: inSequence) { sequence throws(AudioError) in
    guard !isNull(inBarBeatTime) else { throw .null("inBarBeatTime") }
    try store(outBeats, "outBeats") { () throws(AudioError) in
      try sequence.beats(inBarBeatTime.pointee)
    }
  }
}
