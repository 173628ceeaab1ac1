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

/// Creates a player without a sequence. [control thread]
///
/// - Parameter outPlayer: the player, which the caller disposes of.
/// - Returns: noErr, or `kAudio_ParamError` if `outPlayer` is null.
OSStatus NewMusicPlayer(MusicPlayer _Nullable *_Nonnull outPlayer);

/// Stops a player and disposes of it; its sequence stays. [control thread]
///
/// - Parameter inPlayer: the player; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such player.
OSStatus DisposeMusicPlayer(MusicPlayer inPlayer);

/// Gives a stopped player a sequence, or none, and its tracks their default destinations: the
/// endpoint of the sequence, or else the first instrument of its graph. [control thread]
///
/// - Parameters:
///   - inPlayer: a player that does not play.
///   - inSequence: the sequence, or null.
/// - Returns: noErr; `kAudioToolboxErr_InvalidPlayerState` if the player plays, or another player
///   plays the sequence; `kAudio_ParamError` if there is no such player or sequence.
OSStatus MusicPlayerSetSequence(MusicPlayer inPlayer, MusicSequence _Nullable inSequence);

/// The sequence; kAudioToolboxErr_NoSequence if there is none. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - outSequence: the sequence.
/// - Returns: noErr; `kAudioToolboxErr_NoSequence` if there is none; `kAudio_ParamError` if there
///   is no such player or a pointer is null.
OSStatus MusicPlayerGetSequence(MusicPlayer inPlayer, MusicSequence _Nullable *_Nonnull outSequence);

/// Moves the player to a time in beats, also while it plays. Sounding notes end. Controllers,
/// programs and pitch bends get the values that they have at that time. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - inTime: the time in beats, any finite number.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such player, or the time is not finite.
OSStatus MusicPlayerSetTime(MusicPlayer inPlayer, MusicTimeStamp inTime);

/// The time in beats. It goes on after the last event. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - outTime: the time in beats.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such player or a pointer is null.
OSStatus MusicPlayerGetTime(MusicPlayer inPlayer, MusicTimeStamp *outTime);

/// Opens and initializes the graph, so that the start is quick. [control thread]
///
/// - Parameter inPlayer: the player.
/// - Returns: noErr; `kAudioToolboxErr_NoSequence` if it has no sequence;
///   `kAudioToolboxErr_IllegalTrackDestination` if a track has a node or an endpoint that does not
///   exist; what AUGraphInitialize returns; `kAudio_ParamError` if there is no such player.
OSStatus MusicPlayerPreroll(MusicPlayer inPlayer);

/// Starts; prerolls first if needed, and starts the graph unless it runs. [control thread]
///
/// - Parameter inPlayer: the player.
/// - Returns: noErr, also if it plays already; otherwise as MusicPlayerPreroll, and what
///   AUGraphStart returns.
OSStatus MusicPlayerStart(MusicPlayer inPlayer);

/// Stops, and ends the sounding notes. The graph goes on, so that they fade out. [control thread]
///
/// - Parameter inPlayer: the player.
/// - Returns: noErr, also if it does not play; `kAudioToolboxErr_NoSequence` if it has no sequence;
///   `kAudio_ParamError` if there is no such player.
OSStatus MusicPlayerStop(MusicPlayer inPlayer);

/// Whether it plays: also after the last event, until it is stopped. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - outIsPlaying: true while it plays.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such player or a pointer is null.
OSStatus MusicPlayerIsPlaying(MusicPlayer inPlayer, Boolean *outIsPlaying);

/// Sets by how much it plays faster: a positive factor, initially 1. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - inScaleRate: the factor, above 0 and at most 1,000.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such player, or the factor is out of
///   range.
OSStatus MusicPlayerSetPlayRateScalar(MusicPlayer inPlayer, Float64 inScaleRate);

/// The factor of the tempo. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - outScaleRate: the factor.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such player or a pointer is null.
OSStatus MusicPlayerGetPlayRateScalar(MusicPlayer inPlayer, Float64 *outScaleRate);

