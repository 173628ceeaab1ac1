// SPDX-License-Identifier: Apache-2.0

/// What control threads keep for a scheduled sound.
final class ScheduledSound: Sendable {
  /// The number of sounds that were scheduled before it.
  let number: Int
  let request: SoundRequest
  /// The frames of a file, and its part of them.
  private let stream: SoundStream?
  private let part: StreamPart?

  init(_ number: Int, _ request: SoundRequest, _ stream: SoundStream?, _ part: StreamPart?) {
    self.number = number
    self.request = request
    self.stream = stream
    self.part = part
  }
}

extension SoundEntry {
  /// [control thread] An entry in its own memory.
  static func allocate(_ entry: SoundEntry) -> Address {
    let address = Address.allocate(capacity: 1)
    address.initialize(to: entry)
    return address
  }

  /// [control thread] Frees an entry, and returns what control threads kept for it.
  static func deallocate(_ entry: Address) -> ScheduledSound? {
    defer { entry.deallocate() }
    return entry.pointee.sound?.takeRetainedValue()
  }

  /// [control thread] Frees the entries of a list, the first of which is given; calls `body` with
  /// each sound and the host time at which it ended.
  static func deallocateAll(
    _ list: UnsafeMutableRawPointer?, _ body: (ScheduledSound, UInt64) -> Void = { _, _ in }
  ) {
    var rest = list?.assumingMemoryBound(to: SoundEntry.self)
    while let entry = rest {
      rest = entry.pointee.next
      let end = entry.pointee.endHostTime
      if let sound = deallocate(entry) { body(sound, end) }
    }
  }
}
