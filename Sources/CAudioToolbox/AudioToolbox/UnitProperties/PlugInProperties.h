// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_PLUG_IN_PROPERTIES_H
#define CAUDIOTOOLBOX_PLUG_IN_PROPERTIES_H

#include "../../CoreMIDI/Services/MIDIPackets.h"
#include "../AUComponent.h"

// Properties that plug-ins may have; some of them are for hosts with a user interface.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Properties that units of plug-ins may have, but no built-in unit has. The host's calls go to the
/// plug-in. The notation is that of GeneralProperties.h.
CF_ENUM(AudioUnitPropertyID) {
  /// AudioChannelLayoutTag[], input and output, R: the layouts that a bus supports.
  kAudioUnitProperty_SupportedChannelLayoutTags = 32,
  /// CFURLRef, global, R: a picture of the unit.
  kAudioUnitProperty_IconLocation = 39,
  /// AUParameterMIDIMapping[], global, RW: which MIDI events change which parameters.
  kAudioUnitProperty_AllParameterMIDIMappings = 41,
  /// AUParameterMIDIMapping[], global, W: adds these to the mappings.
  kAudioUnitProperty_AddParameterMIDIMapping = 42,
  /// AUParameterMIDIMapping[], global, W: removes these from the mappings.
  kAudioUnitProperty_RemoveParameterMIDIMapping = 43,
  /// AUParameterMIDIMapping, global, RW: is mapped to the next MIDI event.
  kAudioUnitProperty_HotMapParameterMIDIMapping = 44,
  /// AUDependentParameter[], any scope, element = parameter, R: the parameters that change with it.
  kAudioUnitProperty_DependentParameters = 45,
  /// CFArrayRef of CFStringRef, global, R: the names of the MIDI outputs.
  kAudioUnitProperty_MIDIOutputCallbackInfo = 47,
  /// AUMIDIOutputCallbackStruct, global, W: what receives the MIDI messages that the unit sends.
  kAudioUnitProperty_MIDIOutputCallback = 48,
  /// AUInputSamplesInOutputCallbackStruct, global, RW: what receives the input time of each render.
  kAudioUnitProperty_InputSamplesInOutput = 49,
  /// AudioUnitParameterHistoryInfo, global, R: how to plot parameters.
  kAudioUnitProperty_ParameterHistoryInfo = 53,
  /// UInt32 as a Boolean, global, R: whether each note has its own controllers.
  kAudioUnitProperty_SupportsMPE = 58,
  /// AUMIDIEventListBlock, global, W: what receives the messages, as Universal MIDI Packets.
  kAudioUnitProperty_MIDIOutputEventListCallback = 63,
  /// MIDIProtocolID, global, R: the protocol in which the unit wants the messages of event lists. A
  /// unit without it gets bytes.
  kAudioUnitProperty_AudioUnitMIDIProtocol = 64,
  /// MIDIProtocolID, global, RW (U): the protocol in which the host wants the unit's messages.
  kAudioUnitProperty_HostMIDIProtocol = 65,
  /// UInt32, global, RW: the most bytes of messages that the host takes in one render; 0: unknown.
  kAudioUnitProperty_MIDIOutputBufferSizeHint = 66
};

/// Receives the MIDI messages of one render. [render thread]
///
/// `timeStamp` is the time of the render's first frame; the time of a packet is in frames after that.
typedef OSStatus (*AUMIDIOutputCallback)(void *_Nullable userData, const AudioTimeStamp *timeStamp,
                                         UInt32 midiOutNum, const MIDIPacketList *pktlist);

/// A function that receives MIDI messages, and its first argument.
typedef struct AUMIDIOutputCallbackStruct {
  /// Null removes it.
  AUMIDIOutputCallback _Nullable midiOutputCallback;
  /// The first argument of the function.
  void *_Nullable userData;
} AUMIDIOutputCallbackStruct;

/// A parameter that changes with another one.
typedef struct AUDependentParameter {
  AudioUnitScope mScope;              ///< Its scope.
  AudioUnitParameterID mParameterID;  ///< Its identifier.
} AUDependentParameter;

/// A function that receives the input frame that corresponds to the output.
typedef struct AUInputSamplesInOutputCallbackStruct {
  /// The function, called at the end of each render.
  AUInputSamplesInOutputCallback inputToOutputCallback;
  /// The first argument of the function.
  void *_Nullable userData;
} AUInputSamplesInOutputCallbackStruct;

/// For a plot of parameters: how often to read them, and how much of their history to show.
typedef struct AudioUnitParameterHistoryInfo {
  Float32 updatesPerSecond;          ///< How often a host should read the value, in Hz.
  Float32 historyDurationInSeconds;  ///< The seconds that a plot should show.
} AudioUnitParameterHistoryInfo;

/// The events of an AUParameterMIDIMapping, and how they are applied.
typedef CF_OPTIONS(UInt32, AUParameterMIDIMappingFlags) {
  /// Events of every channel.
  kAUParameterMIDIMapping_AnyChannelFlag = 1U << 0,
  /// Events of every note.
  kAUParameterMIDIMapping_AnyNoteFlag = 1U << 1,
  /// `mSubRangeMin` and `mSubRangeMax` are valid.
  kAUParameterMIDIMapping_SubRange = 1U << 2,
  /// Each event turns a Boolean parameter on or off in turn.
  kAUParameterMIDIMapping_Toggle = 1U << 3,
  /// A Boolean parameter changes on only one half of the values.
  kAUParameterMIDIMapping_Bipolar = 1U << 4,
  /// That half is the upper one, 64 to 127; otherwise the lower one.
  kAUParameterMIDIMapping_Bipolar_On = 1U << 5
};

/// A MIDI event that changes a parameter.
typedef struct AUParameterMIDIMapping {
  /// The scope of the parameter.
  AudioUnitScope mScope;
  /// The element of the parameter.
  AudioUnitElement mElement;
  /// The identifier of the parameter.
  AudioUnitParameterID mParameterID;
  /// Which events count, and how.
  AUParameterMIDIMappingFlags mFlags;
  /// The parameter's value at 0, with kAUParameterMIDIMapping_SubRange.
  AudioUnitParameterValue mSubRangeMin;
  /// The parameter's value at 127, with kAUParameterMIDIMapping_SubRange.
  AudioUnitParameterValue mSubRangeMax;
  /// The status byte of the event, with its channel.
  UInt8 mStatus;
  /// The note, or the number of the controller.
  UInt8 mData1;
  /// Always 0.
  UInt8 reserved1;
  /// Always 0.
  UInt8 reserved2;
  /// Always 0.
  UInt32 reserved3;
} AUParameterMIDIMapping;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
