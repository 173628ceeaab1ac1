// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import Foundation
import MIDIMessages
import MIDIPorts

/// An endpoint of a program. While it is enabled, its source and its destination are virtual endpoints,
/// which other programs can use too. It ends with the last reference to it. [any thread but a render thread]
open class MIDIUMPMutableEndpoint: MIDIUMPEndpoint, @unchecked Sendable {
  private static let blockLimit = 32

  private let callback: MIDIReceiveBlock
  /// Held while it is enabled, disabled or changed, so that the last of several is in effect. No function
  /// of the program is called, nor waited for, meanwhile.
  private let order = NSRecursiveLock()

  /// An endpoint that is not enabled, without function blocks. `destinationCallback` gets what others send
  /// to it, in its protocol; nil if there is no such protocol.
  public init?(
    name: String, deviceInfo: MIDI2DeviceInfo, productInstanceID: String,
    midiProtocol: MIDIProtocolID, destinationCallback: @escaping MIDIReceiveBlock
  ) {
    guard midiProtocol == ._1_0 || midiProtocol == ._2_0 else { return nil }
    callback = destinationCallback
    super.init(
      State(
        name: name, deviceInfo: deviceInfo, productInstanceID: productInstanceID,
        midiProtocol: midiProtocol))
  }

  deinit {
    let client = state.withLock(\.client)
    if client != 0 { try? MIDI.setup.disposeClient(client) }
  }

  /// Its function blocks, in the order of their numbers.
  open var mutableFunctionBlocks: [MIDIUMPMutableFunctionBlock] {
    functionBlocks.compactMap { $0 as? MIDIUMPMutableFunctionBlock }
  }

  /// Whether others see it.
  open var isEnabled: Bool { state.withLock(\.client) != 0 }

  /// Renames it.
  open func setName(_ name: String) throws {
    try order.withLock {
      let refs = state.withLock { state in
        state.name = name
        return [state.source, state.destination].filter { $0 != 0 }
      }
      for ref in refs { try set("name", of: ref, .string(name)) }
    }
    if isEnabled { MIDIUMPEndpointManager.shared.post(.MIDIUMPEndpointWasUpdated, self) }
  }

  /// Replaces its function blocks, at most 32, while it is not enabled. Static blocks do not change any
  /// more, and all of them have to be enabled.
  open func registerFunctionBlocks(
    _ functionBlocks: [MIDIUMPMutableFunctionBlock], markAsStatic: Bool
  ) throws {
    try order.withLock {
      guard !isEnabled else {
        throw refusal(kMIDINotPermitted, "disable the endpoint before its blocks are replaced")
      }
      guard !hasStaticFunctionBlocks else {
        throw refusal(kMIDINotPermitted, "the function blocks of this endpoint are static")
      }
      guard functionBlocks.count <= Self.blockLimit else {
        throw refusal(
          AudioError.invalidArgument.status,
          "\(functionBlocks.count) blocks; at most \(Self.blockLimit)")
      }
      guard Set(functionBlocks.map(ObjectIdentifier.init)).count == functionBlocks.count,
        functionBlocks.allSatisfy({ $0.umpEndpoint == nil || $0.umpEndpoint === self })
      else {
        throw refusal(
          AudioError.invalidArgument.status,
          "a block is there twice, or belongs to another endpoint")
      }
      guard !markAsStatic || functionBlocks.allSatisfy(\.isEnabled) else {
        throw refusal(AudioError.invalidArgument.status, "a static block is not enabled")
      }
      for block in self.functionBlocks {
        block.state.withLock { ($0.endpoint, $0.changed) = (nil, nil) }
      }
      for (id, block) in functionBlocks.enumerated() {
        block.state.withLock { state in
          state.endpoint = self
          state.id = MIDIUMPFunctionBlockID(id)
          state.changed = { [weak self] in self?.blockChanged($0) }
        }
      }
      state.withLock { ($0.blocks, $0.hasStaticBlocks) = (functionBlocks, markAsStatic) }
    }
  }

  /// Shows it to others, or hides it. Setting what it is already does nothing. Afterwards its callback is
  /// not called any more.
  open func setEnabled(_ isEnabled: Bool) throws {
    let manager = MIDIUMPEndpointManager.shared
    let (isChange, old) = try order.withLock { () -> (Bool, MIDIClientRef) in
      guard isEnabled != self.isEnabled else { return (false, 0) }
      if isEnabled {
        try enable()
        manager.add(self)
        return (true, 0)
      }
      manager.remove(self)
      return (
        true,
        state.withLock { state in
          defer { (state.client, state.source, state.destination) = (0, 0, 0) }
          return state.client
        }
      )
    }
    guard isChange else { return }
    // Waits for a callback that is running, which may change the endpoint.
    if old != 0 { try? MIDI.setup.disposeClient(old) }
    manager.post(isEnabled ? .MIDIUMPEndpointWasAdded : .MIDIUMPEndpointWasRemoved, self)
  }

  private func enable() throws {
    let (name, protocolID) = (name, midiProtocol)
    let setup = MIDI.setup
    do throws(AudioError) {
      ChangeListeners.clientIsCreated()
      let client = try setup.createClient(name: name)
      do throws(AudioError) {
        let source = try setup.createSource(
          name: name, of: client, format: MessageFormat(protocolID))
        let callback = callback
        let destination = try setup.createDestination(
          name: name, of: client, handler: MessageHandler(protocolID, events: { callback($0, $1) }))
        state.withLock {
          ($0.client, $0.source, $0.destination) = (client, source, destination)
        }
      } catch {
        try? setup.disposeClient(client)
        throw error
      }
    } catch { throw refusal(error.status, error.text) }
    try setGroups()
  }

  /// Called when one of its blocks has changed.
  private func blockChanged(_ block: MIDIUMPFunctionBlock) {
    order.withLock { if isEnabled { try? setGroups() } }
    if isEnabled {
      MIDIUMPEndpointManager.shared.post(.MIDIUMPFunctionBlockWasUpdated, self, block)
    }
  }

  /// Sets which groups source and destination use: those of the blocks that are enabled.
  private func setGroups() throws {
    let (source, destination, blocks) = state.withLock { ($0.source, $0.destination, $0.blocks) }
    var (sent, received) = (0 as UInt32, 0 as UInt32)
    for block in blocks.map({ $0.state.withLock { $0 } }) where block.isEnabled {
      if block.direction != .input { sent |= block.groupBits }
      if block.direction != .output { received |= block.groupBits }
    }
    for (ref, bits) in [(source, sent), (destination, received)] {
      try set("umpActiveGroupBitmap", of: ref, .integer(Int(bits)))
      try set("umpCanTransmitGroupless", of: ref, .integer(0))
    }
  }

  private func set(_ property: String, of ref: MIDIObjectRef, _ value: PropertyList) throws {
    do throws(AudioError) { try MIDI.setup.setProperty(property, of: ref, to: value) } catch {
      throw refusal(error.status, error.text)
    }
  }
}
