// SPDX-License-Identifier: Apache-2.0
public import CoreAudio

// The names of properties, as MIDIProperties.h has them for C. Strings never change.

/// Text: the name of a device, an entity or an endpoint.
public nonisolated(unsafe) let kMIDIPropertyName: CFString = "name"
/// Text: the manufacturer of a device.
public nonisolated(unsafe) let kMIDIPropertyManufacturer: CFString = "manufacturer"
/// Text: the model of a device.
public nonisolated(unsafe) let kMIDIPropertyModel: CFString = "model"
/// Integer: the same in every run of the program; see `MIDIUniqueID`.
public nonisolated(unsafe) let kMIDIPropertyUniqueID: CFString = "uniqueID"
/// Integer: the number of a device in system exclusive messages.
public nonisolated(unsafe) let kMIDIPropertyDeviceID: CFString = "deviceID"
/// Integer: the channels that are received; bit 0 is channel 1.
public nonisolated(unsafe) let kMIDIPropertyReceiveChannels: CFString = "receiveChannels"
/// Integer: the channels that are sent; bit 0 is channel 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitChannels: CFString = "transmitChannels"
/// Integer: how many channels can be received at a time, 0 to 16.
public nonisolated(unsafe) let kMIDIPropertyMaxReceiveChannels: CFString = "maxReceiveChannels"
/// Integer: how many channels can be sent at a time, 0 to 16.
public nonisolated(unsafe) let kMIDIPropertyMaxTransmitChannels: CFString = "maxTransmitChannels"
/// Integer: the most bytes a second of a system exclusive request. Not limited unless it is
/// set.
public nonisolated(unsafe) let kMIDIPropertyMaxSysExSpeed: CFString = "maxSysExSpeed"
/// Integer: if not 0, a virtual destination receives messages at once and schedules them itself;
/// else they arrive when they are due.
public nonisolated(unsafe) let kMIDIPropertyAdvanceScheduleTimeMuSec: CFString =
  "scheduleAheadMuSec"
/// Integer, 0 or 1: whether an entity is inside its device rather than at a connector.
public nonisolated(unsafe) let kMIDIPropertyIsEmbeddedEntity: CFString = "embedded"
/// Integer, 0 or 1: whether what is sent here goes to all endpoints of a device.
public nonisolated(unsafe) let kMIDIPropertyIsBroadcast: CFString = "broadcast"
/// Integer, or data with big-endian integers: the unique identifiers of what is connected
/// outside.
public nonisolated(unsafe) let kMIDIPropertyConnectionUniqueID: CFString = "connUniqueID"
/// Integer, 0 or 1: whether the object is not present now.
public nonisolated(unsafe) let kMIDIPropertyOffline: CFString = "offline"
/// Integer, 0 or 1: whether a virtual endpoint is hidden from other programs.
public nonisolated(unsafe) let kMIDIPropertyPrivate: CFString = "private"
/// Text: what makes a device available.
public nonisolated(unsafe) let kMIDIPropertyDriverOwner: CFString = "driver"
/// Integer: its version.
public nonisolated(unsafe) let kMIDIPropertyDriverVersion: CFString = "driverVersion"
/// Integer, 0 or 1: whether the device can pass messages on.
public nonisolated(unsafe) let kMIDIPropertyCanRoute: CFString = "can route"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesClock: CFString = "receives clock"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesMTC: CFString = "receives MTC"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesNotes: CFString = "receives notes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesProgramChanges: CFString =
  "receives program changes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectMSB: CFString =
  "receives bank select MSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyReceivesBankSelectLSB: CFString =
  "receives bank select LSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsClock: CFString = "transmits clock"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsMTC: CFString = "transmits MTC"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsNotes: CFString = "transmits notes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsProgramChanges: CFString =
  "transmits program changes"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectMSB: CFString =
  "transmits bank select MSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyTransmitsBankSelectLSB: CFString =
  "transmits bank select LSB"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyPanDisruptsStereo: CFString = "pan disrupts stereo"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsSampler: CFString = "is sampler"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsDrumMachine: CFString = "is drum machine"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsMixer: CFString = "is mixer"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertyIsEffectUnit: CFString = "is effect unit"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertySupportsGeneralMIDI: CFString = "supports General MIDI"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertySupportsMMC: CFString = "supports MMC"
/// Integer, 0 or 1.
public nonisolated(unsafe) let kMIDIPropertySupportsShowControl: CFString = "supports show control"
/// Integer: the index of the only entity that handles real-time messages.
public nonisolated(unsafe) let kMIDIPropertySingleRealtimeEntity: CFString =
  "single realtime entity"
/// Dictionary: the names of a device's patches and controls (older form).
public nonisolated(unsafe) let kMIDIPropertyNameConfiguration: CFString = "nameConfiguration"
/// Dictionary: the names of a device's patches and controls.
public nonisolated(unsafe) let kMIDIPropertyNameConfigurationDictionary: CFString =
  "nameConfigurationDictionary"
/// Data: the file of the factory's patch names.
public nonisolated(unsafe) let kMIDIPropertyFactoryPatchNameFile: CFString = "factoryPatchFile"
/// Data: the file of the user's patch names.
public nonisolated(unsafe) let kMIDIPropertyUserPatchNameFile: CFString = "userPatchFile"
/// Text: the path of a picture of the device.
public nonisolated(unsafe) let kMIDIPropertyImage: CFString = "image"
/// Text: the program that sets up the device.
public nonisolated(unsafe) let kMIDIPropertyDriverDeviceEditorApp: CFString =
  "driverDeviceEditorApp"
/// Text, read only: the names of device and endpoint together, for people.
public nonisolated(unsafe) let kMIDIPropertyDisplayName: CFString = "displayName"
/// Integer: the protocol of an endpoint, a `MIDIProtocolID`.
public nonisolated(unsafe) let kMIDIPropertyProtocolID: CFString = "protocolID"
/// Integer: the groups that are in use; bit 0 is group 0.
public nonisolated(unsafe) let kMIDIPropertyUMPActiveGroupBitmap: CFString = "umpActiveGroupBitmap"
/// Integer, 0 or 1: whether messages without a group may be sent.
public nonisolated(unsafe) let kMIDIPropertyUMPCanTransmitGroupless: CFString =
  "umpCanTransmitGroupless"
/// Integer: the unique identifier of the endpoint for the other direction.
public nonisolated(unsafe) let kMIDIPropertyAssociatedEndpoint: CFString = "associatedEndpoint"
