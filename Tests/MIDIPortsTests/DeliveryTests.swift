// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioTestSupport
import CCoreMIDI
import MIDIMessages
import MIDIPorts
import Testing

@Suite("Delivery of MIDI messages")
struct DeliveryTests {
  @Test("reaches a virtual destination, in order, with the time of sending")
  func destination() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let begin = hostTime()
    for key in 0..<100 as Range<UInt8> { try rig.send([(0, [0x90, key, 1])], to: destination) }
    #expect(inbox.wait(for: 100))
    #expect(inbox.bytes == (0..<100).map { [0x90, UInt8($0), 1] })
    #expect(inbox.packets.allSatisfy { $0.time >= begin && $0.time <= $0.arrival })
    rig.setup.close()
  }

  @Test("passes what a virtual source sends to each port once, with its times and context")
  func source() throws {
    let rig = try Rig()
    let source = try rig.setup.createSource(name: "source", of: rig.client, format: .bytes)
    let (first, second) = (Inbox(), Inbox())
    let port = try rig.input(first, from: source, context: 1)
    try rig.input(second, from: source, context: 2)
    try rig.setup.connect(source, to: port, context: UnsafeMutableRawPointer(bitPattern: 3))
    try rig.received([(0, [0xf8]), (.max, [0xfa])], from: source)
    #expect(first.wait(for: 2) && second.wait(for: 2))
    #expect(first.packets.map(\.time) == [0, .max], "sources do not schedule")
    #expect(first.packets.map(\.context) == [3, 3], "the second connection counts")
    #expect(second.packets.map(\.context) == [2, 2])
    try rig.setup.disconnect(source, from: port)
    try rig.received([(1, [0xfc])], from: source)
    #expect(second.wait(for: 3))
    #expect(first.packets.count == 2)
    #expect(
      refusal { try rig.setup.disconnect(source, from: port) } == AudioError.invalidArgument.status)
    rig.setup.close()
  }

  @Test("holds messages back until their time, and then keeps the order of their times")
  func schedule() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let start = hostTime() + 30_000_000
    try rig.send([(start + 20_000_000, [0xfb])], to: destination)
    try rig.send([(1, [0xf8]), (start, [0xfa]), (start, [0xfe])], to: destination)
    try rig.send([(start + 10_000_000, [0xfc])], to: destination)
    #expect(inbox.wait(for: 5))
    #expect(inbox.bytes == [[0xf8], [0xfa], [0xfe], [0xfc], [0xfb]])
    #expect(inbox.packets.allSatisfy { $0.arrival >= $0.time })
    rig.setup.close()
  }

  @Test("holds messages back in a list that is not in the order of its times")
  func disorder() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let start = hostTime() + 20_000_000
    try rig.send([(start + 10_000_000, [0xfb]), (start, [0xfa]), (1, [0xf8])], to: destination)
    #expect(inbox.wait(for: 3))
    #expect(inbox.bytes == [[0xf8], [0xfa], [0xfb]])
    #expect(inbox.packets.allSatisfy { $0.arrival >= $0.time })
    rig.setup.close()
  }

  @Test("passes what is due before what is sent after that")
  func dueFirst() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let gate = Gate()
    let busy = try rig.setup.createDestination(
      name: "busy", of: rig.client, handler: gate.handler)
    try rig.send([(0, [0xf8])], to: busy)
    #expect(wait { gate.isInside })
    let time = hostTime() + 10_000_000
    try rig.send([(time, [0x90, 60, 100])], to: destination)
    #expect(wait { hostTime() > time })
    try rig.send([(0, [0x80, 60, 0])], to: destination)
    gate.open()
    #expect(inbox.wait(for: 2))
    #expect(inbox.bytes == [[0x90, 60, 100], [0x80, 60, 0]])
    rig.setup.close()
  }

  @Test("does not drop what is sent at once when it is flushed")
  func flushedAtOnce() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let gate = Gate()
    let busy = try rig.setup.createDestination(
      name: "busy", of: rig.client, handler: gate.handler)
    try rig.send([(0, [0xf8])], to: busy)
    #expect(wait { gate.isInside })
    try rig.send([(0, [0xb0, 123, 0])], to: destination)
    try rig.setup.flush(destination)
    gate.open()
    #expect(inbox.wait(for: 1))
    rig.setup.close()
  }

  @Test("gives an owner who schedules messages itself all of them at once")
  func ahead() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    try rig.setup.setProperty("scheduleAheadMuSec", of: destination, to: .integer(1000))
    try rig.send([(0, [0xf8]), (.max, [0xfa])], to: destination)
    #expect(inbox.wait(for: 2))
    #expect(inbox.packets.last?.time == .max)
    rig.setup.close()
  }

  @Test("drops what is scheduled when it is flushed, for one destination or all")
  func flush() throws {
    let rig = try Rig()
    let (first, second) = (Inbox(), Inbox())
    let destinations = (try rig.destination(first), try rig.destination(second, name: "other"))
    let later = hostTime() + 60_000_000
    try rig.send([(later, [0xfa])], to: destinations.0)
    try rig.send([(later, [0xfb])], to: destinations.1)
    try rig.setup.flush(destinations.0)
    #expect(second.wait(for: 1))
    try rig.send([(hostTime() + 3_600_000_000_000, [0xfa])], to: destinations.0)
    try rig.setup.flush(0)
    try rig.send([(0, [0xf8])], to: destinations.0)
    #expect(first.wait(for: 1))
    #expect(first.bytes == [[0xf8]])
    rig.setup.close()
  }

  @Test("keeps the bytes between two ends that use bytes, and converts for the others")
  func formats() throws {
    let rig = try Rig()
    let (bytes, events1, events2) = (Inbox(), Inbox(), Inbox())
    let source = try rig.setup.createSource(name: "source", of: rig.client, format: .bytes)
    try rig.input(bytes, from: source)
    for (inbox, protocolID) in [(events1, MIDIProtocolID._1_0), (events2, ._2_0)] {
      let port = try rig.setup.createPort(
        name: "in", of: rig.client, handler: inbox.handler(protocolID))
      try rig.setup.connect(source, to: port, context: nil)
    }
    try rig.received([(7, [0x90, 60, 0])], from: source)
    #expect(bytes.wait(for: 1) && events1.wait(for: 1) && events2.wait(for: 1))
    #expect(bytes.bytes == [[0x90, 60, 0]])
    #expect(events1.words == [[0x2090_3c00]])
    #expect(events2.words == [[0x4080_3c00, 0x8000_0000]])
    #expect(events2.packets.map(\.time) == [7])
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    try rig.send([0x4090_3c00, 0xffff_0000], .events2, to: destination)
    #expect(inbox.wait(for: 1))
    #expect(inbox.bytes == [[0x90, 60, 127]])
    rig.setup.close()
  }

  @Test("returns from the source of the bus what is sent to its destination")
  func bus() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let source = try #require(rig.setup.refs(in: .sources).first)
    let destination = try #require(rig.setup.refs(in: .destinations).first)
    try rig.input(inbox, from: source)
    try rig.send([(0, [0x90, 60, 100])], to: destination)
    #expect(inbox.wait(for: 1))
    #expect(inbox.bytes == [[0x90, 60, 100]])
    rig.setup.close()
  }

  @Test("loses none of a burst of 5,000 messages")
  func burst() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    for number in 0..<5000 {
      try rig.send([(0, [0x90, UInt8(number & 127), UInt8(number >> 7 & 127)])], to: destination)
    }
    #expect(inbox.wait(for: 5000))
    #expect(
      inbox.bytes.enumerated().allSatisfy { number, bytes in
        bytes == [0x90, UInt8(number & 127), UInt8(number >> 7 & 127)]
      })
    rig.setup.close()
  }

  @Test("tells a sender that there is no room, and has room again later")
  func limit() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let bytes = [0xf0] + [UInt8](repeating: 1, count: 65_000)
    var refused: OSStatus?
    for _ in 0..<2000 where refused == nil {
      refused = refusal { try rig.send([(.max, bytes)], to: destination) }
    }
    #expect(refused == kMIDIMessageSendErr)
    try rig.setup.flush(destination)
    try rig.send([(0, [0xf8])], to: destination)
    #expect(inbox.wait(for: 1))
    rig.setup.close()
  }

  @Test("counts the memory of short messages, which take more than their bytes")
  func shortMessages() throws {
    let rig = try Rig()
    let destination = try rig.destination(Inbox())
    var writer = MessageListWriter(.bytes)
    for index in 0..<10_000 as Range<UInt64> {
      ([0xf8] as [UInt8]).withUnsafeBufferPointer {
        writer.add($0, at: UInt64.max - 10_000 + index)
      }
    }
    let list = writer.list()
    defer { withExtendedLifetime(list) {} }
    var sentCount = 0
    let refused = refusal {
      for _ in 0..<40 {
        try rig.setup.send(list.packets, to: destination, from: rig.port)
        sentCount += 10_000
      }
    }
    #expect(refused == kMIDIMessageSendErr)
    #expect(sentCount < (64 << 20) / 256, "each takes more than 256 bytes")
    try rig.setup.flush(destination)
    rig.setup.close()
  }

  @Test("delivers a megabyte of a system exclusive message whole, in order and in parts")
  func systemExclusive() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    let message = [0xf0] + (0..<1_000_000).map { UInt8($0 * 7 & 127) } + [0xf7]
    let isDone = Guarded(false)
    try message.withUnsafeBufferPointer { bytes in
      let start = try #require(bytes.baseAddress)
      let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
      defer { request.deallocate() }
      request.initialize(
        to: MIDISysexSendRequest(
          destination: destination, data: start, bytesToSend: UInt32(bytes.count),
          complete: true, reserved: (0, 0, 0), completionProc: nil, completionRefCon: nil))
      try rig.setup.sendSysEx(request) { isDone.withLock { $0 = true } }
      #expect(wait { isDone.withLock { $0 } })
      #expect(request.pointee.complete && request.pointee.bytesToSend == 0)
      #expect(request.pointee.data == start + bytes.count)
    }
    #expect(inbox.bytes.flatMap(\.self) == message)
    rig.setup.close()
  }

  @Test("holds notes of others back until a system exclusive message of a request has ended")
  func heldNotes() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    try rig.setup.setProperty("maxSysExSpeed", of: destination, to: .integer(100_000))
    let message = [0xf0] + [UInt8](repeating: 1, count: 5000) + [0xf7]
    let isDone = Guarded(false)
    try message.withUnsafeBufferPointer { bytes in
      let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
      defer { request.deallocate() }
      request.initialize(
        to: MIDISysexSendRequest(
          destination: destination, data: try #require(bytes.baseAddress),
          bytesToSend: UInt32(bytes.count), complete: false, reserved: (0, 0, 0),
          completionProc: nil, completionRefCon: nil))
      try rig.setup.sendSysEx(request) { isDone.withLock { $0 = true } }
      #expect(inbox.wait(for: 1))
      try rig.send([(0, [0x90, 60, 100])], to: destination)
      try rig.send([(0, [0xf8])], to: destination)
      #expect(wait { isDone.withLock { $0 } })
    }
    #expect(wait { inbox.bytes.contains([0xf8]) && inbox.bytes.contains([0x90, 60, 100]) })
    let others: [[UInt8]] = inbox.bytes.filter { $0 != [0xf8] }
    #expect(others.dropLast().flatMap(\.self) == message)
    #expect(others.last == [0x90, 60, 100])
    rig.setup.close()
  }

  @Test("ends a system exclusive request that the program cancels")
  func cancel() throws {
    let rig = try Rig()
    let inbox = Inbox()
    let destination = try rig.destination(inbox)
    try rig.setup.setProperty("maxSysExSpeed", of: destination, to: .integer(1000))
    let data = [0xf0] + [UInt8](repeating: 1, count: 100_000)
    let isDone = Guarded(false)
    try data.withUnsafeBufferPointer { bytes in
      let request = UnsafeMutablePointer<MIDISysexSendRequest>.allocate(capacity: 1)
      defer { request.deallocate() }
      request.initialize(
        to: MIDISysexSendRequest(
          destination: destination, data: try #require(bytes.baseAddress),
          bytesToSend: UInt32(bytes.count), complete: false, reserved: (0, 0, 0),
          completionProc: nil, completionRefCon: nil))
      try rig.setup.sendSysEx(request) { isDone.withLock { $0 = true } }
      #expect(inbox.wait(for: 1))
      request.pointee.complete = true
      #expect(wait { isDone.withLock { $0 } })
      #expect(request.pointee.bytesToSend > 0)
    }
    #expect(inbox.bytes.last == [0xf7], "the message ends where it was cancelled")
    rig.setup.close()
  }
}
