// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import MIDIMessages
import MIDIPorts

/// Collects what a port or a virtual destination receives.
final class Inbox: Sendable {
  struct Packet: Equatable, Sendable {
    let time: UInt64
    let bytes: [UInt8]
    let words: [UInt32]
    /// What was passed when the source was connected.
    let context: UInt
    let arrival: UInt64
  }

  private let received = Guarded<[Packet]>([])

  var packets: [Packet] { received.withLock { $0 } }
  var bytes: [[UInt8]] { packets.map(\.bytes) }
  var words: [[UInt32]] { packets.map(\.words) }

  /// A function that collects packets of bytes.
  var handler: MessageHandler {
    MessageHandler(packets: { [received] list, context in
      PacketLists.forEach(in: list) { packet in
        let bytes = Array(PacketLists.bytes(of: packet))
        let new = Packet(
          time: packet.pointee.timeStamp, bytes: bytes, words: [],
          context: UInt(bitPattern: context), arrival: hostTime())
        received.withLock { $0.append(new) }
      }
    })
  }

  /// A function that collects packets of events.
  func handler(_ protocolID: MIDIProtocolID) -> MessageHandler {
    MessageHandler(
      protocolID,
      events: { [received] list, context in
        EventLists.forEach(in: list) { packet in
          let words = Array(EventLists.words(of: packet))
          let new = Packet(
            time: packet.pointee.timeStamp, bytes: [], words: words,
            context: UInt(bitPattern: context), arrival: hostTime())
          received.withLock { $0.append(new) }
        }
      })
  }

  /// Waits for this many packets, for half a minute at most.
  func wait(for count: Int) -> Bool { AudioTestSupport.wait { packets.count >= count } }
}

/// A function that does not return from its first call before the gate is open.
final class Gate: Sendable {
  private let opened = WakeUp()
  private let callCount = Guarded(0)
  private let returnCount = Guarded(0)

  /// Whether the function is being called.
  var isInside: Bool { callCount.withLock { $0 } > returnCount.withLock { $0 } }

  /// The function.
  var handler: MessageHandler {
    MessageHandler(packets: { [self] _, _ in
      let isFirst = callCount.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { opened.wait() }
      returnCount.withLock { $0 += 1 }
    })
  }

  /// Lets the first call return.
  func open() { opened.raise() }
}

/// A setup with a client and an output port.
struct Rig {
  let setup: Setup
  let client: MIDIClientRef
  let port: MIDIPortRef

  /// A setup, by default one without back ends.
  init(_ setup: Setup = .make()) throws {
    self.setup = setup
    client = try setup.createClient(name: "test")
    port = try setup.createPort(name: "out", of: client)
  }

  /// A virtual destination that collects bytes.
  func destination(_ inbox: Inbox, name: String = "in") throws -> MIDIEndpointRef {
    try setup.createDestination(name: name, of: client, handler: inbox.handler)
  }

  /// An input port that collects bytes, connected to a source.
  @discardableResult
  func input(_ inbox: Inbox, from source: MIDIEndpointRef, context: Int = 0) throws -> MIDIPortRef {
    let port = try setup.createPort(name: "in", of: client, handler: inbox.handler)
    try setup.connect(source, to: port, context: UnsafeMutableRawPointer(bitPattern: context))
    return port
  }

  func send(_ packets: [(UInt64, [UInt8])], to destination: MIDIEndpointRef) throws {
    let list = list(packets)
    try withExtendedLifetime(list) {
      try setup.send(list.packets, to: destination, from: port)
    }
  }

  func send(
    _ words: [UInt32], _ format: MessageFormat, to destination: MIDIEndpointRef
  ) throws {
    var writer = MessageListWriter(format)
    words.withUnsafeBufferPointer { writer.add($0, at: 0) }
    let list = writer.list()
    try withExtendedLifetime(list) { try setup.send(list.events, to: destination, from: port) }
  }

  func received(_ packets: [(UInt64, [UInt8])], from source: MIDIEndpointRef) throws {
    let list = list(packets)
    try withExtendedLifetime(list) { try setup.received(list.packets, from: source) }
  }

  private func list(_ packets: [(UInt64, [UInt8])]) -> MessageList {
    var writer = MessageListWriter(.bytes)
    for (time, bytes) in packets { bytes.withUnsafeBufferPointer { writer.add($0, at: time) } }
    return writer.list()
  }
}

/// The status of the error that `body` throws; nil if it throws none.
func refusal(_ body: () throws -> Void) -> OSStatus? {
  do {
    try body()
    return nil
  } catch {
    return (error as? AudioError)?.status ?? 0
  }
}
