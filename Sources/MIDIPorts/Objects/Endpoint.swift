// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

/// A source or a destination: of an entity, virtual, or another program's.
package final class Endpoint: MIDIObject, @unchecked Sendable {
  override class var noun: String { "endpoint" }

  package let isSource: Bool
  /// Nil for an endpoint without a device.
  private(set) weak var entity: Entity?
  /// The client whose virtual endpoint it is.
  private(set) weak var owner: Client?
  /// What it sends or receives by itself.
  let format: MessageFormat
  /// Who gets the messages: of a source, what is connected to it; of a destination, itself.
  let receivers = ReceiverList()
  /// The calls of its own function, of a virtual destination.
  var ownCalls: ProgramCalls.Entry?
  /// Whether it is in the lists of sources or destinations.
  var isPresent = true
  /// What identifies it at its back end; nil for endpoints of this process.
  var backendPort: BackendPort?
  /// The index of that back end.
  var backendIndex: Int?

  /// Sends the requests for system exclusive messages, one after the other.
  let sysExWorker = SerialWorker(name: "midi-sysex")

  /// For each format that a receiver needs. Accessed by the delivery thread.
  private var converters: [MessageFormat: MessageListConverter] = [:]

  /// An endpoint of an entity, of a client, or of another program.
  init(
    _ ref: MIDIObjectRef, isSource: Bool, name: String, format: MessageFormat,
    entity: Entity? = nil, owner: Client? = nil
  ) {
    self.isSource = isSource
    self.entity = entity
    self.owner = owner
    self.format = format
    let isExternal = entity?.type == .externalEntity
    super.init(
      ref,
      isSource
        ? isExternal ? .externalSource : .source
        : isExternal ? .externalDestination : .destination,
      name: name)
    properties[PropertyName.protocolID] = .integer(Int(format.protocolID.rawValue))
    if entity == nil { properties[PropertyName.offline] = .integer(0) }
  }

  override var parent: MIDIObject? { entity }
  override var displayName: String { joined(entity?.device?.name, name) }

  /// Whether its owner gets messages before they are due.
  var receivesAhead: Bool { owner != nil && integer(PropertyName.scheduleAhead) != 0 }

  /// [delivery thread] Passes a list to all receivers.
  func deliver(_ list: MessageList) {
    var converted: [MessageFormat: MessageList?] = [:]
    for receiver in receivers.all {
      guard let format = receiver.format, format != list.format else {
        receiver.receive(list)
        continue
      }
      let result: MessageList?
      if let known = converted[format] {
        result = known
      } else {
        result = converters[format, default: MessageListConverter(to: format)].convert(list)
        converted[format] = .some(result)
      }
      if let result { receiver.receive(result) }
    }
  }
}
