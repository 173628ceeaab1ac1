// SPDX-License-Identifier: Apache-2.0
public import AudioToolbox

/// A time in beats, which are quarter notes.
public typealias AVMusicTimeStamp = Double

/// After the last event of a track.
public let AVMusicTimeStampEndOfTrack = Double.greatestFiniteMagnitude

/// A range of beats, from its start to before its end.
public struct _AVBeatRange: Equatable, Sendable {
  /// Its first beat.
  public var start: AVMusicTimeStamp
  /// Its length in beats.
  public var length: AVMusicTimeStamp

  /// The empty range at the start.
  public init() { (start, length) = (0, 0) }

  /// A range of some beats from a start.
  public init(start: AVMusicTimeStamp, length: AVMusicTimeStamp) {
    (self.start, self.length) = (start, length)
  }
}

/// A range of beats.
public typealias AVBeatRange = _AVBeatRange

/// A range of some beats from a start.
///
/// - Parameters:
///   - startBeat: The first beat; 0 is the beginning.
///   - lengthInBeats: The number of beats.
/// - Returns: The range.
public func AVMakeBeatRange(
  _ startBeat: AVMusicTimeStamp, _ lengthInBeats: AVMusicTimeStamp
) -> AVBeatRange { AVBeatRange(start: startBeat, length: lengthInBeats) }

/// How a file becomes tracks.
public struct AVMusicSequenceLoadOptions: OptionSet, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Each channel is a track; the last track has the events without a channel.
  public static let smfChannelsToTracks = Self(rawValue: 1)
  /// The older name of `smfChannelsToTracks`.
  public static let smf_ChannelsToTracks = smfChannelsToTracks
}

/// How often a loop is played.
public enum AVMusicTrackLoopCount: Int, Sendable {
  /// Without end.
  case forever = -1
}

/// Receives the user events of a sequencer: the track, the data, and the time of the event in beats.
/// [a thread of the library]
public typealias AVAudioSequencerUserCallback = (AVMusicTrack, Data, AVMusicTimeStamp) -> Void

/// Is called with an event and its time in beats, which it may change, and whether to remove it.
public typealias AVMusicEventEnumerationBlock = (
  AVMusicEvent, UnsafeMutablePointer<AVMusicTimeStamp>, UnsafeMutablePointer<ObjCBool>
) -> Void

/// Is called when a player has come to the end. [a thread of the library]
public typealias AVMIDIPlayerCompletionHandler = @Sendable () -> Void
