// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import CCoreMIDI
import MIDIMessages
import SignalProcessing
import Synchronization

/// The events for the renders of a unit: written by any thread, and passed to each render in the
/// order of time.
///
/// All memory is allocated with the queue. The render thread sorts what has arrived into a list of
/// its own, and cuts off the part for its frames. If that list is full, the event furthest in the
/// future is dropped, so that others still arrive.
struct EventQueue: ~Copyable {
  typealias Event = UnsafeMutablePointer<AURenderEvent>

  /// An event on its way.
  struct Message: BitwiseCopyable {
    var time: AUEventSampleTime
    /// How often events had been dropped before it was written.
    var drops: Int
    /// The frames of a ramp, or the bytes of a MIDI message, or the words of a Universal MIDI Packet.
    var length: UInt32
    /// Which of the long events it is in; below zero: none.
    var place: Int32 = -1
    /// The address and the value of a parameter, or the bytes or words of a short MIDI message.
    var words: (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    var type: UInt8
    var cable: UInt8 = 0
  }

  /// `AUEventSampleTimeImmediate`, without a call.
  private static var immediate: AUEventSampleTime { @_noLocks get { -4_294_967_296 } }

  static var capacity: Int { @_noLocks get { EventMemory.capacity } }
  /// The longest message, in bytes.
  static var longest: Int { @_noLocks get { 0xFFFF } }

  /// What only the render thread uses.
  private struct Reader: ~Copyable {
    var midi: MIDIEvents
    var waiting: Event?
    /// How often it has dropped events.
    var obeyedDrops = 0
  }

  private let messages = MessageQueue<Message>(capacity: Self.capacity)
  private let memory: EventMemory
  /// In separate memory, so that changing it does not count as changing what other threads use.
  private let reader: UnsafeMutablePointer<Reader>
  /// How often a control thread has dropped events.
  private let drops = Atomic<Int>(0)
  /// The number of the protocol in which the unit gets MIDI; 0: bytes.
  private let protocolNumber = Atomic<Int32>(0)

  /// [control thread] An empty queue, with memory for long messages if the unit takes MIDI.
  init(takesMIDI: Bool) {
    memory = EventMemory(takesMIDI: takesMIDI)
    reader = .cell(Reader(midi: MIDIEvents(takesMIDI: takesMIDI)))
  }

  deinit { reader.endCell() }

  /// [control thread] Sets the protocol in which the unit gets MIDI messages; one that does not exist
  /// is bytes.
  borrowing func setProtocol(_ protocolID: MIDIProtocolID) {
    let isKnown = protocolID == ._1_0 || protocolID == ._2_0
    protocolNumber.store(isKnown ? protocolID.rawValue : 0, ordering: .releasing)
  }

