// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import SignalProcessing
import Synchronization

/// The frames of a stream on their way from the reading thread to the render thread.
///
/// The ring has frames that do not change any more. If the rate is converted, the last frames depend
/// on what follows: the reader offers them as a tail, as they are if nothing follows, until it knows
/// better. The render thread takes the tail when it needs those frames and has no others.
struct StreamRing: ~Copyable {
  let ring: Ring<Float>
  /// The address of the tail that the reader offers; zero if there is none.
  private let offered = Atomic<UInt>(0)
  /// Tails that the render thread has had.
  private let returned = Handoff()
  /// The parts that were added, until the reader has read from them.
  let newParts = Atomic(0)
  /// The parts that have ended: nobody plays more of their frames.
  let endedParts = Atomic(0)
  /// [render thread] The number of frames that were played.
  private(set) var played = 0
  /// [render thread] The tail that it has taken.
  private var tail: StreamTail.Address?

  init(_ ring: consuming Ring<Float>) { self.ring = ring }

  deinit {
    let offer = StreamTail.Address(bitPattern: offered.load(ordering: .acquiring))
    if let offer { StreamTail.deallocate(offer) }
    if let tail { StreamTail.deallocate(tail) }
    takeReturned { StreamTail.deallocate($0) }
  }

  // MARK: The reading thread

  /// [reading thread] Offers a tail instead of the last one; returns that one, if the render thread
  /// has not taken it.
  borrowing func offer(_ tail: StreamTail.Address) -> StreamTail.Address? {
    StreamTail.Address(
      bitPattern: offered.exchange(UInt(bitPattern: tail), ordering: .acquiringAndReleasing))
  }

  /// [reading thread] Takes back the tails that the render thread has had.
  borrowing func takeReturned(_ body: (StreamTail.Address) -> Void) {
    var rest = returned.popAll()
    while let item = rest {
      let tail = item.assumingMemoryBound(to: StreamTail.self)
      rest = tail.pointee.next
      body(tail)
    }
  }

  // MARK: The render thread

  /// [render thread] The number of frames of the ring that can be played next.
  @_noLocks
  mutating func readyCount() -> Int {
    let written = ring.written
    // Frames that the tail has replaced are not played any more.
    if ring.read < min(played, written) { ring.release(upTo: min(played, written)) }
    return max(written &- played, 0)
  }

  /// [render thread] Whether there are no frames to be played.
  var needsReader: Bool {
    @_noLocks get { ring.written <= played && offered.load(ordering: .acquiring) == 0 }
  }

  /// [render thread] The number of frames of the tail that can be played next.
  @_noLocks
  mutating func tailCount() -> Int {
    if let tail, tail.pointee.count(from: played) > 0 { return tail.pointee.count(from: played) }
    guard offered.load(ordering: .relaxed) != 0 else { return 0 }
    if let tail { returned.push(tail) }
    tail = StreamTail.Address(bitPattern: offered.exchange(0, ordering: .acquiring))
    return tail?.pointee.count(from: played) ?? 0
  }

  /// [render thread] Copies a channel of the next frames: of the ring, or of the tail.
  @_noLocks
  func copy(channel: Int, to target: UnsafeMutablePointer<Float>, count: Int, fromTail: Bool) {
    guard fromTail else { return ring.copy(channel: channel, to: target, count: count) }
    guard let tail else { return }
    let offset = played &- tail.pointee.range.lowerBound
    Samples.copy(tail.pointee.channels[channel] + offset, to: target, count: count)
  }

  /// [render thread] Moves on by frames that were played.
  @_noLocks
  mutating func advance(by count: Int) {
    played &+= count
    let end = min(played, ring.written)
    if ring.read < end { ring.release(upTo: end) }
  }
}
