// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// Drives a player without a graph: a thread that plays slices ahead of the host clock, so that their
/// MIDI is sent in time.
final class ClockThread: Sendable {
  /// The frames that it counts in a second.
  static let sampleRate = 48_000.0
  /// By how many nanoseconds it is ahead, and how often it plays.
  private static let lead: UInt64 = 50_000_000
  private static let interval: UInt64 = 5_000_000

  private let thread: WorkerThread

  /// [control thread] Starts to play a head, whose plan begins at the host time.
  init(_ head: PlayHead, _ messages: PlayMessages, from start: UInt64) throws(AudioError) {
    thread = WorkerThread(name: "music-clock", requestsRealTime: true) { thread in
      var frames = 0
      var now = rt_host_time()
      repeat {
        let end = max(now + Self.lead, start)
        let due = Int(Double(end - start) * 1e-9 * Self.sampleRate)
        if due > frames {
          let time = start + UInt64(Double(frames) * 1e9 / Self.sampleRate)
          PlayHead.advance(head.memory, due - frames, hostTime: time)
          frames = due
        }
        messages.handle()
        now = rt_host_time()
      } while thread.sleep(until: now + Self.interval)
    }
    try thread.start()
  }

  /// [control thread] Ends the thread.
  func stop() { thread.stop() }
}
