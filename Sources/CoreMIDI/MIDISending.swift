// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import MIDIPorts

// The functions of MIDIServices.h that send.

@c @implementation
public func MIDISend(
  _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(pktlist) else { throw .null("pktlist") }
    try MIDI.setup.send(pktlist, to: dest, from: port)
  }
}

@c @implementation
public func MIDISendEventList(
  _ port: MIDIPortRef, _ dest: MIDIEndpointRef, _ evtlist: UnsafePointer<MIDIEventList>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(evtlist) else { throw .null("evtlist") }
    try MIDI.setup.send(evtlist, to: dest, from: port)
  }
}

@c @implementation
public func MIDIReceived(
  _ src: MIDIEndpointRef, _ pktlist: UnsafePointer<MIDIPacketList>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(pktlist) else { throw .null("pktlist") }
    try MIDI.setup.received(pktlist, from: src)
  }
}

@c @implementation
public func MIDIReceivedEventList(
  _ src: MIDIEndpointRef, _ evtlist: UnsafePointer<MIDIEventList>
) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(evtlist) else { throw .null("evtlist") }
    try MIDI.setup.received(evtlist, from: src)
  }
}

@c @implementation
public func MIDIFlushOutput(_ dest: MIDIEndpointRef) -> OSStatus {
  deviceStatus { () throws(AudioError) in try MIDI.setup.flush(dest) }
}

// MARK: System exclusive requests

@c @implementation
public func MIDISendSysex(_ request: UnsafeMutablePointer<MIDISysexSendRequest>) -> OSStatus {
  deviceStatus { () throws(AudioError) in
    guard !isNull(request) else { throw .null("request") }
    guard !isNull(request.pointee.data) else { throw .null("request->data") }
    // A program that gave no function may free the request as soon as that is complete.
    let function = request.pointee.completionProc
    nonisolated(unsafe) let request = request
    try MIDI.setup.sendSysEx(request) {
      guard let function else { return }
      border { callProgram { function(request) } }
    }
  }
}

private func send(
  _ request: UnsafeMutablePointer<MIDISysexSendRequestUMP>, _ type: MIDIMessageType,
  in call: StaticString = #function
) -> OSStatus {
  deviceStatus(in: call) { () throws(AudioError) in
    guard !isNull(request) else { throw .null("umpRequest") }
    guard !isNull(request.pointee.words) else { throw .null("umpRequest->words") }
    // A program that gave no function may free the request as soon as that is complete.
    let function = request.pointee.completionProc
    nonisolated(unsafe) let request = request
    try MIDI.setup.sendSysEx(request, messageType: type.rawValue) {
      guard let function else { return }
      border { callProgram { function(request) } }
    }
  }
}

@c @implementation
public func MIDISendUMPSysex(
  _ umpRequest: UnsafeMutablePointer<MIDISysexSendRequestUMP>
) -> OSStatus {
  send(umpRequest, .sysEx)
}

@c @implementation
public func MIDISendUMPSysex8(
  _ umpRequest: UnsafeMutablePointer<MIDISysexSendRequestUMP>
) -> OSStatus {
  send(umpRequest, .data128)
}
