// SPDX-License-Identifier: Apache-2.0
import CAudioBackends
import Foundation
import Synchronization

/// A program with a MIDI input and output, made of libjack alone.
final class JACKMIDIPeer: @unchecked Sendable {  // the server's thread writes, others read later
  let client: JACKTestClient
  private var input: OpaquePointer?
  private var output: OpaquePointer?
  private static let capacity = 4 << 20
  private let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
  private let sizes = UnsafeMutablePointer<Int>.allocate(capacity: 100_000)
  private let byteCount = Atomic(0)
  private let eventCount = Atomic(0)
  /// What is sent next, of which each message has the same size.
  private var outgoing = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private var messageSize = 3
  private let sentCount = Atomic(0)
  private let mayBeSent = Atomic(0)
  /// The frames between messages.
  private var step: UInt32 = 0

  init(_ name: String) throws {
    client = try JACKTestClient(name)
    input = client.port("in", isInput: true, isMIDI: true)
    output = client.port("out", isInput: false, isMIDI: true)
    _ = client.jack.pointee.jack_set_process_callback(
      client.client,
      { frames, context in
        guard let context else { return 0 }
        Unmanaged<JACKMIDIPeer>.fromOpaque(context).takeUnretainedValue().process(frames)
        return 0
      }, Unmanaged.passUnretained(self).toOpaque())
    try client.activate()
  }

  deinit {
    client.close()
    memory.deallocate()
    sizes.deallocate()
    outgoing.deallocate()
  }

  /// Leaves the server.
  func close() { client.close() }

  /// Sends bytes in events of a size, `step` frames apart within a cycle.
  func send(_ bytes: [UInt8], by size: Int = 3, step: UInt32 = 0) {
    mayBeSent.store(0, ordering: .sequentiallyConsistent)
    usleep(50_000)  // until no cycle sends what was there before
    outgoing.deallocate()
    outgoing = .allocate(capacity: bytes.count)
    _ = outgoing.initialize(from: bytes)
    (messageSize, self.step) = (size, step)
    sentCount.store(0, ordering: .sequentiallyConsistent)
    mayBeSent.store(bytes.count, ordering: .sequentiallyConsistent)
  }

  private func process(_ frames: UInt32) {
    let jack = client.jack.pointee
    if let input, let buffer = jack.jack_port_get_buffer(input, frames) {
      for index in 0..<jack.jack_midi_get_event_count(buffer) {
        var event = JACKMIDIEvent()
        let (start, number) = (
          byteCount.load(ordering: .relaxed), eventCount.load(ordering: .relaxed)
        )
        guard jack.jack_midi_event_get(&event, buffer, index) == 0, let bytes = event.buffer,
          start + event.size <= Self.capacity, number < 100_000
        else { continue }
        (memory + start).update(from: bytes, count: event.size)
        sizes[number] = event.size
        byteCount.store(start + event.size, ordering: .releasing)
        eventCount.store(number + 1, ordering: .releasing)
      }
    }
    guard let output, let buffer = jack.jack_port_get_buffer(output, frames) else { return }
    jack.jack_midi_clear_buffer(buffer)
    let end = mayBeSent.load(ordering: .acquiring)
    var sent = sentCount.load(ordering: .relaxed)
    var (frame, used) = (UInt32(0), 0)
    while sent < end, used < 16_000, frame < frames {
      let count = min(messageSize, end - sent)
      guard let start = outgoing.baseAddress,
        let event = jack.jack_midi_event_reserve(buffer, frame, count)
      else { break }
      event.update(from: start + sent, count: count)
      (sent, used, frame) = (sent + count, used + count + 12, frame + step)
    }
    sentCount.store(sent, ordering: .releasing)
  }

  /// The events that arrived.
  var events: [[UInt8]] {
    let count = eventCount.load(ordering: .acquiring)
    var start = 0
    return (0..<count).map { index in
      defer { start += sizes[index] }
      return Array(UnsafeBufferPointer(start: memory + start, count: sizes[index]))
    }
  }

  /// How many there are.
  var count: Int { eventCount.load(ordering: .acquiring) }

  /// The last byte that arrived.
  var lastByte: UInt8? {
    let count = byteCount.load(ordering: .acquiring)
    return count > 0 ? memory[count - 1] : nil
  }
}
