// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime
import Synchronization

/// What has something to tell that happens while it is rendered.
protocol NoticeSource: AnyObject, Sendable {
  /// [notifier] Tells what has happened; false when nothing is to come.
  func tellAll() -> Bool
  /// Whether nothing is to come.
  var isAllTold: Bool { get }
}

/// Those of the process that have something to tell: the notifier asks them.
final class PlaybackNotices: @unchecked Sendable {
  static let shared = PlaybackNotices()

  private let lock = Lock()
  private var sources: [ObjectIdentifier: any NoticeSource] = [:]
  /// The thread that calls completion functions; 0: none does.
  private let caller = Atomic<UInt64>(0)

  private init() {
    Notifier.shared.addMailbox { PlaybackNotices.shared.tellAll() }
  }

  /// Whether this thread calls completion functions just now.
  var isCalledHere: Bool { caller.load(ordering: .relaxed) == rt_thread_id() }

  /// [control thread] Has one asked until it has nothing more to tell.
  func add(_ source: any NoticeSource) {
    let isNew = lock.withLock { sources.updateValue(source, forKey: .init(source)) == nil }
    if isNew { Notifier.shared.listenersChanged(by: 1) }
  }

  /// [notifier] Calls completion functions, without a lock.
  private func tellAll() {
    let all = lock.withLock { Array(sources.values) }
    guard !all.isEmpty else { return }
    caller.store(rt_thread_id(), ordering: .relaxed)
    var done = 0
    for source in all where !source.tellAll() {
      lock.withLock {
        // Something may have been scheduled since.
        guard source.isAllTold, sources.removeValue(forKey: .init(source)) != nil else { return }
        done += 1
      }
    }
    caller.store(0, ordering: .relaxed)
    Notifier.shared.listenersChanged(by: -done)
  }
}
