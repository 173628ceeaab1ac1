// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioToolbox

/// Sends MIDI to the unit of an instrument. [any thread]
///
/// A unit accepts MIDI while it is initialised, which is when its engine is prepared or runs. What is
/// sent before is kept until then, except notes, which are over by then.
final class MIDISender: @unchecked Sendable {  // guarded
  private struct Message {
    let status: UInt8
    let data: (UInt8, UInt8)
    let exclusive: [UInt8]
  }

  private let unit: NodeUnit
  private let waiting = Guarded<[Message]>([])
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
    send(Message(status: status, data: (first, second), exclusive: []))
  }

  /// Sends a system exclusive message.
  func send(exclusive bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    send(Message(status: 0xf0, data: (0, 0), exclusive: bytes))
  }

  /// Sends what was kept, in order; keeps it if the unit is still not initialised.
  func flush() {
    let messages = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    for message in messages { sendNow(message) }
  }

  private func send(_ message: Message) {
    // What was kept is older.
    if !waiting.withLock({ $0.isEmpty }) { flush() }
    sendNow(message)
  }

  private func sendNow(_ message: Message) {
    guard deliver(message) == kAudioUnitErr_Uninitialized else { return }
    let isNote = [0x80, 0x90, 0xa0].contains(message.status & 0xf0)
    guard !isNote else { return }
    waiting.withLock {
      // The last values count.
      if $0.count == Self.capacity { $0.removeFirst() }
      $0.append(message)
    }
  }

  private func deliver(_ message: Message) -> OSStatus {
    guard message.exclusive.isEmpty else {
      return MusicDeviceSysEx(unit.handle, message.exclusive, UInt32(message.exclusive.count))
    }
    return MusicDeviceMIDIEvent(
      unit.handle, UInt32(message.status), UInt32(message.data.0), UInt32(message.data.1), 0)
  }
}
