// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CoreAudio
import MusicPlayers
import MusicSequences

// The functions of MusicPlayer.h for tracks.

@c @implementation
public func MusicTrackGetSequence(
  _ inTrack: MusicTrack, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try store(outSequence, "outSequence") { track.sequence?.handle }
  }
}

@c @implementation
public func MusicTrackSetDestNode(
  _ inTrack: MusicTrack, _ inNode: AUNode
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.setNode(inNode)
  }
}

@c @implementation
public func MusicTrackGetDestNode(
  _ inTrack: MusicTrack, _ outNode: UnsafeMutablePointer<AUNode>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try store(outNode, "outNode") { () throws(AudioError) in try track.node }
  }
}

@c @implementation
public func MusicTrackSetDestMIDIEndpoint(
  _ inTrack: MusicTrack, _ inEndpoint: MIDIEndpointRef
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.setEndpoint(inEndpoint)
  }
}

@c @implementation
public func MusicTrackGetDestMIDIEndpoint(
  _ inTrack: MusicTrack, _ outEndpoint: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try store(outEndpoint, "outEndpoint") { () throws(AudioError) in try track.endpoint }
  }
}

@c @implementation
public func MusicTrackSetProperty(
  _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ inData: UnsafeMutableRawPointer,
  _ inLength: UInt32
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    guard !isNull(inData) else { throw .null("inData") }
    try track.setProperty(inPropertyID, inData)
  }
}

@c @implementation
public func MusicTrackGetProperty(
  _ inTrack: MusicTrack, _ inPropertyID: UInt32, _ outData: UnsafeMutableRawPointer?,
  _ ioLength: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    let bytes = try track.property(inPropertyID)
    outData?.copyMemory(from: bytes, byteCount: bytes.count)
    ioLength?.pointee = UInt32(bytes.count)
  }
}

// MARK: Edits

@c @implementation
public func MusicTrackMoveEvents(
  _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp,
  _ inMoveTime: MusicTimeStamp
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.move(EventTime.range(inStartTime, inEndTime), by: inMoveTime)
  }
}

@c @implementation
public func MusicTrackClear(
  _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    track.clear(try EventTime.range(inStartTime, inEndTime))
  }
}

@c @implementation
public func MusicTrackCut(
  _ inTrack: MusicTrack, _ inStartTime: MusicTimeStamp, _ inEndTime: MusicTimeStamp
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    track.cut(try EventTime.range(inStartTime, inEndTime))
  }
}

@c @implementation
public func MusicTrackCopyInsert(
  _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp,
  _ inSourceEndTime: MusicTimeStamp, _ inDestTrack: MusicTrack,
  _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
  status(track: inDestTrack) { destination throws(AudioError) in
    try destination.copy(
      EventTime.range(inSourceStartTime, inSourceEndTime), of: track(inSourceTrack),
      to: inDestInsertTime, makesRoom: true)
  }
}

@c @implementation
public func MusicTrackMerge(
  _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp,
  _ inSourceEndTime: MusicTimeStamp, _ inDestTrack: MusicTrack,
  _ inDestInsertTime: MusicTimeStamp
) -> OSStatus {
  status(track: inDestTrack) { destination throws(AudioError) in
    try destination.copy(
      EventTime.range(inSourceStartTime, inSourceEndTime), of: track(inSourceTrack),
      to: inDestInsertTime, makesRoom: false)
  }
}

@c @implementation
public func NewMusicTrackFrom(
  _ inSourceTrack: MusicTrack, _ inSourceStartTime: MusicTimeStamp,
  _ inSourceEndTime: MusicTimeStamp, _ outNewTrack: UnsafeMutablePointer<MusicTrack?>
) -> OSStatus {
  status(track: inSourceTrack) { source throws(AudioError) in
    let range = try EventTime.range(inSourceStartTime, inSourceEndTime)
    try store(outNewTrack, "outNewTrack") { () throws(AudioError) in
      try EventSequence.make(copying: range, of: source).handle
    }
  }
}

// MARK: Adding events

@c @implementation
public func MusicTrackNewMIDINoteEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMessage: UnsafePointer<MIDINoteMessage>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_MIDINoteMessage, inMessage))
  }
}

@c @implementation
public func MusicTrackNewMIDIChannelEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp,
  _ inMessage: UnsafePointer<MIDIChannelMessage>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_MIDIChannelMessage, inMessage))
  }
}

@c @implementation
public func MusicTrackNewMIDIRawDataEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inRawData: UnsafePointer<MIDIRawData>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_MIDIRawData, inRawData))
  }
}

@c @implementation
public func MusicTrackNewExtendedNoteEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ExtendedNoteOnEvent>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_ExtendedNote, inInfo))
  }
}

@c @implementation
public func MusicTrackNewParameterEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inInfo: UnsafePointer<ParameterEvent>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_Parameter, inInfo))
  }
}

@c @implementation
public func MusicTrackNewMetaEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inMetaEvent: UnsafePointer<MIDIMetaEvent>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_Meta, inMetaEvent))
  }
}

@c @implementation
public func MusicTrackNewUserEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp,
  _ inUserData: UnsafePointer<MusicEventUserData>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_User, inUserData))
  }
}

@c @implementation
public func MusicTrackNewAUPresetEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp,
  _ inPresetEvent: UnsafePointer<AUPresetEvent>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, EventMessage(kMusicEventType_AUPreset, inPresetEvent))
  }
}

@c @implementation
public func MusicTrackNewExtendedTempoEvent(
  _ inTrack: MusicTrack, _ inTimeStamp: MusicTimeStamp, _ inBPM: Float64
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try track.add(inTimeStamp, .tempo(EventMessage.checked(tempo: inBPM)))
  }
}
