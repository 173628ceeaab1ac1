// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_PLUG_IN_PROPERTIES_H
#define CAUDIOTOOLBOX_PLUG_IN_PROPERTIES_H

#include "../../CoreMIDI/Services/MIDIPackets.h"
#include "../AUComponent.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

/// Properties that units of plug-ins may have, but no built-in unit has. The host's calls go to the
/// plug-in. The notation is that of GeneralProperties.h.
CF_ENUM(AudioUnitPropertyID) {
  /// AudioChannelLayoutTag[], input and output, R.
  kAudioUnitProperty_SupportedChannelLayoutTags = 32,
  /// CFURLRef, global, R: a picture of the unit.
  kAudioUnitProperty_IconLocation = 39,
  /// AUParameterMIDIMapping[], global, RW: which MIDI events change which parameters.
  kAudioUnitProperty_AllParameterMIDIMappings = 41,
  /// AUParameterMIDIMapping[], global, W.
  kAudioUnitProperty_AddParameterMIDIMapping = 42,
  /// AUParameterMIDIMapping[], global, W.
  kAudioUnitProperty_RemoveParameterMIDIMapping = 43,
  /// AUParameterMIDIMapping, global, RW: is mapped to the next MIDI event.
  kAudioUnitProperty_HotMapParameterMIDIMapping = 44,
  /// AUDependentParameter[], any scope, element = parameter, R: the parameters that change with it.
  kAudioUnitProperty_DependentParameters = 45,
  /// CFArrayRef of CFStringRef, global, R: the names of the MIDI outputs.
  kAudioUnitProperty_MIDIOutputCallbackInfo = 47,
  /// AUMIDIOutputCallbackStruct, global, W: what receives the MIDI messages that the unit sends.
  kAudioUnitProperty_MIDIOutputCallback = 48,
  /// AUInputSamplesInOutputCallbackStruct, global, RW.
  kAudioUnitProperty_InputSamplesInOutput = 49,
  /// AudioUnitParameterHistoryInfo, global, R.
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
  void *_Nullable userData;
} AUMIDIOutputCallbackStruct;

/// A parameter that changes with another one.
typedef struct AUDependentParameter {
  AudioUnitScope mScope;
  AudioUnitParameterID mParameterID;
} AUDependentParameter;

/// A function that receives the input frame that corresponds to the output.
typedef struct AUInputSamplesInOutputCallbackStruct {
  AUInputSamplesInOutputCallback inputToOutputCallback;
  void *_Nullable userData;
} AUInputSamplesInOutputCallbackStruct;

/// For a plot of parameters: how often to read them, and how much of their history to show.
typedef struct AudioUnitParameterHistoryInfo {
  Float32 updatesPerSecond;
  Float32 historyDurationInSeconds;
} AudioUnitParameterHistoryInfo;

/// The events of an AUParameterMIDIMapping, and how they are applied.
typedef CF_OPTIONS(UInt32, AUParameterMIDIMappingFlags) {
  kAUParameterMIDIMapping_AnyChannelFlag = 1U << 0,
  kAUParameterMIDIMapping_AnyNoteFlag = 1U << 1,
  /// `mSubRangeMin` and `mSubRangeMax` are valid.
  kAUParameterMIDIMapping_SubRange = 1U << 2,
  kAUParameterMIDIMapping_Toggle = 1U << 3,
  kAUParameterMIDIMapping_Bipolar = 1U << 4,
  kAUParameterMIDIMapping_Bipolar_On = 1U << 5
};

/// A MIDI event that changes a parameter.
typedef struct AUParameterMIDIMapping {
  AudioUnitScope mScope;
  AudioUnitElement mElement;
  AudioUnitParameterID mParameterID;
  AUParameterMIDIMappingFlags mFlags;
  AudioUnitParameterValue mSubRangeMin;
  AudioUnitParameterValue mSubRangeMax;
  UInt8 mStatus;
  UInt8 mData1;
  UInt8 reserved1;
  UInt8 reserved2;
  UInt32 reserved3;
} AUParameterMIDIMapping;

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
