// SPDX-License-Identifier: Apache-2.0
import AudioSupport

/// The bytes of a message between a program and the process of a plug-in.
///
/// `pass` adds a value to a message that is being written, and replaces it in one that is being read. So
/// each type lists its members once, for both directions. The other process may send anything: what is
/// missing or impossible marks the message as damaged, and leaves the value as it is.
struct RemoteMessage {
  private(set) var bytes: [UInt8]
  private var position = 0
  private let isRead: Bool
  /// Whether something that was read is missing or impossible.
  private(set) var isDamaged = false

  /// A longer one is refused, in bytes.
  static let longest = 1 << 28

  /// A message to be written.
  init() { (bytes, isRead) = ([], false) }

  /// A message to be read.
  init(reading bytes: [UInt8]) { (self.bytes, isRead) = (bytes, true) }

  // MARK: Values

  mutating func pass<Value: FixedWidthInteger>(_ value: inout Value) {
    let size = MemoryLayout<Value>.size
    if isRead {
      guard let place = take(size) else { return }
      value = bytes[place].reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    } else {
      for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
  }

  mutating func pass(_ value: inout Float) {
    var bits = value.bitPattern
    pass(&bits)
    value = Float(bitPattern: bits)
  }

  mutating func pass(_ value: inout Double) {
    var bits = value.bitPattern
    pass(&bits)
    value = Double(bitPattern: bits)
  }

  mutating func pass(_ value: inout Bool) {
    var byte: UInt8 = value ? 1 : 0
    pass(&byte)
    value = byte != 0
  }

  mutating func pass(_ list: inout [UInt8]) {
    var count = UInt32(clamping: list.count)
    pass(&count)
    if isRead {
      guard let place = take(Int(count)) else { return }
      list = Array(bytes[place])
    } else {
      bytes += list
    }
  }

  mutating func pass(_ text: inout String) {
    var list = Array(text.utf8)
    pass(&list)
    if isRead { text = String(decoding: list, as: UTF8.self) }
  }

  /// A value of a type whose cases have texts.
  mutating func pass<Value: RawRepresentable>(_ value: inout Value)
  where Value.RawValue == String {
    var text = value.rawValue
    pass(&text)
    guard let read = Value(rawValue: text) else { return isDamaged = true }
    value = read
  }

  /// A list; `empty` is what the members of an element are read into.
  mutating func pass<Element>(
    _ list: inout [Element], empty: Element, _ each: (inout Self, inout Element) -> Void
  ) {
    var count = UInt32(clamping: list.count)
    pass(&count)
    if isRead {
      list = []
      // Every element has at least one byte.
      guard Int(count) <= bytes.count - position else { return isDamaged = true }
      while list.count < Int(count), !isDamaged {
        var element = empty
        each(&self, &element)
        list.append(element)
      }
    } else {
      for index in list.indices { each(&self, &list[index]) }
    }
  }

  mutating func pass(_ list: inout [Float]) { pass(&list, empty: 0) { $0.pass(&$1) } }
  mutating func pass(_ list: inout [String]) { pass(&list, empty: "") { $0.pass(&$1) } }

  /// A value that may be missing; `empty` is what its members are read into.
  mutating func pass<Value>(
    _ value: inout Value?, empty: Value, _ each: (inout Self, inout Value) -> Void
  ) {
    var isThere = value != nil
    pass(&isThere)
    guard isThere else { return value = nil }
    var present = value ?? empty
    each(&self, &present)
    value = present
  }

  /// Adds a message as it is.
  mutating func append(_ message: RemoteMessage) { bytes += message.bytes }

  /// The place of the next bytes; nil: there are not so many.
  private mutating func take(_ count: Int) -> Range<Int>? {
    guard !isDamaged, count <= bytes.count - position else {
      isDamaged = true
      return nil
    }
    defer { position += count }
    return position..<position + count
  }
}

extension RemoteMessage {
  /// A message with one value.
  static func writing(_ body: (inout Self) -> Void) -> Self {
    var message = Self()
    body(&message)
    return message
  }

  /// A value of a message that is being read, or `initial` if it is damaged.
  mutating func read<Value>(_ initial: Value, _ pass: (inout Self, inout Value) -> Void) -> Value {
    var value = initial
    pass(&self, &value)
    return value
  }

  /// Bytes; none if the message is damaged.
  mutating func readBytes() -> [UInt8] { read([]) { $0.pass(&$1) } }
  /// A text; empty if the message is damaged.
  mutating func readText() -> String { read("") { $0.pass(&$1) } }
  /// A flag; false if the message is damaged.
  mutating func readFlag() -> Bool { read(false) { $0.pass(&$1) } }
  /// A value; 0 if the message is damaged.
  mutating func readFloat() -> Float { read(0) { $0.pass(&$1) } }
  /// A number; 0 if the message is damaged.
  mutating func readNumber() -> Int { read(0) { $0.pass(&$1) } }
  /// Values; none if the message is damaged.
  mutating func readFloats() -> [Float] { read([]) { $0.pass(&$1) } }
  /// Bytes that may be absent.
  mutating func readBytesOrNone() -> [UInt8]? {
    read(nil) { $0.pass(&$1, empty: []) { $0.pass(&$1) } }
  }
  /// Values that may be absent.
  mutating func readFloatsOrNone() -> [Float]? {
    read(nil) { $0.pass(&$1, empty: []) { $0.pass(&$1) } }
  }
  /// A number that may be absent.
  mutating func readNumberOrNone() -> Int? {
    read(nil) { $0.pass(&$1, empty: 0) { $0.pass(&$1) } }
  }

  /// Adds bytes, with their count.
  mutating func write(_ bytes: [UInt8]) {
    var bytes = bytes
    pass(&bytes)
  }
  /// Adds a text.
  mutating func write(_ text: String) {
    var text = text
    pass(&text)
  }
  /// Adds a flag.
  mutating func write(_ flag: Bool) {
    var flag = flag
    pass(&flag)
  }
  /// Adds a number.
  mutating func write(_ number: Int) {
    var number = number
    pass(&number)
  }
  /// Adds a value.
  mutating func write(_ number: Float) {
    var number = number
    pass(&number)
  }
  /// Adds values, with their count.
  mutating func write(_ list: [Float]) {
    var list = list
    pass(&list)
  }
  /// Adds bytes, or that there are none.
  mutating func write(_ bytes: [UInt8]?) {
    var bytes = bytes
    pass(&bytes, empty: []) { $0.pass(&$1) }
  }
  /// Adds values, or that there are none.
  mutating func write(_ list: [Float]?) {
    var list = list
    pass(&list, empty: []) { $0.pass(&$1) }
  }
  /// Adds a number, or that there is none.
  mutating func write(_ number: Int?) {
    var number = number
    pass(&number, empty: 0) { $0.pass(&$1) }
  }
}
