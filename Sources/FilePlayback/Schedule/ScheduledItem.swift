// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing
import Synchronization

/// A slice on its way through a player: a program's, or a piece of a file.
///
/// Plain memory, which belongs to whoever has its address: the control side until it is scheduled, then
/// the render thread, then whoever takes it back.
struct ScheduledItem {
  typealias Address = UnsafeMutablePointer<ScheduledItem>

  /// What it is.
  enum Kind: UInt8 {
    /// A slice of a program.
    case slice
    /// A piece of a file.
    case piece
    /// The time of the start, and no sound.
    case start
  }

  /// When it is to be heard.
  enum Timing: UInt8 {
    /// At `position`.
    case position
    /// When the item that was scheduled before it ends.
    case following
    /// At `hostTime`, until that is known as a position.
    case hostTime
  }

  /// What ends with it: the item itself, its table of channels and, of a piece, the samples.
  let owner: OwnedMemory
  let kind: Kind
  /// How often the schedule had been reset when it was made.
  var epoch: UInt32 = 0
  var timing = Timing.following
  /// In frames from the start of the player; `Int.max` while nobody knows.
  var position = Int.max
  var hostTime: UInt64 = 0
  var frameCount = 0
  /// Where each channel lies.
  let channels: UnsafeMutablePointer<UnsafePointer<Float>>
  let channelCount: Int
  var wishes = AUScheduledAudioSliceFlags()
  /// When time 0 is; of a start.
  var start = AudioTimeStamp()
  /// The program's slice, which is told what becomes of it, its completion function and its data.
  var slice: UnsafeMutablePointer<ScheduledAudioSlice>?
  var completion: ScheduledAudioSliceCompletionProc?
  var userData: UnsafeMutableRawPointer?
  /// Of a piece: the region that it belongs to, where that begins if it is known, and how many frames
  /// there is room for.
  var region = 0
  var regionBegin: Int?
  var capacity = 0

  // The render thread's, and then a link of whoever takes it back.
  var next: Address?
  /// How many were scheduled before it.
  var serial = 0
  var hasBegun = false

  private init(_ kind: Kind, channels count: Int, in memory: OwnedMemory) {
    self.kind = kind
    owner = memory
    channels = memory.room(count, for: UnsafePointer<Float>.self)
    channelCount = count
  }

  /// [control thread]
  static func allocate(_ kind: Kind, channels count: Int) -> Address {
    let owner = OwnedMemory()
    return owner.cell(Self(kind, channels: count, in: owner))
  }

  /// [control thread] Frees an item; the samples of a slice are the program's.
  static func deallocate(_ item: Address) { item.pointee.owner.deallocate() }

  var loops: Bool { @_noLocks get { has(.scheduledAudioSliceFlag_Loop) } }
  var interrupts: Bool { @_noLocks get { has(.scheduledAudioSliceFlag_Interrupt) } }
  var interruptsAtLoop: Bool { @_noLocks get { has(.scheduledAudioSliceFlag_InterruptAtLoop) } }

  @_noLocks
  private func has(_ flag: AUScheduledAudioSliceFlags) -> Bool {
    wishes.rawValue & flag.rawValue != 0
  }

  /// What is ahead of what: a region that began earlier is heard to its end.
  var rank: Int { @_noLocks get { regionBegin ?? position } }

  /// [render thread] Whether it comes before another.
  @_noLocks
  func isAhead(of other: Self) -> Bool {
    if rank != other.rank { return rank < other.rank }
    return position == other.position ? serial < other.serial : position < other.position
  }

  /// The frame after its last.
  var end: Int {
    @_noLocks get { position == .max || loops ? .max : position + frameCount }
  }

  /// [render thread] Raises flags of the program's slice: what becomes of it.
  @_noLocks
  func raise(_ flags: AUScheduledAudioSliceFlags) {
    guard let slice else { return }
    let place = UnsafeMutableRawPointer(slice) + 80  // mFlags
    place.assumingMemoryBound(to: Atomic<UInt32>.self).pointee
      .bitwiseOr(flags.rawValue, ordering: .releasing)
  }
}

/// Items that one side leaves for another: any number of either, without a lock.
struct ItemHandoff: ~Copyable {
  private let newest = Atomic<UInt>(0)

  /// [any thread] Leaves an item.
  @_noLocks
  borrowing func leave(_ item: ScheduledItem.Address) {
    var seen = newest.load(ordering: .relaxed)
    while true {
      item.pointee.next = ScheduledItem.Address(bitPattern: seen)
      let (isLeft, now) = newest.compareExchange(
        expected: seen, desired: UInt(bitPattern: item), ordering: .releasing)
      if isLeft { return }
      seen = now
    }
  }

  /// Whether there is none.
  var isEmpty: Bool { @_noLocks get { newest.load(ordering: .relaxed) == 0 } }

  /// [any thread] Takes all items: the oldest, which leads to the others.
  @_noLocks
  borrowing func takeAll() -> ScheduledItem.Address? {
    guard !isEmpty else { return nil }
    var rest = ScheduledItem.Address(bitPattern: newest.exchange(0, ordering: .acquiring))
    var oldest: ScheduledItem.Address?
    while let item = rest {
      rest = item.pointee.next
      item.pointee.next = oldest
      oldest = item
    }
    return oldest
  }
}
