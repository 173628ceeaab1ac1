// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIPorts
import Glibc

// The functions of MIDIThruConnection.h.

@c @implementation
public func MIDIThruConnectionParamsInitialize(
  _ inConnectionParams: UnsafeMutablePointer<MIDIThruConnectionParams>
) {
  guard !isNull(inConnectionParams) else { return }
  memset(inConnectionParams, 0, MemoryLayout<MIDIThruConnectionParams>.size)
  withUnsafeMutableBytes(of: &inConnectionParams.pointee.channelMap) { map in
    for channel in map.indices { map[channel] = UInt8(clamping: channel) }
  }
  inConnectionParams.pointee.highNote = 127
}

/// The bytes of a CFData that a program passed.
private func bytes(_ data: UnsafeRawPointer?) throws(AudioError) -> [UInt8] {
  guard let data else { throw .null("inConnectionParams") }
  _ = MIDI.setup
  guard case .data(let bytes)? = Bridge.current.propertyList(data) else {
    throw .invalidArgument.because("inConnectionParams is not a CFData")
  }
  return bytes
}

@_cdecl("MIDIThruConnectionCreate")
public func midiThruConnectionCreate(
  _ inPersistentOwnerID: UnsafeRawPointer?, _ inConnectionParams: UnsafeRawPointer?,
  _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>?
) -> OSStatus {
  deviceStatus(in: "MIDIThruConnectionCreate") { () throws(AudioError) in
    let parameters = try bytes(inConnectionParams)
    let outConnection = try memory(outConnection, "outConnection")
    var owner: String?
    if inPersistentOwnerID != nil { owner = try text(inPersistentOwnerID, "inPersistentOwnerID") }
    outConnection.pointee = try MIDI.setup.createThruConnection(
      owner: owner, parameters: parameters)
  }
}

/// Creates a connection. With an owner, it can be found again; without one, it ends with the
/// process. [control thread]
@discardableResult
public func MIDIThruConnectionCreate(
  _ inPersistentOwnerID: CFString?, _ inConnectionParams: CFData,
  _ outConnection: UnsafeMutablePointer<MIDIThruConnectionRef>
) -> OSStatus {
  midiThruConnectionCreate(
    address(inPersistentOwnerID), address(inConnectionParams), outConnection)
}

@_cdecl("MIDIThruConnectionGetParams")
public func midiThruConnectionGetParams(
  _ connection: MIDIThruConnectionRef,
  _ outConnectionParams: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> OSStatus {
  deviceStatus(in: "MIDIThruConnectionGetParams") { () throws(AudioError) in
    let result = try memory(outConnectionParams, "outConnectionParams")
    let parameters = try MIDI.setup.thruParameters(of: connection)
    result.pointee = Bridge.current.retainedPropertyList(.data(parameters))
  }
}

/// The parameters of a connection, which the caller takes over retained. [control thread]
@discardableResult
public func MIDIThruConnectionGetParams(
  _ connection: MIDIThruConnectionRef,
  _ outConnectionParams: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
  var data: UnsafeRawPointer?
  let status = midiThruConnectionGetParams(connection, &data)
  if let data { outConnectionParams.pointee = Unmanaged.fromOpaque(data) }
  return status
}

@_cdecl("MIDIThruConnectionSetParams")
public func midiThruConnectionSetParams(
  _ connection: MIDIThruConnectionRef, _ inConnectionParams: UnsafeRawPointer?
) -> OSStatus {
  deviceStatus(in: "MIDIThruConnectionSetParams") { () throws(AudioError) in
    try MIDI.setup.setThruParameters(bytes(inConnectionParams), of: connection)
  }
}

/// Changes the parameters of a connection. [control thread]
@discardableResult
public func MIDIThruConnectionSetParams(
  _ connection: MIDIThruConnectionRef, _ inConnectionParams: CFData
) -> OSStatus {
  midiThruConnectionSetParams(connection, address(inConnectionParams))
}

@_cdecl("MIDIThruConnectionFind")
public func midiThruConnectionFind(
  _ inPersistentOwnerID: UnsafeRawPointer?,
  _ outConnectionList: UnsafeMutablePointer<UnsafeRawPointer?>?
) -> OSStatus {
  deviceStatus(in: "MIDIThruConnectionFind") { () throws(AudioError) in
    let owner = try text(inPersistentOwnerID, "inPersistentOwnerID")
    let result = try memory(outConnectionList, "outConnectionList")
    let refs = MIDI.setup.thruConnections(of: owner)
    result.pointee = Bridge.current.retainedPropertyList(
      .data(refs.withUnsafeBytes { Array($0) }))
  }
}

/// The connections of an owner: data of UInt32 numbers, which the caller takes over retained.
/// [control thread]
@discardableResult
public func MIDIThruConnectionFind(
  _ inPersistentOwnerID: CFString, _ outConnectionList: UnsafeMutablePointer<Unmanaged<CFData>>
) -> OSStatus {
  var data: UnsafeRawPointer?
  let status = midiThruConnectionFind(address(inPersistentOwnerID), &data)
  if let data { outConnectionList.pointee = Unmanaged.fromOpaque(data) }
  return status
}

@c @implementation
public func MIDIThruConnectionDispose(_ connection: MIDIThruConnectionRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.disposeThruConnection(connection) }
}
