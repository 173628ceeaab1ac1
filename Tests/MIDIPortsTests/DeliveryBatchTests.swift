// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import Foundation
import MIDIMessages
import MIDIPorts
import Testing

/// Messages that are due together are delivered together; each of these tests collects them behind a
/// function that does not return.
@Suite("Delivery of MIDI messages in batches")
struct DeliveryBatchTests {
  /// A setup whose delivery thread waits until `open`.
  private struct HeldRig {
    let rig: Rig
    private let gate = Gate()

    init() throws {
      rig = try Rig()
      let busy = try rig.setup.createDestination(
        name: "busy", of: rig.client, handler: gate.handler)
      try rig.send([(0, [0xf8])], to: busy)
      let gate = gate
      #expect(wait { gate.isInside })
    }

    func open() { gate.open() }
  }

  @Test("what is due between two messages that were sent at once comes between them")
  func between() throws {
    let held = try HeldRig()
    let inbox = Inbox()
    let destination = try held.rig.destination(inbox)
    let time = hostTime() + 10_000_000
    try held.rig.send([(0, [0x90, 1, 1])], to: destination)
    try held.rig.send([(time + 1, [0x90, 3, 1])], to: destination)
    try held.rig.send([(time, [0x90, 2, 1])], to: destination)
    #expect(wait { hostTime() > time + 1 })
    try held.rig.send([(0, [0x90, 4, 1])], to: destination)
    held.open()
    #expect(inbox.wait(for: 4))
    #expect(inbox.bytes.map { $0[1] } == [1, 2, 3, 4])
    held.rig.setup.close()
  }

  @Test("what has a time is dropped until it is delivered, even if it was due long before")
  func dropped() throws {
    let held = try HeldRig()
    let setup = held.rig.setup
    let inbox = Inbox()
    let destination = try held.rig.destination(inbox)
    let flushed = Guarded<OSStatus?>(nil)
    let flushing = try setup.createDestination(
      name: "flushing", of: held.rig.client,
      handler: MessageHandler(packets: { _, _ in
        let status = refusal { try setup.flush(destination) } ?? 0
        flushed.withLock { $0 = status }
      }))
    try held.rig.send([(0, [0xf8])], to: flushing)
    let time = hostTime() + 5_000_000
    try held.rig.send([(time, [0x90, 1, 1])], to: destination)
    #expect(wait { hostTime() > time })
    try held.rig.send([(0, [0x90, 2, 1])], to: destination)
    held.open()
    #expect(inbox.wait(for: 1))
    #expect(flushed.withLock { $0 } == 0)
    #expect(inbox.bytes == [[0x90, 2, 1]])
    setup.close()
  }

  @Test("a port that is connected by one message gets the next")
  func connected() throws {
    let held = try HeldRig()
    let rig = held.rig
    let source = try rig.setup.createSource(name: "source", of: rig.client, format: .bytes)
    let (first, second) = (Inbox(), Inbox())
    let late = try rig.setup.createPort(name: "late", of: rig.client, handler: second.handler)
    try rig.input(first, from: source)
    let isConnected = Guarded(false)
    let connector = try rig.setup.createPort(
      name: "connector", of: rig.client,
      handler: MessageHandler(packets: { _, _ in
        let isFirst = isConnected.withLock { isConnected in
          defer { isConnected = true }
          return !isConnected
        }
        if isFirst { try? rig.setup.connect(source, to: late, context: nil) }
      }))
    try rig.setup.connect(source, to: connector, context: nil)
    for key in 1...3 as ClosedRange<UInt8> {
      try rig.received([(0, [0x90, key, 1])], from: source)
    }
    held.open()
    #expect(first.wait(for: 3) && second.wait(for: 2))
    #expect(second.bytes == [[0x90, 2, 1], [0x90, 3, 1]])
    rig.setup.close()
  }

  /// How often the threads that deliver have slept.
  private static var sleepCount: Int {
    let folder = "/proc/self/task"
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return tasks.reduce(0) { sum, task in
      let status = (try? String(contentsOfFile: "\(folder)/\(task)/status", encoding: .utf8)) ?? ""
      guard status.contains("midi-delivery") else { return sum }
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test("a burst of messages wakes the thread once")
  func wakes() async {
    await #expect(processExitsWith: .success) {
      let rig = try Rig()
      let inbox = Inbox()
      let destination = try rig.destination(inbox)
      func sendBursts(_ count: Int) throws {
        for _ in 0..<count {
          for key in 0..<10 as Range<UInt8> {
            try rig.send([(0, [0x90, key, 1])], to: destination)
          }
          usleep(1_000)
        }
      }
      // The first bursts show that there are bursts.
      try sendBursts(10)
      var least = Int.max
      // A busy machine may stop the sender within a burst.
      for _ in 0..<10 {
        let before = Self.sleepCount
        try sendBursts(50)
        least = min(least, Self.sleepCount - before)
      }
      guard inbox.wait(for: 5_100), least < 80 else { fatalError("\(least) for 50 bursts") }
      rig.setup.close()
    }
  }

  @Test("bursts of several senders with pauses between arrive whole, each in its order")
  func bursts() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let threads = (0..<3 as Range<UInt8>).map { sender in
      OwnThread {
        var isSent = true
        for number in 0..<600 as Range<UInt16> {
          let bytes = [0x90 | sender, UInt8(number & 127), UInt8(number >> 7)]
          isSent = isSent && (try? rig.send([(0, bytes)], to: destination)) != nil
          // From none to several of the pauses in which the thread collects messages.
          if number % 7 == 0 { usleep(UInt32(number % 5) * 40) }
        }
        return isSent
      }
    }
    #expect(threads.map { $0.join() } == [true, true, true])
    #expect(inbox.wait(for: 1_800))
    for sender in 0..<3 as Range<UInt8> {
      let own = inbox.bytes.filter { $0[0] & 15 == sender }
      let numbers = own.map { Int($0[1]) | Int($0[2]) << 7 }
      #expect(numbers == Array(0..<600))
    }
    rig.setup.close()
  }
}
