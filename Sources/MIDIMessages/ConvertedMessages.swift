// SPDX-License-Identifier: Apache-2.0

/// What one message becomes in another protocol: up to four messages.
package struct ConvertedMessages: BitwiseCopyable, Sendable {
  /// The number of messages.
  package private(set) var count = 0
  private var messages: (UniversalMessage, UniversalMessage, UniversalMessage, UniversalMessage)

  /// [any thread] No messages.
  @_noLocks
  package init() {
    let none = UniversalMessage(0)
    messages = (none, none, none, none)
  }

  /// [any thread] One message.
  @_noLocks
  package init(_ message: UniversalMessage) {
    self.init()
    append(message)
  }

  /// [any thread] Adds a message; more than four are dropped.
  @_noLocks
  package mutating func append(_ message: UniversalMessage) {
    switch count {
    case 0: messages.0 = message
    case 1: messages.1 = message
    case 2: messages.2 = message
    case 3: messages.3 = message
    default: return
    }
    count += 1
  }

  /// [any thread] A message; the first one has the index 0.
  package subscript(index: Int) -> UniversalMessage {
    @_noLocks get {
      switch index {
      case 0: messages.0
      case 1: messages.1
      case 2: messages.2
      default: messages.3
      }
    }
  }
}

extension [UInt32] {
  /// Appends the words of messages.
  package mutating func append(_ messages: ConvertedMessages) {
    for index in 0..<messages.count { append(messages[index]) }
  }
}
