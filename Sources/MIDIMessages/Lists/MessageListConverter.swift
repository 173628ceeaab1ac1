// SPDX-License-Identifier: Apache-2.0

/// Converts the lists of one stream of messages to one format. It remembers messages that continue
/// in the next list.
package struct MessageListConverter {
  private let format: MessageFormat
  private var parser = ByteStreamParser()
  private var writer = ByteStreamWriter()
  private var upgrade = ProtocolUpgrade()

  /// A converter to a format.
  package init(to format: MessageFormat) { self.format = format }

  /// [one thread at a time] A list in the format; the same list if it has that format already and no
  /// channel messages of another protocol, and nil if nothing is left of it.
  package mutating func convert(_ list: MessageList) -> MessageList? {
    guard list.format != format || list.isMixed else { return list.isEmpty ? nil : list }
    var result = MessageListWriter(format)
    if list.format == .bytes {
      list.forEachPacket { time, bytes in
        var words: [UInt32] = []
        parser.beginPacket()
        parser.parse(bytes, into: &words)
        add(words, at: time, to: &result)
      }
    } else {
      list.forEachEvent { time, words in add(words, at: time, to: &result) }
    }
    return result.isEmpty ? nil : result.list()
  }

  private mutating func add(
    _ words: [UInt32], at time: UInt64, to result: inout MessageListWriter
  ) {
    words.withUnsafeBufferPointer { add($0, at: time, to: &result) }
  }

  /// Adds the messages of a packet in the format of the result.
  private mutating func add(
    _ words: UnsafeBufferPointer<UInt32>, at time: UInt64, to result: inout MessageListWriter
  ) {
    var converted: [UInt32] = []
    UniversalMessage.forEach(in: words) { message in
      if format == .events2 {
        upgrade.convert(message, into: &converted)
      } else {
        ProtocolDowngrade.convert(message, into: &converted)
      }
    }
    converted.withUnsafeBufferPointer { words in
      if format == .bytes {
        addBytes(words, at: time, to: &result)
      } else {
        result.add(words, at: time)
      }
    }
  }

  /// Adds the bytes of messages. System exclusive messages get packets of their own.
  private mutating func addBytes(
    _ words: UnsafeBufferPointer<UInt32>, at time: UInt64, to result: inout MessageListWriter
  ) {
    var bytes: [UInt8] = []
    var isSystemExclusive = false
    func flush() {
      bytes.withUnsafeBufferPointer { result.add($0, at: time) }
      bytes.removeAll()
    }
    UniversalMessage.forEach(in: words) { message in
      if (message.type == 3) != isSystemExclusive { flush() }
      isSystemExclusive = message.type == 3
      writer.write(message, into: &bytes)
      let deferred = writer.takeDeferred()
      if !deferred.isEmpty {
        flush()
        bytes = deferred
        isSystemExclusive = false
      }
    }
    flush()
  }
}
