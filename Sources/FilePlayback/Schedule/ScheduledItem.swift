// SPDX-License-Identifier: Apache-2.0
import CAudioToolbox
import SignalProcessing
import Synchronization

/// A scheduled slice of a program, or a piece of a file.
///
/// Plain memory. It belongs to control threads until it is scheduled, then to the render thread,
/// then to the thread that collects it.
struct ScheduledItem {
  typealias Address = UnsafeMutablePointer<ScheduledItem>

  /// The content of an item.
  enum Kind: UInt8 {
    /// A slice of a program.
    case slice
    /// A piece of a file.
    case piece
    /// The time of the player's start, without sound.
    case start
  }

  /// When an item plays.
  enum Timing: UInt8 {
    /// At `position`.
    case position
    /// When the previously scheduled item ends.
    case following
    /// At `hostTime`, until its position is known.
    case hostTime
  }

  /// The link of `Handoff`, and of the list of the render thread.
  var next: Address?
  /// The memory of the item itself, its table of channels and, for a piece, the samples.
  let owner: OwnedMemory
  let kind: Kind
  /// The number of times the schedule had been cancelled when the item was scheduled.
  var epoch: UInt32 = 0
  var timing = Timing.following
  /// In frames from the start of the player; `Int.max` while it is unknown.
  var position = Int.max
  var hostTime: UInt64 = 0
  var frameCount = 0
  /// The samples of each channel.
  let channels: UnsafeMutablePointer<UnsafePointer<Float>>
  let channelCount: Int
  /// The flags that the program has set in its slice.
  var requestedFlags = AUScheduledAudioSliceFlags()
  /// For a start: the time of position 0.
  var start = AudioTimeStamp()
  /// The program's slice, whose flags report progress, and its completion function with its data.
  var slice: UnsafeMutablePointer<ScheduledAudioSlice>?
  var completion: ScheduledAudioSliceCompletionProc?
  var userData: UnsafeMutableRawPointer?
  /// For a piece: the number of its region, the region's position if known, and the capacity in
  /// frames.
  var region = 0
  var regionStart: Int?
  var capacity = 0

  // Used by the render thread.
  /// The number of items that were scheduled before it.
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

  /// [control thread] Frees an item; the samples of a slice belong to the program.
  static func deallocate(_ item: Address) { item.pointee.owner.deallocate() }

  var isFollowing: Bool { @_noLocks get { if case .following = timing { true } else { false } } }
  var loops: Bool { @_noLocks get { has(.scheduledAudioSliceFlag_Loop) } }
  var interrupts: Bool { @_noLocks get { has(.scheduledAudioSliceFlag_Interrupt) } }
  var interruptsAtLoop: Bool { @_noLocks get { has(.scheduledAudioSliceFlag_InterruptAtLoop) } }

  @_noLocks
  private func has(_ flag: AUScheduledAudioSliceFlags) -> Bool {
    requestedFlags.rawValue & flag.rawValue != 0
  }

  /// The key of the play order: a region that began earlier plays to its end.
  var rank: Int { @_noLocks get { regionStart ?? position } }

  /// [render thread] Whether the item plays before another.
  @_noLocks
  func isAhead(of other: Self) -> Bool {
    if rank != other.rank { return rank < other.rank }
    return position == other.position ? serial < other.serial : position < other.position
  }

  /// The frame after its last.
  var end: Int {
    @_noLocks get { position == .max || loops ? .max : position + frameCount }
  }

  /// [render thread] Sets flags of the program's slice to report progress.
  @_noLocks
  func setFlags(_ flags: AUScheduledAudioSliceFlags) {
    guard let slice else { return }
    let place = UnsafeMutableRawPointer(slice) + 80  // mFlags
    place.assumingMemoryBound(to: Atomic<UInt32>.self).pointee
      .bitwiseOr(flags.rawValue, ordering: .releasing)
  }
}

/// A lock-free list of items for any number of producers and consumers.
struct ItemHandoff: ~Copyable {
  private let list = Handoff()

  /// [any thread] Adds an item.
  @_noLocks
  borrowing func push(_ item: ScheduledItem.Address) { list.push(item) }

  /// Whether there are no items.
  var isEmpty: Bool { @_noLocks get { list.isEmpty } }

  /// [any thread] Removes all items; returns the oldest, which links to the others.
  @_noLocks
  borrowing func popAll() -> ScheduledItem.Address? {
    list.popAll()?.assumingMemoryBound(to: ScheduledItem.self)
  }
}
