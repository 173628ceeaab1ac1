// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_TYPES_H
#define CAUDIOTOOLBOX_MIDI_TYPES_H

#include <CoreFoundation/CoreFoundation.h>

// The objects of MIDI and their kinds, the errors, and what a client is notified of.

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// MacTypes.h may have declared these already. In Swift they are signed, like all counts.
#ifdef __swift__
typedef long ItemCount;
typedef long ByteCount;
#elif !defined(__MACTYPES__)
typedef unsigned long ItemCount;
typedef unsigned long ByteCount;
#endif

// MARK: Objects

/// Any object of MIDI; 0 is none. The number of an object that is gone is not used again.
typedef UInt32 MIDIObjectRef;
/// A part of a program that owns ports and virtual endpoints, and is notified of changes.
typedef MIDIObjectRef MIDIClientRef;
/// The part of a client through which it sends or receives.
typedef MIDIObjectRef MIDIPortRef;
/// An instrument or an interface, with its entities.
typedef MIDIObjectRef MIDIDeviceRef;
/// A part of a device, with its endpoints.
typedef MIDIObjectRef MIDIEntityRef;
/// A source or a destination of messages. Those of an entity are the machine's, those of a client
/// are virtual.
typedef MIDIObjectRef MIDIEndpointRef;

/// Host time in ticks, as `AudioGetCurrentHostTime` returns it; 0 is now.
typedef UInt64 MIDITimeStamp;

/// A number that identifies a device, an entity or an endpoint in every run of a program.
typedef SInt32 MIDIUniqueID;

CF_ENUM(MIDIUniqueID) {
  kMIDIInvalidUniqueID = 0  ///< No identifier.
};

/// The kind of an object. External kinds are those of devices that a program has described, which
/// are connected to an interface.
typedef CF_ENUM(SInt32, MIDIObjectType) {
  kMIDIObjectType_Other = -1,                 ///< Another kind.
  kMIDIObjectType_Device = 0,                 ///< A device of the machine.
  kMIDIObjectType_Entity = 1,                 ///< A part of a device, with its endpoints.
  kMIDIObjectType_Source = 2,                 ///< An endpoint from which messages come.
  kMIDIObjectType_Destination = 3,            ///< An endpoint to which messages go.
  kMIDIObjectType_ExternalDevice = 0x10,      ///< A device that a program has described.
  kMIDIObjectType_ExternalEntity = 0x11,      ///< A part of such a device.
  kMIDIObjectType_ExternalSource = 0x12,      ///< A source of such a device.
  kMIDIObjectType_ExternalDestination = 0x13  ///< A destination of such a device.
};

/// The bit that all external kinds have.
#define kMIDIObjectType_ExternalMask 0x10

/// The number of a MIDI channel: 0 to 15; 127 is all of them.
typedef UInt8 MIDIChannelNumber;

/// The protocol of the messages in an event list.
typedef CF_ENUM(SInt32, MIDIProtocolID) {
  /// Channel messages are those of MIDI 1.0.
  kMIDIProtocol_1_0 = 1,
  /// Channel messages have the resolution of MIDI 2.0.
  kMIDIProtocol_2_0 = 2
};

// MARK: Results

CF_ENUM(OSStatus) {
  /// There is no such client.
  kMIDIInvalidClient = -10830,
  /// There is no such port, or it is for the other direction.
  kMIDIInvalidPort = -10831,
  /// A source where a destination was expected, or the other way round.
  kMIDIWrongEndpointType = -10832,
  /// The source is not connected to the port.
  kMIDINoConnection = -10833,
  /// There is no such endpoint any more.
  kMIDIUnknownEndpoint = -10834,
  /// The object does not have this property.
  kMIDIUnknownProperty = -10835,
  /// The value of the property has another type.
  kMIDIWrongPropertyType = -10836,
  /// There are no saved settings.
  kMIDINoCurrentSetup = -10837,
  /// More is waiting to be sent than memory is reserved for.
  kMIDIMessageSendErr = -10838,
  /// The server of the machine cannot be reached.
  kMIDIServerStartErr = -10839,
  /// The saved settings cannot be read.
  kMIDISetupFormatErr = -10840,
  /// The call is not allowed on this thread.
  kMIDIWrongThread = -10841,
  /// There is no such object.
  kMIDIObjectNotFound = -10842,
  /// Another object has this unique identifier.
  kMIDIIDNotUnique = -10843,
  /// The object is not this program's, or is read only.
  kMIDINotPermitted = -10844,
  /// The messages do not have what was looked for.
  kMIDIUnknownError = -10845
};

