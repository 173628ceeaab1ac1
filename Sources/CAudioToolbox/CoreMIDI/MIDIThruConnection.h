// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_THRU_CONNECTION_H
#define CAUDIOTOOLBOX_MIDI_THRU_CONNECTION_H

#include "MIDIServices.h"

// Connections from sources to destinations that the system keeps up without the program, which may
// filter and change the messages on their way.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MARK: Types

/// A connection that passes messages from sources to destinations.
typedef MIDIObjectRef MIDIThruConnectionRef;

/// What happens to a value.
typedef CF_ENUM(UInt16, MIDITransformType) {
  /// It stays as it is.
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
  kMIDIControlType_7Bit = 0,      ///< A control of 7 bits, 0 to 127.
  kMIDIControlType_14Bit = 1,     ///< Two controls, 0 to 31 and 32 to 63, as one of 14 bits.
  kMIDIControlType_7BitRPN = 2,   ///< A registered parameter of 7 bits.
  kMIDIControlType_14BitRPN = 3,  ///< A registered parameter of 14 bits.
  kMIDIControlType_7BitNRPN = 4,  ///< An assignable parameter of 7 bits.
  kMIDIControlType_14BitNRPN = 5  ///< An assignable parameter of 14 bits.
};

CF_ENUM(ItemCount) {
  /// The most sources, and the most destinations, of a connection.
  kMIDIThruConnection_MaxEndpoints = 8
};

/// A map of all values: `value[x]` replaces x.
typedef struct MIDIValueMap {
  UInt8 value[128];  ///< The new value of each value.
} MIDIValueMap;

/// A transformation of one kind of message.
typedef struct MIDITransform {
  MIDITransformType transform;  ///< What happens to the value.
  SInt16 param;                 ///< What is added, the limit, the factor, or the number of a map.
} MIDITransform;

/// A transformation of one control. `param` is for values of 14 bits, also if the control has 7:
/// then 10 << 7 adds 10. Several transformations of a control follow each other.
typedef struct MIDIControlTransform {
  /// The kind of the control.
  MIDITransformControlType controlType;
  /// The kind of the new control, for kMIDITransform_MapControl.
  MIDITransformControlType remappedControlType;
  /// The number of the control.
  UInt16 controlNumber;
  /// What happens to the value.
  MIDITransformType transform;
  /// What is added, the limit, the factor, or the number of a map.
  SInt16 param;
} MIDIControlTransform;

/// An end of a connection: by its number, or if that is 0 by its unique identifier.
typedef struct MIDIThruConnectionEndpoint {
  MIDIEndpointRef endpointRef;  ///< Its number; 0 for an endpoint that is not there now.
  MIDIUniqueID uniqueID;        ///< Its unique identifier.
} MIDIThruConnectionEndpoint;

/// The parameters of a connection. `MIDIControlTransform[numControlTransforms]` and
/// `MIDIValueMap[numMaps]` follow.
typedef struct MIDIThruConnectionParams {
  /// Always 0.
  UInt32 version;
  /// The number of sources, up to 8.
  UInt32 numSources;
  /// Where messages come from.
  MIDIThruConnectionEndpoint sources[8];
  /// The number of destinations, up to 8.
  UInt32 numDestinations;
  /// Where messages go.
  MIDIThruConnectionEndpoint destinations[8];
  /// The new channel of each channel, 0 to 15; 0xFF drops its messages.
  UInt8 channelMap[16];
  /// Notes pass whose velocity is from low to high; all of them if both are 0.
  UInt8 lowVelocity;
  /// The highest velocity that passes, 0 to 127.
  UInt8 highVelocity;
  /// Notes pass whose number is from low to high. If low is above high, those in between are
  /// dropped. Ignored if `noteNumber` has a map.
  UInt8 lowNote;
  /// The highest note that passes, 0 to 127.
  UInt8 highNote;
  /// What happens to note numbers.
  MIDITransform noteNumber;
  /// What happens to velocities.
  MIDITransform velocity;
  /// What happens to the pressure on a key.
  MIDITransform keyPressure;
  /// What happens to the pressure on all keys.
  MIDITransform channelPressure;
  /// What happens to program changes.
  MIDITransform programChange;
  /// What happens to pitch bends.
  MIDITransform pitchBend;
  /// 1 drops system exclusive messages.
  UInt8 filterOutSysEx;
  /// 1 drops MIDI time code.
  UInt8 filterOutMTC;
  /// 1 drops the beat clock, start, continue and stop.
  UInt8 filterOutBeatClock;
  /// 1 drops tune requests.
  UInt8 filterOutTuneRequest;
  /// Always 0.
  UInt8 reserved2[3];
  /// 1 drops all controls.
  UInt8 filterOutAllControls;
  /// The number of transformations of controls that follow.
  UInt16 numControlTransforms;
  /// The number of maps that follow.
  UInt16 numMaps;
  /// Always 0.
  UInt16 reserved3[4];
} MIDIThruConnectionParams;

