// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import CCoreMIDI
import MIDIMessages
import SignalProcessing
import Synchronization

/// The memory of events: short ones for the render thread, and long ones that any thread takes.
struct EventMemory: ~Copyable {
  typealias Event = UnsafeMutablePointer<AURenderEvent>

  /// The number of short events.
  static var capacity: Int { @_noLocks get { 1_024 } }
  /// The bytes of a long event: a system exclusive message of 65,535 bytes, in packets.
  static var longSize: Int { @_noLocks get { 98_304 } }
  private static var longCount: Int { @_noLocks get { 8 } }

  private let short: UnsafeMutableRawPointer
  /// The render thread's, in separate memory, so that changing it does not count as changing what other
  /// threads use.
  private let free: UnsafeMutablePointer<Event?> = .cell(nil)
  /// Nil if the unit receives no MIDI.
  private let long: UnsafeMutableRawPointer?
  /// A bit for each long event that is in use.
  private let longInUse = Atomic<UInt32>(0)

  /// [control thread] Memory with long events if the unit takes MIDI.
  init(takesMIDI: Bool) {
    // Those of a unit with MIDI have room for an event list with one message.
    let size = takesMIDI ? EventFields.messageWords + 16 : 40
    // A program may copy a whole event, which is larger, also from the last of them.
    let byteCount = size * Self.capacity + MemoryLayout<AURenderEvent>.size
    short = .allocate(byteCount: byteCount, alignment: 16)
    short.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    for index in (0..<Self.capacity).reversed() {
      let event = (short + index * size).assumingMemoryBound(to: AURenderEvent.self)
      event.pointee.head.next = free.pointee
      free.pointee = event
    }
    // The system provides the pages of so much memory when they are first used.
    long =
      takesMIDI
      ? .allocate(byteCount: Self.longSize * Self.longCount, alignment: 16) : nil
  }

  deinit {
    short.deallocate()
    free.endCell()
    long?.deallocate()
  }

  /// [render thread] An unused short event; nil if there is none.
  @_noLocks
  borrowing func take() -> Event? {
    guard let event = free.pointee else { return nil }
    free.pointee = event.pointee.head.next
    return event
  }

  /// [render thread] Takes back an event of either kind.
  @_noLocks
  borrowing func release(_ event: Event) {
    if let place = place(of: event) {
      releaseLong(place)
    } else {
      event.pointee.head.next = free.pointee
      free.pointee = event
    }
  }

  // MARK: Long events

  /// [any thread] The number of an unused long event; nil if there is none.
  borrowing func takeLong() -> Int? {
    let place = reserveLong()
    return place < 0 ? nil : place
  }

  /// [any thread] The same; -1 if there is none.
  @_noLocks
  borrowing func reserveLong() -> Int {
    guard long != nil else { return -1 }
    var used = longInUse.load(ordering: .relaxed)
    while true {
      let place = (~used).trailingZeroBitCount
      guard place < Self.longCount else { return -1 }
      let (won, seen) = longInUse.compareExchange(
        expected: used, desired: used | 1 << UInt32(place), ordering: .acquiringAndReleasing)
      if won { return place }
      used = seen
    }
  }

  /// [any thread] Takes back a long event.
  @_noLocks
  borrowing func releaseLong(_ place: Int) {
    longInUse.bitwiseAnd(~(1 << UInt32(place)), ordering: .acquiringAndReleasing)
  }

  /// [any thread] The long event with a number that `takeLong` has returned.
  @_noLocks
  borrowing func longEvent(_ place: Int) -> Event {
    (long.unsafelyUnwrapped + place * Self.longSize).assumingMemoryBound(to: AURenderEvent.self)
  }

  /// [render thread] Which of the long events an event is; nil if it is a short one.
  @_noLocks
  borrowing func place(of event: Event) -> Int? {
    guard let long, UnsafeMutableRawPointer(event) >= long,
      UnsafeMutableRawPointer(event) < long + Self.longSize * Self.longCount
    else { return nil }
    return (UnsafeMutableRawPointer(event) - long) / Self.longSize
  }
}

/// Where the fields of events are. An event has less memory than the type declares, so that its MIDI
/// messages must not be assigned as a whole.
enum EventFields {
  /// The bytes of a MIDI message.
  static var bytes: Int { @_noLocks get { 21 } }
  /// The cable of an event list.
  static var listCable: Int { @_noLocks get { 18 } }
  static var list: Int { @_noLocks get { 20 } }
  static var packetCount: Int { @_noLocks get { 24 } }
  static var firstPacket: Int { @_noLocks get { 28 } }
  /// The words of the first packet.
  static var messageWords: Int { @_noLocks get { 40 } }
  /// The number of words, and the words themselves, in a packet.
  static var wordCount: Int { @_noLocks get { 8 } }
  static var words: Int { @_noLocks get { 12 } }

  /// [any thread] A field of four bytes.
  @_noLocks
  static func word(
    _ memory: UnsafeMutableRawPointer, _ offset: Int
  ) -> UnsafeMutablePointer<UInt32> { (memory + offset).assumingMemoryBound(to: UInt32.self) }

  /// [any thread] Begins a packet with the time 0 and no words.
  @_noLocks
  static func beginPacket(_ packet: UnsafeMutableRawPointer) {
    for offset in 0..<3 { word(packet, offset * 4).pointee = 0 }
  }

  /// [any thread] The bytes of a MIDI message, which may continue behind the event.
  static func bytes(of event: UnsafePointer<AURenderEvent>) -> UnsafePointer<UInt8> {
    (UnsafeRawPointer(event) + bytes).assumingMemoryBound(to: UInt8.self)
  }

  /// [any thread] The messages of an event list.
  static func list(of event: UnsafePointer<AURenderEvent>) -> UnsafePointer<MIDIEventList> {
    (UnsafeRawPointer(event) + list).assumingMemoryBound(to: MIDIEventList.self)
  }
}

/// Writes messages into the packets of an event list, behind one another.
struct EventListMemory: BitwiseCopyable {
  private let event: UnsafeMutableRawPointer
  private let end: UnsafeMutableRawPointer
  private var packet: UnsafeMutableRawPointer
  private var wordCount = 0

  /// [any thread] An empty list in the memory of a long event.
  @_noLocks
  init(_ event: EventMemory.Event) {
    self.event = UnsafeMutableRawPointer(event)
    end = self.event + EventMemory.longSize
    packet = self.event + EventFields.firstPacket
    EventFields.word(self.event, EventFields.packetCount).pointee = 1
    EventFields.beginPacket(packet)
  }

  /// [any thread] Adds a message; false if there is no room.
  @_noLocks
  mutating func add(_ message: UniversalMessage) -> Bool {
    if wordCount + message.wordCount > 64 {
      let next = packet + EventFields.words + wordCount * 4
      guard end - next >= EventFields.words + 16 else { return false }
      EventFields.word(event, EventFields.packetCount).pointee += 1
      EventFields.beginPacket(next)
      packet = next
      wordCount = 0
    }
    let words = packet + EventFields.words + wordCount * 4
    guard end - words >= 16 else { return false }
    for index in 0..<message.wordCount {
      EventFields.word(words, index * 4).pointee = message.words[index]
    }
    wordCount += message.wordCount
    EventFields.word(packet, EventFields.wordCount).pointee = UInt32(
      truncatingIfNeeded: wordCount)
    return true
  }
}
