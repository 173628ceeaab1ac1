// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
import SignalProcessing
import Synchronization

/// The events for the renders of a unit: written by any thread, and passed to each render in the
/// order of time.
///
/// All memory is allocated with the queue. The render thread sorts what has arrived into a list of
/// its own, and cuts off the part for its frames.
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
      Message(time: time, type: type.rawValue, length: ramp, address: address, value: value))
  }

  /// [any thread] Adds a MIDI message; false if there is no room, or if its length is not from 1 to
  /// 65,535 bytes.
  borrowing func push(
    _ time: AUEventSampleTime, cable: UInt8, _ bytes: UnsafePointer<UInt8>, _ length: Int
  ) -> Bool {
    guard (1...Self.longest).contains(length) else { return false }
    let type = bytes[0] == 0xF0 || length > 3 ? AURenderEventType.midiSysEx : .MIDI
    var message = Message(time: time, type: type.rawValue, length: UInt32(length), cable: cable)
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

  /// [any thread] Drops the events that wait, as the next render begins. Later ones stay.
  borrowing func drop() { _ = messages.push(Message(time: 0, type: Self.dropping, length: 0)) }

  /// The type of a message that drops the events before it.
  private static var dropping: UInt8 { @_noLocks get { 0 } }

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
      if let long, UnsafeMutableRawPointer(given) >= long,
        UnsafeMutableRawPointer(given) < long + Self.longSize * Self.longCount
      {
        releaseLong((UnsafeMutableRawPointer(given) - long) / Self.longSize)
      } else {
        given.pointee.head.next = free
        free = given
      }
    }
  }

  /// Sorts what has arrived into the list; events at the same time stay in their order.
  @_noLocks
  private mutating func receive(at start: AUEventSampleTime) {
    // Each waiting event has a node, so a full list leaves messages in the queue.
    while let node = free, let message = messages.pop() {
      guard message.type != Self.dropping else {
        giveBack(waiting)
        waiting = nil
        continue
      }
      let event: Event
      if message.place >= 0 {
        event = longEvent(Int(message.place))
      } else {
        free = node.pointee.head.next
        event = node
        event.pointee.MIDI.data = message.data
      }
      fill(event, message)
      let frames = message.time &- Self.immediate
      let isRelative = frames >= 0 && frames < 4_096
      event.pointee.head.eventSampleTime = isRelative ? start &+ frames : message.time
      insert(event)
    }
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