// MARK: Notifications

/// What a notification reports.
typedef CF_ENUM(SInt32, MIDINotificationMessageID) {
  /// Something has changed; sent after each of the other notifications of objects.
  kMIDIMsgSetupChanged = 1,
  /// A `MIDIObjectAddRemoveNotification`.
  kMIDIMsgObjectAdded = 2,
  /// A `MIDIObjectAddRemoveNotification`; the object no longer exists.
  kMIDIMsgObjectRemoved = 3,
  /// A `MIDIObjectPropertyChangeNotification`.
  kMIDIMsgPropertyChanged = 4,
  /// A thru connection was created, changed or disposed of.
  kMIDIMsgThruConnectionsChanged = 5,
  /// Never sent: a serial port has no owner here.
  kMIDIMsgSerialPortOwnerChanged = 6,
  /// A `MIDIIOErrorNotification`.
  kMIDIMsgIOError = 7,
  /// Never sent: the first number of those that are reserved.
  kMIDIMsgInternalStart = 0x1000
};

/// The part that all notifications have.
typedef struct MIDINotification {
  /// What has changed.
  MIDINotificationMessageID messageID;
  /// The size of the whole notification, in bytes.
  UInt32 messageSize;
} MIDINotification;

/// An object was added or removed.
typedef struct MIDIObjectAddRemoveNotification {
  /// kMIDIMsgObjectAdded or kMIDIMsgObjectRemoved.
  MIDINotificationMessageID messageID;
  /// The size of this structure in bytes.
  UInt32 messageSize;
  /// What the object belongs to; 0 if nothing.
  MIDIObjectRef parent;
  /// The kind of that object.
  MIDIObjectType parentType;
  /// The object that was added or removed.
  MIDIObjectRef child;
  /// The kind of that object.
  MIDIObjectType childType;
} MIDIObjectAddRemoveNotification;

/// A property of an object has changed.
typedef struct MIDIObjectPropertyChangeNotification {
  /// kMIDIMsgPropertyChanged.
  MIDINotificationMessageID messageID;
  /// The size of this structure in bytes.
  UInt32 messageSize;
  /// The object whose property has changed.
  MIDIObjectRef object;
  /// The kind of that object.
  MIDIObjectType objectType;
  /// The name of the property. Swift has it as `propertyName`.
#ifdef __swift__
  const void *__propertyName;
#else
  /// The name of the property.
  CFStringRef propertyName;
#endif
} MIDIObjectPropertyChangeNotification;

/// A device has failed.
typedef struct MIDIIOErrorNotification {
  MIDINotificationMessageID messageID;  ///< kMIDIMsgIOError.
  UInt32 messageSize;                   ///< The size of this structure in bytes.
  MIDIDeviceRef driverDevice;           ///< The device.
  OSStatus errorCode;                   ///< The error of its driver.
} MIDIIOErrorNotification;

/// Called when something has changed, on the run loop of the process's first client. [control
/// thread]
typedef void (*MIDINotifyProc)(const MIDINotification *message, void *_Nullable refCon);

#if defined(__BLOCKS__) && !defined(__swift__)
/// As MIDINotifyProc, on a thread of the library.
typedef void (^MIDINotifyBlock)(const MIDINotification *message);
#endif

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
