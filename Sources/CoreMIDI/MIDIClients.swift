// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CBlocks
import MIDIPorts

// The functions of MIDIServices.h for clients and output ports.

/// Called when something has changed.
public typealias MIDINotifyBlock = @Sendable (UnsafePointer<MIDINotification>) -> Void

typealias CMIDINotifyBlock = @convention(block) (UnsafePointer<MIDINotification>) -> Void

private func create(
  _ name: UnsafeRawPointer?, _ outClient: UnsafeMutablePointer<MIDIClientRef>?,
  _ listener: ChangeListener?, in call: StaticString
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    let name = try text(name, "name")
    let outClient = try memory(outClient, "outClient")
    ChangeListeners.clientIsCreated()
    outClient.pointee = try MIDI.setup.createClient(name: name, listener: listener)
  }
}

@_cdecl("MIDIClientCreate")
public func midiClientCreate(
  _ name: UnsafeRawPointer?, _ notifyProc: MIDINotifyProc?,
  _ notifyRefCon: UnsafeMutableRawPointer?, _ outClient: UnsafeMutablePointer<MIDIClientRef>?
) -> OSStatus {
  nonisolated(unsafe) let context = notifyRefCon
  let listener = notifyProc.map { function in
    ChangeListeners.onRunLoop { function($0, context) }
  }
  return create(name, outClient, listener, in: "MIDIClientCreate")
}

/// Creates a client, which may be notified of changes on the run loop of the thread that created the
/// process's first client. [control thread]
@discardableResult
public func MIDIClientCreate(
  _ name: CFString, _ notifyProc: MIDINotifyProc?, _ notifyRefCon: UnsafeMutableRawPointer?,
  _ outClient: UnsafeMutablePointer<MIDIClientRef>
) -> OSStatus {
  midiClientCreate(address(name), notifyProc, notifyRefCon, outClient)
}

@_cdecl("MIDIClientCreateWithBlock")
public func midiClientCreateWithBlock(
  _ name: UnsafeRawPointer?, _ outClient: UnsafeMutablePointer<MIDIClientRef>?,
  _ notifyBlock: UnsafeRawPointer?
) -> OSStatus {
  create(name, outClient, block: block(notifyBlock))
}

/// The block of a C program as a closure. Generic code, that of optionals included, cannot handle blocks.
private func block(_ block: UnsafeRawPointer?) -> MIDINotifyBlock? {
  guard let block else { return nil }
  let heap = block_copy(block)
  defer { block_release(heap) }
  nonisolated(unsafe) let call = unsafeBitCast(heap, to: CMIDINotifyBlock.self)
  return { call($0) }
}

private func create(
  _ name: UnsafeRawPointer?, _ outClient: UnsafeMutablePointer<MIDIClientRef>?,
  block: MIDINotifyBlock?
) -> OSStatus {
  let listener = block.map { _ in ChangeListeners.onThread { block?($0) } }
  return create(name, outClient, listener, in: "MIDIClientCreateWithBlock")
}

/// Creates a client whose notifications arrive on a thread of the library. [control thread]
@discardableResult
public func MIDIClientCreateWithBlock(
  _ name: CFString, _ outClient: UnsafeMutablePointer<MIDIClientRef>,
  _ notifyBlock: MIDINotifyBlock?
) -> OSStatus {
  create(address(name), outClient, block: notifyBlock)
}

@c @implementation
public func MIDIClientDispose(_ client: MIDIClientRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.disposeClient(client) }
}

@_cdecl("MIDIOutputPortCreate")
public func midiOutputPortCreate(
  _ client: MIDIClientRef, _ portName: UnsafeRawPointer?,
  _ outPort: UnsafeMutablePointer<MIDIPortRef>?
) -> OSStatus {
  deviceStatus(in: "MIDIOutputPortCreate") { () throws(AudioError) in
    let name = try text(portName, "portName")
    let outPort = try memory(outPort, "outPort")
    outPort.pointee = try MIDI.setup.createPort(name: name, of: client)
  }
}

/// Creates a port through which the client sends. [control thread]
@discardableResult
public func MIDIOutputPortCreate(
  _ client: MIDIClientRef, _ portName: CFString, _ outPort: UnsafeMutablePointer<MIDIPortRef>
) -> OSStatus {
  midiOutputPortCreate(client, address(portName), outPort)
}

@c @implementation
public func MIDIPortDispose(_ port: MIDIPortRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.disposePort(port) }
}

@c @implementation
public func MIDIPortConnectSource(
  _ port: MIDIPortRef, _ source: MIDIEndpointRef, _ connRefCon: UnsafeMutableRawPointer?
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    try MIDI.setup.connect(source, to: port, context: connRefCon)
  }
}

@c @implementation
public func MIDIPortDisconnectSource(_ port: MIDIPortRef, _ source: MIDIEndpointRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.disconnect(source, from: port) }
}