/// The host time at which a beat is played, while the player plays; an error for beats before its
/// start. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - inBeats: the time in beats.
///   - outHostTime: the host time.
/// - Returns: noErr; `kAudioToolboxErr_InvalidPlayerState` if it does not play, or the beat is
///   before its start; `kAudioToolboxErr_NoSequence` if it has no sequence; `kAudio_ParamError` if
///   there is no such player, the pointer is null, or the time is not finite.
OSStatus MusicPlayerGetHostTimeForBeats(MusicPlayer inPlayer, MusicTimeStamp inBeats,
                                        UInt64 *outHostTime);

/// The beat that is played at a host time, while the player plays; an error for times before its
/// start. [control thread]
///
/// - Parameters:
///   - inPlayer: the player.
///   - inHostTime: the host time.
///   - outBeats: the time in beats.
/// - Returns: noErr; `kAudioToolboxErr_InvalidPlayerState` if it does not play, or the time is
///   before its start; `kAudioToolboxErr_NoSequence` if it has no sequence; `kAudio_ParamError` if
///   there is no such player or a pointer is null.
OSStatus MusicPlayerGetBeatsForHostTime(MusicPlayer inPlayer, UInt64 inHostTime,
                                        MusicTimeStamp *outBeats);

// MARK: Sequences

/// Creates a sequence that has only an empty tempo track: 120 beats per minute. [control thread]
///
/// - Parameter outSequence: the sequence, which the caller disposes of.
/// - Returns: noErr, or `kAudio_ParamError` if `outSequence` is null.
OSStatus NewMusicSequence(MusicSequence _Nullable *_Nonnull outSequence);

/// Disposes of a sequence, its tracks, and the graph that it made itself; refused while a player
/// has the sequence. [control thread]
///
/// - Parameter inSequence: the sequence; invalid from now on.
/// - Returns: noErr; `kAudioToolboxErr_InvalidPlayerState` while a player has it;
///   `kAudio_ParamError` if there is no such sequence.
OSStatus DisposeMusicSequence(MusicSequence inSequence);

/// Adds an empty track behind the others. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - outTrack: the track, which belongs to the sequence.
/// - Returns: noErr; `kAudio_MemFullError` if it has too many tracks; `kAudio_ParamError` if there
///   is no such sequence or a pointer is null.
OSStatus MusicSequenceNewTrack(MusicSequence inSequence, MusicTrack _Nullable *_Nonnull outTrack);

/// Removes a track and disposes of it; not the tempo track. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inTrack: the track; invalid from now on.
/// - Returns: noErr; `kAudioToolboxErr_TrackNotFound` if the sequence does not have it, or it is
///   the tempo track; `kAudio_ParamError` if there is no such sequence or track.
OSStatus MusicSequenceDisposeTrack(MusicSequence inSequence, MusicTrack inTrack);

/// The number of tracks without the tempo track. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - outNumberOfTracks: the number.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetTrackCount(MusicSequence inSequence, UInt32 *outNumberOfTracks);

/// A track by its index. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inTrackIndex: from 0 to the number of tracks minus 1.
///   - outTrack: the track.
/// - Returns: noErr; `kAudioToolboxErr_TrackIndexError` if there are fewer tracks;
///   `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetIndTrack(MusicSequence inSequence, UInt32 inTrackIndex,
                                  MusicTrack _Nullable *_Nonnull outTrack);

/// The index of a track; kAudioToolboxErr_TrackNotFound for the tempo track and those of others.
/// [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inTrack: the track.
///   - outTrackIndex: from 0 on.
/// - Returns: noErr; `kAudioToolboxErr_TrackNotFound` if it is the tempo track, or one of another
///   sequence; `kAudio_ParamError` if there is no such sequence or track, or the pointer is null.
OSStatus MusicSequenceGetTrackIndex(MusicSequence inSequence, MusicTrack inTrack,
                                    UInt32 *outTrackIndex);

