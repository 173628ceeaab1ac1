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
    list.protocol = protocolID
    list.numPackets = 1
    list.packet.wordCount = UInt32(truncatingIfNeeded: message.wordCount)
    (list.packet.words.0, list.packet.words.1) = (message.words[0], message.words[1])
    (list.packet.words.2, list.packet.words.3) = (message.words[2], message.words[3])
    return withUnsafePointer(to: list, body)
  }
}
