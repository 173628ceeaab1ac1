// SPDX-License-Identifier: Apache-2.0
import CCoreMIDI

/// An event list with one message, without the heap: for render threads.
package enum SingleMessageList {
  /// [any thread] Calls `body` with a list of one message.
  package static func with<Result>(
    _ message: UniversalMessage, _ protocolID: MIDIProtocolID,
    _ body: (UnsafePointer<MIDIEventList>) -> Result
  ) -> Result {
    var list = MIDIEventList()
    fill(&list, with: message, protocolID)
    return withUnsafePointer(to: list, body)
  }

  /// [any thread] Makes a list of one message in memory of the caller.
  @_noLocks
  package static func fill(
    _ list: UnsafeMutablePointer<MIDIEventList>, with message: UniversalMessage,
    _ protocolID: MIDIProtocolID
  ) {
    list.pointee.protocol = protocolID
    list.pointee.numPackets = 1
    list.pointee.packet.timeStamp = 0
    list.pointee.packet.wordCount = UInt32(truncatingIfNeeded: message.wordCount)
    list.pointee.packet.words.0 = message.words[0]
    list.pointee.packet.words.1 = message.words[1]
    list.pointee.packet.words.2 = message.words[2]
    list.pointee.packet.words.3 = message.words[3]
  }
}