/// The track of tempos, time signatures and SMPTE offsets. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - outTrack: the track.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetTempoTrack(MusicSequence inSequence,
                                    MusicTrack _Nullable *_Nonnull outTrack);

/// Sets the graph whose nodes tracks play, or none. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inGraph: the graph, which stays the caller's; null for one of the sequence's own.
/// - Returns: noErr; `kAudioToolboxErr_InvalidPlayerState` while the sequence is played;
///   `kAudio_ParamError` if there is no such sequence or graph.
OSStatus MusicSequenceSetAUGraph(MusicSequence inSequence, AUGraph _Nullable inGraph);

/// The graph. Without one, the sequence makes an open graph of an instrument with the system's
/// bank, a dynamics processor and the default output. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - outGraph: the graph.
/// - Returns: noErr; what AUGraphOpen returns for the graph that the sequence makes;
///   `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetAUGraph(MusicSequence inSequence, AUGraph _Nullable *_Nonnull outGraph);

/// Sends all tracks, and those that are added, to a MIDI destination. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inEndpoint: the destination.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence.
OSStatus MusicSequenceSetMIDIEndpoint(MusicSequence inSequence, MIDIEndpointRef inEndpoint);

/// Sets the unit of times; other than beats only while the tempo track has no tempo. [control
/// thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inType: beats, seconds or samples.
/// - Returns: noErr; `kAudioToolboxErr_InvalidSequenceType` for another type, or if the tempo track
///   has tempos; `kAudio_ParamError` if there is no such sequence.
OSStatus MusicSequenceSetSequenceType(MusicSequence inSequence, MusicSequenceType inType);

/// The unit of times. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - outType: beats, seconds or samples.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetSequenceType(MusicSequence inSequence, MusicSequenceType *outType);

/// Reverses the events and tempos: the sequence then sounds as played backwards. [control thread]
///
/// - Parameter inSequence: the sequence.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence.
OSStatus MusicSequenceReverse(MusicSequence inSequence);

/// The seconds from the start to a time in beats, at the tempos of the sequence. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inBeats: the time in beats.
///   - outSeconds: the seconds.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetSecondsForBeats(MusicSequence inSequence, MusicTimeStamp inBeats,
                                         Float64 *outSeconds);

/// The time in beats that is some seconds from the start. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inSeconds: the seconds.
///   - outBeats: the time in beats.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence or a pointer is null.
OSStatus MusicSequenceGetBeatsForSeconds(MusicSequence inSequence, Float64 inSeconds,
                                         MusicTimeStamp *outBeats);

/// Sets the function that receives user events, or none. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inCallback: the function, or null.
///   - inClientData: passed to the function.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence.
OSStatus MusicSequenceSetUserCallback(MusicSequence inSequence,
                                      MusicSequenceUserCallback _Nullable inCallback,
                                      void *_Nullable inClientData);

/// A time as bar, beat and part of the beat, by the time signatures of the tempo track; without
/// any, bars have four quarter notes. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inBeats: the time in beats.
///   - inSubbeatDivisor: the parts of a beat, at most 65,535.
///   - outBarBeatTime: bar and beat, counted from 1, and the part of the beat.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence, the pointer is null, or a
///   number is out of range.
OSStatus MusicSequenceBeatsToBarBeatTime(MusicSequence inSequence, MusicTimeStamp inBeats,
                                         UInt32 inSubbeatDivisor, CABarBeatTime *outBarBeatTime);

/// The time in beats of a bar, a beat and a part of it. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inBarBeatTime: bar and beat, counted from 1, and the part of the beat with its divisor.
///   - outBeats: the time in beats.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such sequence, a pointer is null, or a
///   number is out of range.
OSStatus MusicSequenceBarBeatTimeToBeats(MusicSequence inSequence,
                                         const CABarBeatTime *inBarBeatTime,
                                         MusicTimeStamp *outBeats);

// MARK: Files

