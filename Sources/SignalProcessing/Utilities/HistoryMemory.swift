// SPDX-License-Identifier: Apache-2.0

import CKernels

/// Memory for the past of a signal. It begins with zeros.
///
/// Where a device waits for the sound, all of its pages are there from the beginning, so that no render
/// causes a page fault. Offline, a page comes with its first sample: most of a long history is never
/// used by a short sound. Uses a plain pointer; the owner deallocates it.
public struct HistoryMemory: BitwiseCopyable, @unchecked Sendable {
  /// The samples.
  public let samples: UnsafeMutablePointer<Float>
  /// How many there are.
  public let count: Int

  /// Makes a memory of `count` zeros. [control thread]
  public init(count: Int, isOffline: Bool) {
    self.count = count
    samples = history_memory(count, isOffline)
  }

  /// Frees the memory. [control thread]
  public func deallocate() { history_memory_free(samples, count) }
}
