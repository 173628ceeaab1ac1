// SPDX-License-Identifier: Apache-2.0

import AudioSupport

/// Source and destination of a clocked stream's samples, for one run from start to stop.
///
/// Called in the order `begin`, then `fill` and `write` for each cycle, then `end`: the first by
/// the starting thread, the others on the stream's thread, outside the unit's render call. They may
/// wait: the clock then counts the cycle as late.
protocol CycleTransport: AnyObject, Sendable {
  /// [control thread] Prepares the first cycle; `end` follows even when it throws.
  func begin(_ handler: CycleHandler) throws(AudioError)

  /// Reads the input of one cycle; false when the stream cannot continue.
  func fill(_ input: CycleBuffers) -> Bool

  /// Writes the output of one cycle; false when the stream cannot continue.
  func write(_ output: CycleBuffers) -> Bool

  /// Delivers all samples taken so far and releases everything.
  func end()

  /// [any thread] Announces that `end` will follow soon.
  func willEnd()

  /// [any thread] Whether the caller runs on one of the transport's own threads.
  var ownsCurrentThread: Bool { get }
}

/// Silent input; the output is dropped.
final class NullTransport: CycleTransport {
  func begin(_ handler: CycleHandler) {}
  func fill(_ input: CycleBuffers) -> Bool { true }  // made silent, never written to
  func write(_ output: CycleBuffers) -> Bool { true }
  func end() {}
  func willEnd() {}
  var ownsCurrentThread: Bool { false }
}
