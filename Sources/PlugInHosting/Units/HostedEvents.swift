// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing

/// A MIDI message for a plug-in.
struct HostedEvent: BitwiseCopyable {
  /// The most bytes of a message.
  static var longest: Int { @_noLocks get { 32 } }

  /// The frame within the render.
  var frame: Int
  var count: Int
  var bytes: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// [any thread] A message of at most `longest` bytes.
  @_noLocks
  init(_ message: UnsafeBufferPointer<UInt8>, at frame: UInt32) {
    self.frame = Int(frame)
    count = message.count
    withUnsafeMutableBytes(of: &bytes) { memory in
      for index in 0..<message.count { memory[index] = message[index] }
    }
  }
}

/// The messages that wait for their frame, in their order.
struct HostedEvents: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 1_024 } }

  private let events: UnsafeMutablePointer<HostedEvent>
  private var count = 0
  /// Frames of the current render that have been passed.
  private var end = 0

  /// [control thread] No messages, in `memory`.
  init(in memory: OwnedMemory) {
    let none = HostedEvent(UnsafeBufferPointer(start: nil, count: 0), at: 0)
    events = memory.array(1_024, of: none)
  }

  /// [render thread] Drops all.
  @_noLocks
  mutating func removeAll() { (count, end) = (0, 0) }

  /// [render thread] The first slice of a render begins: its frames are counted anew, and what was sent
  /// since the last render is added.
  @_noLocks
  mutating func beginRender(_ queue: borrowing MessageQueue<HostedEvent>) {
    for index in 0..<count { events[index].frame = max(0, events[index].frame - end) }
    end = 0
    while count < Self.capacity, let event = queue.pop() {
      var index = count
      while index > 0, events[index - 1].frame > event.frame {
        events[index] = events[index - 1]
        index -= 1
      }
      events[index] = event
      count += 1
    }
  }

  /// [render thread] The messages of a slice that ends before this frame; remove them afterwards.
  @_noLocks
  mutating func due(before frame: Int) -> (events: UnsafeMutablePointer<HostedEvent>, count: Int) {
    end = frame
    var due = 0
    while due < count, events[due].frame < frame { due += 1 }
    return (events, due)
  }

  /// [render thread] Removes the first messages.
  @_noLocks
  mutating func removeFirst(_ number: Int) {
    guard number > 0 else { return }
    for index in number..<max(count, number) { events[index - number] = events[index] }
    count -= number
  }
}

/// The messages that a plug-in has sent during a render, in memory of its unit.
struct HostedOutbox: BitwiseCopyable {
  private static var capacity: Int { @_noLocks get { 1_024 } }

  private let events: UnsafeMutablePointer<HostedEvent>
  private(set) var count = 0

  /// [control thread] No messages, in `memory`.
  init(in memory: OwnedMemory) {
    let none = HostedEvent(UnsafeBufferPointer(start: nil, count: 0), at: 0)
    events = memory.array(1_024, of: none)
  }

  /// [render thread] Forgets all messages.
  @_noLocks
  mutating func removeAll() { count = 0 }

  /// [render thread] Adds a message at a frame of the render, if there is room and it is not too long.
  @_noLocks
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, at frame: Int) {
    guard count < Self.capacity, bytes.count <= HostedEvent.longest else { return }
    events[count] = HostedEvent(bytes, at: UInt32(truncatingIfNeeded: frame))
    count += 1
  }

  /// [render thread] A message.
  subscript(index: Int) -> UnsafeMutablePointer<HostedEvent> { @_noLocks get { events + index } }
}

/// The parameters whose values a plug-in has changed during a slice, in memory of its unit.
struct HostedChanges: BitwiseCopyable {
  private let isChanged: UnsafeMutablePointer<Bool>
  private(set) var isEmpty = true

  /// [control thread] None of so many parameters, in `memory`.
  init(count: Int, in memory: OwnedMemory) { isChanged = memory.array(max(count, 1), of: false) }

  /// [render thread] Adds a parameter of the plug-in.
  @_noLocks
  mutating func add(_ index: Int) {
    isChanged[index] = true
    isEmpty = false
  }

  /// [render thread] Removes a parameter; returns whether it was there.
  @_noLocks
  mutating func remove(_ index: Int) -> Bool {
    defer { isChanged[index] = false }
    return isChanged[index]
  }

  /// [render thread] All have been removed.
  @_noLocks
  mutating func end() { isEmpty = true }
}
