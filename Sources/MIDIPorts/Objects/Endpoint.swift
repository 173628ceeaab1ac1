// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

/// A source or a destination: of an entity, or virtual.
package final class Endpoint: MIDIObject, @unchecked Sendable {
  override class var noun: String { "endpoint" }

  package let isSource: Bool
  /// The client whose virtual endpoint it is; 0 for an endpoint of an entity.
  let owner: MIDIClientRef
  /// What it sends or receives by itself.
  let format: MessageFormat
  /// Who gets the messages: of a source, what is connected to it; of a destination, itself.
  let receivers = ReceiverList()
  /// Sends the requests for system exclusive messages, one after the other.
  let sysExWorker = SerialWorker(name: "midi-sysex")

  /// For each format that a receiver needs. Accessed by the delivery thread.
  private var converters: [MessageFormat: MessageListConverter] = [:]

  /// What waits for the end of a system exclusive message of a request. Accessed by the delivery
  /// thread.
  private var held: [MessageList] = []
  /// Whether there is such a message. Accessed by the delivery thread.
  private var isRequestOpen = false
  /// The most lists that wait. More than that are not held back any more.
  private static let heldLimit = 4096

  private weak var entity: MIDIObject?
  /// Which port of the machine it is, if it is one.
  var place: MachinePlace?

  /// An endpoint of an entity, or of a client.
  init(
    _ ref: MIDIObjectRef, isSource: Bool, name: String, format: MessageFormat,
    entity: MIDIObject? = nil, owner: MIDIClientRef = 0
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
  override var displayName: String { joined(entity?.parent?.name, name) }

  /// Whether a client has created it.
  var isVirtual: Bool { owner != 0 }

  /// Whether it is one that programs can use now.
  var isPresent: Bool { place?.isPresent ?? true }

  /// Whether its owner gets messages before they are due.
  var receivesAhead: Bool { isVirtual && integer(PropertyName.scheduleAhead) != 0 }

  /// [delivery thread] Passes on what is sent to the endpoint. Between the parts of a system exclusive
  /// message there are only real-time messages: others follow after its end. `receivers` is what the
  /// thread has read of lists of receivers.
  func deliver(_ delivery: Delivery, _ receivers: inout KnownReceivers) {
    if let leavesOpen = delivery.leavesOpen {
      deliver(delivery.list, &receivers)
      isRequestOpen = leavesOpen
    } else if isRequestOpen, !delivery.list.isRealTime {
      held.append(delivery.list)
      if held.count > Self.heldLimit { isRequestOpen = false }
    } else {
      deliver(delivery.list, &receivers)
    }
    guard !isRequestOpen, !held.isEmpty else { return }
    let lists = held
    held = []
    for list in lists { deliver(list, &receivers) }
  }

  /// [delivery thread] Passes a list to all receivers.
  func deliver(_ list: MessageList) {
    var known = KnownReceivers()
    deliver(list, &known)
  }

  private func deliver(_ list: MessageList, _ known: inout KnownReceivers) {
    receivers.read(into: &known)
    var converted: [MessageFormat: MessageList?] = [:]
    let isMixed = list.isMixed
    for receiver in known.all {
      guard let format = receiver.format, format != list.format || isMixed else {
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
