// SPDX-License-Identifier: Apache-2.0
import CoreMIDI
import Synchronization
@_spi(TrappingConversions) import CheckedNumbers

/// Receives from sources, and from a virtual destination.
final class MIDIInput {
  /// A message that arrived.
  struct Message {
    /// The name of the source, or of the virtual destination.
    var name: String
    /// Seconds since the input was made.
    var time: Double
    var bytes: [UInt8]
  }

  /// Messages on their way from the thread that receives to the one that takes them.
  private final class Inbox: Sendable {
    struct State {
      var readers: [MIDIEndpointRef: MIDIByteReader] = [:]
      var messages: [(ref: MIDIEndpointRef, time: UInt64, bytes: [UInt8])] = []
    }

    let state = Mutex(State())

    func receive(_ list: UnsafePointer<MIDIPacketList>, from ref: MIDIEndpointRef) {
      for packet in list.unsafeSequence() {
        let time = packet.pointee.timeStamp
        state.withLock { state in
          let whole = state.readers[ref, default: MIDIByteReader()].messages(in: packet.bytes())
          for bytes in whole { state.messages.append((ref, time, bytes)) }
        }
      }
    }
  }

  private let inbox = Inbox()
  private let begin = AudioGetCurrentHostTime()
  private var port = MIDIPortRef()
  /// The unique identifiers of the chosen sources; nil for all.
  private let chosen: Set<Int>?
  /// The names of connected endpoints. 0 is the virtual destination.
  private var names: [MIDIEndpointRef: String] = [:]
  private var nextLook = ContinuousClock.now

  /// Listens to sources, nil for all that are there or appear, and makes a virtual destination if
  /// there is a name for it.
  init(
    from sources: [MIDIEndpointsReport.Endpoint]?, virtualDestination name: String?,
    of client: MIDIClientRef
  ) throws(Failure) {
    chosen = sources.map { Set($0.map(\.uniqueID)) }
    let inbox = inbox
    try Failure.check(
      MIDIInputPortCreateWithBlock(client, "in" as CFString, &port) { list, context in
        inbox.receive(list, from: MIDIEndpointRef(clamping: UInt(bitPattern: context)))
      }, "Can't make a MIDI port")
    if let name {
      var destination = MIDIEndpointRef()
      names[0] = name
      try Failure.check(
        MIDIDestinationCreateWithBlock(client, name as CFString, &destination) { list, _ in
          inbox.receive(list, from: 0)
        }, name)
    }
    try connect()
  }

  /// The names of everything that it listens to.
  var allNames: [String] { names.values.sorted() }

  /// Connects sources that appeared.
  private func connect() throws(Failure) {
    for index in 0..<MIDIGetNumberOfSources() {
      let ref = MIDIGetSource(index)
      guard ref != 0, names[ref] == nil else { continue }
      let source = MIDIEndpointsReport.Endpoint(ref)
      guard chosen?.contains(source.uniqueID) != false else { continue }
      let context = UnsafeMutableRawPointer(bitPattern: UInt(ref))
      let status = MIDIPortConnectSource(port, ref, context)
      // A source may disappear at any time.
      guard status != kMIDIUnknownEndpoint else { continue }
      try Failure.check(status, source.name)
      names[ref] = source.name
    }
  }

  /// Looks for new sources now and then, and returns what arrived.
  func take() throws(Failure) -> [Message] {
    if ContinuousClock.now >= nextLook {
      try connect()
      nextLook = .now + .milliseconds(100)
    }
    let arrived = inbox.state.withLock { state in
      defer { state.messages = [] }
      return state.messages
    }
    return arrived.map { ref, time, bytes in
      Message(name: names[ref] ?? "", time: seconds(at: time), bytes: bytes)
    }
  }

  /// The time of a message that arrives now.
  var now: Double { seconds(at: AudioGetCurrentHostTime()) }

  private func seconds(at time: UInt64) -> Double {
    Double(time > begin ? AudioConvertHostTimeToNanos(time - begin) : 0) / 1e9
  }
}
