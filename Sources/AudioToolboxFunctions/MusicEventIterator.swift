// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CoreAudio
import MusicPlayers
import MusicSequences

// The functions of MusicPlayer.h for iterators.

@c @implementation
public func NewMusicEventIterator(
  _ inTrack: MusicTrack, _ outIterator: UnsafeMutablePointer<MusicEventIterator?>
) -> OSStatus {
  status(track: inTrack) { track throws(AudioError) in
    try store(outIterator, "outIterator") { () throws(AudioError) in
      try EventIterator.make(track).handle
    }
  }
}

@c @implementation
public func DisposeMusicEventIterator(_ inIterator: MusicEventIterator) -> OSStatus {
  status { () throws(AudioError) in try EventIterator.dispose(inIterator) }
}

@c @implementation
public func MusicEventIteratorSeek(
  _ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    iterator.seek(inTimeStamp)
  }
}

@c @implementation
public func MusicEventIteratorNextEvent(
  _ inIterator: MusicEventIterator
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try iterator.next()
  }
}

@c @implementation
public func MusicEventIteratorPreviousEvent(
  _ inIterator: MusicEventIterator
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try iterator.previous()
  }
}

@c @implementation
public func MusicEventIteratorGetEventInfo(
  _ inIterator: MusicEventIterator, _ outTimeStamp: UnsafeMutablePointer<MusicTimeStamp>?,
  _ outEventType: UnsafeMutablePointer<MusicEventType>?,
  _ outEventData: UnsafeMutablePointer<UnsafeRawPointer?>?,
  _ outEventDataSize: UnsafeMutablePointer<UInt32>?
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    let info = try iterator.info()
    outTimeStamp?.pointee = info.event.time
    outEventType?.pointee = info.event.message.type
    outEventData?.pointee = info.data
    outEventDataSize?.pointee = UInt32(info.size)
  }
}

@c @implementation
public func MusicEventIteratorSetEventInfo(
  _ inIterator: MusicEventIterator, _ inEventType: MusicEventType, _ inEventData: UnsafeRawPointer
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try iterator.set(EventMessage(inEventType, inEventData))
  }
}

@c @implementation
public func MusicEventIteratorSetEventTime(
  _ inIterator: MusicEventIterator, _ inTimeStamp: MusicTimeStamp
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try iterator.set(time: inTimeStamp)
  }
}

@c @implementation
public func MusicEventIteratorDeleteEvent(
  _ inIterator: MusicEventIterator
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try iterator.remove()
  }
}

@c @implementation
public func MusicEventIteratorHasPreviousEvent(
  _ inIterator: MusicEventIterator, _ outHasPrevEvent: UnsafeMutablePointer<Bool>
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try store(outHasPrevEvent, "outHasPrevEvent") { iterator.hasPrevious }
  }
}

@c @implementation
public func MusicEventIteratorHasCurrentEvent(
  _ inIterator: MusicEventIterator, _ outHasCurEvent: UnsafeMutablePointer<Bool>
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try store(outHasCurEvent, "outHasCurEvent") { iterator.hasCurrent }
  }
}

@c @implementation
public func MusicEventIteratorHasNextEvent(
  _ inIterator: MusicEventIterator, _ outHasNextEvent: UnsafeMutablePointer<Bool>
) -> OSStatus {
  status(iterator: inIterator) { iterator throws(AudioError) in
    try store(outHasNextEvent, "outHasNextEvent") { iterator.hasNext }
  }
}
