// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MUSIC_PLAYER_H
#define CAUDIOTOOLBOX_MUSIC_PLAYER_H

#include "MusicPlayerTypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Sequences of musical events, their files, and players that send the events to the units of a graph
// or to MIDI destinations. All functions: [control thread].

// MARK: Players

/// Creates a player without a sequence.
OSStatus NewMusicPlayer(MusicPlayer _Nullable *_Nonnull outPlayer);

/// Stops a player and disposes of it; its sequence stays.
OSStatus DisposeMusicPlayer(MusicPlayer inPlayer);

/// Gives a stopped player a sequence, or none, and its tracks their default destinations: the
/// endpoint of the sequence, or else the first instrument of its graph.
OSStatus MusicPlayerSetSequence(MusicPlayer inPlayer, MusicSequence _Nullable inSequence);

/// The sequence; kAudioToolboxErr_NoSequence if there is none.
OSStatus MusicPlayerGetSequence(MusicPlayer inPlayer, MusicSequence _Nullable *_Nonnull outSequence);

/// Moves the player to a time in beats, also while it plays. Sounding notes end. Controllers, programs
/// and pitch bends get the values that they have at that time.
OSStatus MusicPlayerSetTime(MusicPlayer inPlayer, MusicTimeStamp inTime);

/// The time in beats. It goes on after the last event.
OSStatus MusicPlayerGetTime(MusicPlayer inPlayer, MusicTimeStamp *outTime);

/// Opens and initializes the graph, so that the start is quick.
OSStatus MusicPlayerPreroll(MusicPlayer inPlayer);

/// Starts; prerolls first if needed, and starts the graph unless it runs.
OSStatus MusicPlayerStart(MusicPlayer inPlayer);

/// Stops, and ends the sounding notes. The graph goes on, so that they fade out.
OSStatus MusicPlayerStop(MusicPlayer inPlayer);

/// Whether it plays: also after the last event, until it is stopped.
OSStatus MusicPlayerIsPlaying(MusicPlayer inPlayer, Boolean *outIsPlaying);

/// Sets by how much it plays faster: a positive factor, initially 1.
OSStatus MusicPlayerSetPlayRateScalar(MusicPlayer inPlayer, Float64 inScaleRate);
/// The factor of the tempo.
OSStatus MusicPlayerGetPlayRateScalar(MusicPlayer inPlayer, Float64 *outScaleRate);

/// The host time at which a beat is played, while the player plays; an error for beats before its
/// start.
OSStatus MusicPlayerGetHostTimeForBeats(MusicPlayer inPlayer, MusicTimeStamp inBeats,
                                        UInt64 *outHostTime);

/// The beat that is played at a host time, while the player plays; an error for times before its
/// start.
OSStatus MusicPlayerGetBeatsForHostTime(MusicPlayer inPlayer, UInt64 inHostTime,
                                        MusicTimeStamp *outBeats);

// MARK: Sequences

/// Creates a sequence that has only an empty tempo track: 120 beats per minute.
OSStatus NewMusicSequence(MusicSequence _Nullable *_Nonnull outSequence);

/// Disposes of a sequence, its tracks, and the graph that it made itself; refused while a player has
/// the sequence.
OSStatus DisposeMusicSequence(MusicSequence inSequence);

/// Adds an empty track behind the others.
OSStatus MusicSequenceNewTrack(MusicSequence inSequence, MusicTrack _Nullable *_Nonnull outTrack);

/// Removes a track and disposes of it; not the tempo track.
OSStatus MusicSequenceDisposeTrack(MusicSequence inSequence, MusicTrack inTrack);

/// The number of tracks without the tempo track.
OSStatus MusicSequenceGetTrackCount(MusicSequence inSequence, UInt32 *outNumberOfTracks);

/// A track by its index.
OSStatus MusicSequenceGetIndTrack(MusicSequence inSequence, UInt32 inTrackIndex,
                                  MusicTrack _Nullable *_Nonnull outTrack);

