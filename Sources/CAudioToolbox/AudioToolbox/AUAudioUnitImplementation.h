// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_AU_AUDIO_UNIT_IMPLEMENTATION_H
#define CAUDIOTOOLBOX_AU_AUDIO_UNIT_IMPLEMENTATION_H

#include "../CoreMIDI/Services/MIDIPackets.h"
#include "AUParameters.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// What a unit of version 3 renders with: its events, and the blocks between it and its host. The unit
// itself is the Swift class AUAudioUnit.

/// A number of frames.
typedef UInt32 AUAudioFrameCount;
/// The result of a block.
typedef OSStatus AUAudioUnitStatus;
#ifndef __swift__
/// As soon as possible. Up to 4095 may be added: so many frames after the start of the next render.
#define AUEventSampleTimeImmediate ((AUEventSampleTime)0xffffffff00000000LL)
#endif

// MARK: Events

/// What an event is.
typedef CF_ENUM(UInt8, AURenderEventType) {
  /// A parameter has a new value.
  AURenderEventParameter = 1,
  /// A parameter goes to a value over some frames.
  AURenderEventParameterRamp = 2,
  /// A MIDI message of up to three bytes.
  AURenderEventMIDI = 8,
  /// A system-exclusive MIDI message.
  AURenderEventMIDISysEx = 9,
  /// A list of MIDI messages as Universal MIDI Packets.
  AURenderEventMIDIEventList = 10
};

#pragma pack(push, 4)
union AURenderEvent;

/// What all events have in common.
typedef struct AURenderEventHeader {
  /// The next event, which is not earlier; null after the last.
  union AURenderEvent *_Nullable next;
  /// The sample time at which it takes effect.
  AUEventSampleTime eventSampleTime;
  /// Which member of AURenderEvent applies.
  AURenderEventType eventType;
  /// Always 0.
  UInt8 reserved;
} AURenderEventHeader;

/// A change of a parameter.
typedef struct AUParameterEvent {
  /// The next event, which is not earlier; null after the last.
  union AURenderEvent *_Nullable next;
  /// The sample time at which it takes effect.
  AUEventSampleTime eventSampleTime;
  /// AURenderEventParameter or AURenderEventParameterRamp.
  AURenderEventType eventType;
  /// Always 0.
  UInt8 reserved[3];
  /// The frames of a ramp; 0 for a change at once.
  AUAudioFrameCount rampDurationSampleFrames;
  /// The address of the parameter in its tree.
  AUParameterAddress parameterAddress;
  /// The new value, or the value at the end of the ramp.
  AUValue value;
} AUParameterEvent;

/// A MIDI message.
typedef struct AUMIDIEvent {
  /// The next event, which is not earlier; null after the last.
  union AURenderEvent *_Nullable next;
  /// The sample time at which it takes effect.
  AUEventSampleTime eventSampleTime;
  /// AURenderEventMIDI or AURenderEventMIDISysEx.
  AURenderEventType eventType;
  /// Always 0.
  UInt8 reserved;
  /// The number of bytes of the message.
  UInt16 length;
  /// The virtual cable.
  UInt8 cable;
  /// The message; a longer one continues in the memory that follows.
  UInt8 data[3];
} AUMIDIEvent;

/// MIDI messages as Universal MIDI Packets, in the protocol of the unit.
typedef struct AUMIDIEventList {
  /// The next event, which is not earlier; null after the last.
  union AURenderEvent *_Nullable next;
  /// The sample time at which it takes effect.
  AUEventSampleTime eventSampleTime;
  /// AURenderEventMIDIEventList.
  AURenderEventType eventType;
  /// Always 0.
  UInt8 reserved;
  /// The virtual cable.
  UInt8 cable;
  /// The messages; there is only as much memory as they need.
  MIDIEventList eventList;
} AUMIDIEventList;

/// An event for a render, in a list in the order of time.
typedef union AURenderEvent {
  AURenderEventHeader head;        ///< What every event has.
  AUParameterEvent parameter;      ///< A change of a parameter, or a ramp.
  AUMIDIEvent MIDI;                ///< A MIDI message, or a system exclusive one.
  AUMIDIEventList MIDIEventsList;  ///< MIDI messages as Universal MIDI Packets.
} AURenderEvent;
#pragma pack(pop)