// In Swift, the functions with types of Core Foundation are functions of this module.
#ifndef __swift__
/// Loads a Standard MIDI File into a sequence, behind the tracks that it has. It may be wrapped in
/// a RIFF file. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inFileRef: the path as a file URL.
///   - inFileTypeHint: kMusicSequenceFile_MIDIType, or kMusicSequenceFile_AnyType.
///   - inFlags: kMusicSequenceLoadSMF_ChannelsToTracks or 0.
/// - Returns: noErr; `kAudio_FileNotFoundError` if there is no such file;
///   `kAudioUnitErr_InvalidFile` if it is damaged or not a MIDI file; `kAudio_MemFullError` if it
///   has too many events; `kAudio_ParamError` if there is no such sequence, or for another type of
///   file.
OSStatus MusicSequenceFileLoad(MusicSequence inSequence, CFURLRef inFileRef,
                               MusicSequenceFileTypeID inFileTypeHint,
                               MusicSequenceLoadFlags inFlags);

/// As MusicSequenceFileLoad, from memory. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inData: the bytes of the file.
///   - inFileTypeHint: kMusicSequenceFile_MIDIType, or kMusicSequenceFile_AnyType.
///   - inFlags: kMusicSequenceLoadSMF_ChannelsToTracks or 0.
/// - Returns: as MusicSequenceFileLoad; `kAudio_ParamError` also if `inData` is null or not data.
OSStatus MusicSequenceFileLoadData(MusicSequence inSequence, CFDataRef inData,
                                   MusicSequenceFileTypeID inFileTypeHint,
                                   MusicSequenceLoadFlags inFlags);

/// Writes a Standard MIDI File of format 1. [control thread]
///
/// `inResolution` is the ticks of a beat, or an SMPTE resolution for a sequence in seconds; 0 stands
/// for that of the tempo track. Events that such a file cannot have are left out: parameters, presets,
/// extended notes, user data.
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inFileRef: the path as a file URL.
///   - inFileType: kMusicSequenceFile_MIDIType.
///   - inFlags: kMusicSequenceFileFlags_EraseFile replaces an existing file.
///   - inResolution: ticks of a beat, an SMPTE resolution, or 0.
/// - Returns: noErr; `kAudioToolboxErr_InvalidSequenceType` for a sequence in samples;
///   `kAudio_ParamError` if there is no such sequence, for another type of file, or for a
///   resolution or an event that the file cannot have; the error of the file if it cannot be
///   written.
OSStatus MusicSequenceFileCreate(MusicSequence inSequence, CFURLRef inFileRef,
                                 MusicSequenceFileTypeID inFileType,
                                 MusicSequenceFileFlags inFlags, SInt16 inResolution);

/// As MusicSequenceFileCreate, to memory that the caller releases. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inFileType: kMusicSequenceFile_MIDIType.
///   - inFlags: not used.
///   - inResolution: ticks of a beat, an SMPTE resolution, or 0.
///   - outData: the bytes of the file.
/// - Returns: noErr; `kAudioToolboxErr_InvalidSequenceType` for a sequence in samples;
///   `kAudio_ParamError` if there is no such sequence, the pointer is null, for another type of
///   file, or for a resolution or an event that the file cannot have.
OSStatus MusicSequenceFileCreateData(MusicSequence inSequence, MusicSequenceFileTypeID inFileType,
                                     MusicSequenceFileFlags inFlags, SInt16 inResolution,
                                     CFDataRef _Nullable *_Nonnull outData);

/// Texts and tempo of the sequence, under the kAFInfoDictionary keys; the caller releases it.
/// [control thread]
///
/// - Parameter inSequence: the sequence.
/// - Returns: the dictionary.
CFDictionaryRef MusicSequenceGetInfoDictionary(MusicSequence inSequence);

