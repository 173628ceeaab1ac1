// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_SERVICES_H
#define CAUDIOTOOLBOX_MIDI_SERVICES_H

#include "Services/MIDIPackets.h"
#include "Services/MIDIProperties.h"
#include "Services/MIDITypes.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// For Swift, module CoreMIDI declares the functions with CoreFoundation types and with blocks.

// MARK: Clients

#ifndef __swift__
/// Creates a client, which may be notified of changes. [control thread]
///
/// The notifications of all clients arrive on the run loop of the thread that created the first one,
/// while it runs.
OSStatus MIDIClientCreate(CFStringRef name, MIDINotifyProc _Nullable notifyProc,
                          void *_Nullable notifyRefCon, MIDIClientRef *outClient);
#ifdef __BLOCKS__
/// Creates a client whose notifications arrive on a thread of the library. [control thread]
OSStatus MIDIClientCreateWithBlock(CFStringRef name, MIDIClientRef *outClient,
                                   MIDINotifyBlock _Nullable notifyBlock);
#endif
#endif

/// Disposes of a client, its ports and its virtual endpoints. [control thread]
///
/// On return, none of their functions is being called, except one that has called this function.
OSStatus MIDIClientDispose(MIDIClientRef client);

// MARK: Ports

#ifndef __swift__
/// Creates a port that receives packets from the sources that are connected to it. [control thread]
OSStatus MIDIInputPortCreate(MIDIClientRef client, CFStringRef portName, MIDIReadProc readProc,
                             void *_Nullable refCon, MIDIPortRef *outPort);

/// Creates a port through which the client sends. [control thread]
OSStatus MIDIOutputPortCreate(MIDIClientRef client, CFStringRef portName, MIDIPortRef *outPort);

#ifdef __BLOCKS__
/// As MIDIInputPortCreate, with a block. [control thread]
OSStatus MIDIInputPortCreateWithBlock(MIDIClientRef client, CFStringRef portName,
                                      MIDIPortRef *outPort, MIDIReadBlock readBlock);

/// Creates a port that receives events of a protocol, to which others are converted. [control
/// thread]
OSStatus MIDIInputPortCreateWithProtocol(MIDIClientRef client, CFStringRef portName,
                                         MIDIProtocolID protocol, MIDIPortRef *outPort,
                                         MIDIReceiveBlock receiveBlock);
#endif
#endif

/// Disposes of a port. [control thread]
///
/// On return, its function is not being called, except if that has called this function.
OSStatus MIDIPortDispose(MIDIPortRef port);

/// Connects a source to an input port. A source that is connected already gets the new `connRefCon`.
/// [control thread]
OSStatus MIDIPortConnectSource(MIDIPortRef port, MIDIEndpointRef source,
                               void *_Nullable connRefCon);

/// Disconnects a source from an input port. [control thread]
///
/// On return, the port's function is not being called for the source, except if that has called this
/// function.
OSStatus MIDIPortDisconnectSource(MIDIPortRef port, MIDIEndpointRef source);

// MARK: Devices, entities, endpoints

/// The number of devices, present or not: at least one. [any thread]
ItemCount MIDIGetNumberOfDevices(void);

/// A device by its index; 0 if there is none. [any thread]
MIDIDeviceRef MIDIGetDevice(ItemCount deviceIndex0);

/// The number of entities of a device. [any thread]
ItemCount MIDIDeviceGetNumberOfEntities(MIDIDeviceRef device);

/// An entity of a device by its index; 0 if there is none. [any thread]
MIDIEntityRef MIDIDeviceGetEntity(MIDIDeviceRef device, ItemCount entityIndex0);

/// The number of sources of an entity. [any thread]
ItemCount MIDIEntityGetNumberOfSources(MIDIEntityRef entity);

/// A source of an entity by its index; 0 if there is none. [any thread]
MIDIEndpointRef MIDIEntityGetSource(MIDIEntityRef entity, ItemCount sourceIndex0);

/// The number of destinations of an entity. [any thread]
ItemCount MIDIEntityGetNumberOfDestinations(MIDIEntityRef entity);

/// A destination of an entity by its index; 0 if there is none. [any thread]
MIDIEndpointRef MIDIEntityGetDestination(MIDIEntityRef entity, ItemCount destIndex0);

/// The device of an entity. [any thread]
OSStatus MIDIEntityGetDevice(MIDIEntityRef inEntity, MIDIDeviceRef *_Nullable outDevice);

/// The number of sources that are present, virtual ones included. [any thread]
ItemCount MIDIGetNumberOfSources(void);

/// A source by its index; 0 if there is none. [any thread]
MIDIEndpointRef MIDIGetSource(ItemCount sourceIndex0);

/// The number of destinations that are present, virtual ones included. [any thread]
ItemCount MIDIGetNumberOfDestinations(void);

/// A destination by its index; 0 if there is none. [any thread]
MIDIEndpointRef MIDIGetDestination(ItemCount destIndex0);

/// The entity of an endpoint; a virtual endpoint has none, and the result is kMIDIObjectNotFound.
/// [any thread]
OSStatus MIDIEndpointGetEntity(MIDIEndpointRef inEndpoint, MIDIEntityRef *_Nullable outEntity);

// MARK: Virtual endpoints

