// SPDX-License-Identifier: Apache-2.0
import CommandSupport
import PlainText
@_spi(TrappingConversions) import CheckedNumbers

/// Messages as the user types them, "note 60 100", "cc 7 100" or "90 3C 64", each with its time.
struct TypedMIDI {
  /// A message, and when it is sent.
  struct Event: Equatable {
    /// Seconds from the beginning.
    var time: Double
    var bytes: [UInt8]
    /// Whether it ends a note: it precedes what else is sent at that time.
    var isEnd = false
  }

  /// What a message may begin with.
  private enum Verb: String, CaseIterable {
    case note, on, off, cc, program, bend, pressure, aftertouch, wait
    case start, `continue`, stop, clock, reset
  }

  /// The words that a message may begin with.
  static var verbs: [String] { Verb.allCases.map(\.rawValue) }

  /// Examples of messages, for errors and help.
  static let examples = "such as note 60 100, cc 7 100 or 90 3C 64"

  private let channel: UInt8
  private let duration: Double
  private var time = 0.0
  private var unsorted: [Event] = []

  /// Reads all words. Messages follow each other; a comma or quotes end one.
  ///
  /// - Parameters:
  ///   - words: The words of the command line, which may have several messages each.
  ///   - channel: From 1 to 16.
  ///   - duration: The seconds of a note.
  /// - Throws: If any of them is not a message.
  init(_ words: [String], channel: Int, duration: Double) throws(UsageError) {
    self.channel = UInt8(clamping: min(max(channel, 1), 16) - 1)
    self.duration = duration
    for segment in Self.segments(words) {
      var rest = segment[...]
      while let word = rest.first { try readMessage(word, &rest) }
    }
    guard !unsorted.isEmpty else {
      throw UsageError("MESSAGE is missing: expected messages \(Self.examples)")
    }
  }

  /// The messages in the order in which they are sent.
  var events: [Event] {
    unsorted.enumerated().sorted { one, other in
      let (first, second) = (one.element, other.element)
      if first.time != second.time { return first.time < second.time }
      if first.isEnd != second.isEnd { return first.isEnd }
      return one.offset < other.offset
    }.map(\.element)
  }

  /// The seconds from the first message until all is over.
  var length: Double { max(time, unsorted.map(\.time).max() ?? 0) }

  private static func segments(_ words: [String]) -> [[String]] {
    var segments: [[String]] = [[]]
    for word in words {
      let isQuoted = word.contains { $0.isWhitespace }
      if isQuoted { segments.append([]) }
      for (index, part) in word.split(separator: ",", omittingEmptySubsequences: false).enumerated()
      {
        if index > 0 { segments.append([]) }
        segments[segments.count - 1] += part.split(whereSeparator: \.isWhitespace).map(String.init)
      }
      if isQuoted { segments.append([]) }
    }
    return segments
  }

  // MARK: Messages

  private mutating func readMessage(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    guard let verb = Verb(rawValue: word.lowercased()) else {
      guard Self.byte(word) != nil else {
        throw UsageError("\(Excerpt.quoted(word)): expected a message \(Self.examples)")
      }
      return try readBytes(&rest)
    }
    rest.removeFirst()
    switch verb {
    case .note:
      let (key, velocity) = (try key(word, &rest), try velocity(word, &rest, default: 100))
      add([0x90 | channel, key, velocity])
      unsorted.append(
        Event(time: time + duration, bytes: [0x80 | channel, key, 64], isEnd: true))
    case .on: add([0x90 | channel, try key(word, &rest), try velocity(word, &rest, default: 100)])
    case .off: add([0x80 | channel, try key(word, &rest), try velocity(word, &rest, default: 64)])
    case .cc:
      let number = try value("a controller", word, &rest)
      add([0xB0 | channel, number, try value("a value", word, &rest)])
    case .program: add([0xC0 | channel, try value("a program", word, &rest)])
    case .bend: try readBend(word, &rest)
    case .pressure: add([0xD0 | channel, try value("a pressure", word, &rest)])
    case .aftertouch:
      let key = try key(word, &rest)
      add([0xA0 | channel, key, try value("a pressure", word, &rest)])
    case .wait:
      time += try take(word, &rest, "a time from 0 to 3600 seconds") {
        Quantity.seconds.value(of: $0).flatMap { (0...3_600).contains($0) ? $0 : nil }
      }
    case .start: add([0xFA])
    case .continue: add([0xFB])
    case .stop: add([0xFC])
    case .clock: add([0xF8])
    case .reset: add([0xFF])
    }
  }