/// The older form of MusicSequenceFileLoadData. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - inData: the bytes of the file.
///   - inFlags: kMusicSequenceLoadSMF_ChannelsToTracks or 0.
/// - Returns: as MusicSequenceFileLoadData.
OSStatus MusicSequenceLoadSMFDataWithFlags(MusicSequence inSequence, CFDataRef inData,
                                           MusicSequenceLoadFlags inFlags);

/// The older form of MusicSequenceFileCreateData. [control thread]
///
/// - Parameters:
///   - inSequence: the sequence.
///   - outData: the bytes of the file.
///   - inResolution: ticks of a beat, an SMPTE resolution, or 0.
/// - Returns: as MusicSequenceFileCreateData.
OSStatus MusicSequenceSaveSMFData(MusicSequence inSequence, CFDataRef _Nullable *_Nonnull outData,
                                  UInt16 inResolution);
#endif

/// The resolution for frames per second and ticks per frame. [any thread]
///
/// - Parameters:
///   - inFPS: frames per second.
///   - inTicks: ticks per frame.
/// - Returns: the resolution.
static inline SInt16 MusicSequenceSetSMPTEResolution(SInt8 inFPS, UInt8 inTicks) {
  SInt8 fps = (SInt8)(inFPS > 0 ? -inFPS : inFPS);
  return (SInt16)(((UInt16)(UInt8)fps << 8) | (UInt16)(inTicks & 0x7f));
}

/// The two parts of a resolution; the frames are negative, as they are in files. [any thread]
///
/// - Parameters:
///   - inRes: the resolution.
///   - outFPS: frames per second, negative.
///   - outTicks: ticks per frame.
static inline void MusicSequenceGetSMPTEResolution(SInt16 inRes, SInt8 *outFPS, UInt8 *outTicks) {
  *outFPS = (SInt8)((UInt16)inRes >> 8);
  *outTicks = (UInt8)((UInt16)inRes & 0x7f);
}

// MARK: Tracks

/// The sequence of a track. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - outSequence: the sequence.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such track or a pointer is null.
OSStatus MusicTrackGetSequence(MusicTrack inTrack, MusicSequence _Nullable *_Nonnull outSequence);

/// Sends a track to a node of the sequence's graph. Not for the tempo track, nor while it plays.
/// [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inNode: a node of the sequence's graph.
/// - Returns: noErr; `kAudioToolboxErr_IllegalTrackDestination` if the graph does not have the
///   node, or for the tempo track; `kAudioToolboxErr_InvalidPlayerState` while the track is played;
///   `kAudio_ParamError` if there is no such track.
OSStatus MusicTrackSetDestNode(MusicTrack inTrack, AUNode inNode);

/// The node; kAudioToolboxErr_IllegalTrackDestination if the track is sent to an endpoint. [control
/// thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - outNode: the node: by default the first instrument of the graph.
/// - Returns: noErr; `kAudioToolboxErr_IllegalTrackDestination` if the track is sent to an
///   endpoint, or is the tempo track; `kAudioToolboxError_NoTrackDestination` if the graph has no
///   instrument; `kAudio_ParamError` if there is no such track or a pointer is null.
OSStatus MusicTrackGetDestNode(MusicTrack inTrack, AUNode *outNode);

/// Sends a track to a MIDI destination. Not for the tempo track, nor while it plays. [control
/// thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inEndpoint: the destination.
/// - Returns: noErr; `kAudioToolboxErr_IllegalTrackDestination` for the tempo track;
///   `kAudioToolboxErr_InvalidPlayerState` while the track is played; `kAudio_ParamError` if there
///   is no such track.
OSStatus MusicTrackSetDestMIDIEndpoint(MusicTrack inTrack, MIDIEndpointRef inEndpoint);

/// The endpoint; kAudioToolboxErr_IllegalTrackDestination if the track is sent to a node. [control
/// thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - outEndpoint: the destination.
/// - Returns: noErr; `kAudioToolboxErr_IllegalTrackDestination` if the track is sent to a node, or
///   is the tempo track; `kAudio_ParamError` if there is no such track or a pointer is null.
OSStatus MusicTrackGetDestMIDIEndpoint(MusicTrack inTrack, MIDIEndpointRef *outEndpoint);