  /// [any thread] Drops the events that wait, as the next render begins. Later ones stay.
  borrowing func drop() { drops.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  // MARK: Writers

  private borrowing func message(
    _ time: AUEventSampleTime, _ type: AURenderEventType, length: UInt32, cable: UInt8 = 0
  ) -> Message {
    Message(
      time: time, drops: drops.load(ordering: .acquiring), length: length, type: type.rawValue,
      cable: cable)
  }

  /// [any thread] Adds a change of a parameter; false if there is no room.
  borrowing func push(
    _ time: AUEventSampleTime, ramp: AUAudioFrameCount, _ address: AUParameterAddress,
    _ value: AUValue
  ) -> Bool {
    var message = message(time, ramp == 0 ? .parameter : .parameterRamp, length: ramp)
    message.words = (
      UInt32(truncatingIfNeeded: address), UInt32(truncatingIfNeeded: address >> 32),
      value.bitPattern, 0
    )
    return messages.push(message)
  }

  /// [any thread] Adds a MIDI message; false if there is no room, or if its length is not from 1 to
  /// 65,535 bytes.
  borrowing func push(
    _ time: AUEventSampleTime, cable: UInt8, _ bytes: UnsafePointer<UInt8>, _ length: Int
  ) -> Bool {
    guard (1...Self.longest).contains(length) else { return false }
    guard length > 3 else {
      return pushShort(
        time, cable: cable, (bytes[0], length > 1 ? bytes[1] : 0, length > 2 ? bytes[2] : 0), length
      )
    }
    guard let place = memory.takeLong() else { return false }
    UnsafeMutableRawPointer(memory.longEvent(place)).advanced(by: EventFields.bytes)
      .copyMemory(from: bytes, byteCount: length)
    return push(message(time, .midiSysEx, length: UInt32(length), cable: cable), in: place)
  }

  /// Adds what has been written into a long event.
  private borrowing func push(_ message: Message, in place: Int) -> Bool {
    var message = message
    message.place = Int32(place)
    guard messages.push(message) else {
      memory.releaseLong(place)
      return false
    }
    return true
  }

  /// [any thread] Adds each of the MIDI messages in some bytes, as far as there is room: one
  /// system exclusive message, or others, between whose bytes real-time messages may be. Bytes that
  /// belong to no whole message are ignored.
  borrowing func pushEach(
    _ time: AUEventSampleTime, cable: UInt8, _ bytes: UnsafePointer<UInt8>, _ length: Int
  ) {
    guard length > 0 else { return }
    guard bytes[0] != 0xF0 else {
      _ = push(time, cable: cable, bytes, length)
      return
    }
    var message = (0, 0, 0) as (UInt8, UInt8, UInt8)
    var (count, needed) = (0, 0)
    for index in 0..<length {
      let byte = bytes[index]
      if byte >= 0xF8 {
        _ = pushShort(time, cable: cable, (byte, 0, 0), 1)
        continue
      }
      if byte >= 0x80 {
        message = (byte, 0, 0)
        // A system exclusive message must be the only one.
        (count, needed) = (1, byte == 0xF0 || byte == 0xF7 ? 0 : Self.length(status: byte))
      } else if count == 1 {
        message.1 = byte
        count = 2
      } else if count == 2 {
        message.2 = byte
        count = 3
      } else {
        continue
      }
      if count == needed {
        _ = pushShort(time, cable: cable, message, count)
        count = 0
      }
    }
  }

  private borrowing func pushShort(
    _ time: AUEventSampleTime, cable: UInt8, _ data: (UInt8, UInt8, UInt8), _ length: Int
  ) -> Bool {
    var message = message(
      time, data.0 == 0xF0 ? .midiSysEx : .MIDI, length: UInt32(length), cable: cable)
    message.words.0 = UInt32(data.0) | UInt32(data.1) << 8 | UInt32(data.2) << 16
    return messages.push(message)
  }

  /// The bytes of a MIDI message with a status, other than a system exclusive one.
  static func length(status: UInt8) -> Int {
    switch status {
    case 0xC0...0xDF, 0xF1, 0xF3: 2
    case 0xF4...: 1
    default: 3
    }
  }

  // MARK: Writers of event lists

  /// [any thread] Adds the messages of an event list, each packet so many frames after `time` as its
  /// time says; false if there is no room for all.
  borrowing func push(
    _ time: AUEventSampleTime, cable: UInt8, _ list: UnsafePointer<MIDIEventList>
  ) -> Bool {
    var hasRoom = true
    // The parts of a system exclusive message, which become one event.
    var exclusive: (list: EventListMemory, place: Int, time: AUEventSampleTime)?
    var isDropping = false
    var packet = EventLists.first(list)
    for _ in 0..<list.pointee.numPackets {
      guard packet.pointee.wordCount <= EventLists.wordLimit else { break }
      let time = time.later(by: EventLists.frames(of: packet))
      let words = EventLists.words(of: packet)
      var index = 0
      while let start = words.baseAddress,
        let message = UniversalMessage(at: start + index, count: words.count - index)
      {
        index += message.wordCount
        let isPart = (message.type == 3 || message.type == 5) && (1..<4).contains(message.status)
        if !isPart {
          // Real-time messages may come between the parts.
          if !message.isRealTime, let ended = exclusive {
            hasRoom = end(ended, cable) && hasRoom
            exclusive = nil
          }
          hasRoom = push(time, cable: cable, message) && hasRoom
          continue
        }
        if message.status == 1 { isDropping = false }
        if let ended = exclusive, ended.time != time || message.status == 1 {
          hasRoom = end(ended, cable) && hasRoom
          exclusive = nil
        }
        if isDropping { continue }
        if exclusive == nil, let place = memory.takeLong() {
          exclusive = (EventListMemory(memory.longEvent(place)), place, time)
        }
        if exclusive?.list.add(message) != true {
          exclusive.map { memory.releaseLong($0.place) }
          exclusive = nil
          (isDropping, hasRoom) = (true, false)
        }
      }
      packet = UnsafePointer(MIDIEventPacketNext(packet))
    }
    if let ended = exclusive { hasRoom = end(ended, cable) && hasRoom }
    return hasRoom
  }

  private borrowing func end(
    _ exclusive: (list: EventListMemory, place: Int, time: AUEventSampleTime), _ cable: UInt8
  ) -> Bool {
    push(message(exclusive.time, .midiEventList, length: 0, cable: cable), in: exclusive.place)
  }

  private borrowing func push(
    _ time: AUEventSampleTime, cable: UInt8, _ message: UniversalMessage
  ) -> Bool {
    var event = self.message(
      time, .midiEventList, length: UInt32(message.wordCount), cable: cable)
    event.words = (message.words[0], message.words[1], message.words[2], message.words[3])
    return messages.push(event)
  }

  // MARK: The reader

  /// [render thread] The events of the frames from `start` on, those that are late at `start`; nil
  /// if there are none. They must be given back.
  @_noLocks
  borrowing func take(from start: AUEventSampleTime, frames: AUAudioFrameCount) -> Event? {
    receive(at: start)
    let end = start &+ AUEventSampleTime(frames)
    guard let first = reader.pointee.waiting, first.pointee.head.eventSampleTime < end else {
      return nil
    }
    var last = first
    while true {
      last.pointee.head.eventSampleTime = max(last.pointee.head.eventSampleTime, start)
      guard let next = last.pointee.head.next, next.pointee.head.eventSampleTime < end else {
        break
      }
      last = next
    }
    reader.pointee.waiting = last.pointee.head.next
    last.pointee.head.next = nil
    return first
  }

  /// [render thread] Takes back the events that `take` returned.
  @_noLocks
  borrowing func giveBack(_ events: Event?) {
    var event = events
    while let given = event {
      event = given.pointee.head.next
      memory.release(given)
    }
  }

  /// Sorts what has arrived into the list; events at the same time stay in their order.
  @_noLocks
  private borrowing func receive(at start: AUEventSampleTime) {
    obeyDrops()
    reader.pointee.midi.protocolNumber = protocolNumber.load(ordering: .acquiring)
    while var message = messages.pop() {
      // Not earlier, so that the message cannot be younger than what is obeyed.
      obeyDrops()
      let frames = message.time &- Self.immediate
      if frames >= 0, frames < 4_096 { message.time = start &+ frames }
      guard message.drops == reader.pointee.obeyedDrops else {
        if message.place >= 0 { memory.releaseLong(Int(message.place)) }
        continue
      }
      guard message.type >= AURenderEventType.MIDI.rawValue else {
        addParameter(message)
        continue
      }
      // A message may become several events.
      reader.pointee.midi.begin(message, memory)
      while let next = reader.pointee.midi.next() { add(next, message) }
    }
  }

  @_noLocks
  private borrowing func addParameter(_ message: Message) {
    guard let event = takeEvent(for: message.time) else { return }
    begin(event, message.type, message.time)
    event.pointee.parameter.reserved = (0, 0, 0)
    event.pointee.parameter.rampDurationSampleFrames = message.length
    event.pointee.parameter.parameterAddress =
      AUParameterAddress(message.words.0) | AUParameterAddress(message.words.1) << 32
    event.pointee.parameter.value = AUValue(bitPattern: message.words.2)
    insert(event)
  }

  @_noLocks
  private borrowing func add(_ next: MIDIEvents.Next, _ message: Message) {
    let event: Event
    if next.place >= 0 {
      event = memory.longEvent(next.place)
    } else {
      guard let short = takeEvent(for: message.time) else { return }
      event = short
    }
    begin(event, next.type, message.time)
    next.write(event, cable: message.cable, reader.pointee.midi.protocolNumber)
    insert(event)
  }

  @_noLocks
  private borrowing func begin(_ event: Event, _ type: UInt8, _ time: AUEventSampleTime) {
    event.pointee.head.reserved = 0
    event.pointee.head.eventType = AURenderEventType(rawValue: type) ?? .parameter
    event.pointee.head.eventSampleTime = time
  }

  /// Drops the waiting events, if a control thread has asked for that since the last time.
  @_noLocks
  private borrowing func obeyDrops() {
    let now = drops.load(ordering: .acquiring)
    guard now != reader.pointee.obeyedDrops else { return }
    reader.pointee.obeyedDrops = now
    giveBack(reader.pointee.waiting)
    reader.pointee.waiting = nil
    reader.pointee.midi.reset(memory)
  }

  /// The memory for an event at a time: unused memory, or that of the last event of those that wait
  /// for a later time; nil if there is none.
  @_noLocks
  private borrowing func takeEvent(for time: AUEventSampleTime) -> Event? {
    if let event = memory.take() { return event }
    var beforeLatest: Event?
    var latest: Event?
    var before: Event?
    var event = reader.pointee.waiting
    while let next = event {
      if memory.place(of: next) == nil {
        beforeLatest = before
        latest = next
      }
      before = next
      event = next.pointee.head.next
    }
    guard let latest, latest.pointee.head.eventSampleTime > time else { return nil }
    if let beforeLatest {
      beforeLatest.pointee.head.next = latest.pointee.head.next
    } else {
      reader.pointee.waiting = latest.pointee.head.next
    }
    return latest
  }

  @_noLocks
  private borrowing func insert(_ event: Event) {
    let time = event.pointee.head.eventSampleTime
    guard let first = reader.pointee.waiting, first.pointee.head.eventSampleTime <= time else {
      event.pointee.head.next = reader.pointee.waiting
      reader.pointee.waiting = event
      return
    }
    var before = first
    while let next = before.pointee.head.next, next.pointee.head.eventSampleTime <= time {
      before = next
    }
    event.pointee.head.next = before.pointee.head.next
    before.pointee.head.next = event
  }
}