/// The size of parameters with what follows them, in bytes. [any thread]
///
/// - Parameter ptr: the parameters.
/// - Returns: their size in bytes, with transforms and maps.
static inline ByteCount MIDIThruConnectionParamsSize(const MIDIThruConnectionParams *ptr) {
  return (ByteCount)sizeof(MIDIThruConnectionParams) +
         ptr->numControlTransforms * (ByteCount)sizeof(MIDIControlTransform) +
         ptr->numMaps * (ByteCount)sizeof(MIDIValueMap);
}

// MARK: Functions

/// Fills in parameters of a connection that changes nothing and has no ends yet. [any thread]
///
/// - Parameter inConnectionParams: the parameters.
void MIDIThruConnectionParamsInitialize(MIDIThruConnectionParams *inConnectionParams);

#ifndef __swift__
/// Creates a connection. With an owner, it can be found again; without one, it ends with the
/// process. [control thread]
///
/// - Parameters:
///   - inPersistentOwnerID: the owner, or null.
///   - inConnectionParams: a MIDIThruConnectionParams with its transforms and maps.
///   - outConnection: the connection.
/// - Returns: noErr; `kAudio_UnimplementedError` for a transform that this library does not carry
///   out; `kAudio_ParamError` if the data are no such parameters, or a pointer is null.
OSStatus MIDIThruConnectionCreate(CFStringRef _Nullable inPersistentOwnerID,
                                  CFDataRef inConnectionParams,
                                  MIDIThruConnectionRef *outConnection);

/// The parameters of a connection, which the caller releases. [control thread]
///
/// - Parameters:
///   - connection: the connection.
///   - outConnectionParams: the parameters.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such connection; `kAudio_ParamError` if
///   the pointer is null.
OSStatus MIDIThruConnectionGetParams(MIDIThruConnectionRef connection,
                                     CFDataRef _Nullable *_Nonnull outConnectionParams);

/// Changes the parameters of a connection. [control thread]
///
/// - Parameters:
///   - connection: the connection.
///   - inConnectionParams: a MIDIThruConnectionParams with its transforms and maps.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such connection;
///   `kAudio_UnimplementedError` for a transform that this library does not carry out;
///   `kAudio_ParamError` if the data are no such parameters.
OSStatus MIDIThruConnectionSetParams(MIDIThruConnectionRef connection,
                                     CFDataRef inConnectionParams);

/// The connections of an owner: data of UInt32 numbers, which the caller releases. [control thread]
///
/// - Parameters:
///   - inPersistentOwnerID: the owner.
///   - outConnectionList: the numbers of its connections.
/// - Returns: noErr, or `kAudio_ParamError` if the owner is not a CFString or the pointer is null.
OSStatus MIDIThruConnectionFind(CFStringRef inPersistentOwnerID,
                                CFDataRef _Nullable *_Nonnull outConnectionList);
#endif

/// Ends a connection. [control thread]
///
/// - Parameter connection: the connection; invalid from now on.
/// - Returns: noErr, or `kMIDIObjectNotFound` if there is no such connection.
OSStatus MIDIThruConnectionDispose(MIDIThruConnectionRef connection);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