/// Sets a property of a track. Its type determines the size, not `inLength`. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inPropertyID: the property, such as kSequenceTrackProperty_LoopInfo.
///   - inData: the value.
///   - inLength: not used.
/// - Returns: noErr; `kAudioUnitErr_InvalidProperty` if there is no such property;
///   `kAudioUnitErr_PropertyNotWritable` if it can only be read;
///   `kAudioUnitErr_InvalidPropertyValue` for a wrong value; `kAudioToolboxErr_InvalidEventType` if
///   a track with other events is to have parameters alone; `kAudio_ParamError` if there is no such
///   track or a pointer is null.
OSStatus MusicTrackSetProperty(MusicTrack inTrack, UInt32 inPropertyID, void *inData,
                               UInt32 inLength);

/// Reads a property of a track into memory of its size, and writes the size to `*ioLength`. Without
/// memory it only writes the size. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inPropertyID: the property.
///   - outData: memory for the value; null asks for the size alone.
///   - ioLength: the size of the value in bytes.
/// - Returns: noErr; `kAudioUnitErr_InvalidProperty` if there is no such property;
///   `kAudio_ParamError` if there is no such track or a pointer is null.
OSStatus MusicTrackGetProperty(MusicTrack inTrack, UInt32 inPropertyID, void *_Nullable outData,
                               UInt32 *_Nullable ioLength);

/// Moves the events from start to before end by a number of beats, which may be negative. [control
/// thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inStartTime: the beginning of the range in beats.
///   - inEndTime: its end; an event at this time is not part of it. kMusicTimeStamp_EndOfTrack: all
///     later ones.
///   - inMoveTime: by how many beats.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such track, the end is before the
///   beginning, or an event would be out of range.
OSStatus MusicTrackMoveEvents(MusicTrack inTrack, MusicTimeStamp inStartTime,
                              MusicTimeStamp inEndTime, MusicTimeStamp inMoveTime);

/// A new track of a new sequence with a copy of the events from start to before end. [control
/// thread]
///
/// - Parameters:
///   - inSourceTrack: the track.
///   - inSourceStartTime: the beginning of the range in beats.
///   - inSourceEndTime: its end; an event at this time is not part of it.
///     kMusicTimeStamp_EndOfTrack: all later ones.
///   - outNewTrack: the track; its sequence is disposed of by the caller (MusicTrackGetSequence).
/// - Returns: noErr, or `kAudio_ParamError` if there is no such track, the pointer is null, or the
///   end is before the beginning.
OSStatus NewMusicTrackFrom(MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime,
                           MusicTimeStamp inSourceEndTime,
                           MusicTrack _Nullable *_Nonnull outNewTrack);

/// Removes the events from start to before end. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inStartTime: the beginning of the range in beats.
///   - inEndTime: its end; an event at this time is not part of it. kMusicTimeStamp_EndOfTrack: all
///     later ones.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such track, or the end is before the
///   beginning.
OSStatus MusicTrackClear(MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime);

/// Removes the events from start to before end, and moves later ones to the start. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inStartTime: the beginning of the range in beats.
///   - inEndTime: its end; an event at this time is not part of it. kMusicTimeStamp_EndOfTrack: all
///     later ones.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such track, or the end is before the
///   beginning.
OSStatus MusicTrackCut(MusicTrack inTrack, MusicTimeStamp inStartTime, MusicTimeStamp inEndTime);

/// Copies the events from start to before end; the events of the destination from the insert time
/// on first move by the length of the range. [control thread]
///
/// - Parameters:
///   - inSourceTrack: the track with the events.
///   - inSourceStartTime: the beginning of the range in beats.
///   - inSourceEndTime: its end; an event at this time is not part of it.
///     kMusicTimeStamp_EndOfTrack: all later ones.
///   - inDestTrack: the track that gets them; it may be the same one.
///   - inDestInsertTime: the time in beats, from 0 to below 10^9.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the destination does not take an event;
///   `kAudio_ParamError` if there is no such track, the end is before the beginning, or an event
///   would be out of range.
OSStatus MusicTrackCopyInsert(MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime,
                              MusicTimeStamp inSourceEndTime, MusicTrack inDestTrack,
                              MusicTimeStamp inDestInsertTime);

