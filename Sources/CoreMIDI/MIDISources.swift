// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIMessages
import MIDIPorts

// The functions of MIDIServices.h for virtual sources, and the lists of devices and endpoints.

// MARK: Virtual sources

private func createSource(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?, _ protocolID: MIDIProtocolID?,
  _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>?, in call: StaticString
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    let name = try text(name, "name")
    let outSrc = try memory(outSrc, "outSrc")
    var format = MessageFormat.bytes
    if let protocolID {
      try checkProtocol(protocolID)
      format = MessageFormat(protocolID)
    }
    outSrc.pointee = try MIDI.setup.createSource(name: name, of: client, format: format)
  }
}

@_cdecl("MIDISourceCreate")
public func midiSourceCreate(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?,
  _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  createSource(client, name, nil, outSrc, in: "MIDISourceCreate")
}

/// Creates a virtual source, from which `MIDIReceived` sends. [control thread]
@discardableResult
public func MIDISourceCreate(
  _ client: MIDIClientRef, _ name: CFString, _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  midiSourceCreate(client, address(name), outSrc)
}

@_cdecl("MIDISourceCreateWithProtocol")
public func midiSourceCreateWithProtocol(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?, _ protocolID: MIDIProtocolID,
  _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  createSource(client, name, protocolID, outSrc, in: "MIDISourceCreateWithProtocol")
}

/// Creates a virtual source of events, from which `MIDIReceivedEventList` sends. [control thread]
@discardableResult
public func MIDISourceCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFString, _ protocol: MIDIProtocolID,
  _ outSrc: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  midiSourceCreateWithProtocol(client, address(name), `protocol`, outSrc)
}

@c @implementation
public func MIDIEndpointDispose(_ endpt: MIDIEndpointRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.disposeEndpoint(endpt) }
}

// MARK: Lists

private func count(_ list: Setup.List) -> ItemCount { MIDI.setup.refs(in: list).count }

private func ref(_ list: Setup.List, at index: ItemCount) -> MIDIObjectRef {
  let refs = MIDI.setup.refs(in: list)
  return refs.indices.contains(index) ? refs[index] : 0
}

@c @implementation
public func MIDIGetNumberOfDevices() -> ItemCount { count(.devices) }

@c @implementation
public func MIDIGetDevice(_ deviceIndex0: ItemCount) -> MIDIDeviceRef {
  ref(.devices, at: deviceIndex0)
}

@c @implementation
public func MIDIDeviceGetNumberOfEntities(_ device: MIDIDeviceRef) -> ItemCount {
  count(.entities(of: device))
}

@c @implementation
public func MIDIDeviceGetEntity(
  _ device: MIDIDeviceRef, _ entityIndex0: ItemCount
) -> MIDIEntityRef {
  ref(.entities(of: device), at: entityIndex0)
}

@c @implementation
public func MIDIEntityGetNumberOfSources(_ entity: MIDIEntityRef) -> ItemCount {
  count(.entitySources(of: entity))
}

@c @implementation
public func MIDIEntityGetSource(
  _ entity: MIDIEntityRef, _ sourceIndex0: ItemCount
) -> MIDIEndpointRef {
  ref(.entitySources(of: entity), at: sourceIndex0)
}

@c @implementation
public func MIDIEntityGetNumberOfDestinations(_ entity: MIDIEntityRef) -> ItemCount {
  count(.entityDestinations(of: entity))
}

@c @implementation
public func MIDIEntityGetDestination(
  _ entity: MIDIEntityRef, _ destIndex0: ItemCount
) -> MIDIEndpointRef {
  ref(.entityDestinations(of: entity), at: destIndex0)
}

@c @implementation
public func MIDIEntityGetDevice(
  _ inEntity: MIDIEntityRef, _ outDevice: UnsafeMutablePointer<MIDIDeviceRef>?
) -> OSStatus {
  outDevice?.pointee = 0
  return deviceStatus { () throws(AudioError) in
    let device = try MIDI.setup.device(of: inEntity)
    outDevice?.pointee = device
  }
}

@c @implementation
public func MIDIGetNumberOfSources() -> ItemCount { count(.sources) }

@c @implementation
public func MIDIGetSource(_ sourceIndex0: ItemCount) -> MIDIEndpointRef {
  ref(.sources, at: sourceIndex0)
}

@c @implementation
public func MIDIGetNumberOfDestinations() -> ItemCount { count(.destinations) }

@c @implementation
public func MIDIGetDestination(_ destIndex0: ItemCount) -> MIDIEndpointRef {
  ref(.destinations, at: destIndex0)
}

@c @implementation
public func MIDIEndpointGetEntity(
  _ inEndpoint: MIDIEndpointRef, _ outEntity: UnsafeMutablePointer<MIDIEntityRef>?
) -> OSStatus {
  outEntity?.pointee = 0
  return deviceStatus { () throws(AudioError) in
    let entity = try MIDI.setup.entity(of: inEndpoint)
    outEntity?.pointee = entity
  }
}

@c @implementation
public func MIDIGetNumberOfExternalDevices() -> ItemCount { count(.externalDevices) }

@c @implementation
public func MIDIGetExternalDevice(_ deviceIndex0: ItemCount) -> MIDIDeviceRef {
  ref(.externalDevices, at: deviceIndex0)
}

@c @implementation
public func MIDIRestart() -> OSStatus {
  deviceStatus { () throws(AudioError) in MIDI.setup.restart() }
}