/// The index of a track; kAudioToolboxErr_TrackNotFound for the tempo track and those of others.
OSStatus MusicSequenceGetTrackIndex(MusicSequence inSequence, MusicTrack inTrack,
                                    UInt32 *outTrackIndex);

/// The track of tempos, time signatures and SMPTE offsets.
OSStatus MusicSequenceGetTempoTrack(MusicSequence inSequence,
                                    MusicTrack _Nullable *_Nonnull outTrack);

/// Sets the graph whose nodes tracks play, or none.
OSStatus MusicSequenceSetAUGraph(MusicSequence inSequence, AUGraph _Nullable inGraph);

/// The graph. Without one, the sequence makes an open graph of an instrument with the system's bank, a
/// dynamics processor and the default output.
OSStatus MusicSequenceGetAUGraph(MusicSequence inSequence, AUGraph _Nullable *_Nonnull outGraph);

/// Sends all tracks, and those that are added, to a MIDI destination.
OSStatus MusicSequenceSetMIDIEndpoint(MusicSequence inSequence, MIDIEndpointRef inEndpoint);

/// Sets the unit of times; other than beats only while the tempo track has no tempo.
OSStatus MusicSequenceSetSequenceType(MusicSequence inSequence, MusicSequenceType inType);
/// The unit of times.
OSStatus MusicSequenceGetSequenceType(MusicSequence inSequence, MusicSequenceType *outType);

/// Reverses the events and tempos: the sequence then sounds as played backwards.
OSStatus MusicSequenceReverse(MusicSequence inSequence);

/// The seconds from the start to a time in beats, at the tempos of the sequence.
OSStatus MusicSequenceGetSecondsForBeats(MusicSequence inSequence, MusicTimeStamp inBeats,
                                         Float64 *outSeconds);

/// The time in beats that is some seconds from the start.
OSStatus MusicSequenceGetBeatsForSeconds(MusicSequence inSequence, Float64 inSeconds,
                                         MusicTimeStamp *outBeats);

/// Sets the function that receives user events, or none.
OSStatus MusicSequenceSetUserCallback(MusicSequence inSequence,
                                      MusicSequenceUserCallback _Nullable inCallback,
                                      void *_Nullable inClientData);

/// A time as bar, beat and part of the beat, by the time signatures of the tempo track; without any,
/// bars have four quarter notes.
OSStatus MusicSequenceBeatsToBarBeatTime(MusicSequence inSequence, MusicTimeStamp inBeats,
                                         UInt32 inSubbeatDivisor, CABarBeatTime *outBarBeatTime);

/// The time in beats of a bar, a beat and a part of it.
OSStatus MusicSequenceBarBeatTimeToBeats(MusicSequence inSequence,
                                         const CABarBeatTime *inBarBeatTime,
                                         MusicTimeStamp *outBeats);

// MARK: Files

// In Swift, the functions with types of Core Foundation are functions of this module.
#ifndef __swift__
/// Loads a Standard MIDI File into a sequence, behind the tracks that it has. It may be wrapped in a
/// RIFF file.
OSStatus MusicSequenceFileLoad(MusicSequence inSequence, CFURLRef inFileRef,
                               MusicSequenceFileTypeID inFileTypeHint,
                               MusicSequenceLoadFlags inFlags);

/// As MusicSequenceFileLoad, from memory.
OSStatus MusicSequenceFileLoadData(MusicSequence inSequence, CFDataRef inData,
                                   MusicSequenceFileTypeID inFileTypeHint,
                                   MusicSequenceLoadFlags inFlags);

/// Writes a Standard MIDI File of format 1.
///
/// `inResolution` is the ticks of a beat, or an SMPTE resolution for a sequence in seconds; 0 stands
/// for that of the tempo track. Events that such a file cannot have are left out: parameters, presets,
/// extended notes, user data.
OSStatus MusicSequenceFileCreate(MusicSequence inSequence, CFURLRef inFileRef,
                                 MusicSequenceFileTypeID inFileType,
                                 MusicSequenceFileFlags inFlags, SInt16 inResolution);

