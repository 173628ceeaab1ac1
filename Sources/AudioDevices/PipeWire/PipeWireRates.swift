// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CRealTime

/// The rate that the graph has, or will have when this process plays: a program's preferred rate is asked
/// for where the user allows it, and granted when nobody else uses the graph.
final class PipeWireRates: Sendable {
  private struct State {
    /// Rates of the streams of this process.
    var running: [ObjectIdentifier: Double] = [:]
    /// The graph's rate as a stream found it that had another, and when that was, in host time.
    var found: (rate: Double, time: UInt64)?
  }

  private let state = Guarded(State())
  /// Nanoseconds for which such a rate is taken for the graph's: until a stream runs at it.
  private static let memory: UInt64 = 3_000_000_000

  /// [any thread] A stream runs, at a rate.
  func began(_ stream: AnyObject, at rate: Double) {
    state.withLock { $0.running[ObjectIdentifier(stream)] = rate }
  }

  /// [any thread] A stream runs no more.
  func ended(_ stream: AnyObject) {
    state.withLock { _ = $0.running.removeValue(forKey: ObjectIdentifier(stream)) }
  }

  /// [any thread] The graph runs at another rate than a stream was opened with.
  func found(_ rate: Double) {
    state.withLock { state in
      state.found = (rate, rt_host_time())
      // Those that run are opened anew soon.
      state.running = [:]
    }
  }

  /// [any thread] The rate to expect. `wanted`: what the program prefers, and the server might grant;
  /// `current`: the server's own; `fixed`: the one that somebody fixed for all.
  func expected(wanted: Double?, current: Double, fixed: Double?) -> Double {
    if let fixed { return fixed }
    return state.withLock { state in
      if let rate = state.running.values.first { return rate }
      if let found = state.found, rt_host_time() < found.time + Self.memory { return found.rate }
      return wanted ?? current
    }
  }
}
