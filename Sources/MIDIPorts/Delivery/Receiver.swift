// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages
import Synchronization

/// A function of the program that receives lists of messages, with the pointer that was passed when
/// a source was connected.
package struct MessageHandler: Sendable {
  let format: MessageFormat
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
  /// The calls of the function, if it is one of the program.
  let calls: ProgramCalls.Entry?
  /// [delivery thread] Takes a list.
  let receive: @Sendable (MessageList) -> Void

  /// A part of the library.
  init(
    _ ref: MIDIObjectRef, _ format: MessageFormat? = nil, calls: ProgramCalls.Entry? = nil,
    receive: @escaping @Sendable (MessageList) -> Void
  ) {
    (self.ref, self.format, self.calls, self.receive) = (ref, format, calls, receive)
  }

  /// A function of the program.
  init(_ ref: MIDIObjectRef, _ handler: MessageHandler, _ context: UnsafeMutableRawPointer?) {
    nonisolated(unsafe) let context = context
    let calls = ProgramCalls.Entry()
    self.init(ref, handler.format, calls: calls) { list in
      border { ProgramCalls.shared.run(calls) { handler.call(list, context) } }
    }
  }
}

/// What a thread has read of a list of receivers.
struct KnownReceivers {
  fileprivate(set) var all: [Receiver] = []
  fileprivate var list: ReceiverList?
  fileprivate var version = 0

  /// Forgets it, but not the memory for the next.
  mutating func forget() {
    all.removeAll(keepingCapacity: true)
    list = nil
  }
}

/// The receivers of an endpoint.
final class ReceiverList: @unchecked Sendable {
  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var receivers: [Receiver] = [] {
    didSet { version.add(1, ordering: .releasing) }
  }
  /// Changes with every change.
  private let version = Atomic(0)

  /// [any thread] All receivers, in the order in which they were added, in `known`, which is read again
  /// only if it is of another list or older.
  func read(into known: inout KnownReceivers) {
    guard known.list !== self || known.version != version.load(ordering: .acquiring) else { return }
    known.forget()
    known.list = self
    lock.withLock {
      for receiver in receivers { known.all.append(receiver) }
      known.version = version.load(ordering: .relaxed)
    }
  }

  /// [any thread] Whether there are none.
  var isEmpty: Bool { lock.withLock { receivers.isEmpty } }

  /// [control thread] Adds a receiver, or replaces the one with the same number; returns the calls of
  /// that.
  @discardableResult
  func set(_ receiver: Receiver) -> ProgramCalls.Entry? {
    lock.withLock {
      guard let index = receivers.firstIndex(where: { $0.ref == receiver.ref }) else {
        receivers.append(receiver)
        return nil
      }
      let replaced = receivers[index]
      receivers[index] = receiver
      return replaced.calls
    }
  }

  /// [control thread] Removes the receiver with a number; returns its calls.
  @discardableResult
  func remove(_ ref: MIDIObjectRef) -> ProgramCalls.Entry? {
    lock.withLock {
      guard let index = receivers.firstIndex(where: { $0.ref == ref }) else { return nil }
      return receivers.remove(at: index).calls
    }
  }

  /// [control thread] Removes all receivers; returns their calls.
  func removeAll() -> [ProgramCalls.Entry] {
    lock.withLock {
      let calls = receivers.compactMap(\.calls)
      receivers = []
      return calls
    }
  }
}
