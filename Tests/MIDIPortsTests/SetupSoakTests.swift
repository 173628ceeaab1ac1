// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import Foundation
import MIDIMessages
import MIDIPorts
import Testing

@Suite("The MIDI setup of a process, soak")
struct SetupSoakTests {
  /// One client with ports, virtual endpoints and a connection, through which a message flies.
  static func round(_ setup: Setup, _ bus: MIDIEndpointRef) throws {
    let client = try setup.createClient(name: "client")
    let inbox = Inbox()
    let output = try setup.createPort(name: "out", of: client)
    let input = try setup.createPort(name: "in", of: client, handler: inbox.handler)
    let source = try setup.createSource(name: "source", of: client, format: .bytes)
    let destination = try setup.createDestination(
      name: "destination", of: client, handler: inbox.handler)
    try setup.connect(source, to: input, context: nil)
    var writer = MessageListWriter(.bytes)
    ([0x90, 60, 100] as [UInt8]).withUnsafeBufferPointer { writer.add($0, at: 0) }
    let list = writer.list()
    try withExtendedLifetime(list) {
      try setup.send(list.packets, to: destination, from: output)
      try setup.send(list.packets, to: bus, from: output)
      try setup.received(list.packets, from: source)
    }
    try setup.disposeEndpoint(source)
    try setup.disposeClient(client)
  }

  /// `make soak` does ten thousand on each thread.
  @Test("rounds of clients, ports and endpoints on eight threads leave no memory behind")
  func flat() async {
    await #expect(processExitsWith: .success) {
      ProcessState.useOneHeap()
      let setup = Setup.make()
      let bus = try #require(setup.refs(in: .destinations).first)
      func run(_ count: Int) {
        let threads = (0..<8).map { _ in
          OwnThread {
            for _ in 0..<count {
              do { try SetupSoakTests.round(setup, bus) } catch { fatalError("\(error)") }
            }
          }
        }
        for thread in threads { thread.join() }
        // What was posted last is delivered to nobody, and its memory is free.
        setup.waitUntilSent()
      }
      let isLong = ProcessInfo.processInfo.environment["AUDIOTOOLBOX_TEST_MINUTES"] != nil
      let count = isLong ? 10_000 : 100
      run(200)
      let before = ProcessState()
      run(count)
      let after = ProcessState()
      let growth = (after.heapBytes - before.heapBytes) / (8 * count)
      guard growth < 16 || ProcessState.isSanitized, after.threadCount <= before.threadCount,
        after.descriptorCount <= before.descriptorCount,
        setup.refs(in: .sources).count == 1
      else { fatalError("\(growth) bytes for each round; \(before); \(after)") }
    }
  }
}
