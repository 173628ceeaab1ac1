// SPDX-License-Identifier: Apache-2.0

/// Divides bytes into messages, as back ends send them: one voice or system message, or a system
/// exclusive message, whole or in parts of limited size. Real-time bytes come at once, also between
/// the parts.
struct MessageSplitter {
  private let limit: Int
  /// The message that is not complete yet.
  private var message: [UInt8] = []
  private var isSystemExclusive = false

  /// `limit` is the most bytes of a part.
  init(limit: Int) { self.limit = limit }

  /// [one thread at a time] Reads bytes; calls `emit` with each message.
  mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ emit: ([UInt8]) -> Void) {
    var rest = bytes[...]
    while let byte = rest.first {
      if isSystemExclusive, byte < 0x80 {
        let end = rest.firstIndex { $0 >= 0x80 } ?? rest.endIndex
        add(systemExclusive: rest[..<end], emit)
        rest = rest[end...]
        continue
      }
      rest = rest.dropFirst()
      switch byte {
      case 0xf8...: emit([byte])
      case 0xf7: if isSystemExclusive { end(with: byte, emit) }
      case 0x80...: begin(byte, emit)
      default: add(data: byte, emit)
      }
    }
  }

  private mutating func begin(_ status: UInt8, _ emit: ([UInt8]) -> Void) {
    // Any status ends a system exclusive message.
    if isSystemExclusive { end(with: 0xf7, emit) }
    message = [status]
    isSystemExclusive = status == 0xf0
    emitIfComplete(emit)
  }

  private mutating func add(data byte: UInt8, _ emit: ([UInt8]) -> Void) {
    guard !message.isEmpty else { return }
    message.append(byte)
    emitIfComplete(emit)
  }

  private mutating func add(
    systemExclusive data: Slice<UnsafeBufferPointer<UInt8>>, _ emit: ([UInt8]) -> Void
  ) {
    var rest = data
    while !rest.isEmpty {
      // A full part waits for one more byte, so that the last one is not empty.
      if message.count == limit {
        emit(message)
        message = []
      }
      let part = rest.prefix(limit - message.count)
      message += part
      rest = rest.dropFirst(part.count)
    }
  }

  private mutating func end(with byte: UInt8, _ emit: ([UInt8]) -> Void) {
    isSystemExclusive = false
    add(last: byte, emit)
    message = []
  }

  private mutating func add(last byte: UInt8, _ emit: ([UInt8]) -> Void) {
    if message.count == limit {
      emit(message)
      message = []
    }
    emit(message + [byte])
  }

  private mutating func emitIfComplete(_ emit: ([UInt8]) -> Void) {
    guard !isSystemExclusive, let status = message.first,
      message.count == 1 + Self.dataCount(of: status)
    else { return }
    emit(message)
    // Running status: more data begins another message.
    message = status < 0xf0 ? [status] : []
  }

  private static func dataCount(of status: UInt8) -> Int {
    switch status {
    case 0xc0..<0xe0, 0xf1, 0xf3: 1
    case 0xf4...: 0
    default: 2
    }
  }
}
