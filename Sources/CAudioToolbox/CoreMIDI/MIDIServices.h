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
///
/// - Parameters:
///   - name: a name for listings.
///   - notifyProc: called when the setup changes, or null.
///   - notifyRefCon: passed to the function.
///   - outClient: the client.
/// - Returns: noErr, or `kAudio_ParamError` if the name is not a CFString or a pointer is null.
OSStatus MIDIClientCreate(CFStringRef name, MIDINotifyProc _Nullable notifyProc,
                          void *_Nullable notifyRefCon, MIDIClientRef *outClient);
#ifdef __BLOCKS__
/// Creates a client whose notifications arrive on a thread of the library. [control thread]
///
/// - Parameters:
///   - name: a name for listings.
///   - outClient: the client.
///   - notifyBlock: called when the setup changes, or null.
/// - Returns: noErr, or `kAudio_ParamError` if the name is not a CFString or a pointer is null.
OSStatus MIDIClientCreateWithBlock(CFStringRef name, MIDIClientRef *outClient,
                                   MIDINotifyBlock _Nullable notifyBlock);
#endif
#endif

/// Disposes of a client, its ports and its virtual endpoints. [control thread]
///
/// On return, none of their functions is being called, except one that has called this function.
///
/// - Parameter client: the client; invalid from now on.
/// - Returns: noErr, or `kMIDIInvalidClient` if there is no such client.
OSStatus MIDIClientDispose(MIDIClientRef client);

// MARK: Ports

#ifndef __swift__
/// Creates a port that receives packets from the sources that are connected to it. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - portName: a name for listings.
///   - readProc: called for the packets, on a thread of the library.
///   - refCon: passed to the function.
///   - outPort: the port.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString, or a pointer or the function is null.
OSStatus MIDIInputPortCreate(MIDIClientRef client, CFStringRef portName, MIDIReadProc readProc,
                             void *_Nullable refCon, MIDIPortRef *outPort);

/// Creates a port through which the client sends. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - portName: a name for listings.
///   - outPort: the port.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString or a pointer is null.
OSStatus MIDIOutputPortCreate(MIDIClientRef client, CFStringRef portName, MIDIPortRef *outPort);

#ifdef __BLOCKS__
/// As MIDIInputPortCreate, with a block. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - portName: a name for listings.
///   - outPort: the port.
///   - readBlock: called for the packets, on a thread of the library.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString, or a pointer or the function is null.
OSStatus MIDIInputPortCreateWithBlock(MIDIClientRef client, CFStringRef portName,
                                      MIDIPortRef *outPort, MIDIReadBlock readBlock);

/// Creates a port that receives events of a protocol, to which others are converted. [control
/// thread]
///
/// - Parameters:
///   - client: the client.
///   - portName: a name for listings.
///   - protocol: `kMIDIProtocol_1_0` or `kMIDIProtocol_2_0`.
///   - outPort: the port.
///   - receiveBlock: called for the events, on a thread of the library.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString, or a pointer or the function is null, or for another protocol.
OSStatus MIDIInputPortCreateWithProtocol(MIDIClientRef client, CFStringRef portName,
                                         MIDIProtocolID protocol, MIDIPortRef *outPort,
                                         MIDIReceiveBlock receiveBlock);
#endif
#endif

/// Disposes of a port. [control thread]
///
/// On return, its function is not being called, except if that has called this function.
///
/// - Parameter port: the port; invalid from now on.
/// - Returns: noErr, or `kMIDIInvalidPort` if there is no such port.
OSStatus MIDIPortDispose(MIDIPortRef port);

/// Connects a source to an input port. A source that is connected already gets the new `connRefCon`.
/// [control thread]
///
/// - Parameters:
///   - port: an input port.
///   - source: the source.
///   - connRefCon: passed to the port's function with what comes from this source.
/// - Returns: noErr; `kMIDIInvalidPort` if there is no such port, or it is for output;
///   `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType` if it is a
///   destination.
OSStatus MIDIPortConnectSource(MIDIPortRef port, MIDIEndpointRef source,
                               void *_Nullable connRefCon);

