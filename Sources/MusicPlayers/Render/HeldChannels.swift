// SPDX-License-Identifier: Apache-2.0

/// The channels on which a pedal is down, or notes sound that began without a length. Plain memory.
struct HeldChannels: BitwiseCopyable {
  /// The channels of a target, a bit for each.
  struct Entry: BitwiseCopyable {
    let target: PlayTarget
    var pedals: UInt16 = 0
    var notes: UInt16 = 0

    @_noLocks
    init(_ target: PlayTarget) { self.target = target }
  }

  /// More targets are not observed.
  static var capacity: Int { @_noLocks get { 64 } }

  let entries: UnsafeMutablePointer<Entry>
  private(set) var count = 0

  /// [control thread] Uses memory that its owner frees.
  init(_ entries: UnsafeMutablePointer<Entry>) { self.entries = entries }

  /// Observes a message that a target receives.
  @_noLocks
  mutating func observe(_ status: UInt8, _ data1: UInt8, _ data2: UInt8, to target: PlayTarget) {
    let isPedal = status & 0xf0 == 0xb0 && data1 == 64
    let isNote = status & 0xf0 == 0x90 && data2 > 0
    guard isPedal || isNote else { return }
    var index = 0
    while index < count, !entries[index].target.isSame(as: target) { index += 1 }
    if index == count {
      guard count < Self.capacity else { return }
      entries[index] = Entry(target)
      count += 1
    }
    let channel: UInt16 = 1 &<< UInt16(truncatingIfNeeded: status & 0x0f)
    if isNote {
      entries[index].notes |= channel
    } else if data2 >= 64 {
      entries[index].pedals |= channel
    } else {
      entries[index].pedals &= ~channel
    }
  }

  /// Forgets all.
  @_noLocks
  mutating func removeAll() { count = 0 }
}
