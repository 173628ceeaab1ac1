// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CoreAudio
import MusicPlayers
import MusicSequences

// Helpers for the functions of MusicPlayer.h. An object lives until the call returns, so a callback of
// the program may dispose of it meanwhile.

/// Runs `body` on the object behind a handle; converts an error to a status, and records its
/// explanation.
private func status<Object: AnyObject, Handle: ObjectHandle>(
  _ table: HandleTable<Object, Handle>, _ handle: Handle, _ kind: String, in call: StaticString,
  _ body: (Object) throws(AudioError) -> Void
) -> OSStatus {
  guard let entered = table.enter(handle) else {
    return Explanations.record(.stale(kind), in: call)
  }
  let object = entered.takeUnretainedValue()
  table.leave(handle)
  return status(in: call) { () throws(AudioError) in try body(object) }
}

/// Runs `body` on a player.
func status(
  player handle: MusicPlayer, in call: StaticString = #function,
  _ body: (SequencePlayer) throws(AudioError) -> Void
) -> OSStatus { status(SequencePlayer.handles, handle, "player", in: call, body) }

/// Runs `body` on a sequence.
func status(
  sequence handle: MusicSequence, in call: StaticString = #function,
  _ body: (EventSequence) throws(AudioError) -> Void
) -> OSStatus { status(EventSequence.handles, handle, "sequence", in: call, body) }

/// Runs `body` on a track.
func status(
  track handle: MusicTrack, in call: StaticString = #function,
  _ body: (EventTrack) throws(AudioError) -> Void
) -> OSStatus { status(EventTrack.handles, handle, "track", in: call, body) }

/// Runs `body` on an iterator.
func status(
  iterator handle: MusicEventIterator, in call: StaticString = #function,
  _ body: (EventIterator) throws(AudioError) -> Void
) -> OSStatus { status(EventIterator.handles, handle, "iterator", in: call, body) }

/// The track behind a handle.
func track(_ handle: MusicTrack) throws(AudioError) -> EventTrack {
  guard let entered = EventTrack.handles.enter(handle) else { throw .stale("track") }
  defer { EventTrack.handles.leave(handle) }
  return entered.takeUnretainedValue()
}

/// The sequence behind a handle.
func sequence(_ handle: MusicSequence) throws(AudioError) -> EventSequence {
  guard let entered = EventSequence.handles.enter(handle) else { throw .stale("sequence") }
  defer { EventSequence.handles.leave(handle) }
  return entered.takeUnretainedValue()
}

/// Writes a result to `destination`, which must not be null.
func store<Value>(
  _ destination: UnsafeMutablePointer<Value>, _ argument: String,
  _ value: () throws(AudioError) -> Value
) throws(AudioError) {
  guard !isNull(destination) else { throw .null(argument) }
  destination.pointee = try value()
}