/// Disconnects a source from an input port. [control thread]
///
/// On return, the port's function is not being called for the source, except if that has called this
/// function.
///
/// - Parameters:
///   - port: an input port.
///   - source: the source.
/// - Returns: noErr; `kMIDIInvalidPort` if there is no such port, or it is for output;
///   `kAudio_ParamError` if the source is not connected to it.
OSStatus MIDIPortDisconnectSource(MIDIPortRef port, MIDIEndpointRef source);

// MARK: Devices, entities, endpoints

/// The number of devices, present or not: at least one. [any thread]
ItemCount MIDIGetNumberOfDevices(void);

/// A device by its index; 0 if there is none. [any thread]
///
/// - Parameter deviceIndex0: from 0 to the number of devices minus 1.
/// - Returns: the device; 0 if there is none.
MIDIDeviceRef MIDIGetDevice(ItemCount deviceIndex0);

/// The number of entities of a device. [any thread]
///
/// - Parameter device: the device.
/// - Returns: the number; 0 if there is no such device.
ItemCount MIDIDeviceGetNumberOfEntities(MIDIDeviceRef device);

/// An entity of a device by its index; 0 if there is none. [any thread]
///
/// - Parameters:
///   - device: the device.
///   - entityIndex0: from 0 to the number of entities minus 1.
/// - Returns: the entity; 0 if there is none.
MIDIEntityRef MIDIDeviceGetEntity(MIDIDeviceRef device, ItemCount entityIndex0);

/// The number of sources of an entity. [any thread]
///
/// - Parameter entity: the entity.
/// - Returns: the number; 0 if there is no such entity.
ItemCount MIDIEntityGetNumberOfSources(MIDIEntityRef entity);

/// A source of an entity by its index; 0 if there is none. [any thread]
///
/// - Parameters:
///   - entity: the entity.
///   - sourceIndex0: from 0 to the number of sources minus 1.
/// - Returns: the source; 0 if there is none.
MIDIEndpointRef MIDIEntityGetSource(MIDIEntityRef entity, ItemCount sourceIndex0);

/// The number of destinations of an entity. [any thread]
///
/// - Parameter entity: the entity.
/// - Returns: the number; 0 if there is no such entity.
ItemCount MIDIEntityGetNumberOfDestinations(MIDIEntityRef entity);

/// A destination of an entity by its index; 0 if there is none. [any thread]
///
/// - Parameters:
///   - entity: the entity.
///   - destIndex0: from 0 to the number of destinations minus 1.
/// - Returns: the destination; 0 if there is none.
MIDIEndpointRef MIDIEntityGetDestination(MIDIEntityRef entity, ItemCount destIndex0);

/// The device of an entity. [any thread]
///
/// - Parameters:
///   - inEntity: the entity.
///   - outDevice: its device. May be null.
/// - Returns: noErr, or `kMIDIObjectNotFound` if there is no such entity, or it has no device.
OSStatus MIDIEntityGetDevice(MIDIEntityRef inEntity, MIDIDeviceRef *_Nullable outDevice);

/// The number of sources that are present, virtual ones included. [any thread]
ItemCount MIDIGetNumberOfSources(void);

/// A source by its index; 0 if there is none. [any thread]
///
/// - Parameter sourceIndex0: from 0 to the number of sources minus 1.
/// - Returns: the source; 0 if there is none.
MIDIEndpointRef MIDIGetSource(ItemCount sourceIndex0);

/// The number of destinations that are present, virtual ones included. [any thread]
ItemCount MIDIGetNumberOfDestinations(void);

/// A destination by its index; 0 if there is none. [any thread]
///
/// - Parameter destIndex0: from 0 to the number of destinations minus 1.
/// - Returns: the destination; 0 if there is none.
MIDIEndpointRef MIDIGetDestination(ItemCount destIndex0);

