// SPDX-License-Identifier: Apache-2.0

/// The letters of a typewriter as the keys of a piano, and the messages that they send.
///
/// The row from A to ' has the white keys from C on, the row above it the black ones. A terminal
/// does not tell when a key is released: a note ends by itself, and later while its key repeats. A
/// window does, and has notes that last until then.
public struct TypewriterKeys {
  /// What a key does.
  public enum Key: Hashable, Sendable {
    case note(Int)
    case octave(Int)
    case velocity(Int)
    case sustain
    case quit
  }

  private static let notes = Array("awsedftgyhujkolp;']".utf8)
  private static let velocities: [UInt8] = [16, 32, 48, 64, 80, 96, 112, 127]

  private let channel: UInt8
  /// Seconds that a note sounds after its key.
  private let duration: Double
  /// The note of the letter A.
  public private(set) var lowest = 60
  private var loudness: Int
  /// Whether the pedal is down.
  public private(set) var isSustained = false
  /// When the notes that sound end, in seconds, by their numbers.
  public private(set) var ends: [UInt8: Double] = [:]
  /// The notes of the keys that were pressed last, by their steps from the letter A.
  private var notesOfSteps: [Int: UInt8] = [:]

  /// Keys that send to a channel from 0 to 15. `duration` is in seconds; infinity: until `release`.
  /// The first velocity is the greatest one, or 96.
  public init(channel: UInt8, duration: Double, isLoud: Bool = false) {
    (self.channel, self.duration) = (channel, duration)
    loudness = isLoud ? Self.velocities.count - 1 : 5
  }

  /// The velocity of the next note.
  public var velocity: UInt8 { Self.velocities[loudness] }

  /// The key of a byte that a terminal sends; nil if it has no meaning.
  public static func key(_ byte: UInt8) -> Key? {
    // Small and capital letters alike.
    let letter = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    if let note = notes.firstIndex(of: letter) { return .note(note) }
    return switch letter {
    case UInt8(ascii: "z"): .octave(-1)
    case UInt8(ascii: "x"): .octave(1)
    case UInt8(ascii: "c"): .velocity(-1)
    case UInt8(ascii: "v"): .velocity(1)
    case UInt8(ascii: " "): .sustain
    case UInt8(ascii: "q"): .quit
    default: nil
    }
  }

  /// The keys of bytes that a terminal sends, without the sequences of arrows and function keys.
  public static func keys(_ bytes: [UInt8]) -> [Key] {
    var keys: [Key] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      if byte == 0x1B, let next = rest.first, next == UInt8(ascii: "[") || next == UInt8(ascii: "O")
      {
        rest = rest.dropFirst().drop { !(0x40...0x7E).contains($0) }.dropFirst()
      } else if let key = key(byte) {
        keys.append(key)
      }
    }
    return keys
  }

  /// Presses a key. Returns the messages to send.
  public mutating func press(_ key: Key, at time: Double) -> [[UInt8]] {
    switch key {
    case .note(let step): return play(step, at: time)
    case .octave(let step):
      // Notes that would be above the last one of MIDI are silent.
      lowest = min(max(lowest + 12 * step, 0), 120)
    case .velocity(let step):
      loudness = min(max(loudness + step, 0), Self.velocities.count - 1)
    case .sustain:
      isSustained.toggle()
      return [[0xB0 | channel, 64, isSustained ? 127 : 0]]
    case .quit: break
    }
    return []
  }

  private mutating func play(_ step: Int, at time: Double) -> [[UInt8]] {
    guard let note = UInt8(exactly: lowest + step), note < 128 else { return [] }
    notesOfSteps[step] = note
    // A key that repeats holds its note.
    let isHeld = ends.updateValue(time + duration, forKey: note) != nil
    return isHeld ? [] : [[0x90 | channel, note, velocity]]
  }

  /// Releases a key. Returns the messages to send.
  public mutating func release(_ key: Key) -> [[UInt8]] {
    guard case .note(let step) = key, let note = notesOfSteps.removeValue(forKey: step),
      ends.removeValue(forKey: note) != nil
    else { return [] }
    return [[0x80 | channel, note, 64]]
  }

  /// The time at which the next note ends.
  public var nextEnd: Double? { ends.values.min() }

  /// The messages that end the notes whose time is over.
  public mutating func endNotes(at time: Double) -> [[UInt8]] {
    let over = ends.filter { $0.value <= time }.keys.sorted()
    for note in over { ends[note] = nil }
    return over.map { [0x80 | channel, $0, 64] }
  }

  /// The messages that end everything.
  public mutating func endAll() -> [[UInt8]] {
    let pedal: [[UInt8]] = isSustained ? [[0xB0 | channel, 64, 0]] : []
    isSustained = false
    return endNotes(at: .infinity) + pedal
  }
}
