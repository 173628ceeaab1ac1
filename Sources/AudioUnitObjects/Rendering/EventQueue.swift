// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
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
  private struct Message: BitwiseCopyable {
    var time: AUEventSampleTime
    var type: UInt8
    /// The frames of a ramp, or the bytes of a MIDI message.
    var length: UInt32
    var address: AUParameterAddress = 0
    var value: AUValue = 0
    var cable: UInt8 = 0
    var data: (UInt8, UInt8, UInt8) = (0, 0, 0)
    /// Which of `long` it is in; below zero: none.
    var place: Int32 = -1
    /// How often events had been dropped before it was written.
    var drops: Int
  }

  /// `AUEventSampleTimeImmediate`, without a call.
  private static var immediate: AUEventSampleTime { @_noLocks get { -4_294_967_296 } }

  static var capacity: Int { @_noLocks get { 1_024 } }
  /// The longest message, in bytes.
  static var longest: Int { @_noLocks get { 0xFFFF } }
  private static var longCount: Int { @_noLocks get { 8 } }
  /// The bytes of an event with the longest message.
  private static var longSize: Int { @_noLocks get { 65_600 } }

  private let messages = MessageQueue<Message>(capacity: Self.capacity)
  private let nodes: Event
  private var free: Event?
  private var waiting: Event?
  /// The memory of long messages; nil if the unit receives none.
  private let long: UnsafeMutableRawPointer?
  /// A bit for each long message that is in use.
  private let longInUse = Atomic<UInt32>(0)
  /// How often a control thread has dropped events, and how often the render thread has.
  private let drops = Atomic<Int>(0)
  private var obeyedDrops = 0

  /// [control thread] An empty queue, with memory for long messages if the unit takes MIDI.
  init(takesMIDI: Bool) {
    nodes = .allocate(capacity: Self.capacity)
    nodes.initialize(repeating: AURenderEvent(), count: Self.capacity)
    for index in 0..<Self.capacity - 1 { nodes[index].head.next = nodes + index + 1 }
    free = nodes
    // The system provides the pages of so much memory when they are first used.
    long =
      takesMIDI
      ? .allocate(byteCount: Self.longSize * Self.longCount, alignment: 16) : nil
  }

  deinit {
    nodes.deallocate()
    long?.deallocate()
  }

  // MARK: Writers

  /// [any thread] Adds a change of a parameter; false if there is no room.
  borrowing func push(
    _ time: AUEventSampleTime, ramp: AUAudioFrameCount, _ address: AUParameterAddress,
    _ value: AUValue
  ) -> Bool {
    let type = ramp == 0 ? AURenderEventType.parameter : .parameterRamp
    return messages.push(
      Message(
        time: time, type: type.rawValue, length: ramp, address: address, value: value,
        drops: drops.load(ordering: .acquiring)))
  }

  /// [any thread] Adds a MIDI message; false if there is no room, or if its length is not from 1 to
  /// 65,535 bytes.
  borrowing func push(
    _ time: AUEventSampleTime, cable: UInt8, _ bytes: UnsafePointer<UInt8>, _ length: Int
  ) -> Bool {
    guard (1...Self.longest).contains(length) else { return false }
    let type = bytes[0] == 0xF0 || length > 3 ? AURenderEventType.midiSysEx : .MIDI
    var message = Message(
      time: time, type: type.rawValue, length: UInt32(length), cable: cable,
      drops: drops.load(ordering: .acquiring))
    guard length > 3 else {
      message.data = (bytes[0], length > 1 ? bytes[1] : 0, length > 2 ? bytes[2] : 0)
      return messages.push(message)
    }
    guard let place = takeLong() else { return false }
    UnsafeMutableRawPointer(longEvent(place)).advanced(by: Self.dataOffset)
      .copyMemory(from: bytes, byteCount: length)
    message.place = Int32(place)
    guard messages.push(message) else {
      releaseLong(place)
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
        pushShort(time, cable: cable, (byte, 0, 0), 1)
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
        pushShort(time, cable: cable, message, count)
        count = 0
      }
    }
  }

  private borrowing func pushShort(
    _ time: AUEventSampleTime, cable: UInt8, _ data: (UInt8, UInt8, UInt8), _ length: Int
  ) {
    var message = Message(
      time: time, type: AURenderEventType.MIDI.rawValue, length: UInt32(length), cable: cable,
      drops: drops.load(ordering: .acquiring))
    message.data = data
    _ = messages.push(message)
  }

  /// The bytes of a MIDI message with a status, other than a system exclusive one.
  static func length(status: UInt8) -> Int {
    switch status {
    case 0xC0...0xDF, 0xF1, 0xF3: 2
    case 0xF4...: 1
    default: 3
    }
  }

  /// [any thread] Drops the events that wait, as the next render begins. Later ones stay.
  borrowing func drop() { drops.wrappingAdd(1, ordering: .acquiringAndReleasing) }

  /// Where the bytes of a message begin.
  private static var dataOffset: Int { @_noLocks get { 21 } }

  /// The bytes of a MIDI message, which may continue behind the event.
  static func bytes(of event: UnsafePointer<AURenderEvent>) -> UnsafePointer<UInt8> {
    (UnsafeRawPointer(event) + dataOffset).assumingMemoryBound(to: UInt8.self)
  }

  // MARK: Long messages

  @_noLocks
  private borrowing func longEvent(_ place: Int) -> Event {
    // Only called for a place that `takeLong` returned.
    (long.unsafelyUnwrapped + place * Self.longSize).assumingMemoryBound(to: AURenderEvent.self)
  }

  /// Which of the long messages an event is; nil if it is a short one.
  @_noLocks
  private borrowing func place(of event: Event) -> Int? {
    guard let long, UnsafeMutableRawPointer(event) >= long,
      UnsafeMutableRawPointer(event) < long + Self.longSize * Self.longCount
    else { return nil }
    return (UnsafeMutableRawPointer(event) - long) / Self.longSize
  }

  private borrowing func takeLong() -> Int? {
    guard long != nil else { return nil }
    var used = longInUse.load(ordering: .relaxed)
    while true {
      let place = (~used).trailingZeroBitCount
      guard place < Self.longCount else { return nil }
      let (won, seen) = longInUse.compareExchange(
        expected: used, desired: used | 1 << UInt32(place), ordering: .acquiringAndReleasing)
      if won { return place }
      used = seen
    }
  }

  @_noLocks
  private borrowing func releaseLong(_ place: Int) {
    longInUse.bitwiseAnd(~(1 << UInt32(place)), ordering: .acquiringAndReleasing)
  }

  // MARK: The reader

  /// [render thread] The events of the frames from `start` on, those that are late at `start`; nil
  /// if there are none. They must be given back.
  @_noLocks
  mutating func take(from start: AUEventSampleTime, frames: AUAudioFrameCount) -> Event? {
    receive(at: start)
    let end = start &+ AUEventSampleTime(frames)
    guard let first = waiting, first.pointee.head.eventSampleTime < end else { return nil }
    var last = first
    while true {
      last.pointee.head.eventSampleTime = max(last.pointee.head.eventSampleTime, start)
      guard let next = last.pointee.head.next, next.pointee.head.eventSampleTime < end else {
        break
      }
      last = next
    }
    waiting = last.pointee.head.next
    last.pointee.head.next = nil
    return first
  }

  /// [render thread] Takes back the events that `take` returned.
  @_noLocks
  mutating func giveBack(_ events: Event?) {
    var event = events
    while let given = event {
      event = given.pointee.head.next
      if let place = place(of: given) {
        releaseLong(place)
      } else {
        given.pointee.head.next = free
        free = given
      }
    }
  }

  /// Sorts what has arrived into the list; events at the same time stay in their order.
  @_noLocks
  private mutating func receive(at start: AUEventSampleTime) {
    obeyDrops()
    while let message = messages.pop() {
      // Not earlier, so that the message cannot be younger than what is obeyed.
      obeyDrops()
      let frames = message.time &- Self.immediate
      let isRelative = frames >= 0 && frames < 4_096
      let time = isRelative ? start &+ frames : message.time
      guard message.drops == obeyedDrops else {
        if message.place >= 0 { releaseLong(Int(message.place)) }
        continue
      }
      let event: Event
      if message.place >= 0 {
        event = longEvent(Int(message.place))
      } else {
        guard let node = takeNode(for: time) else { continue }
        event = node
        event.pointee.MIDI.data = message.data
      }
      fill(event, message)
      event.pointee.head.eventSampleTime = time
      insert(event)
    }
  }

  /// Drops the waiting events, if a control thread has asked for that since the last time.
  @_noLocks
  private mutating func obeyDrops() {
    let now = drops.load(ordering: .acquiring)
    guard now != obeyedDrops else { return }
    obeyedDrops = now
    giveBack(waiting)
    waiting = nil
  }

  /// The memory for an event at a time: unused memory, or that of the last event of those that wait
  /// for a later time; nil if there is none.
  @_noLocks
  private mutating func takeNode(for time: AUEventSampleTime) -> Event? {
    if let node = free {
      free = node.pointee.head.next
      return node
    }
    var beforeLatest: Event?
    var latest: Event?
    var before: Event?
    var event = waiting
    while let next = event {
      if place(of: next) == nil {
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
      waiting = latest.pointee.head.next
    }
    return latest
  }

  /// Writes everything but the time and the bytes of a message.
  @_noLocks
  private borrowing func fill(_ event: Event, _ message: Message) {
    let isMIDI = message.type >= AURenderEventType.MIDI.rawValue
    event.pointee.head.reserved = 0
    event.pointee.head.eventType = AURenderEventType(rawValue: message.type) ?? .parameter
    if isMIDI {
      event.pointee.MIDI.length = UInt16(truncatingIfNeeded: message.length)
      event.pointee.MIDI.cable = message.cable
    } else {
      event.pointee.parameter.reserved = (0, 0, 0)
      event.pointee.parameter.rampDurationSampleFrames = message.length
      event.pointee.parameter.parameterAddress = message.address
      event.pointee.parameter.value = message.value
    }
  }

  @_noLocks
  private mutating func insert(_ event: Event) {
    let time = event.pointee.head.eventSampleTime
    guard let first = waiting, first.pointee.head.eventSampleTime <= time else {
      event.pointee.head.next = waiting
      waiting = event
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
