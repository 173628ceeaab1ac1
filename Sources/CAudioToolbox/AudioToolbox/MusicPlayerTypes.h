// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MUSIC_PLAYER_TYPES_H
#define CAUDIOTOOLBOX_MUSIC_PLAYER_TYPES_H

#include <CoreFoundation/CoreFoundation.h>
#include <float.h>

#include "../CoreAudioTypes/CoreAudioTypes.h"
#include "../CoreMIDI/CoreMIDI.h"
#include "AUCoreFoundationFields.h"
#include "AUGraph.h"
#include "MusicDevice.h"

// The events of sequences, the options of their files, and the results of players.

CF_ASSUME_NONNULL_BEGIN

// MARK: Objects

/// Plays a sequence.
typedef struct OpaqueMusicPlayer *MusicPlayer;
/// Tracks of events, and a tempo track.
typedef struct OpaqueMusicSequence *MusicSequence;
/// A list of events of a sequence, in the order of their times.
typedef struct OpaqueMusicTrack *MusicTrack;
/// A position among the events of a track.
typedef struct OpaqueMusicEventIterator *MusicEventIterator;

/// A time in beats, which are quarter notes, from the start of the sequence.
typedef Float64 MusicTimeStamp;
/// After the last event of a track.
#define kMusicTimeStamp_EndOfTrack DBL_MAX

// MARK: Errors

CF_ENUM(OSStatus) {
  /// The tempo track has events that the type of sequence does not allow.
  kAudioToolboxErr_InvalidSequenceType = -10846,
  /// The player plays, or does not play.
  kAudioToolboxErr_InvalidPlayerState = -10852,
  /// The track does not take this type of event.
  kAudioToolboxErr_InvalidEventType = -10853,
  /// The player has no sequence.
  kAudioToolboxErr_NoSequence = -10854,
  /// The track cannot have this destination, or has one of the other kind.
  kAudioToolboxErr_IllegalTrackDestination = -10855,
  /// There is no event before the position.
  kAudioToolboxErr_StartOfTrack = -10856,
  /// There is no event at the position.
  kAudioToolboxErr_EndOfTrack = -10857,
  /// The sequence does not have this track.
  kAudioToolboxErr_TrackNotFound = -10858,
  /// The sequence has fewer tracks.
  kAudioToolboxErr_TrackIndexError = -10859,
  /// A render thread would have to wait.
  kAudioToolboxErr_CannotDoInCurrentContext = -10863,
  /// The track has no destination.
  kAudioToolboxError_NoTrackDestination = -66720
};

// MARK: Types

/// Types of events.
typedef UInt32 MusicEventType;
CF_ENUM(MusicEventType) {
  /// No event.
  kMusicEventType_NULL = 0,
  /// ExtendedNoteOnEvent.
  kMusicEventType_ExtendedNote = 1,
  /// ExtendedTempoEvent, in the tempo track only.
  kMusicEventType_ExtendedTempo = 3,
  /// MusicEventUserData.
  kMusicEventType_User = 4,
  /// MIDIMetaEvent.
  kMusicEventType_Meta = 5,
  /// MIDINoteMessage.
  kMusicEventType_MIDINoteMessage = 6,
  /// MIDIChannelMessage.
  kMusicEventType_MIDIChannelMessage = 7,
  /// MIDIRawData.
  kMusicEventType_MIDIRawData = 8,
  /// ParameterEvent.
  kMusicEventType_Parameter = 9,
  /// AUPresetEvent.
  kMusicEventType_AUPreset = 10
};

/// How a Standard MIDI File becomes tracks.
typedef CF_OPTIONS(UInt32, MusicSequenceLoadFlags) {
  /// Each track of the file is a track.
  kMusicSequenceLoadSMF_PreserveTracks = 0,
  /// Each channel is a track; the last track has the events without a channel.
  kMusicSequenceLoadSMF_ChannelsToTracks = 1 << 0
};

/// The unit of the times of a sequence.
typedef CF_ENUM(UInt32, MusicSequenceType) {
  /// Beats, whose length the tempo track sets.
  kMusicSequenceType_Beats = 0x62656174,  // 'beat'
  /// Seconds.
  kMusicSequenceType_Seconds = 0x73656373,  // 'secs'
  /// Samples at 44,100 Hz. Such a sequence cannot be saved.
  kMusicSequenceType_Samples = 0x73616d70  // 'samp'
};

/// Types of files.
typedef CF_ENUM(UInt32, MusicSequenceFileTypeID) {
  /// Found out from the content.
  kMusicSequenceFile_AnyType = 0,
  /// A Standard MIDI File.
  kMusicSequenceFile_MIDIType = 0x6d696469  // 'midi'
};

/// How a file is written.
typedef CF_OPTIONS(UInt32, MusicSequenceFileFlags) {
  /// An existing file is an error.
  kMusicSequenceFileFlags_Default = 0,
  /// An existing file is replaced.
  kMusicSequenceFileFlags_EraseFile = 1
};

