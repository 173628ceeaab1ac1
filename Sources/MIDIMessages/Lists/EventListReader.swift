// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// Reads the messages of an event list in order, without the heap: for render threads.
///
/// A packet with more words than allowed ends the list; incomplete words at the end of a packet are
/// left out.
package struct EventListReader {
  /// A message, and the frames until its time.
  package struct Entry: BitwiseCopyable {
    package let message: UniversalMessage
    package let frame: UInt32
  }

  /// The current packet, and how many follow it.
  private var packet: UnsafePointer<MIDIEventPacket>
  private var followingCount: UInt32
  /// Its words: how many there are, and how many were read.
  private var wordCount = 0
  private var readCount = 0

  /// [any thread] Begins with the first message. The list must stay as it is meanwhile.
  @_noLocks
  package init(_ list: UnsafePointer<MIDIEventList>) {
    packet = EventLists.first(list)
    followingCount = list.pointee.numPackets
    if followingCount > 0 { begin(packet) }
  }

  @_noLocks
  private mutating func begin(_ packet: UnsafePointer<MIDIEventPacket>) {
    self.packet = packet
    let words = EventLists.words(of: packet)
    (wordCount, readCount) = (words.count, 0)
    let isWhole = packet.pointee.wordCount == UInt32(truncatingIfNeeded: words.count)
    // After a broken packet there is none.
    if isWhole { followingCount -= 1 } else { (followingCount, wordCount) = (0, 0) }
  }

  /// [any thread] The next message; nil at the end.
  @_noLocks
  package mutating func next() -> Entry? {
    while true {
      let words = EventLists.words(of: packet)
      if let start = words.baseAddress, readCount < wordCount,
        let message = UniversalMessage(at: start + readCount, count: wordCount - readCount)
      {
        readCount += message.wordCount
        return Entry(message: message, frame: EventLists.frames(of: packet))
      }
      guard followingCount > 0 else { return nil }
      begin(EventLists.packet(after: packet, wordCount))
    }
  }
}
