// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import Foundation

/// An endpoint of Universal MIDI Packets: a source and a destination that belong together, with function
/// blocks. [any thread]
open class MIDIUMPEndpoint: NSObject, @unchecked Sendable {  // guarded
  /// What an endpoint is.
  struct State {
    var name: String
    let deviceInfo: MIDI2DeviceInfo
    let productInstanceID: String
    let midiProtocol: MIDIProtocolID
    var blocks: [MIDIUMPFunctionBlock] = []
    var hasStaticBlocks = false
    /// While it is enabled: its client, source and destination.
    var client: MIDIClientRef = 0
    var source: MIDIEndpointRef = 0
    var destination: MIDIEndpointRef = 0
  }

  let state: Guarded<State>

  init(_ state: State) { self.state = Guarded(state) }

  /// Its name.
  open var name: String { state.withLock(\.name) }
  /// The protocol that it uses.
  open var midiProtocol: MIDIProtocolID { state.withLock(\.midiProtocol) }
  /// The protocols that it could use. What others send is converted to the protocol that it uses.
  open var supportedMIDIProtocols: MIDIUMPProtocolOptions {
    midiProtocol == ._2_0 ? [.MIDI1, .MIDI2] : .MIDI1
  }
  /// Its destination; 0 while it is not enabled.
  open var midiDestination: MIDIEndpointRef { state.withLock(\.destination) }
  /// Its source; 0 while it is not enabled. A program sends from its own with `MIDIReceivedEventList`.
  open var midiSource: MIDIEndpointRef { state.withLock(\.source) }
  /// What it says of itself.
  open var deviceInfo: MIDI2DeviceInfo { state.withLock(\.deviceInfo) }
  /// What distinguishes it from others of its model, such as a serial number.
  open var productInstanceID: String { state.withLock(\.productInstanceID) }
  /// Whether its function blocks do not change.
  open var hasStaticFunctionBlocks: Bool { state.withLock(\.hasStaticBlocks) }
  /// Whether it uses jitter reduction time stamps that it receives: no endpoint here does.
  open var hasJRTSReceiveCapability: Bool { false }
  /// Whether it sends jitter reduction time stamps: no endpoint here does.
  open var hasJRTSTransmitCapability: Bool { false }
  /// What it stands for: endpoints of programs are the only ones on Linux.
  open var endpointType: MIDIUMPCIObjectBackingType { .virtual }
  /// Its function blocks, in the order of their numbers.
  open var functionBlocks: [MIDIUMPFunctionBlock] { state.withLock(\.blocks) }
}

/// A part of an endpoint of Universal MIDI Packets with a purpose of its own, such as a synthesizer: some
/// successive groups. [any thread]
open class MIDIUMPFunctionBlock: NSObject, @unchecked Sendable {  // guarded
  /// What a block is.
  struct State {
    var name: String
    var id: MIDIUMPFunctionBlockID = 0
    var direction: MIDIUMPFunctionBlockDirection
    var firstGroup: MIDIUMPGroupNumber
    var groupCount: UInt8
    var maxSysEx8Streams: UInt8
    var midi1Info: MIDIUMPFunctionBlockMIDI1Info
    var uiHint: MIDIUMPFunctionBlockUIHint
    var isEnabled: Bool
    weak var endpoint: MIDIUMPEndpoint?
    /// Tells the endpoint of a change.
    var changed: (@Sendable (MIDIUMPFunctionBlock) -> Void)?

    /// A bit for each of its groups, the first lowest.
    var groupBits: UInt32 { ((1 << UInt32(groupCount)) - 1) << UInt32(firstGroup) }
  }

  let state: Guarded<State>

  init(_ state: State) { self.state = Guarded(state) }

  /// Its name.
  open var name: String { state.withLock(\.name) }
  /// Its number, which its endpoint gives it; 0 before.
  open var functionBlockID: MIDIUMPFunctionBlockID { state.withLock(\.id) }
  /// Which way messages go.
  open var direction: MIDIUMPFunctionBlockDirection { state.withLock(\.direction) }
  /// Its first group.
  open var firstGroup: MIDIUMPGroupNumber { state.withLock(\.firstGroup) }
  /// How many groups it has.
  open var totalGroupsSpanned: UInt8 { state.withLock(\.groupCount) }
  /// How many messages of type 5 it can send or receive at once; 0: it has no such messages.
  open var maxSysEx8Streams: UInt8 { state.withLock(\.maxSysEx8Streams) }
  /// Whether it is a port of MIDI 1.0.
  open var midi1Info: MIDIUMPFunctionBlockMIDI1Info { state.withLock(\.midi1Info) }
  /// For what programs should offer it.
  open var uiHint: MIDIUMPFunctionBlockUIHint { state.withLock(\.uiHint) }
  /// The endpoint that it belongs to, if there is one.
  open var umpEndpoint: MIDIUMPEndpoint? { state.withLock(\.endpoint) }
  /// Whether it is in use.
  open var isEnabled: Bool { state.withLock(\.isEnabled) }
}