/// As MusicTrackCopyInsert, among the events of the destination, which stay where they are.
/// [control thread]
///
/// - Parameters:
///   - inSourceTrack: the track with the events.
///   - inSourceStartTime: the beginning of the range in beats.
///   - inSourceEndTime: its end; an event at this time is not part of it.
///     kMusicTimeStamp_EndOfTrack: all later ones.
///   - inDestTrack: the track that gets them; it may be the same one.
///   - inDestInsertTime: the time in beats, from 0 to below 10^9.
/// - Returns: as MusicTrackCopyInsert.
OSStatus MusicTrackMerge(MusicTrack inSourceTrack, MusicTimeStamp inSourceStartTime,
                         MusicTimeStamp inSourceEndTime, MusicTrack inDestTrack,
                         MusicTimeStamp inDestInsertTime);

// MARK: Adding events

// An event comes after those of the same time.

/// Adds a note. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inMessage: channel, key, velocities, and the duration in beats.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewMIDINoteEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                    const MIDINoteMessage *inMessage);

/// Adds a message of a channel. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inMessage: the bytes of the message.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewMIDIChannelEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                       const MIDIChannelMessage *inMessage);

/// Adds bytes. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inRawData: the bytes and their number; they are copied.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewMIDIRawDataEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                       const MIDIRawData *inRawData);

/// Adds a note of MusicDeviceStartNote. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inInfo: instrument, group, duration in beats, and the parameters of the note.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewExtendedNoteEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                        const ExtendedNoteOnEvent *inInfo);

/// Adds a value of a parameter. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inInfo: the parameter and its value.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is; `kAudioUnitErr_InvalidParameterValue` if the value is not
///   finite.
OSStatus MusicTrackNewParameterEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                     const ParameterEvent *inInfo);

/// Adds a tempo to the tempo track. Of two at one time the later one counts. [control thread]
///
/// - Parameters:
///   - inTrack: the tempo track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inBPM: beats per minute, above 0.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewExtendedTempoEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                         Float64 inBPM);

/// Adds a meta event. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inMetaEvent: type, bytes and their number; they are copied.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewMetaEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                const MIDIMetaEvent *inMetaEvent);

/// Adds data of the program. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inUserData: the bytes and their number; they are copied.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewUserEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                const MusicEventUserData *inUserData);

/// Adds a state of a unit, which is copied. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
///   - inPresetEvent: scope, element and the state, a property list.
/// - Returns: noErr; `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of
///   event; `kAudio_ParamError` if there is no such track, a pointer is null, the time is out of
///   range, or a value of the event is.
OSStatus MusicTrackNewAUPresetEvent(MusicTrack inTrack, MusicTimeStamp inTimeStamp,
                                    const AUPresetEvent *inPresetEvent);

// MARK: Iterators

/// Creates an iterator at the first event of a track. [control thread]
///
/// - Parameters:
///   - inTrack: the track.
///   - outIterator: the iterator, which the caller disposes of.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such track or a pointer is null.
OSStatus NewMusicEventIterator(MusicTrack inTrack,
                               MusicEventIterator _Nullable *_Nonnull outIterator);

/// Disposes of an iterator. [control thread]
///
/// - Parameter inIterator: the iterator; invalid from now on.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such iterator.
OSStatus DisposeMusicEventIterator(MusicEventIterator inIterator);

/// Moves to the first event at or after a time; kMusicTimeStamp_EndOfTrack: after the last event.
/// [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - inTimeStamp: the time in beats.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such iterator.
OSStatus MusicEventIteratorSeek(MusicEventIterator inIterator, MusicTimeStamp inTimeStamp);