#ifndef __swift__
/// Creates a virtual destination, to which all of the process can send. [control thread]
OSStatus MIDIDestinationCreate(MIDIClientRef client, CFStringRef name, MIDIReadProc readProc,
                               void *_Nullable refCon, MIDIEndpointRef *outDest);

/// Creates a virtual source, from which `MIDIReceived` sends. [control thread]
OSStatus MIDISourceCreate(MIDIClientRef client, CFStringRef name, MIDIEndpointRef *outSrc);

/// Creates a virtual source of events, from which `MIDIReceivedEventList` sends. [control thread]
OSStatus MIDISourceCreateWithProtocol(MIDIClientRef client, CFStringRef name,
                                      MIDIProtocolID protocol, MIDIEndpointRef *outSrc);

#ifdef __BLOCKS__
/// As MIDIDestinationCreate, with a block. [control thread]
OSStatus MIDIDestinationCreateWithBlock(MIDIClientRef client, CFStringRef name,
                                        MIDIEndpointRef *outDest, MIDIReadBlock readBlock);

/// Creates a virtual destination that receives events of a protocol. [control thread]
OSStatus MIDIDestinationCreateWithProtocol(MIDIClientRef client, CFStringRef name,
                                           MIDIProtocolID protocol, MIDIEndpointRef *outDest,
                                           MIDIReceiveBlock readBlock);
#endif
#endif

/// Disposes of a virtual endpoint. [control thread]
///
/// On return, its function is not being called, nor are those of the ports that it is connected to,
/// except if they have called this function.
OSStatus MIDIEndpointDispose(MIDIEndpointRef endpt);

// MARK: Properties

#ifndef __swift__
/// The value of an integer property. [any thread]
OSStatus MIDIObjectGetIntegerProperty(MIDIObjectRef obj, CFStringRef propertyID, SInt32 *outValue);

/// Sets an integer property. [control thread]
OSStatus MIDIObjectSetIntegerProperty(MIDIObjectRef obj, CFStringRef propertyID, SInt32 value);

/// The value of a text property, which the caller releases. [any thread]
OSStatus MIDIObjectGetStringProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                     CFStringRef _Nullable *_Nonnull str);

/// Sets a text property. [control thread]
OSStatus MIDIObjectSetStringProperty(MIDIObjectRef obj, CFStringRef propertyID, CFStringRef str);

/// The value of a data property, which the caller releases. [any thread]
OSStatus MIDIObjectGetDataProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                   CFDataRef _Nullable *_Nonnull outData);

/// Sets a data property. [control thread]
OSStatus MIDIObjectSetDataProperty(MIDIObjectRef obj, CFStringRef propertyID, CFDataRef data);

/// The value of a dictionary property, which the caller releases. [any thread]
OSStatus MIDIObjectGetDictionaryProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                         CFDictionaryRef _Nullable *_Nonnull outDict);

/// Sets a dictionary property. [control thread]
OSStatus MIDIObjectSetDictionaryProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                         CFDictionaryRef dict);

/// All properties of an object as a dictionary, which the caller releases; `deep` adds those of the
/// entities and endpoints in it. [any thread]
OSStatus MIDIObjectGetProperties(MIDIObjectRef obj,
                                 CFPropertyListRef _Nullable *_Nonnull outProperties, Boolean deep);

/// Removes a property. [control thread]
OSStatus MIDIObjectRemoveProperty(MIDIObjectRef obj, CFStringRef propertyID);
#endif

/// The device, entity or endpoint with a unique identifier; kMIDIObjectNotFound if there is none.
/// [any thread]
OSStatus MIDIObjectFindByUniqueID(MIDIUniqueID inUniqueID, MIDIObjectRef *_Nullable outObject,
                                  MIDIObjectType *_Nullable outObjectType);

// MARK: Sending

/// Sends packets to a destination: now, or at their time if that is later. The list is copied. [any
/// thread]
OSStatus MIDISend(MIDIPortRef port, MIDIEndpointRef dest, const MIDIPacketList *pktlist);

/// As MIDISend, with events; a destination with another protocol gets them converted. [any thread]
OSStatus MIDISendEventList(MIDIPortRef port, MIDIEndpointRef dest, const MIDIEventList *evtlist);

/// Sends a system exclusive message in the background. [any thread]
///
/// Other messages to the destination wait until it has ended, except real-time messages. If the
/// program cancels the request, the message ends with F7.
OSStatus MIDISendSysex(MIDISysexSendRequest *request);

/// As MIDISendSysex, with words of message type 3. [any thread]
OSStatus MIDISendUMPSysex(MIDISysexSendRequestUMP *umpRequest);

/// As MIDISendSysex, with words of message type 5. [any thread]
OSStatus MIDISendUMPSysex8(MIDISysexSendRequestUMP *umpRequest);

/// Sends packets from a virtual source to all ports that are connected to it, at once. Time stamps
/// are passed on unchanged. [any thread]
OSStatus MIDIReceived(MIDIEndpointRef src, const MIDIPacketList *pktlist);

/// As MIDIReceived, with events. [any thread]
OSStatus MIDIReceivedEventList(MIDIEndpointRef src, const MIDIEventList *evtlist);

/// Drops what is scheduled for a destination and not sent yet; 0 is all destinations. What was to be
/// sent at once is not dropped. [any thread]
OSStatus MIDIFlushOutput(MIDIEndpointRef dest);

/// Has no effect: the lists of devices and endpoints are always up to date. [control thread]
OSStatus MIDIRestart(void);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
