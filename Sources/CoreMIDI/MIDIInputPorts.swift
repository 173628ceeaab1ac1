// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CBlocks
import MIDIPorts

// The functions of MIDIServices.h for what receives: input ports and virtual destinations.

/// Called with packets that arrived, on the delivery thread. The list is valid until it returns.
public typealias MIDIReadBlock =
  @Sendable (UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?) -> Void

/// As MIDIReadBlock, with events.
public typealias MIDIReceiveBlock =
  @Sendable (UnsafePointer<MIDIEventList>, UnsafeMutableRawPointer?) -> Void

private typealias CMIDIReadBlock =
  @convention(block) (UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?) -> Void
private typealias CMIDIReceiveBlock =
  @convention(block) (UnsafePointer<MIDIEventList>, UnsafeMutableRawPointer?) -> Void

// MARK: Functions that receive

private func handler(
  _ function: MIDIReadProc?, _ context: UnsafeMutableRawPointer?
) throws(AudioError) -> MessageHandler {
  guard let function else { throw .null("readProc") }
  nonisolated(unsafe) let context = context
  return MessageHandler(packets: { function($0, context, $1) })
}

private func handler(_ block: MIDIReadBlock?) throws(AudioError) -> MessageHandler {
  guard let block else { throw .null("readBlock") }
  return MessageHandler(packets: { block($0, $1) })
}

private func handler(
  _ protocolID: MIDIProtocolID, _ block: MIDIReceiveBlock?
) throws(AudioError) -> MessageHandler {
  guard let block else { throw .null("receiveBlock") }
  try checkProtocol(protocolID)
  return MessageHandler(protocolID, events: { block($0, $1) })
}

private func block(_ block: UnsafeRawPointer?) -> MIDIReadBlock? {
  guard let block else { return nil }
  let heap = block_copy(block)
  defer { block_release(heap) }
  nonisolated(unsafe) let call = unsafeBitCast(heap, to: CMIDIReadBlock.self)
  return { call($0, $1) }
}

private func block(_ block: UnsafeRawPointer?) -> MIDIReceiveBlock? {
  guard let block else { return nil }
  let heap = block_copy(block)
  defer { block_release(heap) }
  nonisolated(unsafe) let call = unsafeBitCast(heap, to: CMIDIReceiveBlock.self)
  return { call($0, $1) }
}

// MARK: Input ports

private func createPort(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>?, in call: StaticString,
  _ handler: () throws(AudioError) -> MessageHandler
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    let name = try text(name, "portName")
    let outPort = try memory(outPort, "outPort")
    outPort.pointee = try MIDI.setup.createPort(name: name, of: client, handler: handler())
  }
}

@_cdecl("MIDIInputPortCreate")
public func midiInputPortCreate(
  _ client: MIDIClientRef, _ portName: UnsafeRawPointer?, _ readProc: MIDIReadProc?,
  _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>?
) -> OSStatus {
  createPort(client, portName, outPort, in: "MIDIInputPortCreate") { () throws(AudioError) in
    try handler(readProc, refCon)
  }
}

/// Creates a port that receives packets from the sources that are connected to it. [control thread]
@discardableResult
public func MIDIInputPortCreate(
  _ client: MIDIClientRef, _ portName: CFString, _ readProc: @escaping MIDIReadProc,
  _ refCon: UnsafeMutableRawPointer?, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
  midiInputPortCreate(client, address(portName), readProc, refCon, outPort)
}

@_cdecl("MIDIInputPortCreateWithBlock")
public func midiInputPortCreateWithBlock(
  _ client: MIDIClientRef, _ portName: UnsafeRawPointer?,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>?, _ readBlock: UnsafeRawPointer?
) -> OSStatus {
  createPort(client, portName, outPort, in: "MIDIInputPortCreateWithBlock") {
    () throws(AudioError) in try handler(block(readBlock))
  }
}

/// As MIDIInputPortCreate, with a closure. [control thread]
@discardableResult
public func MIDIInputPortCreateWithBlock(
  _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>,
  _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  createPort(client, address(portName), outPort, in: #function) { () throws(AudioError) in
    try handler(readBlock)
  }
}