/// Moves to the next event, or after the last; kAudioToolboxErr_EndOfTrack if it is there already.
/// [control thread]
///
/// - Parameter inIterator: the iterator.
/// - Returns: noErr; `kAudioToolboxErr_EndOfTrack` if it is after the last event;
///   `kAudio_ParamError` if there is no such iterator.
OSStatus MusicEventIteratorNextEvent(MusicEventIterator inIterator);

/// Moves to the previous event; kAudioToolboxErr_StartOfTrack if there is none. [control thread]
///
/// - Parameter inIterator: the iterator.
/// - Returns: noErr; `kAudioToolboxErr_StartOfTrack` if it is at the first event;
///   `kAudio_ParamError` if there is no such iterator.
OSStatus MusicEventIteratorPreviousEvent(MusicEventIterator inIterator);

/// Time, type, data and size of the current event, each unless its pointer is null. The data stays
/// valid until the next call for this iterator. [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - outTimeStamp: the time in beats. May be null.
///   - outEventType: the type, such as kMusicEventType_MIDINoteMessage. May be null.
///   - outEventData: the event. May be null.
///   - outEventDataSize: its size in bytes. May be null.
/// - Returns: noErr; `kAudioToolboxErr_EndOfTrack` if it is after the last event;
///   `kAudio_ParamError` if there is no such iterator.
OSStatus MusicEventIteratorGetEventInfo(MusicEventIterator inIterator,
                                        MusicTimeStamp *_Nullable outTimeStamp,
                                        MusicEventType *_Nullable outEventType,
                                        const void *_Nullable *_Nullable outEventData,
                                        UInt32 *_Nullable outEventDataSize);

/// Replaces type and data of the current event. [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - inEventType: the type.
///   - inEventData: the event.
/// - Returns: noErr; `kAudioToolboxErr_EndOfTrack` if it is after the last event;
///   `kAudioToolboxErr_InvalidEventType` if the track does not take this kind of event;
///   `kAudio_ParamError` if there is no such iterator, the data is null, or a value of it is out of
///   range.
OSStatus MusicEventIteratorSetEventInfo(MusicEventIterator inIterator, MusicEventType inEventType,
                                        const void *inEventData);

/// Moves the current event to another time; it stays the current one. [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - inTimeStamp: the time in beats, from 0 to below 10^9.
/// - Returns: noErr; `kAudioToolboxErr_EndOfTrack` if it is after the last event;
///   `kAudio_ParamError` if there is no such iterator, or the time is out of range.
OSStatus MusicEventIteratorSetEventTime(MusicEventIterator inIterator, MusicTimeStamp inTimeStamp);

/// Removes the current event; the next one becomes the current one. [control thread]
///
/// - Parameter inIterator: the iterator.
/// - Returns: noErr; `kAudioToolboxErr_EndOfTrack` if it is after the last event;
///   `kAudio_ParamError` if there is no such iterator.
OSStatus MusicEventIteratorDeleteEvent(MusicEventIterator inIterator);

/// Whether there is an event before the position, at it, or after it. [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - outHasPrevEvent: whether there is one.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such iterator or a pointer is null.
OSStatus MusicEventIteratorHasPreviousEvent(MusicEventIterator inIterator,
                                            Boolean *outHasPrevEvent);

/// Whether there is an event at the position. [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - outHasCurEvent: whether there is one.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such iterator or a pointer is null.
OSStatus MusicEventIteratorHasCurrentEvent(MusicEventIterator inIterator, Boolean *outHasCurEvent);

/// Whether there is an event after the position. [control thread]
///
/// - Parameters:
///   - inIterator: the iterator.
///   - outHasNextEvent: whether there is one.
/// - Returns: noErr, or `kAudio_ParamError` if there is no such iterator or a pointer is null.
OSStatus MusicEventIteratorHasNextEvent(MusicEventIterator inIterator, Boolean *outHasNextEvent);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