/// What the host's transport does.
typedef CF_OPTIONS(unsigned long, AUHostTransportStateFlags) {
  /// Started, stopped or relocated since the last render.
  AUHostTransportStateChanged = 1,
  /// Playing or recording.
  AUHostTransportStateMoving = 2,
  /// Recording.
  AUHostTransportStateRecording = 4,
  /// Repeating a part of the song.
  AUHostTransportStateCycling = 8
};

// MARK: Blocks

// Swift has types of the same names.
#if defined(__BLOCKS__) && !defined(__swift__)
/// Supplies a unit with the frames of an input bus. [render thread]
///
/// The buffers of `inputData` may be null; then they get the source's memory.
typedef AUAudioUnitStatus (^AURenderPullInputBlock)(AudioUnitRenderActionFlags *actionFlags,
                                                    const AudioTimeStamp *timestamp,
                                                    AUAudioFrameCount frameCount,
                                                    long inputBusNumber,
                                                    AudioBufferList *inputData);

/// Renders an output bus, for hosts. [render thread]
typedef AUAudioUnitStatus (^AURenderBlock)(AudioUnitRenderActionFlags *actionFlags,
                                           const AudioTimeStamp *timestamp,
                                           AUAudioFrameCount frameCount, long outputBusNumber,
                                           AudioBufferList *outputData,
                                           AURenderPullInputBlock _Nullable pullInputBlock);

/// Renders an output bus, as the unit implements it. [render thread]
///
/// `realtimeEventListHead` has the events of these frames, in the order of time.
typedef AUAudioUnitStatus (^AUInternalRenderBlock)(
    AudioUnitRenderActionFlags *actionFlags, const AudioTimeStamp *timestamp,
    AUAudioFrameCount frameCount, long outputBusNumber, AudioBufferList *outputData,
    const AURenderEvent *_Nullable realtimeEventListHead,
    AURenderPullInputBlock _Nullable pullInputBlock);

/// Is called before and after each render. [render thread]
typedef void (^AURenderObserver)(AudioUnitRenderActionFlags actionFlags,
                                 const AudioTimeStamp *timestamp, AUAudioFrameCount frameCount,
                                 long outputBusNumber);

/// Is called when a device has frames of the input. [render thread]
typedef void (^AUInputHandler)(AudioUnitRenderActionFlags *actionFlags,
                               const AudioTimeStamp *timestamp, AUAudioFrameCount frameCount,
                               long inputBusNumber);

/// Schedules a parameter's change. [any thread]
typedef void (^AUScheduleParameterBlock)(AUEventSampleTime eventSampleTime,
                                         AUAudioFrameCount rampDurationSampleFrames,
                                         AUParameterAddress parameterAddress, AUValue value);

/// Schedules a MIDI message. [any thread]
typedef void (^AUScheduleMIDIEventBlock)(AUEventSampleTime eventSampleTime, UInt8 cable, long length,
                                         const UInt8 *midiBytes);

/// Receives the MIDI messages that a unit sends. [render thread]
typedef OSStatus (^AUMIDIOutputEventBlock)(AUEventSampleTime eventSampleTime, UInt8 cable, long length,
                                           const UInt8 *midiBytes);

/// Schedules MIDI messages as Universal MIDI Packets, on any thread; or receives those that a unit
/// sends. [render thread]
typedef OSStatus (^AUMIDIEventListBlock)(AUEventSampleTime eventSampleTime, UInt8 cable,
                                         const MIDIEventList *eventList);

/// Returns the host's tempo and place in the music; false if it has none. [render thread]
typedef Boolean (^AUHostMusicalContextBlock)(double *_Nullable currentTempo,
                                             double *_Nullable timeSignatureNumerator,
                                             long *_Nullable timeSignatureDenominator,
                                             double *_Nullable currentBeatPosition,
                                             long *_Nullable sampleOffsetToNextBeat,
                                             double *_Nullable currentMeasureDownbeatPosition);

/// Returns what the host's transport does; false if it has none. [render thread]
typedef Boolean (^AUHostTransportStateBlock)(AUHostTransportStateFlags *_Nullable transportStateFlags,
                                             double *_Nullable currentSamplePosition,
                                             double *_Nullable cycleStartBeatPosition,
                                             double *_Nullable cycleEndBeatPosition);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
