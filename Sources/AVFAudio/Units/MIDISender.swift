// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox
import MIDIMessages

/// Sends MIDI to the unit of an instrument. [any thread]
///
/// A unit accepts MIDI while it is initialised, which is when its engine is prepared or runs. What is
/// sent before is kept until then, except notes, which are over by then.
final class MIDISender: @unchecked Sendable {  // guarded
  private enum Message {
    case short(status: UInt8, UInt8, UInt8)
    case exclusive([UInt8])
    case universal(UniversalMessage, MIDIProtocolID)

    /// Whether it starts, changes or ends a note.
    var isNote: Bool {
      switch self {
      case .short(let status, _, _): (0x80...0xaf).contains(status)
      case .exclusive: false
      case .universal(let message, _):
        [2, 4].contains(message.type) && (8...10).contains(message.status)
      }
    }
  }

  private struct State {
    var waiting: ArraySlice<Message> = []
    /// Whether a thread sends what waits. Meanwhile newer messages wait too, so that they come after it.
    private(set) var isFlushing = false

    var isIdle: Bool { waiting.isEmpty && !isFlushing }

    /// The next message to send; nil at the end.
    mutating func takeNext() -> Message? {
      isFlushing = !waiting.isEmpty
      return waiting.popFirst()
    }

    /// Ends the sending before a message that the unit did not take. Notes are over by the next time.
    mutating func putBack(_ message: Message) {
      waiting.insert(message, at: waiting.startIndex)
      waiting.removeAll(where: \.isNote)
      isFlushing = false
    }
  }

  private let unit: NodeUnit
  private let state = Guarded(State())
  /// More than a program sends to set up sixteen channels.
  private static let capacity = 4_096

  init(_ unit: NodeUnit) { self.unit = unit }

  /// Sends a message of one to three bytes. A channel above 15 and a data byte above 127 do not
  /// exist: such a message is not sent.
  func send(_ kind: UInt8, on channel: UInt8, _ first: UInt8, _ second: UInt8 = 0) {
    guard channel < 16 else { return }
    send(kind | channel, first, second)
  }

  /// Sends a message with a status byte.
  func send(_ status: UInt8, _ first: UInt8, _ second: UInt8) {
    guard status >= 0x80, first < 128, second < 128 else { return }
    send(.short(status: status, first, second))
  }

  /// Sends a system exclusive message.
  func send(exclusive bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    send(.exclusive(bytes))
  }

  /// Sends the messages of a list.
  func send(_ list: UnsafePointer<MIDIEventList>) {
    flush()
    if state.withLock(\.isIdle),
      MusicDeviceMIDIEventList(unit.handle, 0, list) != kAudioUnitErr_Uninitialized
    {
      return
    }
    EventLists.forEach(in: list) { packet in
      UniversalMessage.forEach(in: EventLists.words(of: packet)) {
        keep(.universal($0, list.pointee.protocol))
      }
    }
    flush()
  }

  private func send(_ message: Message) {
    flush()
    if state.withLock(\.isIdle), deliver(message) != kAudioUnitErr_Uninitialized {
      return
    }
    keep(message)
    // The unit may have been initialised meanwhile.
    flush()
  }

  /// Keeps a message, if it is worth sending later.
  private func keep(_ message: Message) {
    state.withLock { state in
      // While others are sent, a note is not too late.
      guard state.isFlushing || !message.isNote else { return }
      // The last values count.
      if state.waiting.count == Self.capacity { state.waiting.removeFirst() }
      state.waiting.append(message)
    }
  }

  /// Sends what was kept, in order; keeps it if the unit is still not initialised. If another thread does
  /// that already, it also sends what is kept now.
  func flush() {
    guard var message = state.withLock({ $0.isFlushing ? nil : $0.takeNext() }) else { return }
    while deliver(message) != kAudioUnitErr_Uninitialized {
      guard let next = state.withLock({ $0.takeNext() }) else { return }
      message = next
    }
    state.withLock { $0.putBack(message) }
  }

  private func deliver(_ message: Message) -> OSStatus {
    switch message {
    case .short(let status, let first, let second):
      MusicDeviceMIDIEvent(unit.handle, UInt32(status), UInt32(first), UInt32(second), 0)
    case .exclusive(let bytes):
      MusicDeviceSysEx(unit.handle, bytes, UInt32(clamping: bytes.count))
    case .universal(let message, let midiProtocol):
      deliver(message, midiProtocol)
    }
  }

  private func deliver(_ message: UniversalMessage, _ midiProtocol: MIDIProtocolID) -> OSStatus {
    var list = MIDIEventList()
    let words = (0..<message.wordCount).map { message.words[$0] }
    return withUnsafeMutablePointer(to: &list) { list in
      let packet = MIDIEventListInit(list, midiProtocol)
      MIDIEventListAdd(list, MemoryLayout<MIDIEventList>.size, packet, 0, words.count, words)
      return MusicDeviceMIDIEventList(unit.handle, 0, list)
    }
  }
}
