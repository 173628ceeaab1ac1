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
OSStatus MIDIExternalDeviceCreate(CFStringRef name, CFStringRef manufacturer, CFStringRef model,
                                  MIDIDeviceRef *outDevice);

/// Adds an entity to an external device. [control thread]
OSStatus MIDIDeviceNewEntity(MIDIDeviceRef device, CFStringRef name, MIDIProtocolID protocol,
                             Boolean embedded, ItemCount numSourceEndpoints,
                             ItemCount numDestinationEndpoints, MIDIEntityRef *newEntity);

/// As MIDIDeviceNewEntity, for MIDI 1.0. [control thread]
OSStatus MIDIDeviceAddEntity(MIDIDeviceRef device, CFStringRef name, Boolean embedded,
                             ItemCount numSourceEndpoints, ItemCount numDestinationEndpoints,
                             MIDIEntityRef *newEntity);
#endif

/// Removes an entity from an external device. [control thread]
OSStatus MIDIDeviceRemoveEntity(MIDIDeviceRef device, MIDIEntityRef entity);

/// Changes the numbers of an external entity's endpoints; the last ones are removed. [control
/// thread]
OSStatus MIDIEntityAddOrRemoveEndpoints(MIDIEntityRef entity, ItemCount numSourceEndpoints,
                                        ItemCount numDestinationEndpoints);

/// Adds an external device to the list of external devices. [control thread]
OSStatus MIDISetupAddExternalDevice(MIDIDeviceRef device);

/// Removes an external device, and disposes of it. [control thread]
OSStatus MIDISetupRemoveExternalDevice(MIDIDeviceRef device);

/// The number of external devices in the list. [any thread]
ItemCount MIDIGetNumberOfExternalDevices(void);

/// An external device by its index; 0 if there is none. [any thread]
MIDIDeviceRef MIDIGetExternalDevice(ItemCount deviceIndex0);

#ifdef __cplusplus
}
#endif

CF_ASSUME_NONNULL_END

#endif
