// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_SETUP_H
#define CAUDIOTOOLBOX_MIDI_SETUP_H

#include "MIDIServices.h"

CF_ASSUME_NONNULL_BEGIN

#ifdef __cplusplus
extern "C" {
#endif

// External devices: what a program describes as connected to an interface. They have properties, and
// entities with endpoints, but nothing can be sent to them. Devices of the machine cannot be changed:
// the functions return kMIDINotPermitted for them.

#ifndef __swift__
/// Creates an external device, which is in no list yet. [control thread]
///
/// - Parameters:
///   - name: its name.
///   - manufacturer: its manufacturer.
///   - model: its model.
///   - outDevice: the device.
/// - Returns: noErr, or `kAudio_ParamError` if a name is not a CFString or a pointer is null.
OSStatus MIDIExternalDeviceCreate(CFStringRef name, CFStringRef manufacturer, CFStringRef model,
                                  MIDIDeviceRef *outDevice);

/// Adds an entity to an external device. [control thread]
///
/// - Parameters:
///   - device: an external device.
///   - name: its name.
///   - protocol: `kMIDIProtocol_1_0` or `kMIDIProtocol_2_0`.
///   - embedded: true if it is inside of the device, false for a connector.
///   - numSourceEndpoints: the number of sources.
///   - numDestinationEndpoints: the number of destinations.
///   - newEntity: the entity.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such device; `kMIDINotPermitted` for a
///   device of the machine; `kAudio_ParamError` if the name is not a CFString or a pointer is null,
///   or a number is out of range.
OSStatus MIDIDeviceNewEntity(MIDIDeviceRef device, CFStringRef name, MIDIProtocolID protocol,
                             Boolean embedded, ItemCount numSourceEndpoints,
                             ItemCount numDestinationEndpoints, MIDIEntityRef *newEntity);

/// As MIDIDeviceNewEntity, for MIDI 1.0. [control thread]
///
/// - Parameters:
///   - device: an external device.
///   - name: its name.
///   - embedded: true if it is inside of the device, false for a connector.
///   - numSourceEndpoints: the number of sources.
///   - numDestinationEndpoints: the number of destinations.
///   - newEntity: the entity.
/// - Returns: as MIDIDeviceNewEntity.
OSStatus MIDIDeviceAddEntity(MIDIDeviceRef device, CFStringRef name, Boolean embedded,
                             ItemCount numSourceEndpoints, ItemCount numDestinationEndpoints,
                             MIDIEntityRef *newEntity);
#endif

/// Removes an entity from an external device. [control thread]
///
/// - Parameters:
///   - device: an external device.
///   - entity: an entity of it.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such device, or it does not have the
///   entity; `kMIDINotPermitted` for a device of the machine.
OSStatus MIDIDeviceRemoveEntity(MIDIDeviceRef device, MIDIEntityRef entity);

/// Changes the numbers of an external entity's endpoints; the last ones are removed. [control
/// thread]
///
/// - Parameters:
///   - entity: an entity of an external device.
///   - numSourceEndpoints: the new number of sources.
///   - numDestinationEndpoints: the new number of destinations.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such entity; `kMIDINotPermitted` for one
///   of the machine; `kAudio_ParamError` if a number is out of range.
OSStatus MIDIEntityAddOrRemoveEndpoints(MIDIEntityRef entity, ItemCount numSourceEndpoints,
                                        ItemCount numDestinationEndpoints);

/// Adds an external device to the list of external devices. [control thread]
///
/// - Parameter device: an external device.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such device; `kMIDINotPermitted` for a
///   device of the machine.
OSStatus MIDISetupAddExternalDevice(MIDIDeviceRef device);

/// Removes an external device, and disposes of it. [control thread]
///
/// - Parameter device: an external device; invalid from now on.
/// - Returns: noErr; `kMIDIObjectNotFound` if there is no such device; `kMIDINotPermitted` for a
///   device of the machine.
OSStatus MIDISetupRemoveExternalDevice(MIDIDeviceRef device);

/// The number of external devices in the list. [any thread]
ItemCount MIDIGetNumberOfExternalDevices(void);

/// An external device by its index; 0 if there is none. [any thread]
///
/// - Parameter deviceIndex0: from 0 to the number of external devices minus 1.
/// - Returns: the device; 0 if there is none.
MIDIDeviceRef MIDIGetExternalDevice(ItemCount deviceIndex0);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
