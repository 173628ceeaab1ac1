// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CCoreMIDI
import MIDIMessages

/// The messages of an event list, as bytes for a unit that accepts no event lists.
package enum EventListBytes {
  /// The longest system exclusive message, with its first and last byte; a longer one is left out, as
  /// is one that continues in another list. The memory is on the stack, because any thread sends.
  private static let longest = 1_024

  /// [any thread] Sends each message; throws the first refusal, when all have been sent. Those that the
  /// unit takes as they are, by `takes`, are not converted.
  package static func send(
    _ list: UnsafePointer<MIDIEventList>, offset: UInt32, to unit: UnitInstance,
    takes: (_ message: UniversalMessage, _ frame: UInt32) throws(AudioError) -> Bool = {
      (_, _) throws(AudioError) in false
    }
  ) throws(AudioError) {
    var refusal: AudioError?
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { memory in
      var exclusive = ExclusiveMessage(memory: memory)
      EventLists.forEach(in: list) { packet in
        let frame = offset &+ EventLists.frames(of: packet)
        UniversalMessage.forEach(in: EventLists.words(of: packet)) { message in
          do throws(AudioError) {
            if message.type == 3 {
              if let bytes = exclusive.add(message) { try unit.receiveMIDIMessage(bytes) }
            } else if try !takes(message, frame) {
              try send(message, at: frame, to: unit)
            }
          } catch { refusal = refusal ?? error }
        }
      }
    }
    if let refusal { throw refusal }
  }

  private static func send(
    _ message: UniversalMessage, at frame: UInt32, to unit: UnitInstance
  ) throws(AudioError) {
    let converted = ProtocolDowngrade.convert(message)
    for index in 0..<converted.count {
      guard let short = ShortMessage(converted[index]) else { continue }
      try unit.receiveMIDIEvent(
        UInt32(short.status), UInt32(short.first), UInt32(short.second), offset: frame)
    }
  }
}

/// A system exclusive message whose parts arrive one by one.
private struct ExclusiveMessage {
  let memory: UnsafeMutableBufferPointer<UInt8>
  /// The bytes so far; 0 while there is no message.
  private var count = 0

  init(memory: UnsafeMutableBufferPointer<UInt8>) { self.memory = memory }

  /// Adds a part; returns the message with the last part.
  mutating func add(_ message: UniversalMessage) -> UnsafeBufferPointer<UInt8>? {
    let place = message.status
    if place < 2 {
      memory[0] = 0xf0
      count = 1
    }
    guard place < 4, count > 0, count + message.systemExclusiveCount < memory.count else {
      count = 0
      return nil
    }
    for index in 0..<message.systemExclusiveCount {
      memory[count] = message.systemExclusiveByte(index)
      count += 1
    }
    guard place == 0 || place == 3 else { return nil }
    memory[count] = 0xf7
    defer { count = 0 }
    return UnsafeBufferPointer(rebasing: memory[...count])
  }
}
