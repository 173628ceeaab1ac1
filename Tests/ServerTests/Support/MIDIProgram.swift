// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CCoreMIDI
import MIDIMessages
import MIDIPorts

/// A program that uses the functions of MIDI: a setup with a client, which reaches the servers.
final class MIDIProgram {
  let setup: Setup
  let client: MIDIClientRef
  private let output: MIDIPortRef

  /// Uses a back end, by the word of `AUDIOTOOLBOX_MIDI`.
  init(_ backend: String) throws {
    setup = Setup.make(.chosen(by: backend))
    client = try setup.createClient(name: "test")
    output = try setup.createPort(name: "out", of: client)
  }

  deinit { setup.close() }

  /// The source or destination with a display name.
  func endpoint(_ name: String, _ list: Setup.List) -> MIDIEndpointRef? {
    setup.refs(in: list).first { ref in
      (try? setup.property("displayName", of: ref, .string))?.string == name
    }
  }

  func id(_ ref: MIDIEndpointRef) throws -> Int? {
    try setup.property("uniqueID", of: ref, .integer).integer
  }

  /// Connects a source, and collects what comes from it.
  func receive(from source: MIDIEndpointRef) throws -> MIDIInbox {
    let inbox = MIDIInbox()
    let port = try setup.createPort(name: "in", of: client, handler: inbox.handler)
    try setup.connect(source, to: port, context: nil)
    return inbox
  }

  /// Creates a virtual destination, and collects what comes to it.
  func destination(_ name: String) throws -> MIDIInbox {
    let inbox = MIDIInbox()
    _ = try setup.createDestination(name: name, of: client, handler: inbox.handler)
    return inbox
  }

  /// Sends messages, each in a packet of its own.
  func send(_ messages: [[UInt8]], to destination: MIDIEndpointRef, at time: UInt64 = 0) throws {
    let list = list(messages, at: time)
    try withExtendedLifetime(list) { try setup.send(list.packets, to: destination, from: output) }
  }

  /// Sends messages from a virtual source.
  func send(_ messages: [[UInt8]], from source: MIDIEndpointRef) throws {
    let list = list(messages, at: 0)
    try withExtendedLifetime(list) { try setup.received(list.packets, from: source) }
  }

  private func list(_ messages: [[UInt8]], at time: UInt64) -> MessageList {
    var writer = MessageListWriter(.bytes)
    for message in messages { message.withUnsafeBufferPointer { writer.add($0, at: time) } }
    return writer.list()
  }
}

/// What a program has received.
final class MIDIInbox: Sendable {
  private let received = Guarded<(bytes: [UInt8], times: [UInt64])>(([], []))

  var handler: MessageHandler {
    MessageHandler(packets: { [received] list, _ in
      PacketLists.forEach(in: list) { packet in
        received.withLock {
          $0.bytes += PacketLists.bytes(of: packet)
          $0.times.append(packet.pointee.timeStamp)
        }
      }
    })
  }

  var bytes: [UInt8] { received.withLock { $0.bytes } }
  var count: Int { received.withLock { $0.bytes.count } }
  /// The time of each packet.
  var times: [UInt64] { received.withLock { $0.times } }
}
