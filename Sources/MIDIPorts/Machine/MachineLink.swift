// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import MIDIMessages

/// A way for messages between an endpoint of the setup and the machine: from or to a port of another
/// program or of hardware, or by a port that others see.
package final class MachineLink: @unchecked Sendable {
  /// Whether messages come in.
  package let receives: Bool
  /// The port of the machine; nil: the link is a port of this program, to which others connect.
  package let peer: MachinePort?
  /// The name of the endpoint.
  package let name: String

  /// The most bytes that wait before a sender is told that there is no room.
  static let byteLimit = 4 << 20

  private let passOn: @Sendable (MessageList) -> Void
  private let sent: @Sendable (_ isFirst: Bool) -> Void
  private let lock = ConditionLock()
  // Guarded by `lock`.
  private var lists: ArraySlice<MessageList> = []
  private var waitingBytes = 0
  private var isEverSentTo = false

  // Accessed by the machine thread.
  private var splitter: MessageSplitter?
  private var messages: ArraySlice<(bytes: [UInt8], time: UInt64)> = []
  private var listBytes = 0

  // Accessed by the thread that receives.
  private var arrived = MessageListWriter(.bytes)

  /// A link for messages that come in, which `passOn` gets.
  init(from peer: MachinePort?, name: String, passOn: @escaping @Sendable (MessageList) -> Void) {
    (receives, self.peer, self.name, self.passOn) = (true, peer, name, passOn)
    sent = { _ in }
  }

  /// A link for messages that go out. `sent` is called when there is something to send.
  init(
    to peer: MachinePort?, name: String, sent: @escaping @Sendable (_ isFirst: Bool) -> Void
  ) {
    (receives, self.peer, self.name, self.sent) = (false, peer, name, sent)
    passOn = { _ in }
  }

  // MARK: What comes in

  /// [the thread that receives] Adds bytes that arrived at a host time: whole messages, or parts of
  /// system exclusive ones.
  package func receive(_ bytes: UnsafeBufferPointer<UInt8>, at time: UInt64) {
    arrived.add(bytes, at: time)
  }

  /// [the thread that receives] Passes on what was added.
  package func passArrived() {
    guard !arrived.isEmpty else { return }
    passOn(arrived.list())
    arrived = MessageListWriter(.bytes)
  }

  // MARK: What goes out

  /// [delivery thread] Sends a list of bytes, whose time has come.
  func send(_ list: MessageList) {
    let isFirst = lock.withLock { () -> Bool? in
      // Whoever sends to a destination is told earlier. Nobody can be told of a virtual source.
      guard peer != nil || waitingBytes <= Self.byteLimit else { return nil }
      defer { isEverSentTo = true }
      waitingBytes += list.byteCount
      lists.append(list)
      return !isEverSentTo
    }
    guard let isFirst else {
      return Explanations.log("MIDI of source \"\(name)\" is lost: the server takes none")
    }
    sent(isFirst)
  }

  /// [any thread] Whether there is room for more.
  var hasRoom: Bool { lock.withLock { waitingBytes <= Self.byteLimit } }
  /// [any thread] Whether little waits, so that whoever sends in the background may go on.
  var isNearlyEmpty: Bool { lock.withLock { waitingBytes <= 65_536 } }
  /// [any thread] Whether there was ever something to send.
  var isInUse: Bool { lock.withLock { isEverSentTo } }

  /// [machine thread] Writes what waits; false if there is no room for some of it.
  func write(to backend: any MIDIBackend) -> Bool {
    while true {
      while let message = messages.first {
        guard backend.write(message.bytes, at: message.time, to: self) else { return false }
        messages.removeFirst()
        rt_rest_if_due()
      }
      let next = lock.withLock { () -> MessageList? in
        waitingBytes -= listBytes
        return lists.popFirst()
      }
      listBytes = next?.byteCount ?? 0
      guard let next else { return true }
      var splitter = splitter ?? MessageSplitter(limit: backend.messageLimit)
      next.forEachPacket { time, bytes in
        splitter.add(bytes) {
          messages.append(($0, time))
          rt_rest_if_due()
        }
      }
      self.splitter = splitter
    }
  }

  /// [machine thread] Drops what waits: its port is gone.
  func drop() {
    (messages, splitter, listBytes) = ([], nil, 0)
    lock.withLock { (lists, waitingBytes) = ([], 0) }
  }
}
