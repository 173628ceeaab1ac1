// SPDX-License-Identifier: Apache-2.0

import AudioSupport

/// The source and destination of a clocked stream's samples, for one run from start to stop.
///
/// Called in the order `begin`, then `fill` and `write` for each cycle, then `end`. The starting
/// thread calls `begin`; the stream's thread calls the others, outside the client's render call. They
/// may wait: the clock then counts the cycle as late.
protocol CycleTransport: AnyObject, Sendable {
  /// [control thread] Prepares the first cycle. `end` is called even if this throws.
  func begin(_ handler: CycleHandler) throws(AudioError)

  /// Reads the input of one cycle. False if the stream cannot continue.
  func fill(_ input: CycleBuffers) -> Bool

  /// Writes the output of one cycle. False if the stream cannot continue.
  func write(_ output: CycleBuffers) -> Bool

  /// Delivers all samples written so far and releases everything.
  func end()

  /// [any thread] Announces that `end` will be called soon.
  func willEnd()

  /// [any thread] Whether the caller runs on one of the transport's own threads.
  var ownsCurrentThread: Bool { get }
}

/// A transport with silent input that drops the output.
final class NullTransport: CycleTransport {
  func begin(_ handler: CycleHandler) {}
  func fill(_ input: CycleBuffers) -> Bool { true }  // silent from the start, never written to
  func write(_ output: CycleBuffers) -> Bool { true }
  func end() {}
  func willEnd() {}
  var ownsCurrentThread: Bool { false }
}
