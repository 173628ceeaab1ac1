// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MUSIC_DEVICE_H
#define CAUDIOTOOLBOX_MUSIC_DEVICE_H

#include "../CoreMIDI/Services/MIDIPackets.h"
#include "AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Notes and MIDI for instruments: kAudioUnitSubType_DLSSynth, kAudioUnitSubType_MIDISynth,
// kAudioUnitSubType_Sampler, and units of plug-ins. Other units return kAudio_UnimplementedError.
// Built-in instruments accept notes and MIDI while they are initialized.

/// A unit that plays notes.
typedef AudioComponentInstance MusicDeviceComponent;
/// The number of an instrument of a unit.
typedef UInt32 MusicDeviceInstrumentID;
/// A group of notes that are controlled together: a MIDI channel.
typedef UInt32 MusicDeviceGroupID;
/// The identifier of a sounding note.
typedef UInt32 NoteInstanceID;
/// A MIDI note number, 0 to 127; 60 is middle C.
typedef UInt8 MIDINoteNumber;

CF_ENUM(UInt32) {
  /// The instrument of the group.
  kMusicNoteEvent_UseGroupInstrument = 0xffffffff,
  /// Another name of kMusicNoteEvent_UseGroupInstrument.
  kMusicNoteEvent_Unused = 0xffffffff
};

/// The parameters of a new note.
typedef struct MusicDeviceStdNoteParams {
  /// Always 2.
  UInt32 argCount;
  /// A key of MIDI; 60.5 lies between two.
  Float32 mPitch;
  /// 0 to 127.
  Float32 mVelocity;
} MusicDeviceStdNoteParams;

/// A parameter of a note and its value.
typedef struct NoteParamsControlValue {
  AudioUnitParameterID mID;        ///< The identifier of the parameter.
  AudioUnitParameterValue mValue;  ///< The value for this note.
} NoteParamsControlValue;

