// SPDX-License-Identifier: Apache-2.0

/// When the handler of a sound is called.
package enum SoundCompletion: Sendable {
  /// The player needs its frames no more.
  case consumed
  /// The player has rendered its frames.
  case rendered
  /// Its frames have come out of the device.
  case playedBack
}

/// What the control side keeps for a scheduled sound.
final class ScheduledSound: @unchecked Sendable {  // it never changes
  /// The number of sounds that were scheduled before it.
  let number: Int
  /// Owns the samples or the file.
  private let owner: AnyObject?
  /// The frames of a file.
  let stream: SoundStream?
  let completion: SoundCompletion
  let handler: (@Sendable () -> Void)?

  init(
    _ number: Int, owner: AnyObject?, stream: SoundStream?, _ completion: SoundCompletion,
    _ handler: (@Sendable () -> Void)?
  ) {
    self.number = number
    self.owner = owner
    self.stream = stream
    self.completion = completion
    self.handler = handler
  }
}

extension SoundEntry {
  /// [control thread] An entry in its own memory.
  static func allocate(_ entry: SoundEntry) -> Address {
    let address = Address.allocate(capacity: 1)
    address.initialize(to: entry)
    return address
  }

  /// [control thread] Frees an entry, and returns what the control side kept for it.
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
