// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages

/// A function of the program that receives lists of messages, with the pointer that was passed when
/// a source was connected.
package struct MessageHandler: Sendable {
  let format: MessageFormat
  let calls = ProgramCalls.Entry()
  let call: @Sendable (MessageList, UnsafeMutableRawPointer?) -> Void

  /// A function that receives bytes.
  package init(
    packets call:
      @escaping @Sendable (UnsafePointer<MIDIPacketList>, UnsafeMutableRawPointer?) ->
      Void
  ) {
    format = .bytes
    self.call = { call($0.packets, $1) }
  }

  /// A function that receives events of a protocol.
  package init(
    _ protocolID: MIDIProtocolID,
    events call:
      @escaping @Sendable (UnsafePointer<MIDIEventList>, UnsafeMutableRawPointer?) ->
      Void
  ) {
    format = MessageFormat(protocolID)
    self.call = { call($0.events, $1) }
  }
}

/// One that gets the messages of an endpoint.
struct Receiver: Sendable {
  /// The port, endpoint or thru connection.
  let ref: MIDIObjectRef
  /// What the messages are converted to; nil: they are passed on as they are.
  let format: MessageFormat?
  /// [delivery thread] Takes a list.
  let receive: @Sendable (MessageList) -> Void

  /// A part of the library.
  init(
    _ ref: MIDIObjectRef, _ format: MessageFormat? = nil,
    receive: @escaping @Sendable (MessageList) -> Void
  ) {
    (self.ref, self.format, self.receive) = (ref, format, receive)
  }

  /// A function of the program.
  init(_ ref: MIDIObjectRef, _ handler: MessageHandler, _ context: UnsafeMutableRawPointer?) {
    nonisolated(unsafe) let context = context
    self.init(ref, handler.format) { list in
      border { ProgramCalls.shared.run(handler.calls) { handler.call(list, context) } }
    }
  }
}

/// The receivers of an endpoint.
final class ReceiverList: @unchecked Sendable {
  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var receivers: [Receiver] = []

  /// [any thread] All receivers, in the order in which they were added.
  var all: [Receiver] { lock.withLock { receivers.copied() } }

  /// [control thread] Adds a receiver, or replaces the one with the same number.
  func set(_ receiver: Receiver) {
    lock.withLock {
      if let index = receivers.firstIndex(where: { $0.ref == receiver.ref }) {
        receivers[index] = receiver
      } else {
        receivers.append(receiver)
      }
    }
  }

  /// [control thread] Removes the receiver with a number.
  func remove(_ ref: MIDIObjectRef) {
    lock.withLock { receivers.removeAll { $0.ref == ref } }
  }
}