/// As MusicSequenceFileCreate, to memory that the caller releases.
OSStatus MusicSequenceFileCreateData(MusicSequence inSequence, MusicSequenceFileTypeID inFileType,
                                     MusicSequenceFileFlags inFlags, SInt16 inResolution,
                                     CFDataRef _Nullable *_Nonnull outData);

/// Texts and tempo of the sequence, under the kAFInfoDictionary keys; the caller releases it.
CFDictionaryRef MusicSequenceGetInfoDictionary(MusicSequence inSequence);

/// The older form of MusicSequenceFileLoadData.
OSStatus MusicSequenceLoadSMFDataWithFlags(MusicSequence inSequence, CFDataRef inData,
                                           MusicSequenceLoadFlags inFlags);

/// The older form of MusicSequenceFileCreateData.
OSStatus MusicSequenceSaveSMFData(MusicSequence inSequence, CFDataRef _Nullable *_Nonnull outData,
                                  UInt16 inResolution);
#endif

/// The resolution for frames per second and ticks per frame.
static inline SInt16 MusicSequenceSetSMPTEResolution(SInt8 inFPS, UInt8 inTicks) {
  SInt8 fps = (SInt8)(inFPS > 0 ? -inFPS : inFPS);
  return (SInt16)(((UInt16)(UInt8)fps << 8) | (UInt16)(inTicks & 0x7f));
}

/// The two parts of a resolution; the frames are negative, as they are in files.
static inline void MusicSequenceGetSMPTEResolution(SInt16 inRes, SInt8 *outFPS, UInt8 *outTicks) {
  *outFPS = (SInt8)((UInt16)inRes >> 8);
  *outTicks = (UInt8)((UInt16)inRes & 0x7f);
}

// MARK: Tracks

/// The sequence of a track.
OSStatus MusicTrackGetSequence(MusicTrack inTrack, MusicSequence _Nullable *_Nonnull outSequence);

/// Sends a track to a node of the sequence's graph. Not for the tempo track, nor while it plays.
OSStatus MusicTrackSetDestNode(MusicTrack inTrack, AUNode inNode);

/// The node; kAudioToolboxErr_IllegalTrackDestination if the track is sent to an endpoint.
OSStatus MusicTrackGetDestNode(MusicTrack inTrack, AUNode *outNode);

/// Sends a track to a MIDI destination. Not for the tempo track, nor while it plays.
OSStatus MusicTrackSetDestMIDIEndpoint(MusicTrack inTrack, MIDIEndpointRef inEndpoint);

/// The endpoint; kAudioToolboxErr_IllegalTrackDestination if the track is sent to a node.
OSStatus MusicTrackGetDestMIDIEndpoint(MusicTrack inTrack, MIDIEndpointRef *outEndpoint);

/// Sets a property of a track. Its type determines the size, not `inLength`.
OSStatus MusicTrackSetProperty(MusicTrack inTrack, UInt32 inPropertyID, void *inData,
                               UInt32 inLength);

/// Reads a property of a track into memory of its size, and writes the size to `*ioLength`. Without
/// memory it only writes the size.
OSStatus MusicTrackGetProperty(MusicTrack inTrack, UInt32 inPropertyID, void *_Nullable outData,
                               UInt32 *_Nullable ioLength);

/// Moves the events from start to before end by a number of beats, which may be negative.
OSStatus MusicTrackMoveEvents(MusicTrack inTrack, MusicTimeStamp inStartTime,
                              MusicTimeStamp inEndTime, MusicTimeStamp inMoveTime);

/// A new track of a new sequence with a copy of the events from start to before end.
OSStatus NewMusicTrackFrom(MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime,
                           MusicTimeStamp inSourceEndTime,
                           MusicTrack _Nullable *_Nonnull outNewTrack);

/// Removes the events from start to before end.
OSStatus MusicTrackClear(MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime);

/// Removes the events from start to before end, and moves later ones to the start.
OSStatus MusicTrackCut(MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime);

/// Copies the events from start to before end; the events of the destination from the insert time on
/// first move by the length of the range.
OSStatus MusicTrackCopyInsert(MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime,
                              MusicTimeStamp inSourceEndTime, MusicTrack inDestTrack,
                              MusicTimeStamp inDestInsertTime);