/// The entity of an endpoint; a virtual endpoint has none, and the result is kMIDIObjectNotFound.
/// [any thread]
///
/// - Parameters:
///   - inEndpoint: the endpoint.
///   - outEntity: its entity. May be null.
/// - Returns: noErr, or `kMIDIObjectNotFound` if there is no such endpoint, or it is virtual.
OSStatus MIDIEndpointGetEntity(MIDIEndpointRef inEndpoint, MIDIEntityRef *_Nullable outEntity);

// MARK: Virtual endpoints

#ifndef __swift__
/// Creates a virtual destination, to which all of the process can send. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - name: the name that others see.
///   - readProc: called for the packets, on a thread of the library.
///   - refCon: passed to the function.
///   - outDest: the destination.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString, or a pointer or the function is null.
OSStatus MIDIDestinationCreate(MIDIClientRef client, CFStringRef name, MIDIReadProc readProc,
                               void *_Nullable refCon, MIDIEndpointRef *outDest);

/// Creates a virtual source, from which `MIDIReceived` sends. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - name: the name that others see.
///   - outSrc: the source.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString or a pointer is null.
OSStatus MIDISourceCreate(MIDIClientRef client, CFStringRef name, MIDIEndpointRef *outSrc);

/// Creates a virtual source of events, from which `MIDIReceivedEventList` sends. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - name: the name that others see.
///   - protocol: `kMIDIProtocol_1_0` or `kMIDIProtocol_2_0`.
///   - outSrc: the source.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString or a pointer is null, or for another protocol.
OSStatus MIDISourceCreateWithProtocol(MIDIClientRef client, CFStringRef name,
                                      MIDIProtocolID protocol, MIDIEndpointRef *outSrc);

#ifdef __BLOCKS__
/// As MIDIDestinationCreate, with a block. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - name: the name that others see.
///   - outDest: the destination.
///   - readBlock: called for the packets, on a thread of the library.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString, or a pointer or the function is null.
OSStatus MIDIDestinationCreateWithBlock(MIDIClientRef client, CFStringRef name,
                                        MIDIEndpointRef *outDest, MIDIReadBlock readBlock);

/// Creates a virtual destination that receives events of a protocol. [control thread]
///
/// - Parameters:
///   - client: the client.
///   - name: the name that others see.
///   - protocol: `kMIDIProtocol_1_0` or `kMIDIProtocol_2_0`.
///   - outDest: the destination.
///   - readBlock: called for the events, on a thread of the library.
/// - Returns: noErr; `kMIDIInvalidClient` if there is no such client; `kAudio_ParamError` if the
///   name is not a CFString, or a pointer or the function is null, or for another protocol.
OSStatus MIDIDestinationCreateWithProtocol(MIDIClientRef client, CFStringRef name,
                                           MIDIProtocolID protocol, MIDIEndpointRef *outDest,
                                           MIDIReceiveBlock readBlock);
#endif
#endif

/// Disposes of a virtual endpoint. [control thread]
///
/// On return, its function is not being called, nor are those of the ports that it is connected to,
/// except if they have called this function.
///
/// - Parameter endpt: a virtual endpoint of this process; invalid from now on.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDINotPermitted` if it
///   does not belong to a client of this process.
OSStatus MIDIEndpointDispose(MIDIEndpointRef endpt);

// MARK: Properties

#ifndef __swift__
/// The value of an integer property. [any thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - outValue: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIUnknownProperty` if it
///   does not have the property; `kMIDIWrongPropertyType` if the value is of another type;
///   `kAudio_ParamError` if the identifier is not a CFString or a pointer is null.
OSStatus MIDIObjectGetIntegerProperty(MIDIObjectRef obj, CFStringRef propertyID, SInt32 *outValue);

/// Sets an integer property. [control thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - value: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIWrongPropertyType` if
///   the property has another type; `kMIDINotPermitted` for the display name, or the unique
///   identifier of a client or a port; `kMIDIIDNotUnique` if another object has the unique
///   identifier; `kAudio_ParamError` if the identifier is not a CFString, the value is of another
///   type, or the unique identifier is 0.
OSStatus MIDIObjectSetIntegerProperty(MIDIObjectRef obj, CFStringRef propertyID, SInt32 value);

