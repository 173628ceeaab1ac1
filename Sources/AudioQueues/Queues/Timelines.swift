// SPDX-License-Identifier: Apache-2.0
package import AudioSupport
package import CAudioToolbox

/// A timeline, with which a program detects gaps. Its state is in the queue's `Timelines`.
package final class QueueTimeline {
  /// All timelines of the process.
  package static let handles = HandleTable<QueueTimeline, AudioQueueTimelineRef>(kind: 0x1A)

  /// [control thread] The handle of a new timeline.
  static func make() throws(AudioError) -> AudioQueueTimelineRef {
    try handles.insert(QueueTimeline())
  }

  /// [control thread] Disposes of a timeline; false if its handle is not valid.
  @discardableResult
  static func dispose(_ timeline: AudioQueueTimelineRef) -> Bool {
    guard handles.invalidate(timeline) else { return false }
    _ = handles.release(timeline)
    return true
  }
}

/// The timelines of a queue, each with the gaps that its last query saw. The queue's `lock` guards
/// it.
struct Timelines {
  private var seenGaps: [AudioQueueTimelineRef: Int] = [:]

  /// Adds a timeline, which has seen all gaps so far.
  mutating func add(_ timeline: AudioQueueTimelineRef, gaps: Int) { seenGaps[timeline] = gaps }

  /// Removes a timeline; false if it does not belong to the queue.
  mutating func remove(_ timeline: AudioQueueTimelineRef) -> Bool {
    seenGaps.removeValue(forKey: timeline) != nil
  }

  /// Removes all timelines, and returns them.
  mutating func removeAll() -> [AudioQueueTimelineRef] {
    defer { seenGaps = [:] }
    return Array(seenGaps.keys)
  }

  /// Whether there was a gap since the last query of a timeline; nil if it does not belong to the
  /// queue.
  mutating func hasGap(_ timeline: AudioQueueTimelineRef, gaps: Int) -> Bool? {
    guard let seen = seenGaps[timeline] else { return nil }
    seenGaps[timeline] = gaps
    return seen != gaps
  }
}