/// The parameters of a new note, with any number of its own controls.
typedef struct MusicDeviceNoteParams {
  /// 2 plus the number of controls.
  UInt32 argCount;
  /// A key of MIDI; 60.5 lies between two.
  Float32 mPitch;
  /// 0 to 127.
  Float32 mVelocity;
  /// The first of `argCount - 2` controls.
  NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

/// Sends a MIDI event to a unit, at a frame of the next slice. [any thread]
///
/// The low four bits of the status are the channel. Unused data bytes are 0.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inStatus: the first byte of the message, 0x80 to 0xFF; the channel is in the low four bits
///     of channel messages.
///   - inData1: the second byte, 0 to 127; 0 if the message has none.
///   - inData2: the third byte, 0 to 127; 0 if the message has none.
///   - inOffsetSampleFrame: the frame of the next slice, from 0 on.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAudio_UnimplementedError` if the unit does
///   not accept MIDI; what a plug-in returns; `kAudio_ParamError` if there is no such unit, or a
///   byte is out of range.
OSStatus MusicDeviceMIDIEvent(MusicDeviceComponent inUnit, UInt32 inStatus, UInt32 inData1,
                              UInt32 inData2, UInt32 inOffsetSampleFrame);

/// Sends a system exclusive message to a unit, from its 0xF0 to its 0xF7. [any thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inData: the message, from F0 to F7.
///   - inLength: its length in bytes.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAudio_UnimplementedError` if the unit does
///   not accept messages; what a plug-in returns; `kAudio_ParamError` if there is no such unit, the
///   pointer is null, or the message is not a whole one.
OSStatus MusicDeviceSysEx(MusicDeviceComponent inUnit, const UInt8 *inData, UInt32 inLength);

/// Sends Universal MIDI Packets to a unit. [any thread]
///
/// The time of a packet is in frames, and is added to the offset in the next slice; one from 2^31 on
/// is a host time, and counts as 0. A unit without a protocol
/// (`kAudioUnitProperty_AudioUnitMIDIProtocol`) gets bytes of MIDI 1.0.
///
/// - Parameters:
///   - inUnit: the unit.
///   - inOffsetSampleFrame: the frame of the next slice, from 0 on; the time stamps of the packets
///     count from there.
///   - evtList: the events.
/// - Returns: noErr; `kAudio_UnimplementedError` if the unit does not accept MIDI; what a plug-in
///   returns; `kAudio_ParamError` if there is no such unit or a pointer is null.
OSStatus MusicDeviceMIDIEventList(MusicDeviceComponent inUnit, UInt32 inOffsetSampleFrame,
                                  const MIDIEventList *evtList);

/// Starts a note at a frame of the next slice, and returns its identifier. [any thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inInstrument: the instrument, or kMusicNoteEvent_UseGroupInstrument.
///   - inGroupID: the group, a MIDI channel from 0 to 15.
///   - outNoteInstanceID: the identifier, with which MusicDeviceStopNote ends the note.
///   - inOffsetSampleFrame: the frame of the next slice, from 0 on.
///   - inParams: pitch and velocity.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAudioUnitErr_InvalidElement` if there is no
///   such group; `kAudio_UnimplementedError` if the unit does not play notes; what a plug-in
///   returns; `kAudio_ParamError` if there is no such unit or a pointer is null.
OSStatus MusicDeviceStartNote(MusicDeviceComponent inUnit, MusicDeviceInstrumentID inInstrument,
                              MusicDeviceGroupID inGroupID, NoteInstanceID *outNoteInstanceID,
                              UInt32 inOffsetSampleFrame, const MusicDeviceNoteParams *inParams);

/// Ends a note at a frame of the next slice. [any thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inGroupID: the group of the note.
///   - inNoteInstanceID: its identifier.
///   - inOffsetSampleFrame: the frame of the next slice, from 0 on.
/// - Returns: noErr; `kAudioUnitErr_Uninitialized`; `kAudio_UnimplementedError` if the unit does
///   not play notes; what a plug-in returns; `kAudio_ParamError` if there is no such unit.
OSStatus MusicDeviceStopNote(MusicDeviceComponent inUnit, MusicDeviceGroupID inGroupID,
                             NoteInstanceID inNoteInstanceID, UInt32 inOffsetSampleFrame);

/// Loads an instrument before its first note; kAudioUnitErr_IllegalInstrument if the bank does not
/// have it. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inInstrument: bank and program of the instrument.
/// - Returns: noErr; `kAudioUnitErr_IllegalInstrument` if the bank does not have it;
///   `kAudio_UnimplementedError` if the unit has no instruments; what a plug-in returns;
///   `kAudio_ParamError` if there is no such unit.
OSStatus MusicDevicePrepareInstrument(MusicDeviceComponent inUnit,
                                      MusicDeviceInstrumentID inInstrument);

/// Releases an instrument that is no longer needed. [control thread]
///
/// - Parameters:
///   - inUnit: the unit.
///   - inInstrument: bank and program of the instrument.
/// - Returns: noErr; `kAudioUnitErr_IllegalInstrument` if the bank does not have it;
///   `kAudio_UnimplementedError` if the unit has no instruments; what a plug-in returns;
///   `kAudio_ParamError` if there is no such unit.
OSStatus MusicDeviceReleaseInstrument(MusicDeviceComponent inUnit,
                                      MusicDeviceInstrumentID inInstrument);

/// Selectors of the methods of a plug-in that plays notes.
enum {
  kMusicDeviceRange = 0x0100,                    ///< The first number of these methods.
  kMusicDeviceMIDIEventSelect = 0x0101,          ///< A MusicDeviceMIDIEventProc.
  kMusicDeviceSysExSelect = 0x0102,              ///< A MusicDeviceSysExProc.
  kMusicDevicePrepareInstrumentSelect = 0x0103,  ///< A MusicDevicePrepareInstrumentProc.
  kMusicDeviceReleaseInstrumentSelect = 0x0104,  ///< A MusicDeviceReleaseInstrumentProc.
  kMusicDeviceStartNoteSelect = 0x0105,          ///< A MusicDeviceStartNoteProc.
  kMusicDeviceStopNoteSelect = 0x0106,           ///< A MusicDeviceStopNoteProc.
  kMusicDeviceMIDIEventListSelect = 0x0107       ///< A MusicDeviceMIDIEventListProc.
};

/// Types of those methods; `self` is the memory that the plug-in's factory created.
typedef OSStatus (*MusicDeviceMIDIEventProc)(void *self, UInt32 inStatus, UInt32 inData1,
                                             UInt32 inData2, UInt32 inOffsetSampleFrame);
/// Carries out MusicDeviceSysEx.
typedef OSStatus (*MusicDeviceSysExProc)(void *self, const UInt8 *inData, UInt32 inLength);
/// Carries out MusicDevicePrepareInstrument.
typedef OSStatus (*MusicDevicePrepareInstrumentProc)(void *self,
                                                     MusicDeviceInstrumentID inInstrument);
/// Carries out MusicDeviceReleaseInstrument.
typedef OSStatus (*MusicDeviceReleaseInstrumentProc)(void *self,
                                                     MusicDeviceInstrumentID inInstrument);
/// Carries out MusicDeviceStartNote.
typedef OSStatus (*MusicDeviceStartNoteProc)(void *self, MusicDeviceInstrumentID inInstrument,
                                             MusicDeviceGroupID inGroupID,
                                             NoteInstanceID *outNoteInstanceID,
                                             UInt32 inOffsetSampleFrame,
                                             const MusicDeviceNoteParams *inParams);
/// Carries out MusicDeviceStopNote.
typedef OSStatus (*MusicDeviceStopNoteProc)(void *self, MusicDeviceGroupID inGroupID,
                                            NoteInstanceID inNoteInstanceID,
                                            UInt32 inOffsetSampleFrame);
/// Carries out MusicDeviceMIDIEventList.
typedef OSStatus (*MusicDeviceMIDIEventListProc)(void *self, UInt32 inOffsetSampleFrame,
                                                 const MIDIEventList *evtList);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
