// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import MIDIMessages

/// Turns the MIDI messages that arrive into events of the protocol that a unit has chosen, without the
/// heap. [render thread]
///
/// A unit without a protocol gets bytes: parts of system exclusive messages are collected until the
/// last one has arrived. Other units get event lists, each with one message, or with the parts of one.
struct MIDIEvents: ~Copyable {
  /// An event for the unit.
  struct Next: BitwiseCopyable {
    let type: UInt8
    /// The long event that has the message already; below zero: none.
    var place = -1
    /// The number of bytes or words, and the words, or the bytes in the first word.
    var length: UInt32 = 0
    var words = SIMD4<UInt32>.zero
  }

  /// The number of the protocol; 0: bytes.
  var protocolNumber: Int32 = 0
  /// The banks and parameter numbers that channels have selected; nil if the unit takes no MIDI.
  private let channels: UnsafeMutablePointer<ChannelUpgrade>?
  /// An event that the last message became.
  private var ready: Next?
  /// Or messages that it became, and how many of them have been taken.
  private var converted = ConvertedMessages()
  private var takenCount = 0
  /// The long event in which a system exclusive message is collected, and its bytes so far.
  private var collecting = -1
  private var collectedCount = 0

  /// [control thread] Memory for the channels if the unit takes MIDI.
  init(takesMIDI: Bool) {
    channels = takesMIDI ? .allocate(capacity: ChannelUpgrade.channelCount) : nil
    channels?.initialize(repeating: ChannelUpgrade(), count: ChannelUpgrade.channelCount)
  }

  deinit { channels?.deallocate() }

  /// Forgets what channels have selected, and parts of messages.
  @_noLocks
  mutating func reset(_ memory: borrowing EventMemory) {
    if let channels {
      for index in 0..<ChannelUpgrade.channelCount { channels[index] = ChannelUpgrade() }
    }
    endCollection(memory)
  }

  // MARK: Messages

  /// Takes the next message.
  @_noLocks
  mutating func begin(_ message: EventQueue.Message, _ memory: borrowing EventMemory) {
    ready = nil
    converted = ConvertedMessages()
    takenCount = 0
    let isList = message.type == AURenderEventType.midiEventList.rawValue
    guard message.place < 0 else {
      return isList
        ? beginList(Int(message.place), memory) : beginBytes(message, memory)
    }
    if isList {
      let (first, second, third, fourth) = message.words
      begin(UniversalMessage(words: SIMD4(first, second, third, fourth)), memory)
    } else if protocolNumber == 0 {
      ready = Next(
        type: message.type, length: message.length, words: SIMD4(message.words.0, 0, 0, 0))
    } else {
      beginShort(message)
    }
  }

  /// A short message in bytes becomes one in words.
  @_noLocks
  private mutating func beginShort(_ message: EventQueue.Message) {
    let word = message.words.0
    let first = UInt8(truncatingIfNeeded: word >> 8)
    if message.type == AURenderEventType.midiSysEx.rawValue {
      guard message.length > 1 else { return }
      let count: UInt32 = message.length == 3 && word >> 16 & 0xff == 0xf7 ? 1 : 0
      converted.append(
        .systemExclusive(
          group: 0, place: 0, count: count, count == 0 ? 0 : UInt64(first & 127) << 40))
    } else if let short = ShortMessage(
      UInt8(truncatingIfNeeded: word), first, UInt8(truncatingIfNeeded: word >> 16))
    {
      convert(short.message(group: 0))
    }
  }

  /// A message in words.
  @_noLocks
  private mutating func begin(_ message: UniversalMessage, _ memory: borrowing EventMemory) {
    guard protocolNumber == 0, message.type == 3 else { return convert(message) }
    collect(message, memory)
  }

  @_noLocks
  private mutating func convert(_ message: UniversalMessage) {
    guard protocolNumber == 2 else {
      converted = ProtocolDowngrade.convert(message)
      return
    }
    guard message.type == 2, let channels else { return converted.append(message) }
    converted = channels[ChannelUpgrade.index(of: message)].convert(message)
  }

  /// The next event of the message; nil if there are no more.
  @_noLocks
  mutating func next() -> Next? {
    if let next = ready {
      ready = nil
      return next
    }
    while takenCount < converted.count {
      let message = converted[takenCount]
      takenCount += 1
      if protocolNumber != 0 {
        return Next(
          type: AURenderEventType.midiEventList.rawValue,
          length: UInt32(truncatingIfNeeded: message.wordCount), words: message.words)
      }
      // Bytes have no messages of other types.
      guard let short = ShortMessage(message) else { continue }
      let word = UInt32(short.status) | UInt32(short.first) << 8 | UInt32(short.second) << 16
      return Next(
        type: AURenderEventType.MIDI.rawValue,
        length: UInt32(truncatingIfNeeded: short.length), words: SIMD4(word, 0, 0, 0))
    }
    return nil
  }

  // MARK: System exclusive messages

  /// Bytes in a long event.
  @_noLocks
  private mutating func beginBytes(_ message: EventQueue.Message, _ memory: borrowing EventMemory) {
    let place = Int(message.place)
    guard protocolNumber != 0 else {
      ready = Next(type: message.type, place: place, length: message.length)
      return
    }
    let target = memory.reserveLong()
    if target >= 0 {
      let bytes = UnsafeMutableRawPointer(memory.longEvent(place)) + EventFields.bytes
      if Self.writeParts(
        bytes.assumingMemoryBound(to: UInt8.self), Int(message.length), memory.longEvent(target))
      {
        ready = Next(type: AURenderEventType.midiEventList.rawValue, place: target)
      } else {
        memory.releaseLong(target)
      }
    }
    memory.releaseLong(place)
  }

