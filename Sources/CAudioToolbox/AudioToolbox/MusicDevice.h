// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MUSIC_DEVICE_H
#define CAUDIOTOOLBOX_MUSIC_DEVICE_H

#include "AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// Notes and MIDI for instruments: kAudioUnitSubType_DLSSynth, kAudioUnitSubType_MIDISynth,
// kAudioUnitSubType_Sampler and units of plug-ins. A unit that takes none ignores them: the result is
// kAudio_UnimplementedError. Built-in instruments take them while they are initialized.

/// A unit that takes notes.
typedef AudioComponentInstance MusicDeviceComponent;
/// Names an instrument of a unit.
typedef UInt32 MusicDeviceInstrumentID;
/// Names notes that are controlled together: a channel of MIDI.
typedef UInt32 MusicDeviceGroupID;
/// Names one note that sounds.
typedef UInt32 NoteInstanceID;
/// A key of MIDI, 0 to 127; 60 is middle C.
typedef UInt8 MIDINoteNumber;

CF_ENUM(UInt32) {
  /// As an instrument: the one that the group has.
  kMusicNoteEvent_UseGroupInstrument = 0xffffffff,
  kMusicNoteEvent_Unused = 0xffffffff
};

/// How a note begins.
typedef struct MusicDeviceStdNoteParams {
  /// 2.
  UInt32 argCount;
  /// A key of MIDI; 60.5 lies between two.
  Float32 mPitch;
  /// 0 to 127.
  Float32 mVelocity;
} MusicDeviceStdNoteParams;

/// A parameter of a note and its value.
typedef struct NoteParamsControlValue {
  AudioUnitParameterID mID;
  AudioUnitParameterValue mValue;
} NoteParamsControlValue;

/// How a note begins, with any number of parameters of its own.
typedef struct MusicDeviceNoteParams {
  /// 2, and 1 more for each of the controls.
  UInt32 argCount;
  /// A key of MIDI; 60.5 lies between two.
  Float32 mPitch;
  /// 0 to 127.
  Float32 mVelocity;
  /// The first of `argCount - 2` controls.
  NoteParamsControlValue mControls[1];
} MusicDeviceNoteParams;

/// Gives a unit an event of MIDI at a frame of the next slice. [any thread]
///
/// The status has the channel in its low four bits. Data that the event does not have are 0.
OSStatus MusicDeviceMIDIEvent(MusicDeviceComponent inUnit, UInt32 inStatus, UInt32 inData1,
                              UInt32 inData2, UInt32 inOffsetSampleFrame);

/// Gives a unit a message of MIDI from its 0xF0 to its 0xF7. [any thread]
OSStatus MusicDeviceSysEx(MusicDeviceComponent inUnit, const UInt8 *inData, UInt32 inLength);

/// Starts a note at a frame of the next slice, and names it. [any thread]
OSStatus MusicDeviceStartNote(MusicDeviceComponent inUnit, MusicDeviceInstrumentID inInstrument,
                              MusicDeviceGroupID inGroupID, NoteInstanceID *outNoteInstanceID,
                              UInt32 inOffsetSampleFrame, const MusicDeviceNoteParams *inParams);

/// Ends a note at a frame of the next slice. [any thread]
OSStatus MusicDeviceStopNote(MusicDeviceComponent inUnit, MusicDeviceGroupID inGroupID,
                             NoteInstanceID inNoteInstanceID, UInt32 inOffsetSampleFrame);

/// Has an instrument ready for its first note: kAudioUnitErr_IllegalInstrument where the bank has none of
/// that number. [control thread]
OSStatus MusicDevicePrepareInstrument(MusicDeviceComponent inUnit,
                                      MusicDeviceInstrumentID inInstrument);

/// The notes of an instrument are over. [control thread]
OSStatus MusicDeviceReleaseInstrument(MusicDeviceComponent inUnit,
                                      MusicDeviceInstrumentID inInstrument);

/// Selectors of the methods of a plug-in that takes notes.
enum {
  kMusicDeviceRange = 0x0100,
  kMusicDeviceMIDIEventSelect = 0x0101,
  kMusicDeviceSysExSelect = 0x0102,
  kMusicDevicePrepareInstrumentSelect = 0x0103,
  kMusicDeviceReleaseInstrumentSelect = 0x0104,
  kMusicDeviceStartNoteSelect = 0x0105,
  kMusicDeviceStopNoteSelect = 0x0106
};

/// Types of those methods; `self` is the memory that the factory of the plug-in made.
typedef OSStatus (*MusicDeviceMIDIEventProc)(void *self, UInt32 inStatus, UInt32 inData1,
                                             UInt32 inData2, UInt32 inOffsetSampleFrame);
typedef OSStatus (*MusicDeviceSysExProc)(void *self, const UInt8 *inData, UInt32 inLength);
typedef OSStatus (*MusicDevicePrepareInstrumentProc)(void *self,
                                                     MusicDeviceInstrumentID inInstrument);
typedef OSStatus (*MusicDeviceReleaseInstrumentProc)(void *self,
                                                     MusicDeviceInstrumentID inInstrument);
typedef OSStatus (*MusicDeviceStartNoteProc)(void *self, MusicDeviceInstrumentID inInstrument,
                                             MusicDeviceGroupID inGroupID,
                                             NoteInstanceID *outNoteInstanceID,
                                             UInt32 inOffsetSampleFrame,
                                             const MusicDeviceNoteParams *inParams);
typedef OSStatus (*MusicDeviceStopNoteProc)(void *self, MusicDeviceGroupID inGroupID,
                                            NoteInstanceID inNoteInstanceID,
                                            UInt32 inOffsetSampleFrame);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
