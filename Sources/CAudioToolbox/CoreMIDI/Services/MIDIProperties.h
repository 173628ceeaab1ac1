// SPDX-License-Identifier: Apache-2.0

#ifndef CAUDIOTOOLBOX_MIDI_PROPERTIES_H
#define CAUDIOTOOLBOX_MIDI_PROPERTIES_H

#include <CoreFoundation/CoreFoundation.h>

// The names of properties. A property that an endpoint does not have is looked up in its entity, then
// in its device. For Swift, module CoreMIDI declares constants with the same names.
#ifndef __swift__

/// Text: the name of a device, an entity or an endpoint.
#define kMIDIPropertyName CFSTR("name")
/// Text: the manufacturer of a device.
#define kMIDIPropertyManufacturer CFSTR("manufacturer")
/// Text: the model of a device.
#define kMIDIPropertyModel CFSTR("model")
/// Integer: the same in every run of the program; see `MIDIUniqueID`.
#define kMIDIPropertyUniqueID CFSTR("uniqueID")
/// Integer: the number of a device in system exclusive messages.
#define kMIDIPropertyDeviceID CFSTR("deviceID")
/// Integer: the channels that are received; bit 0 is channel 1.
#define kMIDIPropertyReceiveChannels CFSTR("receiveChannels")
/// Integer: the channels that are sent; bit 0 is channel 1.
#define kMIDIPropertyTransmitChannels CFSTR("transmitChannels")
/// Integer: how many channels can be received at a time, 0 to 16.
#define kMIDIPropertyMaxReceiveChannels CFSTR("maxReceiveChannels")
/// Integer: how many channels can be sent at a time, 0 to 16.
#define kMIDIPropertyMaxTransmitChannels CFSTR("maxTransmitChannels")
/// Integer: the most bytes a second of a system exclusive request. Not limited unless it is
/// set.
#define kMIDIPropertyMaxSysExSpeed CFSTR("maxSysExSpeed")
/// Integer: if not 0, a virtual destination receives messages at once and schedules them itself;
/// else they arrive when they are due.
#define kMIDIPropertyAdvanceScheduleTimeMuSec CFSTR("scheduleAheadMuSec")
/// Integer, 0 or 1: whether an entity is inside its device rather than at a connector.
#define kMIDIPropertyIsEmbeddedEntity CFSTR("embedded")
/// Integer, 0 or 1: whether what is sent here goes to all endpoints of a device.
#define kMIDIPropertyIsBroadcast CFSTR("broadcast")
/// Integer, or data with big-endian integers: the unique identifiers of what is connected
/// outside.
#define kMIDIPropertyConnectionUniqueID CFSTR("connUniqueID")
/// Integer, 0 or 1: whether the object is not present now.
#define kMIDIPropertyOffline CFSTR("offline")
/// Integer, 0 or 1: whether a virtual endpoint is to be hidden from other programs. They see none
/// yet.
#define kMIDIPropertyPrivate CFSTR("private")
/// Text: what makes a device available.
#define kMIDIPropertyDriverOwner CFSTR("driver")
/// Integer: the version of what makes the device available.
#define kMIDIPropertyDriverVersion CFSTR("driverVersion")
/// Integer, 0 or 1: whether the device can pass messages on.
#define kMIDIPropertyCanRoute CFSTR("can route")
/// Integer, 0 or 1: whether it follows the beat clock.
#define kMIDIPropertyReceivesClock CFSTR("receives clock")
/// Integer, 0 or 1: whether it follows MIDI time code.
#define kMIDIPropertyReceivesMTC CFSTR("receives MTC")
/// Integer, 0 or 1: whether it plays notes.
#define kMIDIPropertyReceivesNotes CFSTR("receives notes")
/// Integer, 0 or 1: whether it follows program changes.
#define kMIDIPropertyReceivesProgramChanges CFSTR("receives program changes")
/// Integer, 0 or 1: whether it follows the first byte of a bank.
#define kMIDIPropertyReceivesBankSelectMSB CFSTR("receives bank select MSB")
/// Integer, 0 or 1: whether it follows the second byte of a bank.
#define kMIDIPropertyReceivesBankSelectLSB CFSTR("receives bank select LSB")
/// Integer, 0 or 1: whether it sends the beat clock.
#define kMIDIPropertyTransmitsClock CFSTR("transmits clock")
/// Integer, 0 or 1: whether it sends MIDI time code.
#define kMIDIPropertyTransmitsMTC CFSTR("transmits MTC")
/// Integer, 0 or 1: whether it sends notes.
#define kMIDIPropertyTransmitsNotes CFSTR("transmits notes")
/// Integer, 0 or 1: whether it sends program changes.
#define kMIDIPropertyTransmitsProgramChanges CFSTR("transmits program changes")
/// Integer, 0 or 1: whether it sends the first byte of a bank.
#define kMIDIPropertyTransmitsBankSelectMSB CFSTR("transmits bank select MSB")
/// Integer, 0 or 1: whether it sends the second byte of a bank.
#define kMIDIPropertyTransmitsBankSelectLSB CFSTR("transmits bank select LSB")
/// Integer, 0 or 1: whether its stereo sounds suffer when they are panned.
#define kMIDIPropertyPanDisruptsStereo CFSTR("pan disrupts stereo")
/// Integer, 0 or 1: whether it plays samples of the user.
#define kMIDIPropertyIsSampler CFSTR("is sampler")
/// Integer, 0 or 1: whether it plays drums.
#define kMIDIPropertyIsDrumMachine CFSTR("is drum machine")
/// Integer, 0 or 1: whether it mixes sound.
#define kMIDIPropertyIsMixer CFSTR("is mixer")
/// Integer, 0 or 1: whether it changes sound.
#define kMIDIPropertyIsEffectUnit CFSTR("is effect unit")
/// Integer, 0 or 1: whether its programs are those of General MIDI.
#define kMIDIPropertySupportsGeneralMIDI CFSTR("supports General MIDI")
/// Integer, 0 or 1: whether it follows MIDI machine control.
#define kMIDIPropertySupportsMMC CFSTR("supports MMC")
/// Integer, 0 or 1: whether it follows MIDI show control.
#define kMIDIPropertySupportsShowControl CFSTR("supports show control")
/// Integer: the index of the only entity that handles real-time messages.
#define kMIDIPropertySingleRealtimeEntity CFSTR("single realtime entity")
/// Dictionary: the names of a device's patches and controls (older form).
#define kMIDIPropertyNameConfiguration CFSTR("nameConfiguration")
/// Dictionary: the names of a device's patches and controls.
#define kMIDIPropertyNameConfigurationDictionary CFSTR("nameConfigurationDictionary")
/// Data: the file of the factory's patch names.
#define kMIDIPropertyFactoryPatchNameFile CFSTR("factoryPatchFile")
/// Data: the file of the user's patch names.
#define kMIDIPropertyUserPatchNameFile CFSTR("userPatchFile")
/// Text: the path of a picture of the device.
#define kMIDIPropertyImage CFSTR("image")
/// Text: the program that sets up the device.
#define kMIDIPropertyDriverDeviceEditorApp CFSTR("driverDeviceEditorApp")
/// Text, read only: the names of device and endpoint together, for people.
#define kMIDIPropertyDisplayName CFSTR("displayName")
/// Integer: the protocol of an endpoint, a `MIDIProtocolID`.
#define kMIDIPropertyProtocolID CFSTR("protocolID")
/// Integer: the groups that are in use; bit 0 is group 0.
#define kMIDIPropertyUMPActiveGroupBitmap CFSTR("umpActiveGroupBitmap")
/// Integer, 0 or 1: whether messages without a group may be sent.
#define kMIDIPropertyUMPCanTransmitGroupless CFSTR("umpCanTransmitGroupless")
/// Integer: the unique identifier of the endpoint for the other direction.
#define kMIDIPropertyAssociatedEndpoint CFSTR("associatedEndpoint")

#endif

#endif
