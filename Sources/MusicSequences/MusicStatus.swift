// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The statuses that functions of sequences and their players return.
  public static let music = StatusFamily(
    of: [
      "MusicPlayer", "MusicSequence", "MusicTrack", "MusicEventIterator", "NewMusic",
      "DisposeMusic",
    ],
    [
      .init(
        kAudioToolboxErr_InvalidSequenceType, "kAudioToolboxErr_InvalidSequenceType",
        "The tempo track has tempos, which only a sequence in beats has.",
        "Remove them first, or keep beats."),
      .init(
        kAudioToolboxErr_InvalidPlayerState, "kAudioToolboxErr_InvalidPlayerState",
        "The player plays, or does not play.", "Stop or start it first."),
      .init(
        kAudioToolboxErr_InvalidEventType, "kAudioToolboxErr_InvalidEventType",
        "The track does not take this type of event.",
        "The tempo track takes tempos, time signatures and SMPTE offsets; a track of automated "
          + "parameters takes only those."),
      .init(
        kAudioToolboxErr_NoSequence, "kAudioToolboxErr_NoSequence",
        "The player has no sequence.", "Call MusicPlayerSetSequence first."),
      .init(
        kAudioToolboxErr_IllegalTrackDestination, "kAudioToolboxErr_IllegalTrackDestination",
        "The track cannot have this destination, or has one of the other kind.",
        "Give it a node of the sequence's graph, or an endpoint."),
      .init(
        kAudioToolboxErr_StartOfTrack, "kAudioToolboxErr_StartOfTrack",
        "There is no event before the position.", "Check MusicEventIteratorHasPreviousEvent."),
      .init(
        kAudioToolboxErr_EndOfTrack, "kAudioToolboxErr_EndOfTrack",
        "There is no event at the position.", "Check MusicEventIteratorHasCurrentEvent."),
      .init(
        kAudioToolboxErr_TrackNotFound, "kAudioToolboxErr_TrackNotFound",
        "The sequence does not have this track.", "Use a track of this sequence."),
      .init(
        kAudioToolboxErr_TrackIndexError, "kAudioToolboxErr_TrackIndexError",
        "The sequence has fewer tracks.", "Check MusicSequenceGetTrackCount."),
      .init(
        kAudioToolboxError_NoTrackDestination, "kAudioToolboxError_NoTrackDestination",
        "The track has no destination.", "Give it a node or an endpoint."),
    ])
}

extension AudioError {
  /// Failures of sequences, without a reason yet. Each is named after its C constant.
  package static var invalidSequenceType: Self {
    Self(status: kAudioToolboxErr_InvalidSequenceType)
  }
  package static var invalidPlayerState: Self { Self(status: kAudioToolboxErr_InvalidPlayerState) }
  package static var invalidEventType: Self { Self(status: kAudioToolboxErr_InvalidEventType) }
  package static var noSequence: Self { Self(status: kAudioToolboxErr_NoSequence) }
  package static var illegalTrackDestination: Self {
    Self(status: kAudioToolboxErr_IllegalTrackDestination)
  }
  package static var startOfTrack: Self { Self(status: kAudioToolboxErr_StartOfTrack) }
  package static var endOfTrack: Self { Self(status: kAudioToolboxErr_EndOfTrack) }
  package static var trackNotFound: Self { Self(status: kAudioToolboxErr_TrackNotFound) }
  package static var trackIndex: Self { Self(status: kAudioToolboxErr_TrackIndexError) }
  package static var noTrackDestination: Self {
    Self(status: kAudioToolboxError_NoTrackDestination)
  }
}