/// The value of a text property, which the caller releases. [any thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - str: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIUnknownProperty` if it
///   does not have the property; `kMIDIWrongPropertyType` if the value is of another type;
///   `kAudio_ParamError` if the identifier is not a CFString or a pointer is null.
OSStatus MIDIObjectGetStringProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                     CFStringRef _Nullable *_Nonnull str);

/// Sets a text property. [control thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - str: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIWrongPropertyType` if
///   the property has another type; `kMIDINotPermitted` for the display name, or the unique
///   identifier of a client or a port; `kMIDIIDNotUnique` if another object has the unique
///   identifier; `kAudio_ParamError` if the identifier is not a CFString, the value is of another
///   type, or the unique identifier is 0.
OSStatus MIDIObjectSetStringProperty(MIDIObjectRef obj, CFStringRef propertyID, CFStringRef str);

/// The value of a data property, which the caller releases. [any thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - outData: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIUnknownProperty` if it
///   does not have the property; `kMIDIWrongPropertyType` if the value is of another type;
///   `kAudio_ParamError` if the identifier is not a CFString or a pointer is null.
OSStatus MIDIObjectGetDataProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                   CFDataRef _Nullable *_Nonnull outData);

/// Sets a data property. [control thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - data: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIWrongPropertyType` if
///   the property has another type; `kMIDINotPermitted` for the display name, or the unique
///   identifier of a client or a port; `kMIDIIDNotUnique` if another object has the unique
///   identifier; `kAudio_ParamError` if the identifier is not a CFString, the value is of another
///   type, or the unique identifier is 0.
OSStatus MIDIObjectSetDataProperty(MIDIObjectRef obj, CFStringRef propertyID, CFDataRef data);

/// The value of a dictionary property, which the caller releases. [any thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - outDict: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIUnknownProperty` if it
///   does not have the property; `kMIDIWrongPropertyType` if the value is of another type;
///   `kAudio_ParamError` if the identifier is not a CFString or a pointer is null.
OSStatus MIDIObjectGetDictionaryProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                         CFDictionaryRef _Nullable *_Nonnull outDict);

/// Sets a dictionary property. [control thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
///   - dict: the value.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kMIDIWrongPropertyType` if
///   the property has another type; `kMIDINotPermitted` for the display name, or the unique
///   identifier of a client or a port; `kMIDIIDNotUnique` if another object has the unique
///   identifier; `kAudio_ParamError` if the identifier is not a CFString, the value is of another
///   type, or the unique identifier is 0.
OSStatus MIDIObjectSetDictionaryProperty(MIDIObjectRef obj, CFStringRef propertyID,
                                         CFDictionaryRef dict);

/// All properties of an object as a dictionary, which the caller releases; `deep` adds those of the
/// entities and endpoints in it. [any thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - outProperties: the dictionary.
///   - deep: true for a device with its entities, or an entity with its endpoints.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such object; `kAudio_ParamError` if the
///   pointer is null.
OSStatus MIDIObjectGetProperties(MIDIObjectRef obj,
                                 CFPropertyListRef _Nullable *_Nonnull outProperties, Boolean deep);

/// Removes a property. [control thread]
///
/// - Parameters:
///   - obj: the object: a client, port, device, entity or endpoint.
///   - propertyID: the property, such as kMIDIPropertyName.
/// - Returns: noErr, also if it does not have the property; `kMIDIObjectNotFound` if there is no
///   such object; `kMIDINotPermitted` for the display name; `kAudio_ParamError` if the identifier
///   is not a CFString, or is the unique identifier.
OSStatus MIDIObjectRemoveProperty(MIDIObjectRef obj, CFStringRef propertyID);
#endif

/// The device, entity or endpoint with a unique identifier; kMIDIObjectNotFound if there is none.
/// [any thread]
///
/// - Parameters:
///   - inUniqueID: the identifier, not 0.
///   - outObject: the object. May be null.
///   - outObjectType: its type. May be null.
/// - Returns: noErr, or `kMIDIObjectNotFound`.
OSStatus MIDIObjectFindByUniqueID(MIDIUniqueID inUniqueID, MIDIObjectRef *_Nullable outObject,
                                  MIDIObjectType *_Nullable outObjectType);