/// As MusicTrackCopyInsert, among the events of the destination, which stay where they are.
OSStatus MusicTrackMerge(MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime,
                         MusicTimeStamp inSourceEndTime, MusicTrack inDestTrack,
                         MusicTimeStamp inDestInsertTime);

// MARK: Adding events

// An event comes after those of the same time.

/// Adds a note.
OSStatus MusicTrackNewMIDINoteEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                    const MIDINoteMessage *inMessage);
/// Adds a message of a channel.
OSStatus MusicTrackNewMIDIChannelEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                       const MIDIChannelMessage *inMessage);
/// Adds bytes.
OSStatus MusicTrackNewMIDIRawDataEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                       const MIDIRawData *inRawData);
/// Adds a note of MusicDeviceStartNote.
OSStatus MusicTrackNewExtendedNoteEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                        const ExtendedNoteOnEvent *inInfo);
/// Adds a value of a parameter.
OSStatus MusicTrackNewParameterEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                     const ParameterEvent *inInfo);
/// Adds a tempo to the tempo track. Of two at one time the later one counts.
OSStatus MusicTrackNewExtendedTempoEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                         Float64 inBPM);
/// Adds a meta event.
OSStatus MusicTrackNewMetaEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                const MIDIMetaEvent *inMetaEvent);
/// Adds data of the program.
OSStatus MusicTrackNewUserEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                const MusicEventUserData *inUserData);
/// Adds a state of a unit, which is copied.
OSStatus MusicTrackNewAUPresetEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                    const AUPresetEvent *inPresetEvent);

// MARK: Iterators

/// Creates an iterator at the first event of a track.
OSStatus NewMusicEventIterator(MusicTrack inTrack,
                               MusicEventIterator _Nullable *_Nonnull outIterator);

/// Disposes of an iterator.
OSStatus DisposeMusicEventIterator(MusicEventIterator inIterator);

/// Moves to the first event at or after a time; kMusicTimeStamp_EndOfTrack: after the last event.
OSStatus MusicEventIteratorSeek(MusicEventIterator inIterator, MusicTimeStamp inTimeStamp);

/// Moves to the next event, or after the last; kAudioToolboxErr_EndOfTrack if it is there already.
OSStatus MusicEventIteratorNextEvent(MusicEventIterator inIterator);

/// Moves to the previous event; kAudioToolboxErr_StartOfTrack if there is none.
OSStatus MusicEventIteratorPreviousEvent(MusicEventIterator inIterator);

/// Time, type, data and size of the current event, each unless its pointer is null. The data stays
/// valid until the next call for this iterator.
OSStatus MusicEventIteratorGetEventInfo(MusicEventIterator inIterator,
                                        MusicTimeStamp *_Nullable outTimeStamp,
                                        MusicEventType *_Nullable outEventType,
                                        const void *_Nullable *_Nullable outEventData,
                                        UInt32 *_Nullable outEventDataSize);

/// Replaces type and data of the current event.
OSStatus MusicEventIteratorSetEventInfo(MusicEventIterator inIterator, MusicEventType inEventType,
                                        const void *inEventData);

/// Moves the current event to another time; it stays the current one.
OSStatus MusicEventIteratorSetEventTime(MusicEventIterator inIterator, MusicTimeStamp inTimeStamp);

/// Removes the current event; the next one becomes the current one.
OSStatus MusicEventIteratorDeleteEvent(MusicEventIterator inIterator);

/// Whether there is an event before the position, at it, or after it.
OSStatus MusicEventIteratorHasPreviousEvent(MusicEventIterator inIterator,
                                            Boolean *outHasPrevEvent);
/// Whether there is an event at the position.
OSStatus MusicEventIteratorHasCurrentEvent(MusicEventIterator inIterator, Boolean *outHasCurEvent);
/// Whether there is an event after the position.
OSStatus MusicEventIteratorHasNextEvent(MusicEventIterator inIterator, Boolean *outHasNextEvent);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
