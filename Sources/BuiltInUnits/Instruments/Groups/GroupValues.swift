// SPDX-License-Identifier: Apache-2.0
import MIDIMessages
import Synchronization

/// What was last set in each group of an instrument, whether by MIDI or by a parameter: its controllers,
/// its pressure, its pitch bend and its output bus. A group is a MIDI channel.
///
/// A sender stores a value before it queues the event, and the render stores it again when it performs
/// the event. So the value that remains is the one that sounds, whichever of several senders was first.
struct GroupValues: BitwiseCopyable, @unchecked Sendable {
  /// The controllers above are messages of channel mode.
  static var controllerCount: Int { @_noLocks get { 120 } }
  /// The pressure of the channel, 0 to 127.
  static var pressure: Int { @_noLocks get { 120 } }
  /// The pitch bend, 0 to 16383.
  static var bend: Int { @_noLocks get { 121 } }
  /// The number of the output bus; the first is used if that does not exist.
  static var bus: Int { @_noLocks get { 122 } }
  private static var count: Int { @_noLocks get { 123 } }

  private let words: UnsafeMutablePointer<Atomic<UInt32>>

  /// [control thread] Initial values.
  init() {
    words = .allocate(capacity: Self.count * SynthRack.channelCount)
    for place in 0..<Self.count * SynthRack.channelCount {
      (words + place).initialize(to: Atomic(UInt32(Self.initial(place % Self.count))))
    }
  }

  /// [control thread] Frees the memory.
  func deallocate() { words.deinitialize(count: Self.count * SynthRack.channelCount).deallocate() }

  /// [any thread] A value of a group.
  @_noLocks
  subscript(group: Int, index: Int) -> Int {
    @_noLocks get { Int(words[Self.count * group + index].load(ordering: .relaxed)) }
    @_noLocks nonmutating set {
      words[Self.count * group + index].store(UInt32(clamping: newValue), ordering: .relaxed)
    }
  }

  /// [any thread] Replaces a value, unless it has been replaced since.
  @_noLocks
  func replace(_ group: Int, _ index: Int, _ old: Int, by new: Int) {
    _ = words[Self.count * group + index].compareExchange(
      expected: UInt32(clamping: old), desired: UInt32(clamping: new), ordering: .relaxed)
  }

  /// [any thread] The value at the beginning.
  @_noLocks
  static func initial(_ index: Int) -> Int {
    switch index {
    case 7: 100
    case 10: 64
    case 11: 127
    case 91: ChannelState.defaultReverb
    case bend: 8_192
    default: 0
    }
  }

  /// [any thread] Which value of its channel an event sets, and to what; nil for other events, and for
  /// the controllers that select banks and enter registered parameters, which are no values.
  @_noLocks
  static func change(by event: NoteEvent) -> (index: Int, value: Int)? {
    switch event.kind {
    case .controller:
      let number = Int(event.first)
      switch number {
      case 0, 6, 32, 38, 96...101, controllerCount...: return nil
      default: return (number, Int(event.second))
      }
    case .pressure: return (pressure, Int(event.first))
    case .bend: return (bend, Int(event.second) << 7 | Int(event.first))
    default: return nil
    }
  }

  /// [any thread] Stores what an event sets.
  @_noLocks
  func record(_ event: NoteEvent) {
    let group = Int(event.channel & 15)
    if let change = Self.change(by: event) {
      self[group, change.index] = change.value
    } else if case .reset = event.kind {
      for group in 0..<SynthRack.channelCount {
        for index in 0..<Self.bus { reset(group, index) }
      }
    } else if case .controller = event.kind, event.first == 121 {
      reset(group, 1)
      reset(group, 11)
      for pedal in 64...67 { reset(group, pedal) }
      reset(group, Self.pressure)
      reset(group, Self.bend)
    }
  }

  @_noLocks
  private func reset(_ group: Int, _ index: Int) { self[group, index] = Self.initial(index) }
}
