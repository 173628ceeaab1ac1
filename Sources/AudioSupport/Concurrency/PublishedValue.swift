// SPDX-License-Identifier: Apache-2.0
public import CRealTime
public import Synchronization

/// A plain value of several words that one thread replaces while others read it: whole, never a mix
/// of two values.
///
/// The writer never waits; a reader that meets a change reads again (a sequence lock). For memory
/// that readers use in place, see `Published`.
///
/// Render threads use it in functions marked `@_noLocks`; as with `MessageQueue`, the compiler makes
/// this code anew for the type of the value there.
public struct PublishedValue<Value: BitwiseCopyable>: ~Copyable {
  /// Odd while the writer changes the words; 0 before the first change.
  @usableFromInline let sequence = Atomic<UInt64>(0)
  @usableFromInline let words: UnsafeMutablePointer<Atomic<UInt64>>
  /// The writer's copy of the value, as words.
  @usableFromInline let written: UnsafeMutablePointer<UInt64>

  /// [control thread] Has no value yet.
  @inlinable
  public init() {
    // Aligned for values of any type.
    written = UnsafeMutableRawPointer.allocate(byteCount: 8 * Self.wordCount, alignment: 16)
      .bindMemory(to: UInt64.self, capacity: Self.wordCount)
    words = .allocate(capacity: Self.wordCount)
    written.initialize(repeating: 0, count: Self.wordCount)
    for index in 0..<Self.wordCount { (words + index).initialize(to: Atomic(0)) }
  }

  // Words are plain memory, so there is nothing else to release.
  @inlinable
  deinit {
    words.deallocate()
    written.deallocate()
  }

  @inlinable static var wordCount: Int { (MemoryLayout<Value>.size &+ 7) / 8 }

  /// [the only writer] Replaces the value.
  @inlinable
  public borrowing func store(_ value: Value) {
    UnsafeMutableRawPointer(written).storeBytes(of: value, as: Value.self)
    // Who reads a new word also sees this odd number, because the words are stored with release.
    let before = sequence.load(ordering: .relaxed)
    sequence.store(before &+ 1, ordering: .relaxed)
    for index in 0..<Self.wordCount { words[index].store(written[index], ordering: .releasing) }
    sequence.store(before &+ 2, ordering: .releasing)
  }

  /// [any thread] The value; nil before the first one is stored.
  @inlinable
  public borrowing func load() -> Value? {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory in
      guard let value = memory.baseAddress, load(into: value) else { return nil }
      return value.pointee
    }
  }

  /// [any thread, also a render thread] Writes the value to memory; false before the first one is
  /// stored.
  @inlinable
  public borrowing func load(into memory: UnsafeMutablePointer<Value>) -> Bool {
    let bytes = UnsafeMutableRawPointer(memory)
    while true {
      let before = sequence.load(ordering: .acquiring)
      guard before > 0 else { return false }
      for index in 0..<Self.wordCount {
        let (offset, word) = (8 &* index, words[index].load(ordering: .acquiring))
        if offset &+ 8 <= MemoryLayout<Value>.size {
          (bytes + offset).storeBytes(of: word, as: UInt64.self)
        } else {
          for byte in offset..<MemoryLayout<Value>.size {
            let value = UInt8(truncatingIfNeeded: word >> UInt64(8 &* (byte &- offset)))
            (bytes + byte).storeBytes(of: value, as: UInt8.self)
          }
        }
      }
      if before & 1 == 0, sequence.load(ordering: .sequentiallyConsistent) == before {
        return true
      }
      rt_pause()
    }
  }
}

// Its parts are atomic, or belong to the writer.
extension PublishedValue: @unchecked Sendable where Value: Sendable {}
