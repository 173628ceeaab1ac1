// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// An object that delivers notices of events during its renders.
protocol NoticeSource: AnyObject, Sendable {
  /// [notifier] Delivers all pending notices; false if no more are expected.
  func deliverAll() -> Bool
  /// Whether no more notices are expected.
  var isAllDelivered: Bool { get }
}

/// All notice sources of the process that expect notices; the notifier polls them.
final class PlaybackNotices: @unchecked Sendable {
  static let shared = PlaybackNotices()

  private let lock = Lock()
  private var sources: [ObjectIdentifier: any NoticeSource] = [:]
  /// The thread that is calling completion functions; 0 if none is.
  private let caller = Atomic<UInt64>(0)

  private init() {
    Notifier.shared.addMailbox { PlaybackNotices.shared.deliverAll() }
  }

  /// Whether the current thread is calling completion functions.
  var isDeliveringOnThisThread: Bool { caller.load(ordering: .relaxed) == rt_thread_id() }

  /// [control thread] Polls a source until it expects no more notices.
  func add(_ source: any NoticeSource) {
    let isNew = lock.withLock { sources.updateValue(source, forKey: .init(source)) == nil }
    if isNew { Notifier.shared.listenersChanged(by: 1) }
  }

  /// [notifier] Calls completion functions, without holding a lock.
  private func deliverAll() {
    let all = lock.withLock { Array(sources.values) }
    guard !all.isEmpty else { return }
    caller.store(rt_thread_id(), ordering: .relaxed)
    var done = 0
    for source in all where !source.deliverAll() {
      lock.withLock {
        // Something may have been scheduled since.
        guard source.isAllDelivered, sources.removeValue(forKey: .init(source)) != nil else {
          return
        }
        done += 1
      }
    }
    caller.store(0, ordering: .relaxed)
    Notifier.shared.listenersChanged(by: -done)
  }
}
