// SPDX-License-Identifier: Apache-2.0

/// Puts messages together from the bytes of a source, which may divide them anywhere.
struct MIDIByteReader {
  /// A longer system exclusive message is left out.
  private static let longest = 1 << 24

  private var message: [UInt8] = []
  /// The status of data bytes that have none of their own.
  private var runningStatus: UInt8?

  /// How many bytes a message has, by its first; nil for a system exclusive message.
  static func length(of status: UInt8) -> Int? {
    switch status {
    case 0x80..<0xC0, 0xE0..<0xF0, 0xF2: 3
    case 0xC0..<0xE0, 0xF1, 0xF3: 2
    case 0xF0: nil
    default: 1
    }
  }

  /// The messages that are complete after these bytes.
  mutating func messages(in bytes: some Sequence<UInt8>) -> [[UInt8]] {
    bytes.compactMap { read($0) }
  }

  private mutating func read(_ byte: UInt8) -> [UInt8]? {
    switch byte {
    case 0xF8...:
      // Real-time messages may be within others.
      return [byte]
    case 0xF7:
      defer { message = [] }
      return message.first == 0xF0 ? message + [byte] : nil
    case 0x80...:
      runningStatus = byte < 0xF0 ? byte : nil
      message = [byte]
    default:
      if message.isEmpty, let runningStatus { message = [runningStatus] }
      guard !message.isEmpty, message.count < Self.longest else {
        message = []
        return nil
      }
      message.append(byte)
    }
    guard let status = message.first, message.count == Self.length(of: status) else { return nil }
    defer { message = [] }
    return message
  }
}
