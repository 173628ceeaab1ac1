// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import AudioSupport

/// The streams of this process, for queries whether a device runs, and of its latency and missed
/// cycles.
package enum DeviceActivity {
  private struct Entry {
    let stream: any DeviceStream
    /// Missed cycles at the last check.
    var xruns = 0
    /// Counts cycles in which the program took too long, as the owner of the stream sees them.
    var overloads: (@Sendable () -> Int)?

    /// All missed cycles.
    var count: Int { stream.xrunCount + (overloads?() ?? 0) }
  }

  private struct State {
    var running: [Entry] = []
    /// The missed cycles of streams that have ended, by device.
    var ended: [String: Int] = [:]
    /// The number of lost streams, by device.
    var losses: [String: Int] = [:]
  }

  private static let state = Guarded(State())

  /// [control thread] Notes that a stream started. `overloads` counts cycles in which the program
  /// took too long.
  package static func began(
    _ stream: any DeviceStream, overloads: (@Sendable () -> Int)? = nil
  ) {
    state.withLock { $0.running.append(Entry(stream: stream, overloads: overloads)) }
    DeviceChanges.notify(.streams)
  }

  /// [control thread] Notes that a stream ended. Its missed cycles still count.
  package static func ended(_ stream: any DeviceStream) {
    let uid = stream.device.uid
    let count = entry(of: stream)?.count ?? 0
    let wasRunning = state.withLock { state in
      guard let index = state.running.firstIndex(where: { $0.stream === stream }) else {
        return false
      }
      state.running.remove(at: index)
      state.ended[uid, default: 0] += count
      return true
    }
    if wasRunning { DeviceChanges.notify(.streams) }
  }

  private static func entry(of stream: any DeviceStream) -> Entry? {
    state.withLock { $0.running.first { $0.stream === stream } }
  }

  /// [control thread] Notes that a stream ended unexpectedly.
  package static func lost(_ stream: any DeviceStream) {
    state.withLock { $0.losses[stream.device.uid, default: 0] += 1 }
    DeviceChanges.notify(.streams)
  }

  /// [control thread] Whether any stream of this process runs, or waits for its device.
  package static var hasStreams: Bool { state.withLock { !$0.running.isEmpty } }

  /// [control thread] The number of streams of a device that were lost.
  static func lossCount(on uid: String) -> Int { state.withLock { $0.losses[uid] ?? 0 } }

  /// [control thread] The running streams of a device.
  package static func streams(on uid: String) -> [any DeviceStream] {
    state.withLock { $0.running.map(\.stream) }.filter { $0.device.contains(uid) }
  }

  /// [control thread] Whether another process plays to a device. Nil if its back end does not tell
  /// processes apart.
  package static func othersPlay(to uid: String) -> Bool? {
    DeviceCache.devices(of: DeviceName(uid).backend).first { $0.uid == uid }?.details.othersPlay
  }

  /// [control thread] The missed cycles of all streams on a device.
  static func xrunCount(on uid: String) -> Int {
    let (running, ended) = state.withLock { ($0.running.copied(), $0.ended[uid] ?? 0) }
    return running.filter { $0.stream.device.contains(uid) }.reduce(ended) { $0 + $1.count }
  }

  /// [notifier] Whether a cycle was missed since the last call.
  static func hasNewXruns() -> Bool {
    let entries = state.withLock { $0.running.copied() }
    let counts = entries.map(\.count)
    return state.withLock { state in
      var hasNew = false
      for (entry, count) in zip(entries, counts) {
        guard let index = state.running.firstIndex(where: { $0.stream === entry.stream }),
          state.running[index].xruns != count
        else { continue }
        state.running[index].xruns = count
        hasNew = true
      }
      return hasNew
    }
  }
}

extension Device {
  /// Whether it is the device with a uid, or a pair that contains that device.
  fileprivate func contains(_ other: String) -> Bool {
    guard uid != other else { return true }
    guard DeviceName(other).backend == backend, let name = DeviceName(other).device else {
      return false
    }
    return uid.hasPrefix("\(other)+") || uid.hasSuffix("+\(name)")
  }
}
