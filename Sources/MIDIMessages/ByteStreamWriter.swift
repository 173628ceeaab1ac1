// SPDX-License-Identifier: Apache-2.0

/// Writes Universal MIDI Packets of types 1, 2 and 3 as bytes of MIDI 1.0. Bytes have no groups, so
/// the messages of all groups become one stream. Other types are left out.
///
/// While a system exclusive message is being written, only real-time messages may come between its
/// parts. Other messages of its group end it. Those of other groups are deferred until its end, and
/// their system exclusive messages are dropped.
package struct ByteStreamWriter {
  /// The group whose system exclusive message is being written.
  private var openGroup: UInt32?
  /// Messages that follow after the end of the system exclusive message.
  private var deferred: [UInt8] = []

  /// The most deferred bytes. Beyond that, the system exclusive message ends early.
  private static let deferredLimit = 4096

  package init() {}

  /// [one thread at a time] Appends the bytes of a message.
  package mutating func write(_ message: UniversalMessage, into bytes: inout [UInt8]) {
    switch message.type {
    case 1: write(system: message, into: &bytes)
    case 2:
      let status = UInt8(truncatingIfNeeded: message.words[0] >> 16)
      guard status >= 0x80, status < 0xf0 else { return }
      let dataCount = (0xc0..<0xe0).contains(status) ? 1 : 2
      append(message, status, dataCount: dataCount, to: &bytes)
    case 3: write(systemExclusive: message, into: &bytes)
    default: break
    }
  }

  private mutating func write(system message: UniversalMessage, into bytes: inout [UInt8]) {
    let status = UInt8(truncatingIfNeeded: message.words[0] >> 16)
    switch status {
    case 0xf1, 0xf3: append(message, status, dataCount: 1, to: &bytes)
    case 0xf2: append(message, status, dataCount: 2, to: &bytes)
    case 0xf6: append(message, status, dataCount: 0, to: &bytes)
    case 0xf8...: bytes.append(status)
    default: break
    }
  }

  private mutating func append(
    _ message: UniversalMessage, _ status: UInt8, dataCount: Int, to bytes: inout [UInt8]
  ) {
    guard let openGroup else {
      return Self.append(message, status, dataCount: dataCount, to: &bytes)
    }
    Self.append(message, status, dataCount: dataCount, to: &deferred)
    if message.group == openGroup || deferred.count > Self.deferredLimit { end(into: &bytes) }
  }

  private static func append(
    _ message: UniversalMessage, _ status: UInt8, dataCount: Int, to bytes: inout [UInt8]
  ) {
    bytes.append(status)
    if dataCount > 0 { bytes.append(UInt8(truncatingIfNeeded: message.first)) }
    if dataCount > 1 { bytes.append(UInt8(truncatingIfNeeded: message.second)) }
  }

  private mutating func write(
    systemExclusive message: UniversalMessage, into bytes: inout [UInt8]
  ) {
    let (place, group) = (message.status, message.group)
    guard place < 4 else { return }
    let begins = place < 2
    if let openGroup {
      guard group == openGroup else { return }
      if begins { end(into: &bytes) }
    } else if !begins {
      return
    }
    if begins {
      bytes.append(0xf0)
      openGroup = group
    }
    bytes += message.systemExclusiveBytes
    if place == 0 || place == 3 { end(into: &bytes) }
  }

  private mutating func end(into bytes: inout [UInt8]) {
    openGroup = nil
    bytes.append(0xf7)
  }

  /// [one thread at a time] Removes the deferred messages whose time has come: call it after each
  /// message.
  package mutating func takeDeferred() -> [UInt8] {
    guard openGroup == nil, !deferred.isEmpty else { return [] }
    defer { deferred.removeAll() }
    return deferred
  }
}
