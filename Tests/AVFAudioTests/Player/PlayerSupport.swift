// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import AudioTestSupport
import Foundation
import Synchronization
import Testing

/// Waits until a condition holds; false after ten seconds.
func holds(_ condition: () -> Bool) -> Bool {
  for _ in 0..<10_000 {
    if condition() { return true }
    usleep(1_000)
  }
  return false
}

extension Tape {
  var url: URL { URL(fileURLWithPath: path) }

  /// The samples of the first channel from the first that is not silent on.
  func sound() throws -> [Float] {
    let samples = try samples()[0]
    return Array(samples[(samples.firstIndex { $0 != 0 } ?? samples.endIndex)...])
  }
}

/// Names of events, in the order in which they came.
final class Events: NSObject, Sendable {
  private let events = Mutex<[String]>([])

  func add(_ event: String) { events.withLock { $0.append(event) } }

  var all: [String] { events.withLock { $0 } }

  /// Waits for this many events, at most ten seconds, and returns all.
  func wait(for count: Int) -> [String] {
    _ = holds { all.count >= count }
    return all
  }
}

/// The main queue, whose jobs may run on any thread.
enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)

  /// Makes `isCurrent` work from now on.
  static func prepare() { mark }

  /// Whether this is a job of the main queue.
  static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