/// Properties of tracks.
CF_ENUM(UInt32) {
  /// MusicTrackLoopInfo, RW.
  kSequenceTrackProperty_LoopInfo = 0,
  /// MusicTimeStamp, RW: beats by which all events of the track come later.
  kSequenceTrackProperty_OffsetTime = 1,
  /// Boolean, RW: whether its events are not sent.
  kSequenceTrackProperty_MuteStatus = 2,
  /// Boolean, RW: whether only this track, and others with this property, are sent.
  kSequenceTrackProperty_SoloStatus = 3,
  /// UInt32, RW: whether its parameter events are the points of curves. Such a track has no other
  /// events.
  kSequenceTrackProperty_AutomatedParameters = 4,
  /// MusicTimeStamp, RW: the length in beats. It is never less than the end of the last event.
  kSequenceTrackProperty_TrackLength = 5,
  /// SInt16, R, tempo track only: the ticks of a beat in a file, or an SMPTE resolution.
  kSequenceTrackProperty_TimeResolution = 6
};

/// A loop at the end of a track.
typedef struct MusicTrackLoopInfo {
  /// The beats that repeat, up to the end of the track; 0: none.
  MusicTimeStamp loopDuration;
  /// How often they are played; 0: without end.
  SInt32 numberOfLoops;
} MusicTrackLoopInfo;

// MARK: Events

/// A note with its end.
typedef struct MIDINoteMessage {
  /// 0 to 15.
  UInt8 channel;
  /// The key, 0 to 127; 60 is middle C.
  UInt8 note;
  /// 1 to 127.
  UInt8 velocity;
  /// The velocity of the note-off; 0 stands for 64.
  UInt8 releaseVelocity;
  /// In beats.
  Float32 duration;
} MIDINoteMessage;

/// A message of a channel other than a note.
typedef struct MIDIChannelMessage {
  /// 0xA0 to 0xEF; the low four bits are the channel.
  UInt8 status;
  /// The first data byte: the number of a control, for example.
  UInt8 data1;
  /// 0 for a program change and for the pressure of a channel.
  UInt8 data2;
  /// Always 0.
  UInt8 reserved;
} MIDIChannelMessage;

/// Any bytes, such as a system exclusive message from its 0xF0 to its 0xF7.
typedef struct MIDIRawData {
  UInt32 length;  ///< The number of bytes.
  UInt8 data[1];  ///< The first of them; the others follow.
} MIDIRawData;

/// A meta event of a Standard MIDI File: text, time signature and others.
typedef struct MIDIMetaEvent {
  UInt8 metaEventType;  ///< The type in the file, such as 0x05 for lyrics.
  UInt8 unused1;        ///< Always 0.
  UInt8 unused2;        ///< Always 0.
  UInt8 unused3;        ///< Always 0.
  UInt32 dataLength;    ///< The number of bytes.
  UInt8 data[1];        ///< The first of them; the others follow.
} MIDIMetaEvent;

/// Data of the program, for its callback.
typedef struct MusicEventUserData {
  UInt32 length;  ///< The number of bytes.
  UInt8 data[1];  ///< The first of them; the others follow.
} MusicEventUserData;

/// A note of MusicDeviceStartNote with its end.
typedef struct ExtendedNoteOnEvent {
  /// The number of an instrument, or kMusicNoteEvent_UseGroupInstrument.
  MusicDeviceInstrumentID instrumentID;
  /// The MIDI channel.
  MusicDeviceGroupID groupID;
  /// In beats.
  Float32 duration;
  /// Pitch, velocity, and controls of the note's own.
  MusicDeviceNoteParams extendedParams;
} ExtendedNoteOnEvent;

/// A value of a parameter, or a point of its curve.
typedef struct ParameterEvent {
  AudioUnitParameterID parameterID;  ///< The identifier of the parameter.
  AudioUnitScope scope;              ///< The scope of the parameter.
  AudioUnitElement element;          ///< The element of the parameter.
  AudioUnitParameterValue value;     ///< The value from the event's time on.
} ParameterEvent;

/// A tempo in beats per minute.
typedef struct ExtendedTempoEvent {
  Float64 bpm;  ///< Beats per minute, above 0.
} ExtendedTempoEvent;

/// A state of a unit: kAudioUnitProperty_ClassInfo.
typedef struct AUPresetEvent {
  AudioUnitScope scope;                            ///< The scope of the state.
  AudioUnitElement element;                        ///< The element of the state.
  AU_CF_NONNULL_FIELD(CFPropertyListRef, preset);  ///< The state, which the sequence retains.
} AUPresetEvent;

/// A time as musicians count it.
typedef struct CABarBeatTime {
  /// Counted from 1.
  SInt32 bar;
  /// A beat of the time signature, counted from 1.
  UInt16 beat;
  /// A part of the beat, from 0 to below the divisor.
  UInt16 subbeat;
  /// The number of parts of a beat.
  UInt16 subbeatDivisor;
  /// Always 0.
  UInt16 reserved;
} CABarBeatTime;

/// Receives the user events of a sequence while it plays. [a thread of the library]
///
/// `inEventTime` is the time of the event in its track, also when the track loops. The slice is the
/// range of beats in which it was played: start ≤ time < end; both are the new time for the last
/// event before a time that the program has set.
typedef void (*MusicSequenceUserCallback)(void *_Nullable inClientData, MusicSequence inSequence,
                                          MusicTrack inTrack, MusicTimeStamp inEventTime,
                                          const MusicEventUserData *inEventData,
                                          MusicTimeStamp inStartSliceBeat,
                                          MusicTimeStamp inEndSliceBeat);

CF_ASSUME_NONNULL_END

#endif