  private mutating func add(_ bytes: [UInt8]) { unsorted.append(Event(time: time, bytes: bytes)) }

  private mutating func readBend(
    _ word: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) {
    let bend = try take(word, &rest, "a bend from -1 to 1") {
      Double($0).flatMap { (-1...1).contains($0) ? $0 : nil }
    }
    let value = Int(saturating: (bend * (bend < 0 ? 8_192 : 8_191)).rounded()) + 8_192
    add([0xE0 | channel, UInt8(clamping: value & 127), UInt8(clamping: value >> 7)])
  }

  // MARK: Numbers

  /// The next word as a value; an error names what is expected instead.
  private func take<Value>(
    _ verb: String, _ rest: inout ArraySlice<String>, _ expected: String,
    _ read: (String) -> Value?
  ) throws(UsageError) -> Value {
    guard let word = rest.popFirst() else {
      throw UsageError("\(verb) is incomplete: expected \(expected)")
    }
    guard let value = read(word) else {
      throw UsageError("\(verb): \(Excerpt.quoted(word)): expected \(expected)")
    }
    return value
  }

  private func value(
    _ what: String, _ verb: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> UInt8 {
    try take(verb, &rest, "\(what) from 0 to 127") { UInt8($0).flatMap { $0 < 128 ? $0 : nil } }
  }

  private func key(
    _ verb: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> UInt8 {
    try take(verb, &rest, "a key from 0 to 127 or a note such as C4") { MIDIKey.number(of: $0) }
  }

  /// A velocity, which may be left out.
  private func velocity(
    _ verb: String, _ rest: inout ArraySlice<String>, default value: UInt8
  ) throws(UsageError) -> UInt8 {
    guard let next = rest.first?.first, next.isNumber || next == "-" else { return value }
    return try self.value("a velocity", verb, &rest)
  }

  // MARK: Bytes

  /// A byte in hexadecimal, with or without 0x: two digits.
  private static func byte(_ word: String) -> UInt8? {
    let digits = word.lowercased().hasPrefix("0x") ? word.dropFirst(2) : word[...]
    guard digits.count == 2, digits.allSatisfy(\.isHexDigit) else { return nil }
    return UInt8(digits, radix: 16)
  }

  /// Reads bytes until a word that is none.
  private mutating func readBytes(_ rest: inout ArraySlice<String>) throws(UsageError) {
    var bytes: [UInt8] = []
    while let word = rest.first, Verb(rawValue: word.lowercased()) == nil,
      let byte = Self.byte(word)
    {
      bytes.append(byte)
      rest.removeFirst()
    }
    var left = bytes[...]
    while let status = left.popFirst() {
      let data = left.prefix { $0 < 0x80 }
      left = left.dropFirst(data.count)
      var message = [status] + data
      let text = Excerpt.name(MIDIMessageReport.hex(message))
      guard status >= 0x80, ![0xF4, 0xF5, 0xF7, 0xF9, 0xFD].contains(status) else {
        throw UsageError("\"\(text)\": expected a message, which begins with a byte such as 90")
      }
      if let length = MIDIByteReader.length(of: status) {
        guard message.count == length else {
          throw UsageError("\"\(text)\": expected \(Numbers.count(length, "byte"))")
        }
      } else {
        guard left.popFirst() == 0xF7 else {
          throw UsageError("\"\(text)\": expected F7 at the end of a system exclusive message")
        }
        message.append(0xF7)
      }
      add(message)
    }
  }
}
