// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import CoreAudio
import MusicPlayers
import MusicSequences

// The functions of MusicPlayer.h for players.

@c @implementation
public func NewMusicPlayer(_ outPlayer: UnsafeMutablePointer<MusicPlayer?>) -> OSStatus {
  Library.start()
  return status { () throws(AudioError) in
    try store(outPlayer, "outPlayer") { () throws(AudioError) in try SequencePlayer.make().handle }
  }
}

@c @implementation
public func DisposeMusicPlayer(_ inPlayer: MusicPlayer) -> OSStatus {
  status { () throws(AudioError) in try SequencePlayer.dispose(inPlayer) }
}

@c @implementation
public func MusicPlayerSetSequence(_ inPlayer: MusicPlayer, _ inSequence: MusicSequence?)
  -> OSStatus
{
  status(player: inPlayer) { player throws(AudioError) in
    guard let inSequence else { return try player.set(nil) }
    try player.set(sequence(inSequence))
  }
}

@c @implementation
public func MusicPlayerGetSequence(
  _ inPlayer: MusicPlayer, _ outSequence: UnsafeMutablePointer<MusicSequence?>
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try store(outSequence, "outSequence") { () throws(AudioError) in try player.sequence.handle }
  }
}

@c @implementation
public func MusicPlayerSetTime(
  _ inPlayer: MusicPlayer, _ inTime: MusicTimeStamp
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try player.seek(inTime)
  }
}

@c @implementation
public func MusicPlayerGetTime(
  _ inPlayer: MusicPlayer, _ outTime: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try store(outTime, "outTime") { player.time }
  }
}

@c @implementation
public func MusicPlayerPreroll(
  _ inPlayer: MusicPlayer
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try player.prepare()
  }
}

@c @implementation
public func MusicPlayerStart(
  _ inPlayer: MusicPlayer
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try player.play()
  }
}

@c @implementation
public func MusicPlayerStop(
  _ inPlayer: MusicPlayer
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    _ = try player.sequence
    player.stop()
  }
}

@c @implementation
public func MusicPlayerIsPlaying(
  _ inPlayer: MusicPlayer, _ outIsPlaying: UnsafeMutablePointer<Bool>
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try store(outIsPlaying, "outIsPlaying") { player.isPlaying }
  }
}

@c @implementation
public func MusicPlayerSetPlayRateScalar(
  _ inPlayer: MusicPlayer, _ inScaleRate: Float64
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try player.setRate(inScaleRate)
  }
}

@c @implementation
public func MusicPlayerGetPlayRateScalar(
  _ inPlayer: MusicPlayer, _ outScaleRate: UnsafeMutablePointer<Float64>
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    try store(outScaleRate, "outScaleRate") { player.rate }
  }
}

@c @implementation
public func MusicPlayerGetHostTimeForBeats(
  _ inPlayer: MusicPlayer, _ inBeats: MusicTimeStamp, _ outHostTime: UnsafeMutablePointer<UInt64>
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    guard !isNull(outHostTime) else { throw .null("outHostTime") }
    outHostTime.pointee = 0
    outHostTime.pointee = try player.hostTime(inBeats)
  }
}

@c @implementation
public func MusicPlayerGetBeatsForHostTime(
  _ inPlayer: MusicPlayer, _ inHostTime: UInt64, _ outBeats: UnsafeMutablePointer<MusicTimeStamp>
) -> OSStatus {
  status(player: inPlayer) { player throws(AudioError) in
    guard !isNull(outBeats) else { throw .null("outBeats") }
    outBeats.pointee = 0
    outBeats.pointee = try player.beats(inHostTime)
  }
}
