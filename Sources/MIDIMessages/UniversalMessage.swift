// SPDX-License-Identifier: Apache-2.0

/// A Universal MIDI Packet: one message of one to four words.
package struct UniversalMessage: BitwiseCopyable, Equatable, Sendable {
  package var words: SIMD4<UInt32>
  package let wordCount: Int

  /// A message of one word.
  @_noLocks
  package init(_ word: UInt32) { (words, wordCount) = (SIMD4(word, 0, 0, 0), 1) }

  /// A message of two words.
  @_noLocks
  package init(_ first: UInt32, _ second: UInt32) {
    (words, wordCount) = (SIMD4(first, second, 0, 0), 2)
  }

  /// [any thread] A message of as many of these words as its type has.
  @_noLocks
  package init(words: SIMD4<UInt32>) {
    self.words = words
    wordCount = Self.wordCount(of: words[0])
  }

  /// [any thread] The message at an address, of which at most `count` words may be read; nil if it has
  /// more.
  @_noLocks
  package init?(at address: UnsafePointer<UInt32>, count: Int) {
    guard count > 0 else { return nil }
    let needed = Self.wordCount(of: address[0])
    guard count >= needed else { return nil }
    words = SIMD4(
      address[0], needed > 1 ? address[1] : 0, needed > 2 ? address[2] : 0,
      needed > 3 ? address[3] : 0)
    wordCount = needed
  }

  /// The message at the start of `source`; nil if that ends within the message.
  package init?(_ source: UnsafeBufferPointer<UInt32>.SubSequence) {
    guard let first = source.first else { return nil }
    let count = Self.wordCount(of: first)
    guard source.count >= count else { return nil }
    words = .zero
    wordCount = count
    for index in 0..<count { words[index] = source[source.startIndex + index] }
  }

  /// [any thread] The number of words of a message that begins with `word`. The types that are not
  /// in use yet have a fixed size too.
  @_noLocks
  package static func wordCount(of word: UInt32) -> Int {
    switch word >> 28 {
    case 0, 1, 2, 6, 7: 1
    case 3, 4, 8, 9, 10: 2
    case 11, 12: 3
    default: 4
    }
  }

  /// The message type: the highest four bits.
  package var type: UInt32 { @_noLocks get { words[0] >> 28 } }
  /// The group, of a type that has one.
  package var group: UInt32 { @_noLocks get { words[0] >> 24 & 15 } }
  /// The kind of a channel message, or the place in a system exclusive message.
  package var status: UInt32 { @_noLocks get { words[0] >> 20 & 15 } }
  /// The channel of a channel message.
  package var channel: UInt32 { @_noLocks get { words[0] >> 16 & 15 } }
  /// The third byte of the first word.
  package var first: UInt32 { @_noLocks get { words[0] >> 8 & 127 } }
  /// The fourth byte of the first word.
  package var second: UInt32 { @_noLocks get { words[0] & 127 } }
  /// The second word.
  package var value: UInt32 { @_noLocks get { words[1] } }

  /// Whether it concerns time rather than notes: a system message from F8 on, which may come between
  /// the parts of a system exclusive message.
  package var isRealTime: Bool {
    @_noLocks get { type == 1 && words[0] >> 16 & 0xff >= 0xf8 }
  }

  /// [any thread] Calls `body` for each whole message in `words`; incomplete words at the end are
  /// left out.
  package static func forEach(
    in words: UnsafeBufferPointer<UInt32>, _ body: (UniversalMessage) -> Void
  ) {
    var rest = words[...]
    while let message = UniversalMessage(rest) {
      body(message)
      rest = rest.dropFirst(message.wordCount)
    }
  }

  /// A channel message of MIDI 1.0.
  @_noLocks
  package static func channelVoice1(
    group: UInt32, status: UInt32, channel: UInt32, _ first: UInt32, _ second: UInt32
  ) -> UniversalMessage {
    UniversalMessage(
      2 << 28 | (group & 15) << 24 | (status & 15) << 20 | (channel & 15) << 16
        | (first & 127) << 8 | second & 127)
  }

  /// A channel message of MIDI 2.0; `index` has sixteen bits.
  @_noLocks
  package static func channelVoice2(
    group: UInt32, status: UInt32, channel: UInt32, index: UInt32, _ value: UInt32
  ) -> UniversalMessage {
    UniversalMessage(
      4 << 28 | (group & 15) << 24 | (status & 15) << 20 | (channel & 15) << 16 | index & 0xffff,
      value)
  }
}

extension [UInt32] {
  /// Appends the words of a message.
  package mutating func append(_ message: UniversalMessage) {
    for index in 0..<message.wordCount { append(message.words[index]) }
  }
}
