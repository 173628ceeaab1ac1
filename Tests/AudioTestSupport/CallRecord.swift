// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import CRealTime
import Foundation
import Synchronization

/// Counts the calls of a completion function or listener, and records the last one.
package final class CallRecord: @unchecked Sendable {
  package let count = Atomic(0)
  package let status = Atomic<OSStatus>(99)
  package let thread = Atomic<UInt>(0)
  /// The number of locks that the calling thread held.
  package let locks = Atomic<Int32>(0)

  package init() {}

  package var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
  package var calls: Int { count.load(ordering: .acquiring) }

  package func note(_ status: OSStatus) {
    self.status.store(status, ordering: .relaxed)
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    locks.store(rt_current().pointee.locks, ordering: .relaxed)
    count.wrappingAdd(1, ordering: .releasing)
  }

  /// Waits for `calls` calls; returns false after five seconds.
  package func wait(for calls: Int = 1) -> Bool {
    for _ in 0..<5_000 where self.calls < calls { usleep(1_000) }
    return self.calls >= calls
  }

  package static let regionProc: ScheduledAudioFileRegionCompletionProc = { context, _, status in
    guard let context else { return }
    Unmanaged<CallRecord>.fromOpaque(context).takeUnretainedValue().note(status)
  }

  package static let sliceProc: ScheduledAudioSliceCompletionProc = { context, _ in
    guard let context else { return }
    Unmanaged<CallRecord>.fromOpaque(context).takeUnretainedValue().note(noErr)
  }
}
