// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIPorts

// The functions of MIDISetup.h.

@_cdecl("MIDIExternalDeviceCreate")
public func midiExternalDeviceCreate(
  _ name: UnsafeRawPointer?, _ manufacturer: UnsafeRawPointer?, _ model: UnsafeRawPointer?,
  _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  deviceStatus(in: "MIDIExternalDeviceCreate") { () throws(AudioError) in
    let name = try text(name, "name")
    let manufacturer = try text(manufacturer, "manufacturer")
    let model = try text(model, "model")
    let outDevice = try memory(outDevice, "outDevice")
    outDevice.pointee = try MIDI.setup.createExternalDevice(
      name: name, manufacturer: manufacturer, model: model)
  }
}

/// Creates an external device, which is in no list yet. [control thread]
@discardableResult
public func MIDIExternalDeviceCreate(
  _ name: CFString, _ manufacturer: CFString, _ model: CFString,
  _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>
) -> OSStatus {
  midiExternalDeviceCreate(address(name), address(manufacturer), address(model), outDevice)
}

@_cdecl("MIDIDeviceNewEntity")
public func midiDeviceNewEntity(
  _ device: MIDIDeviceRef, _ name: UnsafeRawPointer?, _ protocolID: MIDIProtocolID,
  _ embedded: UInt8, _ numSourceEndpoints: ItemCount, _ numDestinationEndpoints: ItemCount,
  _ newEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  deviceStatus(in: "MIDIDeviceNewEntity") { () throws(AudioError) in
    let name = try text(name, "name")
    let newEntity = try memory(newEntity, "newEntity")
    try checkProtocol(protocolID)
    newEntity.pointee = try MIDI.setup.addEntity(
      to: device, name: name, protocolID: protocolID, isEmbedded: embedded != 0,
      counts: (numSourceEndpoints, numDestinationEndpoints))
  }
}

/// Adds an entity to an external device. [control thread]
@discardableResult
public func MIDIDeviceNewEntity(
  _ device: MIDIDeviceRef, _ name: CFString, _ protocol: MIDIProtocolID, _ embedded: Bool,
  _ numSourceEndpoints: ItemCount, _ numDestinationEndpoints: ItemCount,
  _ newEntity: UnsafeMutablePointer<MIDIEntityRef>
) -> OSStatus {
  midiDeviceNewEntity(
    device, address(name), `protocol`, embedded ? 1 : 0, numSourceEndpoints,
    numDestinationEndpoints, newEntity)
}

@_cdecl("MIDIDeviceAddEntity")
public func midiDeviceAddEntity(
  _ device: MIDIDeviceRef, _ name: UnsafeRawPointer?, _ embedded: UInt8,
  _ numSourceEndpoints: ItemCount, _ numDestinationEndpoints: ItemCount,
  _ newEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  midiDeviceNewEntity(
    device, name, ._1_0, embedded, numSourceEndpoints, numDestinationEndpoints, newEntity)
}

/// As MIDIDeviceNewEntity, for MIDI 1.0. [control thread]
@discardableResult
public func MIDIDeviceAddEntity(
  _ device: MIDIDeviceRef, _ name: CFString, _ embedded: Bool, _ numSourceEndpoints: ItemCount,
  _ numDestinationEndpoints: ItemCount, _ newEntity: UnsafeMutablePointer<MIDIEntityRef>
) -> OSStatus {
  MIDIDeviceNewEntity(
    device, name, ._1_0, embedded, numSourceEndpoints, numDestinationEndpoints, newEntity)
}

@c @implementation
public func MIDIDeviceRemoveEntity(_ device: MIDIDeviceRef, _ entity: MIDIEntityRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.removeEntity(entity, from: device) }
}

@c @implementation
public func MIDIEntityAddOrRemoveEndpoints(
  _ entity: MIDIEntityRef, _ numSourceEndpoints: ItemCount, _ numDestinationEndpoints: ItemCount
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    try MIDI.setup.setEndpointCounts(of: entity, (numSourceEndpoints, numDestinationEndpoints))
  }
}

@c @implementation
public func MIDISetupAddExternalDevice(_ device: MIDIDeviceRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.addExternalDevice(device) }
}

@c @implementation
public func MIDISetupRemoveExternalDevice(_ device: MIDIDeviceRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.removeExternalDevice(device) }
}