@_cdecl("MIDIInputPortCreateWithProtocol")
public func midiInputPortCreateWithProtocol(
  _ client: MIDIClientRef, _ portName: UnsafeRawPointer?, _ protocolID: MIDIProtocolID,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>?, _ receiveBlock: UnsafeRawPointer?
) -> OSStatus {
  createPort(client, portName, outPort, in: "MIDIInputPortCreateWithProtocol") {
    () throws(AudioError) in try handler(protocolID, block(receiveBlock))
  }
}

/// Creates a port that receives events of a protocol, to which others are converted. [control
/// thread]
@discardableResult
public func MIDIInputPortCreateWithProtocol(
  _ client: MIDIClientRef, _ portName: CFString, _ protocol: MIDIProtocolID,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>, _ receiveBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
  createPort(client, address(portName), outPort, in: #function) { () throws(AudioError) in
    try handler(`protocol`, receiveBlock)
  }
}

// MARK: Virtual destinations

private func createDestination(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?,
  _ outDest: UnsafeMutablePointer<MIDIEndpointRef>?, in call: StaticString,
  _ handler: () throws(AudioError) -> MessageHandler
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    let name = try text(name, "name")
    let outDest = try memory(outDest, "outDest")
    outDest.pointee = try MIDI.setup.createDestination(
      name: name, of: client, handler: handler())
  }
}

@_cdecl("MIDIDestinationCreate")
public func midiDestinationCreate(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?, _ readProc: MIDIReadProc?,
  _ refCon: UnsafeMutableRawPointer?, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>?
) -> OSStatus {
  createDestination(client, name, outDest, in: "MIDIDestinationCreate") { () throws(AudioError) in
    try handler(readProc, refCon)
  }
}

/// Creates a virtual destination, to which all of the process can send. [control thread]
@discardableResult
public func MIDIDestinationCreate(
  _ client: MIDIClientRef, _ name: CFString, _ readProc: @escaping MIDIReadProc,
  _ refCon: UnsafeMutableRawPointer?, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>
) -> OSStatus {
  midiDestinationCreate(client, address(name), readProc, refCon, outDest)
}

@_cdecl("MIDIDestinationCreateWithBlock")
public func midiDestinationCreateWithBlock(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?,
  _ outDest: UnsafeMutablePointer<MIDIEndpointRef>?, _ readBlock: UnsafeRawPointer?
) -> OSStatus {
  createDestination(client, name, outDest, in: "MIDIDestinationCreateWithBlock") {
    () throws(AudioError) in try handler(block(readBlock))
  }
}

/// As MIDIDestinationCreate, with a closure. [control thread]
@discardableResult
public func MIDIDestinationCreateWithBlock(
  _ client: MIDIClientRef, _ name: CFString, _ outDest: UnsafeMutablePointer<MIDIEndpointRef>,
  _ readBlock: @escaping MIDIReadBlock
) -> OSStatus {
  createDestination(client, address(name), outDest, in: #function) { () throws(AudioError) in
    try handler(readBlock)
  }
}

@_cdecl("MIDIDestinationCreateWithProtocol")
public func midiDestinationCreateWithProtocol(
  _ client: MIDIClientRef, _ name: UnsafeRawPointer?, _ protocolID: MIDIProtocolID,
  _ outDest: UnsafeMutablePointer<MIDIEndpointRef>?, _ readBlock: UnsafeRawPointer?
) -> OSStatus {
  createDestination(client, name, outDest, in: "MIDIDestinationCreateWithProtocol") {
    () throws(AudioError) in try handler(protocolID, block(readBlock))
  }
}

/// Creates a virtual destination that receives events of a protocol. [control thread]
@discardableResult
public func MIDIDestinationCreateWithProtocol(
  _ client: MIDIClientRef, _ name: CFString, _ protocol: MIDIProtocolID,
  _ outDest: UnsafeMutablePointer<MIDIEndpointRef>, _ readBlock: @escaping MIDIReceiveBlock
) -> OSStatus {
  createDestination(client, address(name), outDest, in: #function) { () throws(AudioError) in
    try handler(`protocol`, readBlock)
  }
}
