// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_THRU_CONNECTION_H
#define CAUDIOTOOLBOX_MIDI_THRU_CONNECTION_H

#include "MIDIServices.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// A connection that passes messages from sources to destinations.
typedef MIDIObjectRef MIDIThruConnectionRef;

/// What happens to a value.
typedef CF_ENUM(UInt16, MIDITransformType) {
  kMIDITransform_None = 0,
  /// The message is dropped.
  kMIDITransform_FilterOut = 1,
  /// A control becomes another control, whose number is `param`.
  kMIDITransform_MapControl = 2,
  /// `param` is added; the result is limited to the range of the value.
  kMIDITransform_Add = 8,
  /// The value is multiplied by `param`, a number with twelve bits after the point.
  kMIDITransform_Scale = 9,
  /// Values below `param` become `param`.
  kMIDITransform_MinValue = 10,
  /// Values above `param` become `param`.
  kMIDITransform_MaxValue = 11,
  /// The value is replaced by that in the map with the number `param`, the first being 1.
  kMIDITransform_MapValue = 12
};

/// Kinds of controls.
typedef CF_ENUM(UInt8, MIDITransformControlType) {
  kMIDIControlType_7Bit = 0,
  kMIDIControlType_14Bit = 1,
  kMIDIControlType_7BitRPN = 2,
  kMIDIControlType_14BitRPN = 3,
  kMIDIControlType_7BitNRPN = 4,
  kMIDIControlType_14BitNRPN = 5
};

CF_ENUM(ItemCount) {
  /// The most sources, and the most destinations, of a connection.
  kMIDIThruConnection_MaxEndpoints = 8
};

/// A map of all values: `value[x]` replaces x.
typedef struct MIDIValueMap {
  UInt8 value[128];
} MIDIValueMap;

/// A transformation of one kind of message.
typedef struct MIDITransform {
  MIDITransformType transform;
  SInt16 param;
} MIDITransform;

/// A transformation of one control. `param` is for values of 14 bits, also if the control has 7:
/// then 10 << 7 adds 10. Several transformations of a control follow each other.
typedef struct MIDIControlTransform {
  MIDITransformControlType controlType;
  /// The kind of the new control, for kMIDITransform_MapControl.
  MIDITransformControlType remappedControlType;
  UInt16 controlNumber;
  MIDITransformType transform;
  SInt16 param;
} MIDIControlTransform;

/// An end of a connection: by its number, or if that is 0 by its unique identifier.
typedef struct MIDIThruConnectionEndpoint {
  MIDIEndpointRef endpointRef;
  MIDIUniqueID uniqueID;
} MIDIThruConnectionEndpoint;

/// The parameters of a connection. `MIDIControlTransform[numControlTransforms]` and
/// `MIDIValueMap[numMaps]` follow.
typedef struct MIDIThruConnectionParams {
  /// 0.
  UInt32 version;
  UInt32 numSources;
  MIDIThruConnectionEndpoint sources[8];
  UInt32 numDestinations;
  MIDIThruConnectionEndpoint destinations[8];
  /// The new channel of each channel, 0 to 15; 0xFF drops its messages.
  UInt8 channelMap[16];
  /// Notes pass whose velocity is from low to high; all of them if both are 0.
  UInt8 lowVelocity;
  UInt8 highVelocity;
  /// Notes pass whose number is from low to high. If low is above high, those in between are
  /// dropped. Ignored if `noteNumber` has a map.
  UInt8 lowNote;
  UInt8 highNote;
  MIDITransform noteNumber;
  MIDITransform velocity;
  MIDITransform keyPressure;
  MIDITransform channelPressure;
  MIDITransform programChange;
  MIDITransform pitchBend;
  UInt8 filterOutSysEx;
  UInt8 filterOutMTC;
  UInt8 filterOutBeatClock;
  UInt8 filterOutTuneRequest;
  UInt8 reserved2[3];
  UInt8 filterOutAllControls;
  UInt16 numControlTransforms;
  UInt16 numMaps;
  UInt16 reserved3[4];
} MIDIThruConnectionParams;

/// The size of parameters with what follows them, in bytes. [any thread]
static inline ByteCount MIDIThruConnectionParamsSize(const MIDIThruConnectionParams *ptr) {
  return (ByteCount)sizeof(MIDIThruConnectionParams) +
         ptr->numControlTransforms * (ByteCount)sizeof(MIDIControlTransform) +
         ptr->numMaps * (ByteCount)sizeof(MIDIValueMap);
}

// MARK: Functions

/// Fills in parameters of a connection that changes nothing and has no ends yet. [any thread]
void MIDIThruConnectionParamsInitialize(MIDIThruConnectionParams *inConnectionParams);

#ifndef __swift__
/// Creates a connection. With an owner, it can be found again; without one, it ends with the
/// process. [control thread]
OSStatus MIDIThruConnectionCreate(CFStringRef _Nullable inPersistentOwnerID,
                                  CFDataRef inConnectionParams,
                                  MIDIThruConnectionRef *outConnection);

/// The parameters of a connection, which the caller releases. [control thread]
OSStatus MIDIThruConnectionGetParams(MIDIThruConnectionRef connection,
                                     CFDataRef _Nullable *_Nonnull outConnectionParams);

/// Changes the parameters of a connection. [control thread]
OSStatus MIDIThruConnectionSetParams(MIDIThruConnectionRef connection,
                                     CFDataRef inConnectionParams);

/// The connections of an owner: data of UInt32 numbers, which the caller releases. [control thread]
OSStatus MIDIThruConnectionFind(CFStringRef inPersistentOwnerID,
                                CFDataRef _Nullable *_Nonnull outConnectionList);
#endif

/// Ends a connection. [control thread]
OSStatus MIDIThruConnectionDispose(MIDIThruConnectionRef connection);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