// MARK: Sending

/// Sends packets to a destination: now, or at their time if that is later. The list is copied. [any
/// thread]
///
/// - Parameters:
///   - port: an output port.
///   - dest: the destination.
///   - pktlist: the packets, with host times; 0 is now.
/// - Returns: noErr; `kMIDIInvalidPort` if there is no such port, or it is for input;
///   `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType` if it is a
///   source; `kMIDIMessageSendErr` if it is offline or takes no more; `kAudio_ParamError` if the
///   list is null.
OSStatus MIDISend(MIDIPortRef port, MIDIEndpointRef dest, const MIDIPacketList *pktlist);

/// As MIDISend, with events; a destination with another protocol gets them converted. [any thread]
///
/// - Parameters:
///   - port: an output port.
///   - dest: the destination.
///   - evtlist: the events, with host times; 0 is now.
/// - Returns: noErr; `kMIDIInvalidPort` if there is no such port, or it is for input;
///   `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType` if it is a
///   source; `kMIDIMessageSendErr` if it is offline or takes no more; `kAudio_ParamError` if the
///   list is null.
OSStatus MIDISendEventList(MIDIPortRef port, MIDIEndpointRef dest, const MIDIEventList *evtlist);

/// Sends a system exclusive message in the background. [any thread]
///
/// Other messages to the destination wait until it has ended, except real-time messages. If the
/// program cancels the request, the message ends with F7.
///
/// - Parameter request: what is sent, and to whom; it must exist until it is complete.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType`
///   if it is a source; `kAudio_MemFullError` if no thread can be started; `kAudio_ParamError` if
///   the request or its data is null.
OSStatus MIDISendSysex(MIDISysexSendRequest *request);

/// As MIDISendSysex, with words of message type 3. [any thread]
///
/// - Parameter umpRequest: what is sent, and to whom; it must exist until it is complete.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType`
///   if it is a source; `kAudio_MemFullError` if no thread can be started; `kAudio_ParamError` if
///   the request or its words are null, or not whole messages of the type.
OSStatus MIDISendUMPSysex(MIDISysexSendRequestUMP *umpRequest);

/// As MIDISendSysex, with words of message type 5. [any thread]
///
/// - Parameter umpRequest: what is sent, and to whom; it must exist until it is complete.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType`
///   if it is a source; `kAudio_MemFullError` if no thread can be started; `kAudio_ParamError` if
///   the request or its words are null, or not whole messages of the type.
OSStatus MIDISendUMPSysex8(MIDISysexSendRequestUMP *umpRequest);

/// Sends packets from a virtual source to all ports that are connected to it, at once. Time stamps
/// are passed on unchanged. [any thread]
///
/// - Parameters:
///   - src: a virtual source of this process.
///   - pktlist: the packets.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType`
///   if it is a destination; `kMIDINotPermitted` if it does not belong to a client of this process;
///   `kAudio_ParamError` if the list is null.
OSStatus MIDIReceived(MIDIEndpointRef src, const MIDIPacketList *pktlist);

/// As MIDIReceived, with events. [any thread]
///
/// - Parameters:
///   - src: a virtual source of this process.
///   - evtlist: the events.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType`
///   if it is a destination; `kMIDINotPermitted` if it does not belong to a client of this process;
///   `kAudio_ParamError` if the list is null.
OSStatus MIDIReceivedEventList(MIDIEndpointRef src, const MIDIEventList *evtlist);

/// Drops what is scheduled for a destination and not sent yet; 0 is all destinations. What was to be
/// sent at once is not dropped. [any thread]
///
/// - Parameter dest: the destination; 0 for all.
/// - Returns: noErr; `kMIDIUnknownEndpoint` if there is no such endpoint; `kMIDIWrongEndpointType`
///   if it is a source.
OSStatus MIDIFlushOutput(MIDIEndpointRef dest);

/// Has no effect: the lists of devices and endpoints are always up to date. [control thread]
OSStatus MIDIRestart(void);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
