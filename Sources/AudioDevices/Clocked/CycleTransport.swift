// SPDX-License-Identifier: Apache-2.0

import AudioSupport

/// Source and destination of a clocked stream's samples, for one run from start to stop.
///
/// Called in the order `begin`, then `fill` and `write` for each cycle, then `end`: the first by whoever
/// starts the stream, the others on its thread, outside the unit's render call. They may wait: the
/// clock counts the cycle as late then.
protocol CycleTransport: AnyObject, Sendable {
  /// [control thread] Gets ready for the first cycle; `end` follows also when it throws.
  func begin(_ handler: CycleHandler) throws(AudioError)

  /// Brings the input of one cycle; false when the stream cannot continue.
  func fill(_ input: CycleBuffers) -> Bool

  /// Carries the output of one cycle away; false when the stream cannot continue.
  func write(_ output: CycleBuffers) -> Bool

  /// Brings every sample taken to where it belongs and releases everything.
  func end()

  /// [any thread] Learns that `end` will follow soon.
  func willEnd()

  /// [any thread] Whether the caller runs on a thread of the transport's own.
  var ownsCurrentThread: Bool { get }
}

/// Silence in, and what comes out is dropped.
final class NullTransport: CycleTransport {
  func begin(_ handler: CycleHandler) {}
  func fill(_ input: CycleBuffers) -> Bool { true }  // made silent, never written to
  func write(_ output: CycleBuffers) -> Bool { true }
  func end() {}
  func willEnd() {}
  var ownsCurrentThread: Bool { false }
}
