// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// What has notices to deliver of what happens while it is rendered.
protocol NoticeSource: AnyObject, Sendable {
  /// [notifier] Delivers what has happened; false when nothing is to come.
  func deliverAll() -> Bool
  /// Whether nothing is to come.
  var isAllDelivered: Bool { get }
}

/// Those of the process that have notices to deliver: the notifier asks them.
final class PlaybackNotices: @unchecked Sendable {
  static let shared = PlaybackNotices()

  private let lock = Lock()
  private var sources: [ObjectIdentifier: any NoticeSource] = [:]
  /// The thread that calls completion functions; 0: none does.
  private let caller = Atomic<UInt64>(0)

  private init() {
    Notifier.shared.addMailbox { PlaybackNotices.shared.deliverAll() }
  }

  /// Whether this thread calls completion functions just now.
  var isCalledHere: Bool { caller.load(ordering: .relaxed) == rt_thread_id() }

  /// [control thread] Has one asked until it has nothing more to deliver.
  func add(_ source: any NoticeSource) {
    let isNew = lock.withLock { sources.updateValue(source, forKey: .init(source)) == nil }
    if isNew { Notifier.shared.listenersChanged(by: 1) }
  }

  /// [notifier] Calls completion functions, without a lock.
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