  /// Writes a system exclusive message into an event list, without its first and last byte; false if it
  /// is none.
  @_noLocks
  private static func writeParts(
    _ bytes: UnsafeMutablePointer<UInt8>, _ length: Int, _ event: EventMemory.Event
  ) -> Bool {
    guard length > 1, bytes[0] == 0xf0 else { return false }
    let end = bytes[length - 1] == 0xf7 ? length - 1 : length
    var list = EventListMemory(event)
    var start = 1
    repeat {
      let count = min(end - start, 6)
      var data: UInt64 = 0
      for index in 0..<count {
        data |= UInt64(bytes[start + index] & 127) << (40 - 8 * UInt64(truncatingIfNeeded: index))
      }
      let isFirst = start == 1
      let isLast = start + count == end
      let place: UInt32 = isFirst ? (isLast ? 0 : 1) : (isLast ? 3 : 2)
      guard
        list.add(
          .systemExclusive(
            group: 0, place: place, count: UInt32(truncatingIfNeeded: count), data))
      else { return false }
      start += count
    } while start < end
    return true
  }

  /// The parts of a message in a long event.
  @_noLocks
  private mutating func beginList(_ place: Int, _ memory: borrowing EventMemory) {
    guard protocolNumber == 0 else {
      ready = Next(type: AURenderEventType.midiEventList.rawValue, place: place)
      return
    }
    let event = UnsafeMutableRawPointer(memory.longEvent(place))
    var packet = event + EventFields.firstPacket
    for _ in 0..<EventFields.word(event, EventFields.packetCount).pointee {
      let count = Int(
        truncatingIfNeeded: EventFields.word(packet, EventFields.wordCount).pointee)
      let words = EventFields.word(packet, EventFields.words)
      var index = 0
      while index < count,
        let message = UniversalMessage(at: UnsafePointer(words + index), count: count - index)
      {
        if message.type == 3 { collect(message, memory) }
        index += message.wordCount
      }
      packet += EventFields.words + count * 4
    }
    memory.releaseLong(place)
  }

  /// Collects a part of a message; the last one makes it an event.
  @_noLocks
  private mutating func collect(_ message: UniversalMessage, _ memory: borrowing EventMemory) {
    let place = message.status
    if place < 2 {
      if collecting < 0 { collecting = memory.reserveLong() }
      guard collecting >= 0 else { return }
      collectedBytes(memory)[0] = 0xf0
      collectedCount = 1
    }
    guard collecting >= 0, place < 4 else { return }
    let count = message.systemExclusiveCount
    guard collectedCount + count < EventQueue.longest else { return endCollection(memory) }
    let bytes = collectedBytes(memory)
    for index in 0..<count {
      bytes[collectedCount + index] = message.systemExclusiveByte(index)
    }
    collectedCount += count
    guard place == 0 || place == 3 else { return }
    bytes[collectedCount] = 0xf7
    ready = Next(
      type: AURenderEventType.midiSysEx.rawValue, place: collecting,
      length: UInt32(truncatingIfNeeded: collectedCount + 1))
    collecting = -1
  }

  @_noLocks
  private borrowing func collectedBytes(
    _ memory: borrowing EventMemory
  ) -> UnsafeMutablePointer<UInt8> {
    (UnsafeMutableRawPointer(memory.longEvent(collecting)) + EventFields.bytes)
      .assumingMemoryBound(to: UInt8.self)
  }

  @_noLocks
  private mutating func endCollection(_ memory: borrowing EventMemory) {
    if collecting >= 0 { memory.releaseLong(collecting) }
    collecting = -1
  }
}

extension MIDIEvents.Next {
  /// [render thread] Writes an event behind its header.
  @_noLocks
  func write(_ event: EventMemory.Event, cable: UInt8, _ protocolNumber: Int32) {
    guard type == AURenderEventType.midiEventList.rawValue else {
      event.pointee.MIDI.length = UInt16(truncatingIfNeeded: length)
      event.pointee.MIDI.cable = cable
      guard place < 0 else { return }
      event.pointee.MIDI.data = (
        UInt8(truncatingIfNeeded: words[0]), UInt8(truncatingIfNeeded: words[0] >> 8),
        UInt8(truncatingIfNeeded: words[0] >> 16)
      )
      return
    }
    let memory = UnsafeMutableRawPointer(event)
    (memory + EventFields.listCable).assumingMemoryBound(to: UInt8.self).pointee = cable
    EventFields.word(memory, EventFields.list).pointee = UInt32(bitPattern: protocolNumber)
    guard place < 0 else { return }
    EventFields.word(memory, EventFields.packetCount).pointee = 1
    let packet = memory + EventFields.firstPacket
    EventFields.beginPacket(packet)
    EventFields.word(packet, EventFields.wordCount).pointee = length
    for index in 0..<Int(truncatingIfNeeded: length) {
      EventFields.word(packet, EventFields.words + index * 4).pointee = words[index]
    }
  }
}
